use super::{DifferentiableStochasticSystem, Vjp};
use crate::noise::Gaussian;
use crate::rows::add_products;
use crate::{Equation, NoiseKind, SdeError, Stepper, StochasticScheme};
use hpfracc_lanes::{Rows, RowsMut, Storage};

/// A scheme with an adjoint: the transposed derivative of its steps, for given noise.
pub trait DifferentiableStochasticScheme<T: Gaussian>: StochasticScheme<T> {
    /// The backward steps.
    type Adjoint: AdjointStepper<T, Self::Stepper>;

    /// Computes the parts that all paths have in common. `orders`: whether derivatives with respect
    /// to the orders are requested.
    ///
    /// # Errors
    /// [`SdeError::NoDerivative`] if it has none, or none with respect to the orders and they are
    /// requested.
    fn adjoint(
        &self,
        equation: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError>;
}

/// How the backward pass obtains the states of the forward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateRecovery {
    /// All are stored: a step depends on more than the state at its start.
    Stored,
    /// A state determines the next one: some are stored, the others recomputed.
    Recomputed,
    /// A state is reconstructed from the next one; none is stored.
    Reversed,
}

/// The backward steps of a scheme for a tile of paths, the last one first.
pub trait AdjointStepper<T: Gaussian, F: Stepper<T>>: Sync {
    /// State of a tile between backward steps, besides the cotangents of its values.
    type State: Default + Send + 'static;

    /// How the states of the forward pass are obtained.
    const RECOVERY: StateRecovery;

    /// Makes a state, new or of another tile, that after the last step, from the final state `end`
    /// of the forward pass; memory is reused. Cotangents that later steps read are stored in
    /// `storage`.
    fn start(&self, state: &mut Self::State, end: &F::State, lanes: usize, storage: Storage);

    /// Format in which states and rows are stored: the requested one, or full precision where the
    /// backward pass takes steps again from them.
    fn storage(&self, requested: Storage) -> Storage {
        requested
    }

    /// Bytes of the cotangents that a state stores for each path.
    fn bytes_per_path(&self, storage: Storage) -> usize {
        let _ = storage;
        0
    }

    /// Rows stored for each step, next to the state at its start.
    fn kept_rows(&self) -> usize {
        0
    }

    /// Writes these rows, after the step.
    fn keep(&self, state: &F::State, kept: RowsMut<'_, T>) {
        let _ = (state, kept);
    }

    /// Transforms `node.to.xbar`, the cotangent of x at t + h, to that at t, and adds to the
    /// cotangents `node.to.thetabar` of the parameters.
    ///
    /// Contributions that pass through a memory are not part of `xbar`. `node.x` is x at t; where
    /// states are [reversed](StateRecovery::Reversed) it comes as x at t + h and leaves as x at t.
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    );

    /// Transforms `node.to.xbar` at the first node to the cotangent of the initial values, and
    /// writes the derivative with respect to the order of each component to `orders`, which has no
    /// rows if not requested. By default nothing remains to be done.
    fn finish<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
        orders: RowsMut<'_, T>,
    ) {
        let _ = (system, state, node, orders);
    }
}

/// A node of a tile, and the noise of the step that starts there.
#[derive(Debug)]
pub struct AdjointNode<'a, T> {
    /// Its time.
    pub t: f64,
    /// The values there.
    pub x: RowsMut<'a, T>,
    /// The increments and integrals of [`Stepper::step`].
    pub dz: Rows<'a, T>,
    /// The rows of [`AdjointStepper::keep`].
    pub kept: Rows<'a, T>,
    /// The cotangents of the values and of the parameters.
    pub to: Vjp<'a, T>,
}

/// Refuses derivatives with respect to the orders, for schemes without memory.
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
    for i in 0..noisebar.rows() {
        for (j, row) in noise_kind.acting(i) {
            for ((gbar, noisebar), dz) in gbar[row].iter_mut().zip(&noisebar[i]).zip(&dz[j]) {
                *gbar = *noisebar * *dz;
            }
        }
    }
}

/// The same, added to `gbar`.
#[inline(always)]
pub(super) fn add_of_diffusion<T: Gaussian>(
    noise_kind: NoiseKind,
    noisebar: Rows<'_, T>,
    dz: Rows<'_, T>,
    mut gbar: RowsMut<'_, T>,
) {
    for i in 0..noisebar.rows() {
        for (j, row) in noise_kind.acting(i) {
            add_products(&mut gbar[row], &noisebar[i], &dz[j]);
        }
    }
}
