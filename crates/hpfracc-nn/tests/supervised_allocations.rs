//! After the first batches, no step of a supervised objective allocates, on one thread and on two.

use hpfracc_nn::{Activation, Batch, Dropout, Network, Objective, Sequential, Supervised, Targets};
use hpfracc_testkit::CountingAllocator;
use ndarray::Array2;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[test]
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
