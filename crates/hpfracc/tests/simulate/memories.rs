//! Memories with many exponentials, and what is in single precision only.

use super::{GPU, machine, model};
use hpfracc::SimulationBackend;
use hpfracc::SimulationError;
use hpfracc::sde::{
    Drift, Ensemble, EquationModelError, FractionalEulerMaruyama, Moments, PathExecutor,
    PathMemory, PathRecorder, PathTask, Paths,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// As many exponentials as a memory has at the smallest tolerance: with the bits of the CPU.
#[test]
fn long_memories_have_the_bits_of_the_cpu() {
    let Some(machine) = machine("long_memories_have_the_bits_of_the_cpu") else { return };
    let model = model("D^0.6 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]");
    let scheme = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance: 1e-12 });
    let counted = Counted(AtomicUsize::new(0));
    let ensemble = Ensemble::new(16, 100_000).unwrap();
    let expected =
        model.simulate_on::<f32, _, _, _>(&counted, &scheme, (&ensemble, 3), &Paths).unwrap();
    let exponentials = counted.0.load(Ordering::Relaxed);
    println!("{exponentials} exponentials");
    assert!(exponentials > 48, "{exponentials}");
    let found =
        machine.simulate_with::<f32, _, _>(&model, &scheme, (&ensemble, 3), GPU, &Paths).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
}

/// More exponentials than a path has in registers: with the bits of the CPU.
#[test]
fn exponentials_beyond_registers_have_the_bits_of_the_cpu() {
    let Some(machine) = machine("exponentials_beyond_registers") else { return };
    let model = model(
        "D^0.6 X = Y - X + 0.5 dW/dt; D^0.55 Y = -X + 0.1 X dW/dt; D^0.7 Z = X - Z + 0.2 dV/dt; V = brownian(); \
         X(0) = 1; Y(0) = 0; Z(0) = 2; t in [0, 1]",
    );
    let scheme = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance: 1e-12 });
    // A dispatch of all steps would take more rounds of loops than a driver does.
    let ensemble = Ensemble::new(8, 3000).unwrap();
    for (drift, least) in [(Drift::Rectangle, 100), (Drift::PredictorCorrector, 200)] {
        let scheme = scheme.drift(drift);
        let counted = Counted(AtomicUsize::new(0));
        let expected = model.simulate_on::<f32, _, _, _>(&counted, &scheme, (&ensemble, 3), &Paths);
        let expected = expected.unwrap();
        let exponentials = counted.0.load(Ordering::Relaxed);
        println!("{drift:?}: {exponentials} exponentials");
        assert!(exponentials > least, "{exponentials}");
        let found = machine
            .simulate_with::<f32, _, _>(&model, &scheme, (&ensemble, 3), GPU, &Paths)
            .unwrap();
        let differ = found.iter().zip(&expected).filter(|(a, b)| a.to_bits() != b.to_bits());
        assert_eq!(differ.count(), 0, "{drift:?}");
        let on = |backend| {
            machine.simulate_with::<f64, _, _>(&model, &scheme, (&ensemble, 3), backend, &Paths)
        };
        let (found, expected) = (on(GPU).unwrap(), on(SimulationBackend::Cpu).unwrap());
        let differ = found.iter().zip(&expected).filter(|(a, b)| a.to_bits() != b.to_bits());
        assert_eq!(differ.count(), 0, "{drift:?} in double precision");
    }
}

/// Solves on the CPU and counts the exponentials of all components.
struct Counted(AtomicUsize);

impl<T> PathExecutor<T> for Counted {
    type Error = SimulationError;

    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        let memories = task.memories.iter().flatten().flatten();
        let count = memories.map(|memory| {
            let corrector = memory.corrector.iter().map(|of| of.exponentials.len());
            memory.exponentials.len() + corrector.sum::<usize>()
        });
        self.0.store(count.sum(), Ordering::Relaxed);
        recorder.solve_rest().map_err(EquationModelError::from)?;
        Ok(())
    }
}

/// What a device computes in single precision only is refused in double precision.
#[test]
fn events_and_fractional_noise_are_refused_in_double_precision() {
    let Some(machine) = machine("events and fractional noise in double precision") else { return };
    let ensemble = Ensemble::new(8, 10).unwrap();
    for (text, said) in [
        ("dX = -X dt + dB; B = fbm(0.7); X(0) = 1; t in [0, 1]", "fractional Brownian motion"),
        ("dX = -X dt + dW; X(0) = 1; t in [0, 1]; when X = 0: stop", "an event that stops paths"),
    ] {
        let model = model(text);
        let error = machine.simulate::<f64, _>(&model, (&ensemble, 1), GPU, &Moments).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        machine.simulate::<f32, _>(&model, (&ensemble, 1), GPU, &Moments).unwrap();
    }
}
