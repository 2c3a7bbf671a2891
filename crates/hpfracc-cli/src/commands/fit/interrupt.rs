//! Ctrl-C: the first one asks the computation to end, the second one ends the program.

use std::process::exit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
static INSTALLED: Once = Once::new();

/// Whether the flag is set.
pub(super) fn is_set() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Flag that is set by Ctrl-C. Where no handler can be installed, Ctrl-C ends the program.
pub(super) fn flag() -> &'static AtomicBool {
    INSTALLED.call_once(|| {
        let asked = || {
            if ASKED.swap(true, Ordering::Relaxed) {
                exit(130);
            }
        };
        drop(ctrlc::set_handler(asked));
    });
    &ASKED
}
