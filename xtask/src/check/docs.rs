//! Documentation: every link has a target, every example runs.

use crate::run::{Outcome, cargo, cargo_with};

pub(super) fn check() -> Outcome {
    cargo_with(
        &["doc", "--workspace", "--all-features", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings".as_ref())],
    )?;
    cargo("test --workspace --all-features --doc --locked")
}
