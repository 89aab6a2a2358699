//! Ctrl-C as a request to stop, for commands that keep their results so far.

use crate::program::failure::INTERRUPTED;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Returns a flag that Ctrl-C sets from now on. The second Ctrl-C ends the process. If no handler
/// can be installed, the first one does.
pub fn watch() -> &'static AtomicBool {
    // Setting the handler fails if it is already set: then it is this handler.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    &STOP
}

/// Tests if Ctrl-C has been pressed.
pub fn is_wished() -> bool {
    STOP.load(Ordering::Relaxed)
}
