//! Schemes without memory.

use super::case::Case;
use super::systems::{double_well, mixed, oscillator};
use hpfracc_solvers::sde::EulerMaruyama;

#[test]
fn euler_and_maruyama_with_each_coupling() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        Case::new(system, &[1.0]).check(name, &EulerMaruyama);
    }
}

/// The same bits, and fewer states kept.
#[test]
fn states_computed_again() {
    let case = Case::new(mixed(), &[1.0]);
    let plain = case.gradient::<f64, _>(&EulerMaruyama, |gradient| gradient);
    for steps in [1, 5, 6, 23, 24, 100] {
        let again = case.gradient(&EulerMaruyama, |gradient| gradient.in_segments_of(steps));
        assert_eq!(again, plain, "segments of {steps}");
    }
}
