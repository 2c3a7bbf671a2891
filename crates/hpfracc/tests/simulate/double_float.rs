//! Ensembles in `f64` on a GPU in double-float numbers: near the CPU, and refused where bits are to be equal.

use super::{machine, model};
use hpfracc::equation::wgsl::Rounding;
use hpfracc::gpu::Gpu;
use hpfracc::sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, Heun, Milstein, Moments, Paths, Quantiles,
    Sriw1, StochasticScheme,
};
use hpfracc::{Machine, OnGpu, SimulationBackend, SimulationError};

/// The device, or `None` with a message that the test was skipped.
fn gpu(test: &str) -> Option<Gpu> {
    Some(machine(test)?.gpu(None).unwrap())
}

/// Paths agree within a bound, relative to the larger of their values and 1.
fn check<S: StochasticScheme<f64>>(gpu: &Gpu, text: &str, scheme: &S, bound: f64) {
    let (model, executor) =
        (model(text), OnGpu::new(gpu.clone(), Rounding::Free).in_double_float());
    let ensemble = Ensemble::new(200, 40).unwrap().saving_every(13).unwrap().starting_at(77);
    let found: Result<_, SimulationError> =
        model.simulate_on::<f64, _, _, _>(&executor, scheme, (&ensemble, 3), &Paths);
    let expected = model.simulate_with::<f64, _, _>(scheme, &ensemble, 3, &Paths).unwrap();
    let found = found.unwrap();
    let pairs = found.iter().zip(&expected);
    let error = pairs.map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max);
    println!("{} {text}: {error:e}", S::NAME);
    // They are no numbers of single precision.
    assert!(found.iter().any(|x| f64::from(*x as f32) != *x));
    assert!(error <= bound, "{} {text}: {error:e}", S::NAME);
}

#[test]
fn paths_are_near_those_of_the_cpu() {
    let Some(gpu) = gpu("paths_are_near_those_of_the_cpu") else { return };
    let gbm = "dS = 0.05 S dt + 0.4 S dW; S(0) = 1; t in [0, 1]";
    let scalar =
        "dX = (Y - X) dt + 0.3 X dW; dY = -X Y dt + 0.2 sin(Y) dW; X(0) = 1; Y(0) = 2; t in [0, 1]";
    let stratonovich = "dX = cos(4 t) X dt + 0.5 exp(-t) X o dW; X(0) = 1; t in [0, 1]";
    let fractional = "D^0.8 X = -tanh(X) + 0.5 dW/dt; X(0) = 1; t in [0, 1]";
    check(&gpu, gbm, &EulerMaruyama, 1e-13);
    check(&gpu, scalar, &Milstein, 1e-12);
    check(&gpu, gbm, &Sriw1, 1e-12);
    check(&gpu, stratonovich, &Heun, 1e-13);
    check(&gpu, fractional, &FractionalEulerMaruyama::default(), 1e-12);
    let jumps =
        "dX = dN; N = poisson(20, double_exponential(0.3, 0.2, 0.4)); X(0) = 0; t in [0, 2]";
    check(&gpu, jumps, &EulerMaruyama, 1e-12);
    let stable = "dX = dZ; Z = stable(1.5, 0.3); X(0) = 0; t in [0, 2]";
    check(&gpu, stable, &EulerMaruyama, 1e-11);
}

#[test]
fn bits_of_the_cpu_are_refused() {
    let Some(gpu) = gpu("bits_of_the_cpu_are_refused") else { return };
    let executor = OnGpu::new(gpu, Rounding::Guarded).in_double_float();
    let (model, ensemble) =
        (model("dX = -X dt + 0.1 dW; X(0) = 1; t in [0, 1]"), Ensemble::new(4, 4).unwrap());
    let refused: Result<_, SimulationError> =
        model.simulate_on::<f64, _, _, _>(&executor, &EulerMaruyama, (&ensemble, 1), &Paths);
    let error = refused.unwrap_err();
    assert!(matches!(error, SimulationError::NotOnGpu { .. }), "{error}");
    assert!(error.to_string().contains("take wgpu in place of wgpu-guarded"), "{error}");
    // In single precision there is nothing to refuse.
    let single: Result<_, SimulationError> =
        model.simulate_on::<f32, _, _, _>(&executor, &EulerMaruyama, (&ensemble, 1), &Paths);
    single.unwrap();
}

/// The choice says which numbers the device took, and statistics of `f64` are those of the CPU's collectors.
#[test]
fn the_choice_says_which_numbers_are_computed() {
    let test = "the_choice_says_which_numbers_are_computed";
    let Some(gpu) = gpu(test) else { return };
    let machine = Machine::detect();
    let model = model(
        "dX = -X dt + 0.1 dW; dY = X Y dt + 0.2 dV; V = brownian(); X(0) = 1; Y(0) = 0; t in [0, 1]",
    );
    let ensemble = Ensemble::new(10_000, 8).unwrap().saving_every(4).unwrap();
    let double = gpu.has_double_precision();
    let on = |guarded| {
        let backend = SimulationBackend::Wgpu { adapter: None, guarded };
        let collector = (Moments, Quantiles::new(&[0.1, 0.5]).unwrap());
        let with = (&ensemble, 3);
        machine.simulate_and_explain::<f64, _, _>(&model, &EulerMaruyama, with, backend, &collector)
    };
    let (_, choice) = on(false).unwrap();
    println!("{choice}");
    assert_eq!(choice.numbers, Some(if double { "f64" } else { "df64" }));
    assert!(choice.to_string().contains(if double { "; in f64" } else { "double-float" }));
    if double {
        let collector = (Moments, Quantiles::new(&[0.1, 0.5]).unwrap());
        let expected = model.simulate_with::<f64, _, _>(&EulerMaruyama, &ensemble, 3, &collector);
        assert_eq!(on(true).unwrap().0, expected.unwrap());
    } else {
        assert!(on(true).is_err());
    }
}
