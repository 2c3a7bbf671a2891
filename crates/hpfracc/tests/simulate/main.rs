//! Ensembles of equations on a GPU: the results of the CPU, bit for bit on a device whose arithmetic is that of IEEE 754.
#![cfg(feature = "gpu")]

mod devices;
mod double_float;
mod fractional_noise;
mod laws;
mod memories;
mod roundings;
mod stops;

use hpfracc::equation::Equation;
use hpfracc::gpu::{AdapterKind, GpuError, MemoryLimit};
use hpfracc::sde::{
    Drift, Ensemble, EquationModel, EquationModelError, EulerMaruyama, FractionalEulerMaruyama,
    Heun, Milstein, Moments, PathMemory, Paths, Progress, Quantiles, ReversibleHeun, SdeError,
    Sra1, Sric2, Sriw1, StochasticScheme, TamedEuler,
};
use hpfracc::selector::{Event, Occurrence};
use hpfracc::{EnsembleScalar, Machine, SimulationBackend, SimulationError};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The machine, or `None` with a message that the test was skipped.
fn machine(test: &str) -> Option<Machine> {
    let machine = Machine::detect();
    match machine.gpu(None) {
        Ok(_) => Some(machine),
        Err(GpuError::NoAdapter { .. })
            if std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1") =>
        {
            println!("skipped: {test}: no adapter");
            None
        }
        Err(error) => panic!("{test}: {error}"),
    }
}

fn model(text: &str) -> EquationModel {
    EquationModel::new(&Equation::parse(text).unwrap()).unwrap()
}

const GPU: SimulationBackend = SimulationBackend::Wgpu { adapter: None, guarded: true };

/// Equal bits in single precision, and in double precision on a device that has it.
fn check<S: StochasticScheme<f32> + StochasticScheme<f64>>(
    machine: &Machine,
    text: &str,
    scheme: &S,
) {
    check_in::<f32, S>(machine, text, scheme);
    match machine.gpu(None).unwrap().has_double_precision() {
        true => check_in::<f64, S>(machine, text, scheme),
        false => println!("skipped: no double precision"),
    }
}

fn check_in<T: EnsembleScalar, S: StochasticScheme<T>>(machine: &Machine, text: &str, scheme: &S) {
    let model = model(text);
    let ensemble = Ensemble::new(500, 40).unwrap().saving_every(13).unwrap().starting_at(77);
    let collector = (Paths, (Moments, Quantiles::new(&[0.1, 0.9]).unwrap()));
    let on = |backend| {
        let with = (&ensemble, 3);
        machine.simulate_with::<T, S, _>(&model, scheme, with, backend, &collector).unwrap()
    };
    let (found, expected) = (on(GPU), on(SimulationBackend::Cpu));
    let pairs = found.0.iter().zip(&expected.0);
    let differ = pairs.filter(|(a, b)| a.widen().to_bits() != b.widen().to_bits()).count();
    println!("{} {text}: {differ} of {} differ", scheme.name(), found.0.len());
    assert_eq!(differ, 0, "{} {text}", scheme.name());
    assert_eq!(found.1, expected.1, "{} {text}", scheme.name());
}

#[test]
fn ensembles_have_the_bits_of_the_cpu() {
    let Some(machine) = machine("ensembles_have_the_bits_of_the_cpu") else { return };
    let gbm = "dS = mu S dt + sigma S dW; mu = 0.05; sigma = 0.4; S(0) = 1; t in [0, 1]";
    let scalar = "dX = (Y - X) dt + 0.3 X dW; dY = -X Y dt + 0.2 sin(Y) dW; X(0) = 1; Y(0) = 2; t in [0, 1]; \
         show p = X Y";
    let general = "dX = sin(5 t) Y dt + 0.1 X dW + 0.2 dV; dY = -tanh(X) dt + 0.3 exp(-t) dV + 0.1 Y dW; \
         V = brownian(); X(1) = 1; Y(1) = normal(0, 1); t in [1, 3]; show e = exp(X)";
    let correlated = "dX = -X dt + 0.1 X dW; dY = -Y dt + 0.2 dV; dZ = X dt + 0.1 dW + 0.3 dU; V = brownian(); \
         U = brownian(); corr(W, V) = -0.7; corr(V, U) = 0.2; X(0) = 1; Y(0) = 1; Z(0) = 0; t in [0, 1]";
    let power = "dX = -X^1.7 dt + 0.1 (1 + X^2)^0.3 dW; X(0) = 1; t in [0, 1]";
    let stratonovich = "dX = cos(4 t) X dt + 0.5 exp(-t) X o dW; X(0) = 1; t in [0, 1]";
    let fractional = "D^0.8 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]";
    let mixed = "D^0.7 X = Y - X + 0.5 X dW/dt; D^1 Y = -X + 0.1 dV/dt; V = brownian(); X(0) = 1; \
         Y(0) = 0; t in [0, 1]";
    let without = "D^0.9 X = -X^2; X(0) = 1; t in [0, 1]";
    for text in [gbm, scalar, general, correlated, power] {
        check(&machine, text, &EulerMaruyama);
    }
    check(&machine, gbm, &Milstein);
    check(&machine, scalar, &Milstein);
    check(&machine, "dX = -X dt + exp(-t) dW; X(0) = 1; t in [0, 1]", &Milstein);
    check(&machine, stratonovich, &Heun);
    let timed = "D^0.6 X = cos(5 t) Y - X + 0.2 sin(t) dW/dt; D^0.9 Y = -X + 0.1 Y dW/dt; X(0) = 1; Y(0) = 0; \
         t in [0, 2]";
    for text in [fractional, mixed, without, timed] {
        let scheme = FractionalEulerMaruyama::default();
        check(&machine, text, &scheme);
        check(&machine, text, &scheme.drift(Drift::PredictorCorrector));
    }
}

#[test]
fn other_schemes_have_the_bits_of_the_cpu() {
    let Some(machine) = machine("other_schemes_have_the_bits_of_the_cpu") else { return };
    let cubic = "dX = (Y - X^3) dt + 0.3 X dW; dY = -exp(-t) X Y dt + 0.2 dV; V = brownian(); X(0) = 2; Y(0) = 1; \
         t in [0, 1]";
    let additive = "dX = (Y - X) dt + exp(-t) dW; dY = -sin(3 t) Y dt + 0.2 cos(t) dW + 0.1 dV; V = brownian(); \
         corr(W, V) = 0.4; X(1) = 1; Y(1) = 0; t in [1, 2]";
    let diagonal = "dX = (sin(3 t) Y - X) dt + 0.3 cos(t) X dW; dY = -Y dt + 0.2 sqrt(1 + Y^2) dV; V = brownian(); \
         X(0) = 1; Y(0) = 0.5; t in [0, 1]";
    let scalar = "dX = (Y - X) dt + 0.3 exp(-t) X dW; dY = -X Y dt + 0.2 Y dW; X(0) = 1; Y(0) = 2; t in [0, 1]";
    let commuting = "dX = -X dt + 0.3 X dW + 0.2 X dV; dY = (X - t Y) dt + 0.1 Y dW + 0.4 Y dV; V = brownian(); \
         X(0) = 1; Y(0) = 2; t in [0, 1]";
    let stratonovich = "dX = cos(4 t) X dt + 0.5 exp(-t) X o dW + 0.1 dV; V = brownian(); X(0.3) = 1; t in [0.3, 1]";
    check(&machine, cubic, &TamedEuler);
    check(&machine, additive, &Sra1);
    check(&machine, "dX = -X dt + 0.3 dW; X(0) = 1; t in [0, 1]", &Sra1);
    for text in [diagonal, scalar] {
        check(&machine, text, &Sriw1);
        check(&machine, text, &Sric2);
    }
    for text in [commuting, additive] {
        check(&machine, text, &Sric2);
    }
    check(&machine, stratonovich, &ReversibleHeun);
}

/// Jumps of a constant size have the bits of the CPU, whose sums are the same table. Other sizes and stable noise are
/// computed in the precision of the ensemble, where the CPU has double precision.
#[test]
fn jumps_are_those_of_the_cpu() {
    let Some(machine) = machine("jumps_are_those_of_the_cpu") else { return };
    let counts = "dX = -X dt + 0.3 X dN + 0.1 dW; dY = 0.2 dM + 0.1 dN; N = poisson(3, 0.5); M = poisson(40, -0.25); \
         X(0) = 1; Y(0) = 0; t in [0, 2]";
    check(&machine, counts, &EulerMaruyama);
    let normal = "dX = dN; N = poisson(20, normal(0.1, 0.3)); X(0) = 0; t in [0, 2]";
    let exponential =
        "dX = dN; N = poisson(20, double_exponential(0.3, 0.2, 0.4)); X(0) = 0; t in [0, 2]";
    for (text, bounds) in [(normal, [1e-6, 1e-15]), (exponential, [1e-6, 1e-14])] {
        check_near(&machine, text, bounds);
    }
    for (index, skewness) in
        [(0.7, 0.0), (1.0, 0.0), (1.0, 0.5), (1.3, -1.0), (1.5, 0.0), (1.9, 1.0), (2.0, 0.0)]
    {
        let noise = format!("Z = stable({index}, {skewness})");
        check_near(&machine, &format!("dX = dZ; {noise}; X(0) = 0; t in [0, 2]"), [1e-5, 1e-12]);
    }
}

/// Increments of the paths agree within a bound of the precision for their magnitudes and those of the states that they are
/// differences of, in units of the step.
fn check_near(machine: &Machine, text: &str, bounds: [f64; 2]) {
    check_near_in::<f32>(machine, text, bounds[0]);
    if machine.gpu(None).unwrap().has_double_precision() {
        check_near_in::<f64>(machine, text, bounds[1]);
    }
}

fn check_near_in<T: EnsembleScalar>(machine: &Machine, text: &str, bound: f64) {
    let model = model(text);
    let ensemble = Ensemble::new(2000, 40).unwrap().saving_every(1).unwrap().starting_at(77);
    let on = |backend| {
        let with = (&ensemble, 3);
        let paths = machine.simulate_with::<T, _, _>(&model, &EulerMaruyama, with, backend, &Paths);
        paths.unwrap().mapv(T::widen)
    };
    let (found, expected) = (on(GPU), on(SimulationBackend::Cpu));
    let mut worst = 0f64;
    for (found, expected) in found.outer_iter().zip(expected.outer_iter()) {
        for step in 0..40 {
            let [a, b] = [&found, &expected].map(|x| x[[step + 1, 0]] - x[[step, 0]]);
            let size = b.abs() + 0.05 + expected[[step, 0]].abs() + expected[[step + 1, 0]].abs();
            worst = worst.max((a - b).abs() / size);
        }
    }
    println!("{text}: {worst:e}");
    assert!(worst <= bound, "{text}: {worst:e}");
}

/// The default scheme, and the mean of a fractional relaxation, within 4 standard errors and the scheme's own error.
#[test]
fn a_fractional_relaxation_has_its_law() {
    let Some(machine) = machine("a_fractional_relaxation_has_its_law") else { return };
    let model = model("D^0.8 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]");
    let ensemble = Ensemble::new(20_000, 200).unwrap();
    let found = machine.simulate::<f32, _>(&model, (&ensemble, 5), GPU, &Moments).unwrap();
    let exact = hpfracc::special::mittag_leffler(0.8, 1.0, -1.0).unwrap();
    let error = (found.mean[[0, 0]] - exact).abs();
    println!("{error} of {}", found.standard_error()[[0, 0]]);
    assert!(error < 4.0 * found.standard_error()[[0, 0]] + 2e-3, "{error}");
}

#[test]
fn what_only_the_cpu_solves_is_refused_with_the_reason() {
    let Some(machine) = machine("what_only_the_cpu_solves_is_refused") else { return };
    let ensemble = Ensemble::new(4, 4).unwrap();
    let refused = |text: &str| {
        machine
            .simulate::<f32, _>(&model(text), (&ensemble, 1), GPU, &Moments)
            .unwrap_err()
            .to_string()
    };
    let found = refused("dX = -Gamma(2 + X) dt + 0.1 dW; X(0) = 1; t in [0, 1]");
    assert!(found.contains("has no shader"), "{found}");
    let ito = model("dX = -X dt + 0.1 X dW; X(0) = 1; t in [0, 1]");
    let scheme = hpfracc::sde::DriftImplicit::default();
    let found = machine
        .simulate_with::<f32, _, _>(&ito, &scheme, (&ensemble, 1), GPU, &Moments)
        .unwrap_err();
    assert!(found.to_string().contains("drift-implicit is none of its schemes"), "{found}");
    let fractional = model("D^0.8 X = -X + 0.1 dW/dt; X(0) = 1; t in [0, 1]");
    let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked);
    let found = machine
        .simulate_with::<f32, _, _>(&fractional, &scheme, (&ensemble, 1), GPU, &Moments)
        .unwrap_err();
    assert!(found.to_string().contains("no sum of exponentials"), "{found}");
    // What the CPU refuses is refused as there.
    let found =
        machine.simulate_with::<f32, _, _>(&ito, &Heun, (&ensemble, 1), GPU, &Moments).unwrap_err();
    assert!(matches!(&found, SimulationError::Model(EquationModelError::Problem(_))), "{found}");
}

/// The CPU's error, which names path, step and time.
#[test]
fn a_path_that_is_not_finite_is_named() {
    let Some(machine) = machine("a_path_that_is_not_finite_is_named") else { return };
    let model = model("dX = X^3 dt + 5 X dW; X(0) = 1; t in [0, 4]");
    let ensemble = Ensemble::new(300, 40).unwrap();
    let on = |backend| {
        let error =
            machine.simulate::<f32, _>(&model, (&ensemble, 1), backend, &Moments).unwrap_err();
        match error {
            SimulationError::Model(EquationModelError::Problem(error)) => error,
            other => panic!("{other}"),
        }
    };
    let (found, expected) = (on(GPU), on(SimulationBackend::Cpu));
    println!("{found}; {expected}");
    assert!(matches!(found, SdeError::PathNotFinite { step, .. } if step < 39), "{found}");
}

#[test]
fn progress_is_reported_and_a_solve_is_cancelled() {
    let Some(machine) = machine("progress_is_reported_and_a_solve_is_cancelled") else { return };
    let model = model("dX = -X dt + 0.1 dW; X(0) = 1; t in [0, 1]");
    let (finished, share) = (AtomicUsize::new(0), std::sync::Mutex::new(0.0));
    let watched = |progress: Progress| *share.lock().unwrap() = progress.share;
    let ensemble = Ensemble::new(100, 1000).unwrap().counting(&finished).watched_by(&watched);
    machine.simulate::<f32, _>(&model, (&ensemble, 1), GPU, &Moments).unwrap();
    assert_eq!((finished.load(Ordering::Relaxed), *share.lock().unwrap()), (100, 1.0));
    let cancelled = AtomicBool::new(true);
    let ensemble = Ensemble::new(100, 1000).unwrap().cancelled_by(&cancelled);
    let error = machine.simulate::<f32, _>(&model, (&ensemble, 1), GPU, &Moments).unwrap_err();
    assert!(matches!(
        error,
        SimulationError::Model(EquationModelError::Problem(SdeError::Cancelled))
    ));
}

/// The device is lost in the middle, at any of its saved nodes and parts: the CPU solves the rest, and with guarded
/// operations no bit of the result is another one.
#[test]
fn a_lost_device_is_replaced_by_the_cpu() {
    let Some(machine) = machine("a_lost_device_is_replaced_by_the_cpu") else { return };
    let model = model("D^0.8 X = -X + 0.5 dW/dt; X(0) = normal(1, 0.1); t in [0, 1]; show s = X^2");
    let collector = (Paths, Quantiles::new(&[0.1, 0.9]).unwrap());
    let scheme = FractionalEulerMaruyama::default();
    let sized = || Ensemble::new(700, 60).unwrap().saving_every(13).unwrap().starting_at(77);
    let on_cpu = SimulationBackend::Cpu;
    let expected = machine
        .simulate_with::<f32, _, _>(&model, &scheme, (&sized(), 3), on_cpu, &collector)
        .unwrap();
    let all = SimulationBackend::AllGpus { guarded: true };
    let cases =
        [(0.0, None, GPU), (0.3, None, all), (0.6, Some(80_000), GPU), (0.99, Some(80_000), all)];
    for (share, limit, backend) in cases {
        let gpu = machine.gpu(None).unwrap();
        let limit = limit.map_or(MemoryLimit::None, MemoryLimit::Bytes);
        gpu.limit_memory(limit).unwrap();
        let (failures, finished) = (machine.history().len(), AtomicUsize::new(0));
        let watched = |progress: Progress| {
            if progress.share >= share {
                gpu.device().destroy();
            }
        };
        let ensemble = sized().watched_by(&watched).counting(&finished);
        let (found, choice) = machine
            .simulate_and_explain::<f32, _, _>(&model, &scheme, (&ensemble, 3), backend, &collector)
            .unwrap();
        println!("lost at {share}: {choice}");
        assert!(gpu.lost().is_some());
        assert!(choice.failure.is_some_and(|error| error.contains("lost")));
        let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
        assert!(found.0.iter().zip(&expected.0).all(same), "lost at {share}");
        assert_eq!(found.1, expected.1);
        assert_eq!(finished.load(Ordering::Relaxed), 700);
        let history = machine.history();
        let failed = |event: &Event| matches!(event.what, Occurrence::Failed { .. });
        assert!(history[failures..].iter().any(failed), "{history:?}");
    }
}

/// Statistics of the nodes before the loss are those of the device.
#[test]
fn statistics_survive_the_loss_of_the_device() {
    let Some(machine) = machine("statistics_survive_the_loss_of_the_device") else { return };
    let model = model(SHOWN);
    let sized = || Ensemble::new(40_000, 40).unwrap().saving_every(10).unwrap();
    let quantiles = Quantiles::new(&[0.01, 0.5, 0.9]).unwrap();
    let expected = machine
        .simulate::<f32, _>(&model, (&sized(), 3), SimulationBackend::Cpu, &quantiles)
        .unwrap();
    let gpu = machine.gpu(None).unwrap();
    let watched = |progress: Progress| {
        if progress.share > 0.6 {
            gpu.device().destroy();
        }
    };
    let ensemble = sized().watched_by(&watched);
    let found = machine.simulate::<f32, _>(&model, (&ensemble, 3), GPU, &quantiles).unwrap();
    assert!(gpu.lost().is_some());
    assert_eq!(found, expected);
}

/// A software adapter is never chosen; the choice states the reason.
#[test]
fn auto_takes_what_is_expected_to_be_faster() {
    let machine = Machine::detect();
    let model = model(SHOWN);
    let auto = SimulationBackend::Auto { guarded: true };
    let scheme = EulerMaruyama;
    let on = |paths: usize, backend| {
        let ensemble = (&Ensemble::new(paths, 100).unwrap(), 3);
        machine
            .simulate_and_explain::<f32, _, _>(&model, &scheme, ensemble, backend, &Paths)
            .unwrap()
    };
    let (_, choice) = on(2, auto);
    assert_eq!(choice.backend, SimulationBackend::Cpu);
    assert!(choice.reason.contains("less than a GPU is looked for"), "{choice}");
    let (found, choice) = on(20_000, auto);
    println!("{choice}");
    let software = |a: &hpfracc::gpu::AdapterDescription| a.kind == AdapterKind::Software;
    if hpfracc::gpu::adapters().iter().all(software) {
        assert_eq!(choice.backend, SimulationBackend::Cpu);
        assert!(choice.reason.contains("adapter"), "{choice}");
        assert_eq!(found, on(20_000, SimulationBackend::Cpu).0);
    }
    let refused = EquationModel::new(
        &Equation::parse("dX = -Gamma(2 + X) dt + 0.1 dW; X(0) = 1; t in [0, 1]").unwrap(),
    );
    let ensemble = (&Ensemble::new(4, 4).unwrap(), 1);
    let solved = machine
        .simulate_and_explain::<f32, _, _>(&refused.unwrap(), &scheme, ensemble, auto, &Paths)
        .unwrap();
    assert!(solved.1.reason.contains("has no shader"), "{}", solved.1);
}

#[test]
fn backends_have_names() {
    for name in [
        "auto",
        "auto-guarded",
        "cpu",
        "wgpu",
        "wgpu@1",
        "wgpu@all",
        "wgpu-guarded@all",
        "wgpu@all",
        "wgpu-guarded@all",
        "wgpu-guarded",
        "wgpu-guarded@2",
    ] {
        assert_eq!(name.parse::<SimulationBackend>().unwrap().to_string(), name);
    }
    for name in ["gpu", "auto@1", "wgpu1", "wgpu@", "wgpu@-1", "cpu@1"] {
        let error = name.parse::<SimulationBackend>().unwrap_err();
        assert!(error.to_string().contains("known are cpu, wgpu"), "{error}");
    }
}

/// Bytes that a simulation reads from the device.
fn bytes_read<R>(machine: &Machine, run: impl FnOnce() -> R) -> (R, u64) {
    // The first simulation tests the arithmetic of the device.
    let first = model("dX = -X dt; X(0) = 1; t in [0, 1]");
    machine.simulate::<f32, _>(&first, (&Ensemble::new(1, 1).unwrap(), 1), GPU, &Paths).unwrap();
    let read = || machine.gpu(None).unwrap().bytes_read();
    let before = read();
    let result = run();
    (result, read() - before)
}

const SHOWN: &str = "dX = (sin(3 t) - X) dt + 0.1 sqrt(1 + X^2) dW; dY = -Y dt + 0.3 dV; V = brownian(); X(0) = 1; \
     Y(0) = 0; t in [0, 1]; show p = X Y + t";

/// Buckets are counted on the device: equal states give equal quantiles, without a state being read.
#[test]
fn quantiles_are_those_of_the_cpu() {
    let Some(machine) = machine("quantiles_are_those_of_the_cpu") else { return };
    let model = model(SHOWN);
    let ensemble = Ensemble::new(40_000, 20).unwrap().saving_every(10).unwrap();
    let quantiles = Quantiles::new(&[0.01, 0.5, 0.9]).unwrap();
    let on =
        |backend| machine.simulate::<f32, _>(&model, (&ensemble, 3), backend, &quantiles).unwrap();
    let (found, bytes) = bytes_read(&machine, || on(GPU));
    assert_eq!(found, on(SimulationBackend::Cpu));
    let states = 3 * 40_000 * 2 * 4;
    println!("{bytes} of {states} bytes");
    assert!(bytes < states / 2, "{bytes} of {states}");
}

/// Sums of the device in single precision, of paths whose operations may be combined.
#[test]
fn moments_are_near_those_of_the_cpu() {
    let Some(machine) = machine("moments_are_near_those_of_the_cpu") else { return };
    let model = model(SHOWN);
    let ensemble = Ensemble::new(40_000, 20).unwrap().saving_every(10).unwrap();
    let free = SimulationBackend::Wgpu { adapter: None, guarded: false };
    let on =
        |backend| machine.simulate::<f32, _>(&model, (&ensemble, 3), backend, &Moments).unwrap();
    let (found, bytes) = bytes_read(&machine, || on(free));
    let expected = on(SimulationBackend::Cpu);
    // Of a block of 1024 paths: two words, three for each of three observables, six products.
    assert_eq!(bytes, 3 * 40 * (2 + 9 + 6) * 4);
    assert_eq!((found.paths, &found.times), (expected.paths, &expected.times));
    for ((time, i, j), expected_value) in expected.covariance.indexed_iter() {
        let deviation = |k: usize| expected.covariance[[time, k, k]].sqrt();
        let error = (found.covariance[[time, i, j]] - expected_value).abs();
        assert!(error <= 2e-6 * deviation(i) * deviation(j), "{time} {i} {j}: {error:e}");
        let error = (found.mean[[time, i]] - expected.mean[[time, i]]).abs();
        assert!(error <= 2e-6 * (deviation(i) + expected.mean[[time, i]].abs()), "{error:e}");
    }
    // With the bits of the CPU, whose sums are in double precision.
    assert_eq!(on(GPU), expected);
}

/// Where paths or observables end, the error is that of the CPU.
#[test]
fn statistics_of_what_is_not_finite_are_errors() {
    let Some(machine) = machine("statistics_of_what_is_not_finite_are_errors") else { return };
    let ensemble = Ensemble::new(20_000, 40).unwrap().saving_every(20).unwrap();
    let quantiles = Quantiles::new(&[0.5]).unwrap();
    for text in [
        "dX = X^3 dt + X dW; X(0) = 0.1; t in [0, 40]",
        "dX = -X dt + dW; X(0) = 1; t in [0, 1]; show e = exp(exp(3 X))",
    ] {
        let model = model(text);
        let on = |backend| {
            let error = machine
                .simulate::<f32, _>(&model, (&ensemble, 1), backend, &quantiles)
                .unwrap_err();
            match error {
                SimulationError::Model(EquationModelError::Problem(error)) => error,
                other => panic!("{other}"),
            }
        };
        let (found, expected) = (on(GPU), on(SimulationBackend::Cpu));
        println!("{found}; {expected}");
        match found {
            SdeError::PathNotFinite { .. } => {
                assert!(matches!(expected, SdeError::PathNotFinite { .. }), "{expected}");
            }
            other => assert_eq!(other.to_string(), expected.to_string()),
        }
    }
}
