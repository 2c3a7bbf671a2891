//! All tests but those in documentation, which are with it.

use crate::run::{Outcome, cargo};

pub(super) fn check() -> Outcome {
    let all = ["test", "--workspace", "--all-features", "--lib", "--bins", "--tests", "--examples"];
    cargo(&all)?;
    cargo(&["test", "-p", "hpfracc", "-p", "hpfracc-cli", "--no-default-features"])
}
