//! Format, the rules of `cargo xtask tidy`, and clippy.

use crate::run::{Outcome, cargo};

pub(super) fn check() -> Outcome {
    cargo("fmt --all --check")?;
    crate::tidy::run()?;
    cargo("clippy --workspace --all-targets --all-features --locked -- -Dwarnings")?;
    // Builds without GPU support have code of their own.
    cargo(
        "clippy --no-default-features --features hpfracc-cli/commands --all-targets --locked \
         -p=hpfracc -p=hpfracc-cli -p=hpfracc-benches -- -Dwarnings",
    )
}
