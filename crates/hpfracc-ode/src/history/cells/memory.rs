use super::cell_kernel::CellKernel;
use crate::Problem;
use crate::steps::MAX_STEPS;

/// Fractional integral of the piecewise linear interpolant of f, at times after the last node.
///
/// ```text
/// 1/Gamma(alpha) int_t0^t_n (t-s)^(alpha-1) f(s) ds,   t >= t_n, f linear in each cell up to t_n
/// ```
///
/// [`add_into`](Self::add_into) changes nothing, so a rejected step leaves no trace.
pub(crate) trait CellMemory: Send + Sync {
    /// Appends a node t with its f.
    fn push(&mut self, t: f64, f: &[f64]);

    /// Shortest step that the memory resolves.
    fn shortest(&self) -> f64 {
        0.0
    }

    /// Largest number of attempts of adaptive steps that take seconds.
    fn max_steps(&self) -> usize {
        MAX_STEPS
    }

    /// Adds the integral at t to the components of `out`.
    fn add_into(&self, t: f64, out: &mut [f64]);
}

/// Components of one kernel.
pub(crate) type OrderGroup<T = f64> = (CellKernel<T>, Vec<usize>);

/// Kernels of the distinct orders, each with its components.
pub(crate) fn moments_by_order<S: ?Sized>(problem: &Problem<S>) -> Vec<OrderGroup> {
    let groups = problem.by_order().into_iter();
    groups.map(|(alpha, components)| (CellKernel::of_order(alpha), components)).collect()
}
