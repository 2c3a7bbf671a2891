use super::DifferentiableStochasticSystem;
use crate::SdeError;
use crate::noise::Gaussian;
use crate::{Equation, NoiseKind, Stepper, StochasticScheme};
use hpfracc_lanes::{Rows, RowsMut};

/// A scheme whose steps can be taken back: the transposed derivative of what it computes, for given
/// noise.
pub trait DifferentiableStochasticScheme<T: Gaussian>: StochasticScheme<T> {
    /// What takes steps back.
    type Adjoint: AdjointStepper<T, Self::Stepper>;

    /// Decides what is the same for all paths. `orders` says whether derivatives in the orders are
    /// asked for.
    ///
    /// # Errors
    /// [`SdeError::NoDerivative`] if it has none, or none in the orders and they are asked for.
    fn adjoint(
        &self,
        equation: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError>;
}

/// How the states of a tile are had again on the way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateRecovery {
    /// All are kept: the next one depends on all before it.
    Stored,
    /// A state leads to the next one by itself: some are kept, the others computed again.
    Recomputed,
    /// A state is computed from the one after it; none is kept.
    Reversed,
}

/// Takes the steps of a tile back, the last one first.
pub trait AdjointStepper<T: Gaussian, F: Stepper<T>>: Sync {
    /// What a tile carries from step to step besides the cotangents of its present values.
    type State: Send + 'static;

    /// What the scheme permits.
    fn states(&self) -> StateRecovery;

    /// Of so many paths, after the last step, from what the way forward has left.
    fn start(&self, end: &F::State, lanes: usize) -> Self::State;

    /// Makes the state of another tile what [`start`](Self::start) gives, in the memory that it holds
    /// already where that is large.
    fn restart(&self, state: &mut Self::State, end: &F::State, lanes: usize) {
        *state = self.start(end, lanes);
    }

    /// Rows that are kept of each step, beside the state that it starts from.
    fn kept_rows(&self) -> usize {
        0
    }

    /// Writes them, after the step was taken.
    fn keep(&self, state: &F::State, kept: RowsMut<'_, T>) {
        let _ = (state, kept);
    }

    /// Takes `xbar`, the cotangent of x at t + h, to t, and adds to the parameters' `thetabar`.
    ///
    /// Where the cotangent of a value passes through the memory, `xbar` is what does not. `node.x` is x
    /// at t; where states are [reversed](StateRecovery::Reversed) it comes as x at t + h and leaves as x at t.
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
        xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    );

    /// Takes `xbar` at the first node to the cotangent of the start, and writes the derivative in the
    /// order of each component to `orders`, which has no rows if none were asked for.
    fn finish<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
        ends: StartCotangents<'_, T>,
        thetabar: &mut [T],
    );
}

/// A node of a tile and the noise of the step that leaves it.
#[derive(Debug)]
pub struct AdjointNode<'a, T> {
    /// Its time.
    pub t: f64,
    /// The values there.
    pub x: RowsMut<'a, T>,
    /// What [`Stepper::step`] was given.
    pub dz: Rows<'a, T>,
    /// What [`AdjointStepper::keep`] wrote after the step.
    pub kept: Rows<'a, T>,
}

/// The cotangents at the first node.
#[derive(Debug)]
pub struct StartCotangents<'a, T> {
    /// Of the start.
    pub xbar: RowsMut<'a, T>,
    /// Of the orders, or no rows.
    pub orders: RowsMut<'a, T>,
}

/// Refuses derivatives in the orders, for schemes that have none.
pub(super) fn without_orders(scheme: &'static str, orders: bool) -> Result<(), SdeError> {
    let reason = "it has no memory, and no orders";
    if orders { Err(SdeError::NoDerivative { scheme, reason }) } else { Ok(()) }
}

/// `gbar_ij = noisebar_i dZ_j`, the cotangent of g where that of `sum_j g_ij dZ_j` is `noisebar_i`.
#[inline(always)]
pub(super) fn of_diffusion<T: Gaussian>(
    noise_kind: NoiseKind,
    noisebar: Rows<'_, T>,
    dz: Rows<'_, T>,
    mut gbar: RowsMut<'_, T>,
) {
    let noises = noise_kind.noises(noisebar.rows());
    for row in 0..noise_kind.rows(noisebar.rows()) {
        let (i, j) = match noise_kind {
            NoiseKind::Diagonal | NoiseKind::LeadingDiagonal { .. } => (row, row),
            NoiseKind::Scalar => (row, 0),
            NoiseKind::General { .. } => (row / noises, row % noises),
        };
        for ((gbar, noisebar), dz) in gbar[row].iter_mut().zip(&noisebar[i]).zip(&dz[j]) {
            *gbar = *noisebar * *dz;
        }
    }
}
