//! Keeps the input typed while a program thinks: it is not echoed into the output, Ctrl-C does not
//! discard it, and the next prompt reads it.

#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

/// The settings of the terminal before they were changed.
#[cfg(unix)]
static BEFORE: Mutex<Option<libc::termios>> = Mutex::new(None);

/// Turns off the terminal's echo until it is dropped. Has no effect except on Unix.
pub struct Quiet;

impl Quiet {
    /// Changes the settings of the terminal at standard input, if there is one.
    pub fn new() -> Quiet {
        #[cfg(unix)]
        {
            let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
            if before.is_none() {
                // SAFETY: a `termios` of zeros is valid, and `tcgetattr` only writes to it.
                let mut settings: libc::termios = unsafe { std::mem::zeroed() };
                // SAFETY: the pointer is to a `termios` that outlives the call.
                if unsafe { libc::tcgetattr(libc::STDIN_FILENO, &mut settings) } == 0 {
                    *before = Some(settings);
                    settings.c_lflag &= !(libc::ECHO | libc::ICANON);
                    settings.c_lflag |= libc::ISIG | libc::NOFLSH;
                    // SAFETY: as above; the call only reads it.
                    unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &settings) };
                }
            }
        }
        Quiet
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the settings of the terminal, if they were changed.
pub fn restore() {
    #[cfg(unix)]
    {
        let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(settings) = before {
            // SAFETY: the pointer is to a `termios` that outlives the call, which only reads it.
            unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &settings) };
        }
    }
}
