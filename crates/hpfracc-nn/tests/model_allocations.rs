//! After set-up, no step of a model allocates, neither there nor back; the memory of a gradient by
//! the format of what it stores.

use hpfracc_nn::models::{
    CdeFit, CdeParts, Controls, Diffusion, LatentFit, LatentFractionalSde, LatentParts, NeuralCde,
    NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::{Activation, Batch, Layer, Loss, Network, Objective, Scalar, Storage};
use hpfracc_sde::PathMemory;
use hpfracc_testkit::{CountingAllocator, Figure, record};
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

/// Counters are those of the whole program: one test.
#[test]
fn memory() {
    no_step_allocates();
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
        stored::<f32>();
        stored::<f64>();
    });
}

/// Peak of the memory of a gradient of 64 paths, besides parameters and gradient.
fn peak<T: Scalar>(objective: &dyn Objective<T>, samples: usize) -> usize {
    let mut theta = vec![T::zero(); objective.parameters()];
    objective.initialise(1, &mut theta);
    let (mut bar, samples) = (theta.clone(), (0..samples).collect::<Vec<_>>());
    ALLOCATOR.most_bytes_in_use();
    let before = ALLOCATOR.bytes_in_use();
    objective.gradient(&theta, Batch::new(&samples, 1), &mut bar).unwrap();
    ALLOCATOR.most_bytes_in_use() - before
}

fn equation_of<T: Scalar>(orders: Orders, solving: Solving) -> Box<dyn Objective<T>>
where
    Network: Layer<T>,
{
    let observed = Array3::from_elem((64, 1, 4), T::narrow(0.5));
    let windows = Windows::new(Array2::zeros((64, 4)), &[solving.steps], observed).unwrap();
    let model = NeuralFractionalSde::new(network(&[4, 16, 4]), Diffusion::None, orders).unwrap();
    let loss = PathLoss::Each(Loss::MeanSquare);
    Box::new(SdeFit::new(model, solving, windows, loss, 1).unwrap())
}

/// A deep encoder of windows of 100 nodes, whose activations wait for the solve.
fn encoder<T: Scalar>(storage: Storage) -> Box<dyn Objective<T>>
where
    Network: Layer<T>,
{
    let parts = LatentParts {
        encoder: network(&[100, 128, 128, 128, 128, 128, 5]),
        posterior: network(&[3, 3, 2]),
        prior: network(&[2, 3, 2]),
        diffusion: Diffusion::Additive { start: 0.4 },
        decoder: network(&[2, 2]),
        orders: Orders::One,
    };
    let nodes: Vec<usize> = (1..=100).collect();
    let observed = Array3::from_elem((1024, 100, 1), T::narrow(0.5));
    let windows = Windows::without_starts(&nodes, observed).unwrap();
    let solving = Solving { storage, ..Solving::new(1.0, 100) };
    let model = LatentFractionalSde::new(parts).unwrap();
    Box::new(LatentFit::new(model, solving, windows, GAUSSIAN, 1).unwrap())
}

fn stored<T: Scalar>()
where
    Network: Layer<T>,
{
    let solving = |storage, memory, steps| Solving { storage, memory, ..Solving::new(1.0, steps) };
    let sums = PathMemory::Exponentials { tolerance: 1e-4 };
    let of = |name: &str, bounds: [f64; 2], make: &dyn Fn(Storage) -> usize| {
        let [full, bfloat, float] = [Storage::Full, Storage::BFloat16, Storage::Float16]
            .map(|storage| make(storage) as f64);
        assert!((float / bfloat - 1.0).abs() < 0.01, "{float} {bfloat}");
        let mebibytes = |bytes: f64| Figure::number(bytes / f64::from(1 << 20), 2);
        record(
            "accuracy/training_memory",
            &[("training step", name), ("scalar", T::NAME)],
            &[
                ("full, MiB", mebibytes(full)),
                ("16 bits, MiB", mebibytes(float)),
                ("16 bits / full", Figure::number(float / full, 2)),
            ],
        );
        let bound = bounds[usize::from(size_of::<T>() == 8)];
        assert!(float < bound * full, "{name}: {}", float / full);
    };
    of("order 1, 2000 steps", [0.55, 0.3], &|storage| {
        let solving = solving(storage, PathMemory::Direct, 2000);
        peak::<T>(&*equation_of(Orders::One, solving), 64)
    });
    of("learned order, 400 steps, direct memory", [0.7, 0.5], &|storage| {
        let solving = solving(storage, PathMemory::Direct, 400);
        peak::<T>(&*equation_of(ORDERS, solving), 64)
    });
    of("order 0.8, 2000 steps, sum of exponentials", [0.65, 0.45], &|storage| {
        let solving = solving(storage, sums, 2000);
        peak::<T>(&*equation_of(Orders::Fixed(vec![0.8; 4]), solving), 64)
    });
    of("latent equation, encoder of 6 layers, 1024 windows", [0.72, 0.5], &|storage| {
        peak::<T>(&*encoder(storage), 1024)
    });
}

fn no_step_allocates() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
        check("without memory", |steps| Box::new(equation(Orders::One, steps)));
        check("with memory", |steps| Box::new(equation(ORDERS, steps)));
        check("latent", |steps| Box::new(latent(steps)));
        check("controlled", |steps| Box::new(controlled(steps)));
    });
}
