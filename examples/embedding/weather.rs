//! Ensemble of a fractional stochastic equation on the device of the app.

// ANCHOR: weather
use hpfracc::OnGpu;
use hpfracc::equation::{Equation, wgsl::Rounding};
use hpfracc::gpu::Gpu;
use hpfracc::sde::{Ensemble, EquationModel, FractionalEulerMaruyama, QuantileTable, Quantiles};

/// Temperature anomaly in K, with time in days: it relaxes by a power law.
const WEATHER: &str = "D^0.8 T = -T + 3 dW/dt; T(0) = -4; t in [0, 5]";

/// Quantiles of many paths, each of which one invocation of a shader solves.
pub(crate) fn quantiles(
    gpu: &Gpu,
    paths: usize,
) -> Result<QuantileTable, Box<dyn std::error::Error>> {
    let model = EquationModel::new(&Equation::parse(WEATHER)?)?;
    let (ensemble, seed) = (Ensemble::new(paths, 960)?.saving_every(8)?, 7);
    let on_device = OnGpu::new(gpu.clone(), Rounding::Free);
    let scheme = FractionalEulerMaruyama::default();
    let collector = Quantiles::new(&[0.05, 0.5, 0.95])?;
    let on = (&ensemble, seed);
    Ok(model.simulate_on::<f32, _, _, _>(&on_device, &scheme, on, &collector)?)
}

// ANCHOR_END: weather
