//! Online convolution: the history (memory) of a fractional equation.
//!
#![doc = formula!("history", r"s_k[n] = \sum_{j < n} w_k[n - j] \, f[j], \quad f[j] \in \mathbb{R}^d, \quad k = 0, \ldots, \text{kernels} - 1")]
//!
//! A sample `f[n]` may depend on the sums before it, so the series cannot be transformed as a
//! whole. The lag 0 is not part of the sum: that term belongs to the current step. Several kernels
//! share one series and its transforms; the components of `f` share a row of weights or have rows
//! of their own. An adjoint solve is the same sum over reversed data.
//!
//! [`Exponentials`] is kernel compression by a sum of exponentials (SOE).
//!
//! | history | cost of N samples | memory | error |
//! |---|---|---|---|
//! | [`Direct`] | N^2 | N | rounding |
//! | [`Blocked`] | N log^2 N | N | rounding |
//! | [`Exponentials`] | N K, K = 20 to 80 | K | relative error of each weight at most a tolerance |
//!
//! [`HistoryChoice`] has the exponentials of 64 components and more in tiles: with K = 39 some 16 to 19 ns
//! for each component and step in the cache, 22 to 25 ns beyond it, and half of that with states in
//! `f32` (`cargo xtask bench --filter fields/memory`, one machine; the first block beyond the cache takes
//! more, as the system makes its pages).

mod cells;
mod choice;
mod exponentials;
mod field_exponentials;
mod kernel;
mod series;
mod tiles;
mod timed;
mod volterra;
mod work;

pub(crate) use cells::{
    CellKernel, CellMemory, EXPONENTIALS_FROM, MeshExtent, OrderGroup, Pieces,
    SumOfExponentialsMemory, cell_memory,
};
pub use choice::HistoryChoice;
pub(crate) use choice::checked_tolerance;
pub use exponentials::{ExponentialSeries, Exponentials};
pub use kernel::{Kernel, Row, Rule};
pub use series::{Blocked, Direct, SeriesHistory};
pub use volterra::Volterra;
pub(crate) use volterra::corrected_at_nodes;

use crate::OdeError;

/// Sizes of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Components of a sample.
    pub dim: usize,
    /// Convolutions over the same series.
    pub kernels: usize,
    /// Largest number of samples; sums are defined up to n = capacity.
    pub capacity: usize,
}

impl Extent {
    /// The sizes, validated against the kernels.
    fn checked(kernels: &[Kernel], dim: usize, capacity: usize) -> Result<Self, OdeError> {
        if kernels.is_empty() {
            return Err(OdeError::Empty);
        }
        kernels.iter().try_for_each(|kernel| kernel.check(dim, capacity))?;
        Ok(Self { dim, kernels: kernels.len(), capacity })
    }
}

/// Sums over all samples so far: `s_k[n] = sum_{j < n} w_k[n - j] f[j]`, n being the number of
/// samples pushed.
///
/// ```
/// use hpfracc_ode::history::{Direct, History, Kernel, Row};
///
/// // Weights of the lags 0, 1, 2, 3; lag 0 takes no part.
/// let kernel = Kernel::shared(Row::Table(vec![9.0, 1.0, 0.5, 0.25]));
/// let mut history = Direct::new(&[kernel], 1, 3)?;
/// let mut s = [0.0];
/// for (f, sum) in [(1.0, 1.0), (2.0, 2.5), (4.0, 5.25)] {
///     history.push(&[f])?;
///     history.sum_into(0, &mut s)?;
///     assert_eq!(s, [sum]);
/// }
/// # Ok::<(), hpfracc_ode::OdeError>(())
/// ```
pub trait History: Send {
    /// Components, kernels and capacity.
    fn extent(&self) -> Extent;

    /// Samples pushed so far, n.
    fn pushed(&self) -> usize;

    /// Appends `f[n]`, a value for each component. Allocates nothing.
    ///
    /// # Errors
    /// [`OdeError::Length`] if `f` has another number of components, [`OdeError::HistoryFull`]
    /// beyond the capacity; nothing is changed then.
    fn push(&mut self, f: &[f64]) -> Result<(), OdeError>;

    /// Writes `s_kernel[n]`, a value for each component; zeros before the first sample.
    ///
    /// # Errors
    /// [`OdeError::Length`] if `out` has another number of components,
    /// [`OdeError::OutOfRange`] if there is no such kernel.
    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError>;
}
