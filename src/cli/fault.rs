//! What the program says where it is itself at fault: after a panic on any thread, and on unix
//! after a signal that only broken code raises, such as a stack overflow.
//!
//! It says so in two lines, what to send and where, and exits with a code of its own. Whatever a
//! signal handler needs is made beforehand: the handler itself writes, gives the terminal back and
//! exits, all of which POSIX allows there. It runs on the alternate stack that the standard library
//! gives every thread.

use ludwright::syntax::visible::{shorten, shown};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The exit code, `EX_SOFTWARE` of `sysexits.h`.
pub const AT_FAULT: u8 = 70;
/// So many files are named at most.
const MAX_FILES: usize = 6;
/// How long the command line may be that is shown, in characters.
const LONGEST: usize = 2_000;

/// What is to be sent besides what the command line names, such as the journal of a game.
static CONCERNED: Mutex<Option<PathBuf>> = Mutex::new(None);
/// What was prepared for each file that was ever named. None of it is ever freed.
static PREPARED: Mutex<Vec<(PathBuf, &'static system::Prepared)>> = Mutex::new(Vec::new());

/// Arranges for faults of the program to be told.
pub fn watch() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !system::begin() {
            system::exit();
        }
        system::restore_terminal();
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
            usual(panic);
        }
        let told = format!("{}{}\n{}", head(), described(panic), request());
        // Nobody is left to tell if that fails. Standard error may be locked by whoever panicked.
        system::write(told.as_bytes());
        system::exit();
    }));
    prepare();
    system::watch();
}

/// Names a file that whoever looks for the fault needs, in place of the one that was named before.
pub fn concerns(path: &Path) {
    let mut concerned = CONCERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if concerned.as_deref() == Some(path) {
        return;
    }
    *concerned = Some(path.to_owned());
    drop(concerned);
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    match prepared.iter().find(|(known, _)| known == path) {
        Some((_, known)) => system::prepare(known),
        None => {
            let new = prepare();
            prepared.push((path.to_owned(), new));
        }
    }
}

/// The beginning of the first line.
fn head() -> String {
    format!("ludwright {} has failed because of an internal error: ", env!("CARGO_PKG_VERSION"))
}

fn described(panic: &PanicHookInfo) -> String {
    let message = panic.payload_as_str().unwrap_or("it has panicked");
    let place = panic.location().map(|place| {
        let file = place.file().replace('\\', "/");
        // Where a dependency was unpacked is nobody's business.
        let file = file
            .rsplit_once("/registry/src/")
            .and_then(|(_, rest)| rest.split_once('/'))
            .map_or(&*file, |(_, rest)| rest);
        format!(" ({file}:{}:{})", place.line(), place.column())
    });
    let message = message.split_whitespace().collect::<Vec<&str>>().join(" ");
    format!("{}{}", shorten(&shown(&message)), place.unwrap_or_default())
}

/// The second line: what to send, and where.
fn request() -> String {
    let repository = env!("CARGO_PKG_REPOSITORY");
    let whom = match repository {
        "" => "the authors of Ludwright".to_owned(),
        _ => format!("{}/issues", repository.trim_end_matches('/')),
    };
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let mut files: Vec<String> = Vec::new();
    for argument in &arguments {
        let value = argument
            .split_once('=')
            .filter(|_| argument.starts_with("--"))
            .map_or(argument.as_str(), |(_, value)| value);
        if Path::new(value).is_file() && !files.iter().any(|known| known == value) {
            files.push(value.to_owned());
        }
    }
    files.truncate(MAX_FILES);
    // Whoever holds the lock and has failed has written the name or not.
    let concerned = CONCERNED.try_lock().ok().and_then(|concerned| concerned.clone());
    files.extend(concerned.map(|path| path.display().to_string()));
    let files = match files.is_empty() {
        true => String::new(),
        false => format!(", {}", files.join(", ")),
    };
    let command: String =
        std::iter::once("ludwright".to_owned()).chain(arguments).collect::<Vec<String>>().join(" ");
    let command: String = command.chars().take(LONGEST).collect();
    let told = format!(
        "please report these two lines{files} and what you did to {whom}; the command was: {command}"
    );
    format!("{}\n", shown(&told.replace(['\n', '\t'], " ")))
}

/// Makes what a signal handler will say.
fn prepare() -> &'static system::Prepared {
    let prepared: &'static system::Prepared =
        Box::leak(Box::new(system::Prepared { head: head(), request: request() }));
    system::prepare(prepared);
    prepared
}

#[cfg(unix)]
mod system {
    use super::AT_FAULT;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    /// The signals that only a fault of the program raises.
    const SIGNALS: [(libc::c_int, &str); 5] = [
        (libc::SIGSEGV, "a memory fault or stack overflow (SIGSEGV)"),
        (libc::SIGBUS, "a memory fault (SIGBUS)"),
        (libc::SIGILL, "an illegal instruction (SIGILL)"),
        (libc::SIGFPE, "an arithmetic fault (SIGFPE)"),
        (libc::SIGABRT, "an abort (SIGABRT)"),
    ];

    pub struct Prepared {
        pub head: String,
        pub request: String,
    }

    /// Points to what is never freed nor changed.
    static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(std::ptr::null_mut());
    /// Whether somebody tells of a fault already.
    static BEGUN: AtomicBool = AtomicBool::new(false);
    /// How the terminal was before a line editor took it over.
    static TERMINAL: OnceLock<libc::termios> = OnceLock::new();

    /// Sets what a handler says from now on.
    pub fn prepare(prepared: &'static Prepared) {
        PREPARED.store(std::ptr::from_ref(prepared).cast_mut(), Ordering::Release);
    }

    pub fn watch() {
        let mut settings = std::mem::MaybeUninit::<libc::termios>::uninit();
        // SAFETY: `tcgetattr` is given room for the settings, and has filled it where it returns 0.
        let known = unsafe { libc::tcgetattr(libc::STDIN_FILENO, settings.as_mut_ptr()) == 0 };
        if known {
            // SAFETY: it was filled just now.
            let _ = TERMINAL.set(unsafe { settings.assume_init() });
        }
        for (signal, _) in SIGNALS {
            let handler = tell as extern "C" fn(libc::c_int);
            // SAFETY: an all-zero `sigaction` is valid, and every field that matters is set. The
            // handler calls nothing but what POSIX allows in one (see `tell`). Where a thread has
            // no alternate stack, the system ignores `SA_ONSTACK`.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handler as libc::sighandler_t;
                action.sa_flags = libc::SA_ONSTACK;
                libc::sigfillset(&mut action.sa_mask);
                libc::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
    }

    /// Handles a signal. All that it calls is safe in a handler: atomics, `write`, `tcsetattr`,
    /// `nanosleep` and `_exit`. It allocates nothing and takes no lock.
    extern "C" fn tell(signal: libc::c_int) {
        if begin() {
            restore_terminal();
            let prepared = PREPARED.load(Ordering::Acquire);
            // SAFETY: it is null or comes from a `&'static Prepared`, and nobody writes through it.
            if let Some(prepared) = unsafe { prepared.as_ref() } {
                let mut what = "";
                for (known, name) in SIGNALS {
                    if known == signal {
                        what = name;
                    }
                }
                for part in [&prepared.head, what, "\n", &prepared.request] {
                    write(part.as_bytes());
                }
            }
        }
        exit();
    }

    /// Takes it on to tell of a fault. Another thread may have failed as well: then that one is let
    /// finish, for a while.
    pub fn begin() -> bool {
        let first = !BEGUN.swap(true, Ordering::SeqCst);
        if !first {
            let second = libc::timespec { tv_sec: 1, tv_nsec: 0 };
            // SAFETY: `nanosleep` reads the time that it is given, and writes no rest to null.
            unsafe { libc::nanosleep(&second, std::ptr::null_mut()) };
        }
        first
    }

    /// Gives the terminal back as it was, and ends the line that stands on it.
    pub fn restore_terminal() {
        if let Some(settings) = TERMINAL.get() {
            // SAFETY: the settings came from `tcgetattr`.
            unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, settings) };
        }
        // SAFETY: `isatty` takes any number.
        if unsafe { libc::isatty(libc::STDERR_FILENO) } == 1 {
            write(b"\r\x1b[J");
        }
    }

    pub fn write(mut bytes: &[u8]) {
        while !bytes.is_empty() {
            // SAFETY: the pointer and the length are those of a slice.
            let written =
                unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
            match usize::try_from(written) {
                Ok(written) if written > 0 => bytes = bytes.get(written..).unwrap_or_default(),
                _ => return,
            }
        }
    }

    pub fn exit() -> ! {
        // SAFETY: `_exit` takes any number and does not return. It runs no handlers, which might
        // wait for locks of the thread that has failed.
        unsafe { libc::_exit(AT_FAULT.into()) }
    }
}

#[cfg(not(unix))]
mod system {
    use super::AT_FAULT;
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};

    static BEGUN: AtomicBool = AtomicBool::new(false);

    pub struct Prepared {
        pub head: String,
        pub request: String,
    }

    pub fn prepare(_: &'static Prepared) {}

    pub fn watch() {}

    pub fn begin() -> bool {
        let first = !BEGUN.swap(true, Ordering::SeqCst);
        if !first {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
        first
    }

    pub fn restore_terminal() {}

    pub fn write(bytes: &[u8]) {
        let _ = std::io::stderr().write_all(bytes);
    }

    pub fn exit() -> ! {
        std::process::exit(AT_FAULT.into())
    }
}

/// Fails where the environment asks for it, as in `LUDWRIGHT_FAULT=play:3:panic` the third time
/// that this is called for `play`, so that a test can see what is said then. No release does.
#[cfg(debug_assertions)]
pub fn provoke(place: &str) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let Ok(wanted) = std::env::var("LUDWRIGHT_FAULT") else { return };
    let mut parts = wanted.split(':');
    if parts.next() != Some(place)
        || parts.next().and_then(|number| number.parse().ok())
            != Some(COUNT.fetch_add(1, Ordering::SeqCst) + 1)
    {
        return;
    }
    fn overflow(depth: u64) -> u64 {
        std::hint::black_box(if depth == u64::MAX {
            0
        } else {
            1 + overflow(std::hint::black_box(depth + 1))
        })
    }
    match parts.next() {
        Some("panic") => panic!("it was asked for: \u{1b}[31m\u{202e}"),
        Some("thread") => drop(std::thread::spawn(|| panic!("it was asked for")).join()),
        Some("overflow") => assert!(overflow(0) > 0),
        Some("deep") => drop(std::thread::spawn(|| overflow(0)).join()),
        #[cfg(unix)]
        Some("wild") => {
            let address = std::hint::black_box(64 as *mut u8);
            // SAFETY: there is none. Nothing is mapped at this address, and the fault is wanted.
            unsafe { address.write_volatile(1) }
        }
        #[cfg(unix)]
        Some(signal) => {
            let signal = match signal {
                "bus" => libc::SIGBUS,
                "ill" => libc::SIGILL,
                _ => libc::SIGABRT,
            };
            // SAFETY: `raise` takes any signal.
            unsafe { libc::raise(signal) };
        }
        _ => {}
    }
}

#[cfg(not(debug_assertions))]
pub fn provoke(_: &str) {}
