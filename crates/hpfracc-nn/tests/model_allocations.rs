//! After set-up, no step of a model allocates, neither there nor back.

use hpfracc_nn::models::{
    CdeFit, CdeParts, Controls, Diffusion, LatentFit, LatentFractionalSde, LatentParts, NeuralCde,
    NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::{Activation, Batch, Loss, Network, Objective};
use hpfracc_sde::PathMemory;
use hpfracc_testkit::CountingAllocator;
use ndarray::{Array2, Array3};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

const ORDERS: Orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: false };
const GAUSSIAN: Loss = Loss::GaussianLikelihood { floor: 0.0 };

fn solving(steps: usize) -> Solving {
    Solving { memory: PathMemory::Direct, ..Solving::new(1.0, steps) }
}

fn windows(starts: usize, steps: usize) -> Windows<f32> {
    let observed = Array3::from_elem((70, 2, 2), 0.5);
    Windows::new(Array2::zeros((70, starts)), &[steps / 2, steps], observed).unwrap()
}

fn equation(orders: Orders, steps: usize) -> SdeFit<f32> {
    let diffusion = Diffusion::Diagonal { network: network(&[3, 3, 2]), floor: Some(0.1) };
    let model = NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, orders).unwrap();
    SdeFit::new(model, solving(steps), windows(2, steps), PathLoss::Each(GAUSSIAN), 1).unwrap()
}

fn latent(steps: usize) -> LatentFit<f32> {
    let parts = LatentParts {
        encoder: network(&[4, 5]),
        posterior: network(&[3, 3, 2]),
        prior: network(&[2, 3, 2]),
        diffusion: Diffusion::Additive { start: 0.4 },
        decoder: network(&[2, 4]),
        orders: ORDERS,
    };
    let model = LatentFractionalSde::new(parts).unwrap();
    LatentFit::new(model, solving(steps), windows(0, steps), GAUSSIAN, 1).unwrap()
}

fn controlled(steps: usize) -> CdeFit<f32> {
    let parts = CdeParts {
        encoder: network(&[2, 3]),
        field: network(&[3, 6]),
        readout: network(&[3, 2]),
        orders: ORDERS,
    };
    let controls = Controls::new(Array3::from_elem((70, steps + 1, 2), 0.5)).unwrap();
    let data = (controls, windows(0, steps));
    CdeFit::new(NeuralCde::new(parts).unwrap(), solving(steps), data, Loss::MeanSquare).unwrap()
}

/// Allocations of a gradient after the first one.
fn allocations(objective: &dyn Objective<f32>) -> usize {
    let mut theta = vec![0.0; objective.parameters()];
    objective.initialise(1, &mut theta);
    let mut bar = theta.clone();
    let samples: Vec<usize> = (0..70).collect();
    let mut once = || {
        let before = ALLOCATOR.calls();
        objective.gradient(&theta, Batch::new(&samples, 1), &mut bar).unwrap();
        ALLOCATOR.calls() - before
    };
    once();
    // Other threads may allocate in between, but not every time.
    (0..5).map(|_| once()).min().unwrap()
}

fn check(name: &str, of: impl Fn(usize) -> Box<dyn Objective<f32>>) {
    let [few, many] = [200, 400].map(|steps| allocations(&*of(steps)));
    println!("{name}: {few}");
    assert_eq!(few, many, "{name}");
}

#[test]
fn no_step_allocates() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
        check("without memory", |steps| Box::new(equation(Orders::One, steps)));
        check("with memory", |steps| Box::new(equation(ORDERS, steps)));
        check("latent", |steps| Box::new(latent(steps)));
        check("controlled", |steps| Box::new(controlled(steps)));
    });
}
