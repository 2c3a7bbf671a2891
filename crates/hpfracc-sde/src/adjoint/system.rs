use crate::StochasticSystem;
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_types::Real;

/// A stochastic system with the derivatives of its coefficients in the state and in parameters
/// theta.
///
/// Derivatives are exact, written by hand or by automatic differentiation; gradients never use
/// differences instead. Both products add to their outputs.
///
/// Parameters are the same for all paths, so that a tile adds the *sum over its lanes* to
/// [`Vjp::thetabar`]: sums over some 256 paths and steps continue in double precision. The system
/// chooses the order of the sum, which must be the same every time; [`dot`] has one. A network's
/// weights get their share as a product of matrices and need no row for each path.
///
/// A function that needs scratch memory takes it from a pool in `self`, with a lock for each
/// thread: one call serves hundreds of paths.
pub trait DifferentiableStochasticSystem<T: Real>: StochasticSystem<T> {
    /// Number of parameters.
    fn parameters(&self) -> usize;

    /// Adds `f_x^T fbar` to `to.xbar`, and `f_theta^T fbar`, summed over the lanes, to
    /// `to.thetabar`.
    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>);

    /// Adds `g_x^T gbar` to `to.xbar`, and `g_theta^T gbar`, summed over the lanes, to
    /// `to.thetabar`. The rows of `gbar` are those of g; where there is no noise it is not called.
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>);
}

/// Where the transposed derivatives of a coefficient are added.
#[derive(Debug)]
pub struct Vjp<'a, T> {
    /// The cotangents of the state, a row for each component.
    pub xbar: RowsMut<'a, T>,
    /// The cotangents of the parameters, summed over the lanes.
    pub thetabar: &'a mut [T],
}

impl<T> Vjp<'_, T> {
    /// The same outputs, for a call after which they are used again.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Vjp<'_, T> {
        Vjp { xbar: self.xbar.reborrow(), thetabar: self.thetabar }
    }
}

/// The products of both coefficients; the diffusion's only if there is noise.
#[inline(always)]
pub(super) fn vjp<T: Real, S: DifferentiableStochasticSystem<T>>(
    system: &S,
    t: f64,
    x: Rows<'_, T>,
    (fbar, gbar): (Rows<'_, T>, Rows<'_, T>),
    mut to: Vjp<'_, T>,
) {
    system.drift_vjp(t, x, fbar, to.reborrow());
    if gbar.rows() > 0 {
        system.diffusion_vjp(t, x, gbar, to);
    }
}

impl<T: Real, S: DifferentiableStochasticSystem<T> + ?Sized> DifferentiableStochasticSystem<T>
    for &S
{
    fn parameters(&self) -> usize {
        (**self).parameters()
    }

    #[inline(always)]
    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        (**self).drift_vjp(t, x, fbar, to);
    }

    #[inline(always)]
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        (**self).diffusion_vjp(t, x, gbar, to);
    }
}

/// `sum_l a_l b_l` in a fixed order: sixteen sums side by side, as in a register, then theirs.
#[inline(always)]
pub fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    dot_of(a, b, |b| b)
}

/// `sum_l a_l f(b_l)` as [`dot`] sums: for a parameter that multiplies f(x), with its cotangent a.
#[inline(always)]
pub fn dot_of<T: Real>(a: &[T], b: &[T], f: impl Fn(T) -> T) -> T {
    let mut sums = [T::zero(); 16];
    let (parts, others) = (a.chunks_exact(16), b.chunks_exact(16));
    let rest = parts.remainder().iter().zip(others.remainder());
    let rest = rest.fold(T::zero(), |sum, (a, b)| sum + *a * f(*b));
    for (a, b) in parts.zip(others) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += *a * f(*b);
        }
    }
    sums.iter().fold(rest, |sum, lane| sum + *lane)
}
