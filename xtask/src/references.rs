//! Reference tables and coefficients, computed by Python scripts with mpmath and committed with
//! their users.

use crate::run::{Outcome, finish, root};
use std::process::Command;

/// Script, and the folder it fills.
const TABLES: &[(&str, &str)] = &[
    ("special.py", "crates/hpfracc-special/tests/data"),
    ("mittag_leffler_gradient.py", "crates/hpfracc-special/tests/data"),
    ("operators.py", "crates/hpfracc-operators/tests/data"),
    ("kernels.py", "crates/hpfracc-operators/tests/data"),
    ("space.py", "crates/hpfracc-operators/tests/data"),
    ("meshes.py", "crates/hpfracc-operators/tests/data"),
    ("transforms.py", "crates/hpfracc-transforms/tests/data"),
    ("chain_diagnostics.py", "crates/hpfracc-fit/tests/sample/data"),
    ("equation_solutions.py", "crates/hpfracc-fit/tests/equations/data"),
    ("series.py", "crates/hpfracc-series/tests/data"),
    ("fields.py", "crates/hpfracc-pde/tests/equations/data"),
    ("collocation.py", "crates/hpfracc-ode/tests/data/collocation"),
];

pub(crate) fn run() -> Outcome {
    for (script, folder) in TABLES {
        eprintln!("> {script} -> {folder}");
        let mut python = Command::new("python3");
        python.current_dir(root()).arg(format!("xtask/references/{script}")).arg(folder);
        finish(python, script)?;
    }
    Ok(())
}
