//! Weights of the L1 scheme.

use crate::UniformGrid;
use crate::history::Row;
use hpfracc_operators::Number;
use hpfracc_special::forward_differences_of_powers;

/// Weights `-b` of the changes of y by lag, on equal steps.
pub(crate) fn l1_row(alpha: f64, grid: UniformGrid) -> Row {
    let mut b = vec![0.0; grid.n() + 1];
    forward_differences_of_powers(1.0 - alpha, &mut b);
    b.iter_mut().for_each(|b| *b = -*b);
    Row::Table(b)
}

/// Weight `Gamma(2-alpha) h^alpha` of f at the end of a step.
pub(crate) fn l1_newest<T: Number>(alpha: T, h: f64) -> T {
    (-alpha + 2.0).gamma() * T::constant(h).powf(alpha)
}
