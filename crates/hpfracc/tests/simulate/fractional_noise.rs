//! Fractional Brownian motion on a GPU: increments are transforms in single precision on both processors, so that paths
//! agree to rounding.

use super::{GPU, machine, model};
use hpfracc::gpu::MemoryLimit;
use hpfracc::sde::{
    Ensemble, EquationModel, EulerMaruyama, FractionalEulerMaruyama, Heun, Milstein, Moments,
    Paths, Progress, Quantiles, ReversibleHeun, Sra1, Sric2, Sriw1, StochasticScheme, TamedEuler,
};
use hpfracc::{Machine, SimulationBackend};
use std::sync::atomic::{AtomicUsize, Ordering};

const FREE: SimulationBackend = SimulationBackend::Wgpu { adapter: None, guarded: false };

/// Largest difference of paths on both processors, in units of the magnitude of all states.
fn difference<S: StochasticScheme<f32>>(
    machine: &Machine,
    (text, scheme, steps): (&str, &S, usize),
    backend: SimulationBackend,
) -> f32 {
    let model = model(text);
    let ensemble = Ensemble::new(300, steps).unwrap().saving_every(13).unwrap().starting_at(77);
    let on = |backend| {
        machine.simulate_with::<f32, _, _>(&model, scheme, (&ensemble, 3), backend, &Paths).unwrap()
    };
    let (found, expected) = (on(backend), on(SimulationBackend::Cpu));
    let size = expected.iter().fold(0f32, |size, x| size.max(x.abs()));
    found.iter().zip(&expected).fold(0f32, |worst, (a, b)| worst.max((a - b).abs() / size))
}

fn check<S: StochasticScheme<f32>>(machine: &Machine, text: &str, scheme: &S) {
    for (steps, backend) in [(40, GPU), (64, FREE), (1500, GPU)] {
        let worst = difference(machine, (text, scheme, steps), backend);
        println!("{} {text}, {steps} steps, {backend}: {worst:e}", S::NAME);
        assert!(worst < 1e-5, "{} {text}: {worst:e}", S::NAME);
    }
}

const ADDITIVE: &str = "dX = -X dt + 0.1 dZ; Z = fbm(H); H = 0.3; X(0) = 1; t in [0, 2]";

/// Two exponents, Brownian motions that are correlated, jumps and stable noise.
const ALL_NOISES: &str = "dX = -X dt + 0.3 X dW + 0.2 dA + 0.1 dB; dY = (X - Y) dt + 0.2 dV + 0.3 Y dB + 0.1 dN + 0.01 dS; \
     A = fbm(0.35); B = fbm(0.8); V = brownian(); corr(W, V) = -0.5; N = poisson(3, 0.5); S = stable(1.8, 0); \
     X(0) = 1; Y(0) = normal(1, 0.1); t in [0, 1]; show p = X Y";

#[test]
fn paths_are_those_of_the_cpu() {
    let Some(machine) = machine("paths_are_those_of_the_cpu") else { return };
    let multiplicative = "dX = 0.1 X dt + 0.4 X dB; B = fbm(0.75); X(0) = 1; t in [0, 1]";
    let fractional = "D^0.8 X = -X + 0.3 dB/dt; B = fbm(0.7); X(0) = 1; t in [0, 1]";
    let mixed = "D^0.7 X = Y - X + 0.5 X dW/dt + 0.2 dB/dt; D^1 Y = -X + 0.1 dV/dt + 0.3 dB/dt; V = brownian(); \
         B = fbm(0.6); X(0) = 1; Y(0) = 0; t in [0, 1]";
    for text in [ADDITIVE, ALL_NOISES, multiplicative] {
        check(&machine, text, &EulerMaruyama);
    }
    for text in [fractional, mixed] {
        check(&machine, text, &FractionalEulerMaruyama::default());
    }
}

/// Two exponents beside Brownian motion and jumps.
const JUMPS: &str = "dX = -X dt + 0.3 X dW + 0.2 dA; dY = (X - Y) dt + 0.3 Y dB + 0.1 dN; A = fbm(0.35); B = fbm(0.8); \
     N = poisson(3, 0.5); X(0) = 1; Y(0) = normal(1, 0.1); t in [0, 1]";

/// Every scheme that the CPU takes with fractional noise, on one that is additive and on one that is multiplicative.
#[test]
fn schemes_are_those_of_the_cpu() {
    let Some(machine) = machine("schemes_are_those_of_the_cpu") else { return };
    let mut taken = 0;
    let texts = [ADDITIVE, "dX = -X^3 dt + 0.4 X dB; B = fbm(0.75); X(0) = 1; t in [0, 1]"];
    for text in texts {
        taken += if_taken(&machine, text, &EulerMaruyama)
            + if_taken(&machine, text, &Milstein)
            + if_taken(&machine, text, &Heun)
            + if_taken(&machine, text, &TamedEuler)
            + if_taken(&machine, text, &Sra1)
            + if_taken(&machine, text, &Sriw1)
            + if_taken(&machine, text, &Sric2)
            + if_taken(&machine, text, &ReversibleHeun);
    }
    println!("{taken} of 16");
    assert!(taken >= 4, "{taken}");
}

fn if_taken<S: StochasticScheme<f32>>(machine: &Machine, text: &str, scheme: &S) -> usize {
    if model(text).admits::<f32, S>(scheme, 40).is_err() {
        return 0;
    }
    let worst = difference(machine, (text, scheme, 40), GPU);
    println!("{} {text}: {worst:e}", S::NAME);
    assert!(worst < 1e-5, "{} {text}: {worst:e}", S::NAME);
    1
}

/// Equations of the catalogue with fractional noise.
#[test]
fn equations_of_the_catalogue_are_solved() {
    let Some(machine) = machine("equations_of_the_catalogue_are_solved") else { return };
    for name in [
        "fractional-brownian-motion",
        "fractional-ornstein-uhlenbeck",
        "fractional-langevin",
        "inertial-langevin",
    ] {
        let entry = hpfracc::equation::catalogue::named(name).unwrap();
        let model = EquationModel::new(&entry.equation().unwrap()).unwrap();
        let ensemble = Ensemble::new(300, 500).unwrap().saving_every(100).unwrap();
        let on =
            |backend| machine.simulate::<f32, _>(&model, (&ensemble, 3), backend, &Paths).unwrap();
        let (found, expected) = (on(FREE), on(SimulationBackend::Cpu));
        let size = expected.iter().fold(0f32, |size, x| size.max(x.abs()));
        let worst =
            found.iter().zip(&expected).fold(0f32, |worst, (a, b)| worst.max((a - b).abs()));
        println!("{name}: {:e}", worst / size);
        assert!(worst < 1e-5 * size, "{name}: {:e}", worst / size);
    }
}

/// The device is lost in the middle: the CPU solves the rest.
#[test]
fn a_lost_device_is_replaced() {
    let Some(machine) = machine("a_lost_device_is_replaced") else { return };
    let model = model(JUMPS);
    let sized = || Ensemble::new(700, 60).unwrap().saving_every(13).unwrap();
    let collector = (Paths, Quantiles::new(&[0.1, 0.9]).unwrap());
    let on_cpu = SimulationBackend::Cpu;
    let (expected, _) = machine
        .simulate_with::<f32, _, _>(&model, &EulerMaruyama, (&sized(), 3), on_cpu, &collector)
        .unwrap();
    for (share, limit) in [(0.0, None), (0.3, None), (0.6, Some(1_000_000)), (0.9, Some(1_000_000))]
    {
        let (gpu, finished) = (machine.gpu(None).unwrap(), AtomicUsize::new(0));
        gpu.limit_memory(limit.map_or(MemoryLimit::None, MemoryLimit::Bytes)).unwrap();
        let watched = |progress: Progress| {
            if progress.share >= share {
                gpu.device().destroy();
            }
        };
        let ensemble = sized().watched_by(&watched).counting(&finished);
        let ((found, _), choice) = machine
            .simulate_and_explain::<f32, _, _>(
                &model,
                &EulerMaruyama,
                (&ensemble, 3),
                GPU,
                &collector,
            )
            .unwrap();
        println!("lost at {share}: {choice}");
        assert!(choice.failure.is_some_and(|error| error.contains("lost")));
        let size = expected.iter().fold(0f32, |size, x| size.max(x.abs()));
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5 * size;
        assert!(found.iter().zip(&expected).all(near), "lost at {share}");
        assert_eq!(finished.load(Ordering::Relaxed), 700);
    }
}

/// Parts, and an ensemble in two halves, change no bit.
#[test]
fn parts_change_no_bit() {
    let Some(machine) = machine("parts_change_no_bit") else { return };
    let model = model(JUMPS);
    let solve = |first: u64, paths: usize| {
        let ensemble = Ensemble::new(paths, 60).unwrap().starting_at(first);
        machine
            .simulate_with::<f32, _, _>(&model, &EulerMaruyama, (&ensemble, 3), GPU, &Paths)
            .unwrap()
    };
    let whole = solve(0, 700);
    let halves = [solve(0, 333), solve(333, 367)];
    let both = halves[0].iter().chain(&halves[1]);
    assert!(whole.iter().zip(both).all(|(a, b)| a.to_bits() == b.to_bits()));
    machine.gpu(None).unwrap().limit_memory(MemoryLimit::Bytes(1_000_000)).unwrap();
    assert!(whole.iter().zip(&solve(0, 700)).all(|(a, b)| a.to_bits() == b.to_bits()));
}

/// Where not even a workgroup of paths has room: an error with sizes on a named GPU, the CPU for `auto`.
#[test]
fn too_many_steps_are_refused_with_sizes() {
    let Some(machine) = machine("too_many_steps_are_refused_with_sizes") else { return };
    let model = model("dX = dB; B = fbm(0.3); X(0) = 0; t in [0, 1]");
    let ensemble = Ensemble::new(70, 30_000).unwrap().saving_nodes(&[30_000]).unwrap();
    machine.gpu(None).unwrap().limit_memory(MemoryLimit::Bytes(8 << 20)).unwrap();
    let error =
        machine.simulate::<f32, _>(&model, (&ensemble, 1), GPU, &Moments).unwrap_err().to_string();
    println!("{error}");
    // 64 paths of 30000 steps, in a buffer of the next power of two.
    assert!(error.contains("8388608 bytes exceeds the limit of 8388608"), "{error}");
}
