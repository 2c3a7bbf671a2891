//! Format, the rules of `cargo xtask tidy`, and clippy.

use crate::run::{Outcome, cargo};

pub(super) fn check() -> Outcome {
    cargo(&["fmt", "--all", "--check"])?;
    crate::tidy::run()?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--locked",
        "--",
        "-Dwarnings",
    ])?;
    // What builds without GPU support has code of its own.
    cargo(&[
        "clippy",
        "--no-default-features",
        "--all-targets",
        "--locked",
        "-p=hpfracc",
        "-p=hpfracc-cli",
        "-p=hpfracc-benches",
        "--",
        "-Dwarnings",
    ])
}
