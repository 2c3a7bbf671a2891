//! Objectives on a device refuse batches of several ranks.
#![cfg(feature = "networks")]

mod device;

use hpfracc_communicator::run_threads;
use hpfracc_nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::ndarray::{Array2, Array3};
use hpfracc_nn::{Activation, Batch, Network, Objective, Supervised, Targets, TrainingError};
use hpfracc_wgpu::{GpuSdeFit, GpuSupervised};

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

fn refused(objective: &dyn Objective<f32>) {
    let theta = vec![0.1; objective.parameters()];
    let evaluated = run_threads(2, |ranks| {
        let batch = Batch { ranks: ranks.into(), ..Batch::new(&[0, 1], 0) };
        objective.gradient(&theta, batch, &mut theta.clone())
    });
    let error = evaluated.unwrap_err();
    assert!(matches!(error, TrainingError::OneProcess { ranks: 2, .. }), "{error}");
}

#[test]
fn several_ranks_are_refused() {
    let Some(gpu) = device::gpu("several_ranks_are_refused") else { return };
    let targets = Targets::Classes(vec![0, 1]);
    let on_cpu = Supervised::new(network(&[3, 4, 2]), Array2::zeros((2, 3)), targets).unwrap();
    refused(&GpuSupervised::new(&gpu, on_cpu, 4).unwrap());
    let diffusion = Diffusion::Additive { start: 0.3 };
    let model = NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, Orders::One).unwrap();
    let windows = Windows::new(Array2::zeros((2, 2)), &[2, 4], Array3::zeros((2, 2, 2))).unwrap();
    let loss = PathLoss::default();
    let on_cpu = SdeFit::new(model, Solving::new(1.0, 4), windows, loss, 1).unwrap();
    refused(&GpuSdeFit::new(&gpu, on_cpu, 2).unwrap());
}
