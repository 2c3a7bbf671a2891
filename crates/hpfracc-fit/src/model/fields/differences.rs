//! Steps of differences with respect to a parameter.

use crate::model::declared::Declared;

/// Share of a parameter by which it is moved where solutions are exact to some 1e-13: the cube root.
const STEP: f64 = 5e-5;
/// The same for solutions by time steps, whose iterations end at some 1e-10.
const STEP_OF_STEPS: f64 = 3e-4;
/// Size of a parameter that passes through 0, as a share of its start.
const NEAR_ZERO: f64 = 1e-3;

/// Derivative as a sum over other values of the parameter, of order 2.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// Weight of the solution itself.
    pub(super) centre: f64,
    /// Other values of the parameter, and weights of the solutions there.
    pub(super) others: [(f64, f64); 2],
}

impl Difference {
    /// Central differences, one-sided ones next to a bound.
    pub(super) fn new(declared: &Declared, value: f64, exact: bool) -> Self {
        let start = declared.start.map_or(0.0, f64::abs);
        let size = value.abs().max(NEAR_ZERO * start);
        let size = if size > 0.0 { size } else { 1.0 };
        let step = size * if exact { STEP } else { STEP_OF_STEPS };
        let (left, right) = (value - step, value + step);
        let inside = |x: f64| declared.lower <= x && x <= declared.upper;
        if inside(left) && inside(right) {
            let weight = 1.0 / (right - left);
            return Self { centre: 0.0, others: [(left, -weight), (right, weight)] };
        }
        let step = if inside(value + 2.0 * step) { step } else { -step };
        let (near, far) = (value + step, value + 2.0 * step);
        let (a, b) = (near - value, far - value);
        // The derivative at 0 of the parabola through 0, a and b.
        let (near_weight, far_weight) = (b / (a * (b - a)), -a / (b * (b - a)));
        let others = [(near, near_weight), (far, far_weight)];
        Self { centre: -near_weight - far_weight, others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_are_exact_next_to_bounds() {
        for (lower, upper) in [(0.0, 1.0), (0.5, 1.0), (0.0, 0.5), (0.4999, f64::INFINITY)] {
            let declared = Declared { lower, upper, ..Declared::new("p") };
            for exact in [true, false] {
                let found = Difference::new(&declared, 0.5, exact);
                let f = |x: f64| 3.0 * x * x - x;
                let sum: f64 = found.others.iter().map(|(x, weight)| weight * f(*x)).sum();
                assert!((sum + found.centre * f(0.5) - 2.0).abs() < 1e-9, "{lower} {upper}");
                let in_bounds = found.others.iter().all(|(x, _)| lower <= *x && *x <= upper);
                assert!(in_bounds, "{lower} {upper}");
            }
        }
    }

    #[test]
    fn parameters_at_zero_are_moved() {
        let declared = Declared { start: Some(2.0), ..Declared::new("p") };
        let [(left, _), (right, _)] = Difference::new(&declared, 0.0, true).others;
        assert!((left + 1e-7).abs() < 1e-21 && (right - 1e-7).abs() < 1e-21, "{left} {right}");
        let [(left, _), _] = Difference::new(&Declared::new("p"), 0.0, true).others;
        assert_eq!(left, -5e-5);
    }
}
