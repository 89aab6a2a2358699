//! A process whose terminal is a pseudo-terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A process, the keys that it reads, and what it writes.
pub struct Pty {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
}

/// Opens both ends of a pseudo-terminal that does not echo.
fn open() -> (OwnedFd, OwnedFd) {
    let (mut outer, mut inner) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: both numbers can be written, and the other arguments may be null.
    let opened = unsafe { libc::openpty(&mut outer, &mut inner, none, none.cast(), none.cast()) };
    assert_eq!(opened, 0, "no pseudo-terminal");
    // SAFETY: both files have just been opened, and nothing else owns them.
    let (outer, inner) = unsafe { (OwnedFd::from_raw_fd(outer), OwnedFd::from_raw_fd(inner)) };
    // SAFETY: zeros are settings, which are then replaced by those of an open terminal.
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        assert_eq!(libc::tcgetattr(inner.as_raw_fd(), &mut settings), 0);
        settings.c_lflag &= !libc::ECHO;
        assert_eq!(libc::tcsetattr(inner.as_raw_fd(), libc::TCSANOW, &settings), 0);
    }
    for end in [&outer, &inner] {
        // SAFETY: the file is open. Processes that other tests start must not hold it open.
        unsafe { libc::fcntl(end.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    (outer, inner)
}

impl Pty {
    /// Starts a process.
    pub fn start(mut command: Command) -> Pty {
        let (outer, inner) = open();
        let copy = || inner.try_clone().expect("a copy of an open file");
        command.stdin(copy()).stdout(copy()).stderr(inner.try_clone().expect("a copy"));
        // SAFETY: the closure calls only functions that are safe between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                #[allow(clippy::useless_conversion, reason = "its type depends on the system")]
                let request = libc::TIOCSCTTY.into();
                match libc::ioctl(0, request, 0) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        let child = command.spawn().expect("a process");
        let keys = File::from(outer);
        let mut read = keys.try_clone().expect("a copy of an open file");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the process has closed its end.
            while let Ok(count @ 1..) = read.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Pty { child, keys, output }
    }

    pub fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("somebody who reads");
    }

    /// Returns what was written, or `None` if nothing comes within this time.
    pub fn read(&mut self, patience: Duration) -> Option<Vec<u8>> {
        let mut bytes = self.output.recv_timeout(patience).ok()?;
        bytes.extend(self.output.try_iter().flatten());
        Some(bytes)
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a process of this one").is_some()
    }

    /// Tells the process that its terminal was closed. A process that ignores it is killed.
    pub fn hang_up(&mut self) {
        let began = Instant::now();
        // SAFETY: the process has not been waited for, so that its number is still its own.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGHUP) };
        while !self.has_ended() && began.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if !self.has_ended() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
