//! Derivatives of the weights of components with respect to their orders, for executors outside of this crate.

use super::order_weights::{by_order, near_by_order};
use crate::noise::Gaussian;
use crate::schemes::fractional::component_memory::{UnderBrownianMotions, component_memory};
use crate::{ComponentMemory, FractionalEulerMaruyama, NoiseKind, SdeError};

impl FractionalEulerMaruyama {
    /// Derivatives of the weights of [`memories`](Self::memories), each with respect to the order of its component, also
    /// where that is 1. Integrals over near cells are not drawn.
    ///
    /// # Errors
    /// [`SdeError`] for a tolerance outside the range of the memory.
    pub fn memories_by_order<T: Gaussian>(
        &self,
        noise_kind: NoiseKind,
        orders: &[f64],
        (steps, h): (usize, f64),
    ) -> Result<Vec<ComponentMemory<T>>, SdeError> {
        let (of, scheme) =
            (UnderBrownianMotions::new(noise_kind, orders, (steps, h)), self.by_direct_sums());
        let equation = of.equation();
        let each = orders.iter().enumerate().map(|(i, &alpha)| {
            let near = near_by_order(&equation, &scheme, i, &[]);
            let changes = by_order::<T>(&equation, scheme.memory, (alpha, None), near, None)?;
            Ok(component_memory(&changes))
        });
        each.collect()
    }
}
