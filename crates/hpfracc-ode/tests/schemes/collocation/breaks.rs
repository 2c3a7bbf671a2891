//! Solutions that are not smooth inside the interval.

use super::case::Case;
use hpfracc_ode::{Collocation, Solution};
use hpfracc_special::gamma;

/// A right-hand side that jumps from 1 to -1.
#[test]
fn a_jump_at_a_break() {
    for alpha in [0.3, 0.6, 1.4] {
        let exact = move |t: f64| {
            let jump = if t > 1.0 { 2.0 * (t - 1.0).powf(alpha) } else { 0.0 };
            (t.powf(alpha) - jump) / gamma(1.0 + alpha)
        };
        let initial = &[0.0; 2][..f64::ceil(alpha) as usize];
        // At the break itself, and where a time rounds to it, f is evaluated from the right.
        let rhs = |t, _| if t < 1.0 { 1.0 } else { -1.0 };
        let mut case = Case::scalar(format!("jump {alpha}"), alpha, initial, 3.0, rhs, exact);
        case.scheme.breaks = vec![1.0];
        case.exact.extend([1.0 + 1e-12, 1.0 + 1e-6, 1.001].map(|t| (t, vec![exact(t)])));
        let solution = case.solve(1e-13);
        let error = case.error(&solution);
        assert!(error < 1e-13, "{alpha}: {error:e}");
        assert!(solution.statistics().unknowns < 1500, "{:?}", solution.statistics());
    }
}

/// Solves an equation with the delay tau from one multiple of tau to the next. The past comes from
/// the solve before, on an interval shorter by tau.
fn by_steps(
    alpha: f64,
    tau: f64,
    steps: u32,
    past: fn(f64) -> f64,
    rhs: Rhs,
    exact: fn(f64) -> f64,
) {
    let mut before: Option<Solution> = None;
    for step in 1..=steps {
        let end = tau * f64::from(step);
        let known = before.take();
        let delayed = move |t: f64| match &known {
            Some(known) if t > tau => {
                let end = known.times()[known.times().len() - 1];
                known.at((t - tau).min(end)).expect("inside")[0]
            }
            _ => past(t - tau),
        };
        let f = move |t, y| rhs(t, y, delayed(t));
        let breaks = (1..step).map(|k| tau * f64::from(k)).collect();
        let mut case = Case::scalar("delay", alpha, &[past(0.0)], end, f, exact);
        case.scheme = Collocation { breaks, ..Collocation::default() };
        let solution = case.solve(1e-13);
        let error = case.error(&solution);
        println!("{alpha} up to {end}: {error:e}, {:?}", solution.statistics());
        assert!(error < 1e-12, "{alpha} up to {end}: {error:e}");
        assert!(solution.statistics().unknowns < 3000);
        before = Some(solution);
    }
}

type Rhs = fn(f64, f64, f64) -> f64;

/// `y = t^2 - t`, before zero as well.
#[test]
fn a_delay_with_a_smooth_solution() {
    const ALPHA: f64 = 0.6;
    const TAU: f64 = 0.5;
    let rhs: Rhs = |t, y, delayed| {
        2.0 / gamma(3.0 - ALPHA) * t.powf(2.0 - ALPHA) - t.powf(1.0 - ALPHA) / gamma(2.0 - ALPHA)
            + 2.0 * TAU * t
            - TAU * TAU
            - TAU
            - y
            + delayed
    };
    by_steps(ALPHA, TAU, 4, |t| t * t - t, rhs, |t| t * t - t);
}

/// `D^alpha y = -y(t - 1)`, y = 1 before zero: `sum_k (-1)^k (t-k+1)^(k alpha)/Gamma(k alpha + 1)`
/// over the k with t > k - 1, which has a new singularity at each whole t.
#[test]
fn a_delay_with_a_singular_solution() {
    const ALPHA: f64 = 0.6;
    let exact = |t: f64| {
        let terms = (0i32..).take_while(|k| *k == 0 || f64::from(*k - 1) < t);
        terms
            .map(|k| {
                let power = f64::from(k) * ALPHA;
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                sign * (t - f64::from(k - 1)).powf(power) / gamma(power + 1.0)
            })
            .sum()
    };
    by_steps(ALPHA, 1.0, 4, |_| 1.0, |_, _, delayed| -delayed, exact);
}
