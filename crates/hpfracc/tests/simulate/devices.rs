//! Ensembles on several devices: two of the same adapter.

use super::{machine, model};
use hpfracc::equation::wgsl::Rounding;
use hpfracc::gpu::Gpu;
use hpfracc::sde::{Ensemble, EulerMaruyama, FirstPassage, Moments, Paths};
use hpfracc::{OnGpu, SimulationBackend};

#[test]
fn several_devices_have_the_bits_of_the_cpu() {
    let Some(machine) = machine("several devices") else { return };
    let gpus = vec![machine.gpu(None).unwrap(), Gpu::new().unwrap()];
    let on_gpus = OnGpu::on_all(gpus, Rounding::Guarded);
    let model = model(
        "dX = (sin(3 t) - X) dt + 0.3 sqrt(1 + X^2) dW; X(0) = 1; t in [0, 1]; when X = 0.5 falling: stop",
    );
    let ensemble = Ensemble::new(9000, 60).unwrap().saving_every(20).unwrap();
    let collector = ((Moments, Paths), FirstPassage::default());
    let on = (&ensemble, 5);
    let expected = model.simulate_with::<f32, _, _>(&EulerMaruyama, &ensemble, 5, &collector);
    let found = model.simulate_on::<f32, _, _, _>(&on_gpus, &EulerMaruyama, on, &collector);
    let (found, expected) = (found.unwrap(), expected.unwrap());
    assert!(found.1.events[0].stopped > 1000, "{:?}", found.1);
    assert_eq!(found, expected);
}

/// `wgpu@all` with one adapter, and in double precision.
#[test]
fn all_devices_of_a_machine() {
    let Some(machine) = machine("all devices of a machine") else { return };
    let all: SimulationBackend = "wgpu-guarded@all".parse().unwrap();
    assert_eq!(all, SimulationBackend::AllGpus { guarded: true });
    let model = model("dX = -X dt + 0.3 X dW; X(0) = 1; t in [0, 1]");
    let ensemble = Ensemble::new(3000, 40).unwrap();
    let (found, choice) = machine
        .simulate_and_explain::<f64, _, _>(&model, &EulerMaruyama, (&ensemble, 2), all, &Paths)
        .unwrap();
    println!("{choice}");
    assert!(choice.to_string().starts_with("backend wgpu-guarded@all: requested"), "{choice}");
    assert_eq!((choice.backend, choice.failure), (all, None));
    let expected = model.simulate_with::<f64, _, _>(&EulerMaruyama, &ensemble, 2, &Paths);
    assert_eq!(found, expected.unwrap());
}
