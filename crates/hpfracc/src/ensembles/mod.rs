//! Ensembles of equations on a machine.

#[cfg(feature = "gpu")]
mod adapters;
#[cfg(feature = "gpu")]
mod cost;
#[cfg(feature = "gpu")]
mod on_machine;

use crate::machine::Machine;
use crate::simulate::{EnsembleScalar, SimulationBackend, SimulationChoice, SimulationError};
use hpfracc_sde::{
    Collect, DefaultScheme, Ensemble, EquationModel, EulerMaruyama, FractionalEulerMaruyama, Heun,
    StochasticScheme,
};
#[cfg(feature = "gpu")]
use on_machine::OnMachine;

impl Machine {
    /// Solves an ensemble of an equation with its default scheme, on the processor or on a GPU.
    ///
    /// ```
    /// use hpfracc::prelude::*;
    /// use hpfracc::SimulationBackend;
    ///
    /// let text = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]";
    /// let model = EquationModel::new(&Equation::parse(text)?)?;
    /// let ensemble = Ensemble::new(10_000, 100)?;
    /// let backend: SimulationBackend = "cpu".parse()?; // or `wgpu`, with the feature `gpu`
    /// let machine = Machine::detect();
    /// let moments = machine.simulate::<f64, _>(&model, (&ensemble, 7), backend, &Moments)?;
    /// assert!((moments.mean[[0, 0]] - (-1f64).exp()).abs() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`simulate_with`](Self::simulate_with).
    pub fn simulate<T: EnsembleScalar, K: Collect<T>>(
        &self,
        model: &EquationModel,
        ensemble: (&Ensemble<'_>, u64),
        backend: SimulationBackend,
        collector: &K,
    ) -> Result<K::Output, SimulationError> {
        match model.default_scheme() {
            DefaultScheme::FractionalEulerMaruyama => {
                let scheme = FractionalEulerMaruyama::default();
                self.simulate_with(model, &scheme, ensemble, backend, collector)
            }
            DefaultScheme::Heun => self.simulate_with(model, &Heun, ensemble, backend, collector),
            DefaultScheme::EulerMaruyama => {
                self.simulate_with(model, &EulerMaruyama, ensemble, backend, collector)
            }
        }
    }

    /// Solves an ensemble of an equation, given with its seed, in `f32` or `f64` with a scheme.
    ///
    /// A GPU computes `f64` in its double precision, with the bits of the CPU where operations are guarded, and without it in
    /// double-float numbers, sums of two `f32`: 48 bits in the range of `f32`, where a result beyond 3.4e38 is infinite.
    /// Moments and quantiles are computed on the device in `f32` alone; in `f64` the states are read for them.
    ///
    /// On a GPU an invocation solves a path from start to end with the noise of the same path on the CPU. If the device is
    /// lost or out of memory, the CPU solves what is not recorded yet, and [`Machine::history`] has the event; with
    /// guarded operations the result has the same bits, but for noises that agree to rounding: see [`SimulationBackend`].
    ///
    /// [`SimulationBackend::Auto`] takes the processor or the best GPU, whichever is expected to take less time: rates of
    /// both are learned from earlier runs in the [experience](Machine::experience).
    ///
    /// # Errors
    /// Those of [`EquationModel::simulate_with`]; on a GPU [`SimulationError::NotOnGpu`] and
    /// [`SimulationError::Shader`] for what only the CPU solves, and [`SimulationError::Gpu`] of the device.
    pub fn simulate_with<T: EnsembleScalar, S: StochasticScheme<T>, K: Collect<T>>(
        &self,
        model: &EquationModel,
        scheme: &S,
        (ensemble, seed): (&Ensemble<'_>, u64),
        backend: SimulationBackend,
        collector: &K,
    ) -> Result<K::Output, SimulationError> {
        let simulated =
            self.simulate_and_explain(model, scheme, (ensemble, seed), backend, collector);
        Ok(simulated?.0)
    }

    /// [`simulate_with`](Self::simulate_with), with the backend that solved the ensemble and why.
    ///
    /// # Errors
    /// Those of [`simulate_with`](Self::simulate_with).
    pub fn simulate_and_explain<T: EnsembleScalar, S: StochasticScheme<T>, K: Collect<T>>(
        &self,
        model: &EquationModel,
        scheme: &S,
        (ensemble, seed): (&Ensemble<'_>, u64),
        backend: SimulationBackend,
        collector: &K,
    ) -> Result<(K::Output, SimulationChoice), SimulationError> {
        if backend == SimulationBackend::Cpu {
            let output = model.simulate_with::<T, S, K>(scheme, ensemble, seed, collector)?;
            return Ok((output, SimulationChoice::named(backend)));
        }
        #[cfg(feature = "gpu")]
        {
            let executor = OnMachine::new(self, backend);
            let output = model.simulate_on(&executor, scheme, (ensemble, seed), collector)?;
            Ok((output, executor.choice()))
        }
        #[cfg(not(feature = "gpu"))]
        match backend {
            SimulationBackend::Auto { .. } => {
                let output = model.simulate_with::<T, S, K>(scheme, ensemble, seed, collector)?;
                let reason = "this build has no GPU support".to_owned();
                Ok((output, SimulationChoice::cpu(reason)))
            }
            backend => Err(SimulationError::WithoutGpu { backend }),
        }
    }
}
