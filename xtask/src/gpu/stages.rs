//! Stages in the order of their worth, so that a short time gives the most.

use std::time::Duration;

/// A program with its arguments and time limit.
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) program: &'static str,
    pub(super) args: &'static [&'static str],
    pub(super) longest: Duration,
}

/// Programs of tests.
pub(super) const TESTS: [&str; 8] =
    ["parity", "ensemble", "simulate", "networks", "paths", "faults", "gpu", "limits"];

/// Program of the benches.
pub(super) const BENCHES: &str = "hpfracc-benches";

/// One test after the other, with their output.
const IN_TURN: &[&str] = &["--test-threads=1", "--nocapture"];

const fn tests(program: &'static str, seconds: u64) -> Stage {
    Stage { name: program, program, args: IN_TURN, longest: Duration::from_secs(seconds) }
}

const fn bench(name: &'static str, args: &'static [&'static str], seconds: u64) -> Stage {
    Stage { name, program: BENCHES, args, longest: Duration::from_secs(seconds) }
}

pub(super) const STAGES: &[Stage] = &[
    bench("roofline", &["--filter", "wgpu/device"], 60),
    tests("parity", 180),
    bench("transforms", &["--filter", "wgpu/transforms"], 90),
    bench("products", &["--filter", "wgpu/products"], 90),
    tests("ensemble", 60),
    tests("simulate", 120),
    bench("ensembles", &["--filter", "wgpu/ensembles"], 60),
    tests("networks", 90),
    bench("network training", &["--filter", "wgpu/networks"], 60),
    tests("paths", 90),
    bench("neural equations", &["--filter", "wgpu/neural-sde"], 60),
    bench("overhead", &["--filter", "wgpu/overhead"], 60),
    bench("tuning", &["--filter", "wgpu/choice"], 120),
    tests("faults", 60),
    tests("gpu", 120),
    tests("limits", 60),
];
