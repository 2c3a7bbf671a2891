//! All tests but those in documentation, which are with it.

use crate::run::{Outcome, cargo};

pub(super) fn check() -> Outcome {
    // Examples that have tests are among them.
    cargo(&["test", "--workspace", "--all-features", "--tests", "--locked"])?;
    cargo(&["test", "-p", "hpfracc", "-p", "hpfracc-cli", "--no-default-features", "--locked"])
}
