//! Ctrl-C as a wish to stop, for commands that keep what they have.

use crate::program::failure::INTERRUPTED;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Returns a flag that Ctrl-C sets from now on. The second Ctrl-C ends the process. If there can be
/// no handler, the first one does.
pub fn watch() -> &'static AtomicBool {
    // Fails if there is one already: then it is this one.
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
