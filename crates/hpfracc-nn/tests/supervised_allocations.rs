//! After the first batches, no step of a supervised objective allocates, on one thread and on two;
//! the memory of a step by the format of its activations.

use hpfracc_nn::{
    Activation, Batch, Dense, Dropout, Layer, LayerNorm, Loss, MultiHeadAttention, Network,
    Objective, Residual, Scalar, Sequential, Shape, Storage, Supervised, Targets,
};
use hpfracc_testkit::{CountingAllocator, Figure, record};
use ndarray::Array2;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Counters are those of the whole program: one test.
#[test]
fn memory() {
    steps();
    activations::<f32>();
    activations::<f64>();
}

/// Name, network and samples of a batch, one tile.
fn networks() -> Vec<(&'static str, Network, usize)> {
    let sequential = |layers| Network::Sequential(Sequential::new(layers).unwrap());
    let block = |layer: Network| {
        let norm = LayerNorm::new(layer.inputs()).unwrap();
        let layers = sequential(vec![Network::LayerNorm(norm), layer]);
        Network::Residual(Box::new(Residual::new(layers).unwrap()))
    };
    let attention = || {
        let layer = MultiHeadAttention::new(32, 4, 64).unwrap();
        block(Network::MultiHeadAttention(layer))
    };
    let mut blocks: Vec<Network> = (0..12).map(|_| attention()).collect();
    blocks.push(Network::Dense(Dense::new(32 * 64, 2, Activation::Identity)));
    let rows: Vec<usize> = [784].into_iter().chain([128; 24]).chain([10]).collect();
    let perceptron = |rows: &[usize]| Network::perceptron(rows, Activation::Gelu).unwrap();
    vec![
        ("perceptron 784-256-10", perceptron(&[784, 256, 10]), 64),
        ("perceptron of 24 layers of 128", perceptron(&rows), 64),
        ("12 blocks of attention, 32 features, 64 times", sequential(blocks), 4),
    ]
}

/// Peak of the memory of a step besides data, parameters and gradient.
fn peak<T: Scalar>(network: Network, samples: usize, storage: Storage) -> usize
where
    Network: Layer<T>,
{
    let (inputs, outputs) = (network.inputs(), network.outputs());
    let x = Array2::from_shape_fn((samples, inputs), |(i, j)| {
        T::narrow(((i * 7 + j) % 13) as f64 / 13.0)
    });
    let targets = Targets::Values(Array2::zeros((samples, outputs)), Loss::MeanSquare);
    let objective = Supervised::new(network, x, targets).unwrap().with_activations_in(storage);
    let mut theta = vec![T::zero(); objective.parameters()];
    objective.initialise(1, &mut theta);
    let (mut gradient, samples) = (theta.clone(), (0..samples).collect::<Vec<_>>());
    ALLOCATOR.most_bytes_in_use();
    let before = ALLOCATOR.bytes_in_use();
    objective.gradient(&theta, Batch::new(&samples, 0), &mut gradient).unwrap();
    ALLOCATOR.most_bytes_in_use() - before
}

/// Memory of a step on one thread: towards a half in `f32` and a quarter in `f64` for many layers.
fn activations<T: Scalar>()
where
    Network: Layer<T>,
{
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (name, network, samples) in networks() {
        let of = |storage| {
            let network = network.clone();
            pool.install(|| peak::<T>(network, samples, storage)) as f64
        };
        let [full, bfloat, float] = [Storage::Full, Storage::BFloat16, Storage::Float16].map(of);
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
        let bound = if size_of::<T>() == 4 { 0.6 } else { 0.4 };
        assert!(name.contains("784-256") || float < bound * full, "{name}: {}", float / full);
    }
}

fn steps() {
    let layers = vec![
        Network::Dropout(Dropout::new(40, 0.1, 1).unwrap()),
        Network::perceptron(&[40, 64, 10], Activation::Tanh).unwrap(),
    ];
    let network = Network::Sequential(Sequential::new(layers).unwrap());
    let x = Array2::from_shape_fn((1000, 40), |(i, j)| ((i * 7 + j) % 13) as f32 / 13.0);
    let classes = Targets::Classes((0..1000).map(|i| i % 10).collect());
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (network, x, classes) = (network.clone(), x.clone(), classes.clone());
        pool.install(|| {
            let objective = Supervised::new(network, x, classes).unwrap();
            let mut theta = vec![0.0; objective.parameters()];
            objective.initialise(1, &mut theta);
            let mut gradient = theta.clone();
            let samples: Vec<usize> = (0..500).map(|i| (i * 7) % 1000).collect();
            let mut step = |draw| {
                let batch = Batch::new(&samples, draw);
                objective.gradient(&theta, batch, &mut gradient).unwrap();
                theta.iter_mut().zip(&gradient).for_each(|(w, g)| *w -= 0.1 * g);
                objective.loss(&theta, batch).unwrap()
            };
            let first = step(0);
            // A thread allocates when it first takes work of another, and so do the threads of the
            // test program: once, where a step that does would in all rounds.
            let mut last = first;
            let rounds = (0..6).map(|round| {
                let before = ALLOCATOR.calls();
                (0..10).for_each(|i| last = step(10 * round + i + 1));
                ALLOCATOR.calls() - before
            });
            let counts: [_; 6] = rounds.collect::<Vec<usize>>().try_into().unwrap();
            assert!(counts.contains(&0), "{threads} threads: {counts:?}");
            assert!(last < first, "{last:?} {first:?}");
        });
    }
}
