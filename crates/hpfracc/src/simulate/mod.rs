//! Ensembles of equations on the processor or on a GPU.

mod error;
#[cfg(feature = "gpu")]
mod on_gpu;

pub use error::SimulationError;
#[cfg(feature = "gpu")]
pub use on_gpu::OnGpu;

use crate::Machine;
#[cfg(feature = "gpu")]
use hpfracc_equation::wgsl::Rounding;
use hpfracc_sde::{
    Collect, Ensemble, EquationModel, EulerMaruyama, FractionalEulerMaruyama, Heun,
    StochasticScheme,
};
use std::fmt;
use std::str::FromStr;

/// Where an ensemble is solved. Parsed from `cpu`, `wgpu` or `wgpu-guarded`, on a GPU with the position of its adapter
/// in the list, as in `wgpu@1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SimulationBackend {
    /// On the threads of this computer.
    #[default]
    Cpu,
    /// On a GPU. It is used only where it is named, because the last bits of results differ between devices.
    Wgpu {
        /// Position of the adapter in the list; `None` for the best one.
        adapter: Option<usize>,
        /// Every operation is rounded as it is written. Results have the bits of the CPU on devices whose sums, products,
        /// quotients and square roots are those of IEEE 754; each operation has another one for its bits.
        guarded: bool,
    },
}

/// End of the name of a backend with guarded operations.
const GUARDED: &str = "-guarded";

impl FromStr for SimulationBackend {
    type Err = SimulationError;

    fn from_str(text: &str) -> Result<Self, SimulationError> {
        let unknown = || SimulationError::UnknownBackend { name: text.to_owned() };
        if text == "cpu" {
            return Ok(Self::Cpu);
        }
        let rest = text.strip_prefix("wgpu").ok_or_else(unknown)?;
        let (guarded, rest) = rest.strip_prefix(GUARDED).map_or((false, rest), |rest| (true, rest));
        let adapter = match rest.strip_prefix('@') {
            None if rest.is_empty() => None,
            None => return Err(unknown()),
            Some(position) => Some(position.parse().map_err(|_| unknown())?),
        };
        Ok(Self::Wgpu { adapter, guarded })
    }
}

impl fmt::Display for SimulationBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Wgpu { adapter, guarded } = self else { return f.write_str("cpu") };
        write!(f, "wgpu{}", if *guarded { GUARDED } else { "" })?;
        adapter.map_or(Ok(()), |position| write!(f, "@{position}"))
    }
}

impl Machine {
    /// Solves an ensemble of an equation in single precision with its default scheme, on the processor or on a GPU.
    ///
    /// ```
    /// use hpfracc::prelude::*;
    /// use hpfracc::SimulationBackend;
    ///
    /// let text = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]";
    /// let model = EquationModel::new(&Equation::parse(text)?)?;
    /// let ensemble = Ensemble::new(10_000, 100)?;
    /// let backend: SimulationBackend = "cpu".parse()?; // or `wgpu`, with the feature `gpu`
    /// let moments = Machine::detect().simulate(&model, (&ensemble, 7), backend, &Moments)?;
    /// assert!((moments.mean[[0, 0]] - (-1f64).exp()).abs() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`simulate_with`](Self::simulate_with).
    pub fn simulate<K: Collect<f32>>(
        &self,
        model: &EquationModel,
        ensemble: (&Ensemble<'_>, u64),
        backend: SimulationBackend,
        collector: &K,
    ) -> Result<K::Output, SimulationError> {
        if model.is_fractional() {
            let scheme = FractionalEulerMaruyama::default();
            self.simulate_with(model, &scheme, ensemble, backend, collector)
        } else if model.is_stratonovich() {
            self.simulate_with(model, &Heun, ensemble, backend, collector)
        } else {
            self.simulate_with(model, &EulerMaruyama, ensemble, backend, collector)
        }
    }

    /// Solves an ensemble of an equation, given with its seed, in single precision with a scheme.
    ///
    /// On a GPU an invocation solves a path from start to end with the noise of the same path on the CPU.
    ///
    /// # Errors
    /// Those of [`EquationModel::simulate_with`]; on a GPU [`SimulationError::NotOnGpu`] and
    /// [`SimulationError::Shader`] for what only the CPU solves, and [`SimulationError::Gpu`] of the device.
    pub fn simulate_with<S: StochasticScheme<f32>, K: Collect<f32>>(
        &self,
        model: &EquationModel,
        scheme: &S,
        (ensemble, seed): (&Ensemble<'_>, u64),
        backend: SimulationBackend,
        collector: &K,
    ) -> Result<K::Output, SimulationError> {
        match backend {
            SimulationBackend::Cpu => {
                Ok(model.simulate_with::<f32, S, K>(scheme, ensemble, seed, collector)?)
            }
            #[cfg(feature = "gpu")]
            SimulationBackend::Wgpu { adapter, guarded } => {
                let rounding = if guarded { Rounding::Guarded } else { Rounding::Free };
                let executor = OnGpu::new(self.gpu(adapter)?, rounding);
                model.simulate_on(&executor, scheme, (ensemble, seed), collector)
            }
            #[cfg(not(feature = "gpu"))]
            SimulationBackend::Wgpu { .. } => Err(SimulationError::WithoutGpu { backend }),
        }
    }
}
