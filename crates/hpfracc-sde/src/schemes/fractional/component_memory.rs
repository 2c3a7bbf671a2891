//! The weights of a component's memory, for executors outside of this crate.

use super::drift::Drift;
use super::euler_maruyama::FractionalEulerMaruyama;
use super::stepper::WithMemory;
use crate::noise::{Gaussian, NoiseProcess};
use crate::schemes::memory::PathMemory;
use crate::schemes::scheme::{Equation, StochasticScheme};
use crate::{NoiseKind, SdeError};
use hpfracc_lanes::causal::Online;

/// Memory of a component of order below 1 under Brownian motions: with `u = f + g dW/h`,
///
/// ```text
/// X_{n+1} = X_0 + (nearest u_n + S_n) + sum_m near_m (g dW)_{n-m}
/// S_n     = sum_k factor_k z_k,  then  z_k += u_n - loss_k z_k      with exponentials
/// S_n     = sum_{m>=1} weight_m u_{n-m}                             with weights
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ComponentMemory<T> {
    /// Weight of the present step.
    pub nearest: T,
    /// Loss and factor of each exponential; empty for a direct sum.
    pub exponentials: Vec<(T, T)>,
    /// Weights of earlier steps, from the last one on; empty with exponentials.
    pub weights: Vec<T>,
    /// Further weights of the noise of this step and of earlier ones.
    pub near: Vec<T>,
}

impl FractionalEulerMaruyama {
    /// This scheme with direct sums in place of blocks.
    pub(crate) fn by_direct_sums(&self) -> Self {
        let mut scheme = *self;
        if scheme.memory == PathMemory::Blocked {
            scheme.memory = PathMemory::Direct;
        }
        scheme
    }

    /// Memories of the components of an equation with independent Brownian motions, on `steps` steps of
    /// length h; `None` for a component of order 1, and for the whole equation if its drift is corrected or
    /// integrals over near cells are drawn. [`PathMemory::Blocked`] is a direct sum here.
    ///
    /// ```
    /// use hpfracc_sde::{FractionalEulerMaruyama, NoiseKind, PathMemory};
    ///
    /// let scheme = FractionalEulerMaruyama::new(PathMemory::Direct);
    /// let found = scheme.memories::<f32>(NoiseKind::Diagonal, &[0.8, 1.0], (10, 0.1))?;
    /// let memories = found.ok_or("the drift is not corrected")?;
    /// assert!(memories[0].as_ref().is_some_and(|memory| memory.weights.len() == 9));
    /// assert_eq!(memories[1], None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SdeError`] for orders outside of the range of the scheme.
    pub fn memories<T: Gaussian>(
        &self,
        noise_kind: NoiseKind,
        orders: &[f64],
        (steps, h): (usize, f64),
    ) -> Result<Option<Vec<Option<ComponentMemory<T>>>>, SdeError> {
        if self.drift == Drift::PredictorCorrector {
            return Ok(None);
        }
        let of = UnderBrownianMotions::new(noise_kind, orders, (steps, h));
        let stepper = StochasticScheme::<T>::prepare(&self.by_direct_sums(), &of.equation())?;
        if !stepper.integrals.is_empty() {
            return Ok(None);
        }
        let of = |component: &Option<WithMemory<T>>| component.as_ref().map(component_memory);
        Ok(Some(stepper.components.iter().map(of).collect()))
    }
}

/// An equation under independent Brownian motions.
pub(crate) struct UnderBrownianMotions<'a> {
    noise_kind: NoiseKind,
    orders: &'a [f64],
    processes: Vec<NoiseProcess>,
    additive_in: Vec<bool>,
    steps: usize,
    h: f64,
}

impl<'a> UnderBrownianMotions<'a> {
    pub(crate) fn new(noise_kind: NoiseKind, orders: &'a [f64], (steps, h): (usize, f64)) -> Self {
        let noises = noise_kind.noises(orders.len());
        let (processes, additive_in) = (vec![NoiseProcess::Brownian; noises], vec![false; noises]);
        Self { noise_kind, orders, processes, additive_in, steps, h }
    }

    pub(crate) fn equation(&self) -> Equation<'_> {
        Equation {
            dim: self.orders.len(),
            noise_kind: self.noise_kind,
            orders: self.orders,
            processes: &self.processes,
            additive: false,
            additive_in: &self.additive_in,
            commutative: false,
            steps: self.steps,
            h: self.h,
        }
    }
}

/// The weights of a component that has no blocks.
pub(crate) fn component_memory<T: Gaussian>(component: &WithMemory<T>) -> ComponentMemory<T> {
    let (exponentials, weights) = match &component.weights {
        Online::Exponentials(rows) => (rows.losses_and_factors().collect(), Vec::new()),
        Online::Direct(weights) => (Vec::new(), weights.clone()),
        Online::Blocked(_) => unreachable!("a blocked memory is prepared as a direct one"),
    };
    // All noises of a component are Brownian motions, which share their weights.
    let near = component.near.first().map_or_else(Vec::new, |near| near.weights.clone());
    ComponentMemory { nearest: component.nearest, exponentials, weights, near }
}
