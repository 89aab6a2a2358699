//! Crash reports: messages for panics on any thread and, on Unix, for fatal signals such as the one
//! of a stack overflow.
//!
//! A report has two lines, what happened and where to report it; with `--format json` it is an
//! object. The process then exits with [`AT_FAULT`]. A signal handler can call only
//! async-signal-safe functions, so its text is prepared in advance: the handler itself only writes,
//! restores the terminal and exits. It runs on the alternate stack that the standard library gives
//! every thread.

use crate::program::answers::diagnostic::{DiagnosticAnswer, DiagnosticsAnswer};
use crate::program::schema::line;
use ludwright::syntax::visible::{shorten, shown};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Exit code of internal errors, `EX_SOFTWARE` of `sysexits.h`.
pub const AT_FAULT: u8 = 70;
/// At most this many files are named in a report.
const MAX_FILES: usize = 6;
/// Longest command line in a report, in characters.
const LONGEST: usize = 2_000;

/// A placeholder for the description of the fault in a prepared JSON report, and its JSON escape.
const HERE: &str = "\u{1}";
const HERE_IN_JSON: &str = "\\u0001";

/// A file to report besides the files on the command line, such as the journal of a game.
static CONCERNED: Mutex<Option<PathBuf>> = Mutex::new(None);
/// Prepared texts for each file that was ever named; leaked, because a handler may read one at any
/// time.
static PREPARED: Mutex<Vec<(PathBuf, &'static system::Prepared)>> = Mutex::new(Vec::new());

/// Installs the panic hook and the signal handlers.
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
        let (before, after) = report();
        let what = described(panic);
        let told = match super::asks_for_json() {
            // The text goes into the middle of a JSON string.
            true => serde_json::to_string(&what).map(|text| text[1..text.len() - 1].to_owned()),
            false => Ok(what),
        };
        let told = format!("{before}{}{after}", told.unwrap_or_default());
        // The output is unchecked: a failure to write cannot be reported. It bypasses the lock of
        // standard error, which the panicking thread may hold.
        system::write(told.as_bytes());
        system::exit();
    }));
    prepare();
    system::watch();
}

/// Names the file that a crash report asks for, in place of the previous one.
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

/// Returns the report before and after the description of the fault: two lines, or an object in
/// JSON.
fn report() -> (String, String) {
    let as_text = || (head(), format!("\n{}", request()));
    if !super::asks_for_json() {
        return as_text();
    }
    let told = DiagnosticAnswer {
        code: Some("internal"),
        severity: "error",
        message: head() + HERE,
        help: Some(request().trim_end().to_owned()),
        ..DiagnosticAnswer::default()
    };
    let line = line(&DiagnosticsAnswer { diagnostics: vec![told] }).unwrap_or_default();
    match line.split_once(HERE_IN_JSON) {
        Some((before, after)) => (before.to_owned(), format!("{after}\n")),
        None => as_text(),
    }
}

/// Beginning of the first line.
fn head() -> String {
    format!("ludwright {} has failed because of an internal error: ", env!("CARGO_PKG_VERSION"))
}

fn described(panic: &PanicHookInfo) -> String {
    let message = panic.payload_as_str().unwrap_or("it has panicked");
    let place = panic.location().map(|place| {
        let file = place.file().replace('\\', "/");
        // Omits where the registry keeps the sources of dependencies: it contains the user's home
        // folder.
        let file = file
            .rsplit_once("/registry/src/")
            .and_then(|(_, rest)| rest.split_once('/'))
            .map_or(&*file, |(_, rest)| rest);
        format!(" ({file}:{}:{})", place.line(), place.column())
    });
    let message = message.split_whitespace().collect::<Vec<&str>>().join(" ");
    format!("{}{}", shorten(&shown(&message)), place.unwrap_or_default())
}

/// Second line: which files to send, where, and the command line.
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
    // The panicking thread may hold the lock: then the name is omitted.
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

/// Prepares the text for signal handlers.
fn prepare() -> &'static system::Prepared {
    let (before, after) = report();
    let prepared: &'static system::Prepared =
        Box::leak(Box::new(system::Prepared { before, after }));
    system::prepare(prepared);
    prepared
}

#[cfg(unix)]
mod system {
    use super::AT_FAULT;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    /// Signals that only a fault of the program raises.
    const SIGNALS: [(libc::c_int, &str); 5] = [
        (libc::SIGSEGV, "a memory fault or stack overflow (SIGSEGV)"),
        (libc::SIGBUS, "a memory fault (SIGBUS)"),
        (libc::SIGILL, "an illegal instruction (SIGILL)"),
        (libc::SIGFPE, "an arithmetic fault (SIGFPE)"),
        (libc::SIGABRT, "an abort (SIGABRT)"),
    ];

    pub struct Prepared {
        pub before: String,
        pub after: String,
    }

    /// Points to a leaked, immutable value.
    static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(std::ptr::null_mut());
    /// Whether a thread is already reporting a fault.
    static BEGUN: AtomicBool = AtomicBool::new(false);
    /// Terminal settings before a line editor changes them.
    static TERMINAL: OnceLock<libc::termios> = OnceLock::new();

    /// Sets the text for signal handlers.
    pub fn prepare(prepared: &'static Prepared) {
        PREPARED.store(std::ptr::from_ref(prepared).cast_mut(), Ordering::Release);
    }

    pub fn watch() {
        let mut settings = std::mem::MaybeUninit::<libc::termios>::uninit();
        // SAFETY: `tcgetattr` gets room for the settings, and fills it if it returns 0.
        let known = unsafe { libc::tcgetattr(libc::STDIN_FILENO, settings.as_mut_ptr()) == 0 };
        if known {
            // SAFETY: `tcgetattr` has filled it.
            let _ = TERMINAL.set(unsafe { settings.assume_init() });
        }
        for (signal, _) in SIGNALS {
            let handler = tell as extern "C" fn(libc::c_int);
            // SAFETY: an all-zero `sigaction` is valid, and every field that matters is set. The
            // handler calls only async-signal-safe functions (see `tell`). On a thread without an
            // alternate stack the system ignores `SA_ONSTACK`.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handler as libc::sighandler_t;
                action.sa_flags = libc::SA_ONSTACK;
                libc::sigfillset(&mut action.sa_mask);
                libc::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
    }

    /// Signal handler. It only uses atomics, `write`, `tcsetattr`, `nanosleep` and `_exit`, all
    /// async-signal-safe; it neither allocates nor locks.
    extern "C" fn tell(signal: libc::c_int) {
        if begin() {
            restore_terminal();
            let prepared = PREPARED.load(Ordering::Acquire);
            // SAFETY: the pointer is null or comes from a `&'static Prepared`, and nothing writes
            // through it.
            if let Some(prepared) = unsafe { prepared.as_ref() } {
                let mut what = "";
                for (known, name) in SIGNALS {
                    if known == signal {
                        what = name;
                    }
                }
                for part in [&prepared.before, what, &prepared.after] {
                    write(part.as_bytes());
                }
            }
        }
        exit();
    }

    /// Returns true for the first thread that fails. Later ones wait a second, so that the first
    /// can finish its report.
    pub fn begin() -> bool {
        let first = !BEGUN.swap(true, Ordering::SeqCst);
        if !first {
            let second = libc::timespec { tv_sec: 1, tv_nsec: 0 };
            // SAFETY: `nanosleep` reads the given time, and accepts null for the remainder.
            unsafe { libc::nanosleep(&second, std::ptr::null_mut()) };
        }
        first
    }

    /// Restores the terminal settings and clears the current line.
    pub fn restore_terminal() {
        if let Some(settings) = TERMINAL.get() {
            // SAFETY: the settings come from `tcgetattr`.
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
        // SAFETY: `_exit` takes any number and does not return. It runs no exit handlers, which
        // could wait for locks of the failed thread.
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
        pub before: String,
        pub after: String,
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

/// Fails on request, for tests: `LUDWRIGHT_FAULT=play:3:panic` panics at the third call with
/// `play`. Absent from release builds.
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
            // SAFETY: none, deliberately: nothing is mapped at this address, and the fault is
            // wanted.
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
