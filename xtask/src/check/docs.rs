//! Documentation: every link leads somewhere, every example runs.

use crate::run::{Outcome, cargo, cargo_with};

pub(super) fn check() -> Outcome {
    cargo_with(
        &["doc", "--workspace", "--all-features", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings".as_ref())],
    )?;
    cargo(&["test", "--workspace", "--all-features", "--doc"])
}
