//! All tests except those of the documentation, which `docs` runs.

use crate::run::{Outcome, cargo};

pub(super) fn check() -> Outcome {
    // Includes the tests of examples.
    cargo("test --workspace --all-features --tests --locked")?;
    cargo(
        "test -p hpfracc -p hpfracc-cli --no-default-features --features hpfracc-cli/commands --locked",
    )
}
