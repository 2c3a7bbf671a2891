//! Events that stop paths on a GPU: the stops and paths of the CPU, bit for bit.

use super::{GPU, machine, model};
use hpfracc::gpu::MemoryLimit;
use hpfracc::sde::{
    Drift, Ensemble, EquationModelError, EulerMaruyama, FirstPassage, FractionalEulerMaruyama,
    Heun, Moments, PathStop, Paths, Progress, Quantiles, SdeError, Sriw1, StochasticScheme,
    StopTimes,
};
use hpfracc::{Machine, SimulationBackend, SimulationError};

const CPU: SimulationBackend = SimulationBackend::Cpu;

/// Number of stopped paths of 500.
fn check<S: StochasticScheme<f32>>(machine: &Machine, text: &str, scheme: &S) {
    let model = model(text);
    let ensemble = Ensemble::new(500, 40).unwrap().saving_every(13).unwrap().starting_at(77);
    let passage = FirstPassage::default();
    let collector = ((Paths, StopTimes), (passage, (Moments, Quantiles::new(&[0.1]).unwrap())));
    let on = |backend| {
        machine
            .simulate_with::<f32, _, _>(&model, scheme, (&ensemble, 3), backend, &collector)
            .unwrap()
    };
    let (found, expected) = (on(GPU), on(CPU));
    let stops = &expected.0.1;
    let of_event = |event: usize| stops.iter().flatten().filter(|stop| stop.event == event).count();
    println!("{} {text}: {} {} of 500 stop", scheme.name(), of_event(0), of_event(1));
    assert!(of_event(0) > 5 && of_event(1) > 5, "{text}");
    let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
    assert_eq!(&found.0.1, stops, "{text}");
    assert!(found.0.0.iter().zip(&expected.0.0).all(same), "{text}");
    assert_eq!(found.1, expected.1, "{text}");
}

#[test]
fn stops_have_the_bits_of_the_cpu() {
    let Some(machine) = machine("stops_have_the_bits_of_the_cpu") else { return };
    let gbm = "dS = 0.05 S dt + 0.4 S dW; S(0) = 1; t in [0, 1]; when S = 1.3 rising: stop; when ln(S) = -t/2 - 0.1: stop; \
         show l = ln(S)";
    let random = "dX = Y dt; dY = -sin(X) dt + 0.5 dW + 0.3 dV; V = brownian(); corr(W, V) = 0.4; X(1) = normal(0, 0.3); \
         Y(1) = 1; a = 0.9; t in [1, 3]; when X = a: stop; when Y^2 = a falling: stop";
    let jumps = "dX = -X dt + 0.3 X dN + 0.1 dW; N = poisson(3, 0.5); X(0) = 1; t in [0, 2]; when X = 1.2: stop; \
         when X = 0.6 falling: stop";
    let stratonovich = "dX = cos(4 t) X dt + 0.5 exp(-t) X o dW; X(0) = 1; t in [0, 1]; when X = 1.3: stop; \
         when X = 0.9: stop";
    let fractional =
        "D^0.8 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]; when X = 0.5: stop; when X = 1.2: stop";
    for text in [gbm, random, jumps] {
        check(&machine, text, &EulerMaruyama);
    }
    check(&machine, gbm, &Sriw1);
    check(&machine, stratonovich, &Heun);
    let scheme = FractionalEulerMaruyama::default();
    check(&machine, fractional, &scheme);
    check(&machine, fractional, &scheme.drift(Drift::PredictorCorrector));
}

/// Quantiles and first passage times need no states, and stops are read once.
#[test]
fn statistics_of_stopped_paths_are_those_of_the_cpu() {
    let Some(machine) = machine("statistics_of_stopped_paths") else { return };
    let model = model("dX = dW; X(0) = 0; t in [0, 4]; when X = 1: stop; when X = -2: stop");
    let ensemble = Ensemble::new(40_000, 20).unwrap().saving_every(5).unwrap();
    let collector = (FirstPassage::default(), Quantiles::new(&[0.01, 0.5, 0.9]).unwrap());
    let on =
        |backend| machine.simulate::<f32, _>(&model, (&ensemble, 3), backend, &collector).unwrap();
    let expected = on(CPU);
    on(GPU);
    let gpu = machine.gpu(None).unwrap();
    let before = gpu.bytes_read();
    assert_eq!(on(GPU), expected);
    let (bytes, stops) = (gpu.bytes_read() - before, 16 * 40_000);
    println!("{bytes} bytes read, {stops} of stops");
    assert!(bytes > stops && bytes < stops + 4 * 40_000 * 4, "{bytes}");
}

/// The device is lost in the middle: the CPU solves the rest, whose stops are those of whole paths.
#[test]
fn stops_survive_the_loss_of_the_device() {
    let Some(machine) = machine("stops_survive_the_loss_of_the_device") else { return };
    let model = model(
        "D^0.8 X = -X + 0.5 dW/dt; X(0) = normal(1, 0.1); t in [0, 1]; when X = 0.5: stop; when X = 1.5: stop",
    );
    let collector = (Paths, (StopTimes, FirstPassage::default()));
    let scheme = FractionalEulerMaruyama::default();
    let sized = || Ensemble::new(700, 60).unwrap().saving_every(13).unwrap().starting_at(77);
    let expected = machine
        .simulate_with::<f32, _, _>(&model, &scheme, (&sized(), 3), CPU, &collector)
        .unwrap();
    for (share, limit) in [(0.0, None), (0.3, None), (0.6, Some(80_000)), (0.99, Some(80_000))] {
        let gpu = machine.gpu(None).unwrap();
        gpu.limit_memory(limit.map_or(MemoryLimit::None, MemoryLimit::Bytes)).unwrap();
        let watched = |progress: Progress| {
            if progress.share >= share {
                gpu.device().destroy();
            }
        };
        let ensemble = sized().watched_by(&watched);
        let (found, choice) = machine
            .simulate_and_explain::<f32, _, _>(&model, &scheme, (&ensemble, 3), GPU, &collector)
            .unwrap();
        println!("lost at {share}: {choice}");
        assert!(choice.failure.is_some_and(|error| error.contains("lost")));
        let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
        assert!(found.0.iter().zip(&expected.0).all(same), "lost at {share}");
        assert_eq!(found.1, expected.1, "lost at {share}");
    }
}

/// Errors and the start are those of the CPU.
#[test]
fn events_that_are_not_finite_and_at_the_start() {
    let Some(machine) = machine("events_that_are_not_finite") else { return };
    let not_finite = model("dX = -0.1 dt + 0.3 dW; X(0) = 1; t in [0, 9]; when ln(X) = -3: stop");
    let ensemble = Ensemble::new(200, 10).unwrap();
    let on = |backend| {
        let error = machine
            .simulate::<f32, _>(&not_finite, (&ensemble, 3), backend, &StopTimes)
            .unwrap_err();
        match error {
            SimulationError::Model(EquationModelError::Problem(error)) => error,
            other => panic!("{other}"),
        }
    };
    let (found, expected) = (on(GPU), on(CPU));
    println!("{found}; {expected}");
    assert!(matches!(found, SdeError::EventNotFinite { event: 0, .. }), "{found}");
    let at_start = model("dX = dt + dW; X(2) = 1; t in [2, 3]; when X = 1 falling: stop");
    let stopped =
        machine.simulate::<f32, _>(&at_start, (&ensemble, 3), GPU, &(StopTimes, Paths)).unwrap();
    assert!(stopped.0.iter().all(|stop| *stop == Some(PathStop { event: 0, t: 2.0 })));
    assert!(stopped.1.iter().all(|x| *x == 1.0));
    let gamma = model("dX = dW; X(0) = 1; t in [0, 1]; when Gamma(2 + X^2) = 9: stop");
    let refused = machine.simulate::<f32, _>(&gamma, (&ensemble, 1), GPU, &Moments).unwrap_err();
    assert!(refused.to_string().contains("has no shader"), "{refused}");
}
