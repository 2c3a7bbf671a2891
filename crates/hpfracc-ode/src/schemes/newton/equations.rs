//! The nonlinear equations of implicit steps.

use crate::{Problem, Statistics, System};

/// Equations of a step, or of several coupled ones, for the unknown states `y_s` at the times
/// `t_s`:
///
/// ```text
/// y_s = known_s + sum_r coupling_sr f(t_r, y_r),    coupling_sr diagonal, a number per component
/// ```
pub(in crate::schemes) struct Equations<'a> {
    pub(in crate::schemes) problem: &'a Problem<dyn System + 'a>,
    /// Times, one per unknown state.
    pub(in crate::schemes) times: &'a [f64],
    /// State by state.
    pub(in crate::schemes) known: &'a [f64],
    /// `coupling[(s * states + r) * dim + component]`.
    pub(in crate::schemes) coupling: &'a [f64],
}

/// An iterate: the unknown states, their f, and the statistics of the solve.
pub(in crate::schemes) struct Iterate<'a> {
    pub(in crate::schemes) y: &'a mut [f64],
    pub(in crate::schemes) f: &'a mut [f64],
    pub(in crate::schemes) statistics: &'a mut Statistics,
}

/// Smallest scale of corrections and smallest component of finite differences: the rounding of
/// smaller numbers is subnormal.
pub(in crate::schemes) const SMALLEST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
