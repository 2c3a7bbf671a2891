use super::{number, numbers};
use hpfracc_nn::{
    Activation, Batch, Block, CompactVec, Dense, Dropout, Layer, LayerNorm, Loss, LossError,
    Network, Objective, Pass, Residual, Sequential, Shape, SizeMismatch, Storage, Supervised,
    Targets, TrainingError,
};
use ndarray::Array2;

fn network(dropout: f64) -> Network {
    let inner = Network::Dense(Dense::new(5, 5, Activation::Tanh));
    let layers = vec![
        Network::Dense(Dense::new(3, 5, Activation::Silu)),
        Network::Dropout(Dropout::new(5, dropout, 2).unwrap()),
        Network::Residual(Box::new(Residual::new(inner).unwrap())),
        Network::LayerNorm(LayerNorm::new(5).unwrap()),
        Network::Dense(Dense::new(5, 2, Activation::Identity)),
    ];
    Network::Sequential(Sequential::new(layers).unwrap())
}

const SAMPLES: usize = 200;

fn inputs() -> Array2<f64> {
    Array2::from_shape_fn((SAMPLES, 3), |(i, j)| number(3 * i + j))
}

fn values() -> Targets<f64> {
    let values = Array2::from_shape_fn((SAMPLES, 2), |(i, j)| number(2 * i + j + 40));
    Targets::Values(values, Loss::MeanSquare)
}

fn classes() -> Targets<f64> {
    Targets::Classes((0..SAMPLES).map(|i| i % 2).collect())
}

/// Not in order, one of them twice.
fn samples() -> Vec<usize> {
    let mut samples: Vec<usize> = (0..150).map(|i| (i * 37 + 5) % SAMPLES).collect();
    samples.push(5);
    samples
}

fn gradient(objective: &Supervised<f64, Network>, theta: &[f64], scale: f64) -> (f64, Vec<f64>) {
    let mut gradient = vec![f64::NAN; theta.len()];
    let samples = samples();
    let batch = Batch { scale, ..Batch::new(&samples, 4) };
    (objective.gradient(theta, batch, &mut gradient).unwrap(), gradient)
}

fn theta(network: &Network) -> Vec<f64> {
    let mut theta = vec![0.0; network.parameters()];
    network.initialise(&hpfracc_sde::noise::Normals::new(2), 0, &mut theta);
    theta.iter_mut().enumerate().for_each(|(i, w)| *w += 0.1 * number(i));
    theta
}

#[test]
fn gradients() {
    for (dropout, targets) in [(0.0, values()), (0.3, values()), (0.0, classes())] {
        let network = network(dropout);
        let mut theta = theta(&network);
        let objective =
            Supervised::new(network, inputs(), targets).unwrap().in_tiles_of(16).unwrap();
        let (loss, found) = gradient(&objective, &theta, 1.0);
        let h = 1e-4;
        for i in 0..theta.len() {
            let before = theta[i];
            let mut at = |d: f64| {
                theta[i] = before + d;
                gradient(&objective, &theta, 1.0).0
            };
            let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            theta[i] = before;
            assert!((found[i] - slope).abs() < 1e-9, "{i}: {} {slope}", found[i]);
        }
        let judged = objective.loss(&theta, Batch::new(&samples(), 4)).unwrap();
        assert_eq!(judged == loss, dropout == 0.0, "{judged} {loss}");
        let (_, scaled) = gradient(&objective, &theta, 1024.0);
        for (scaled, found) in scaled.iter().zip(&found) {
            assert!((scaled / 1024.0 - found).abs() <= 1e-14 * found.abs());
        }
    }
}

/// Against the definition, sample by sample.
#[test]
fn mean_square() {
    let network = network(0.0);
    let (theta, all) = (theta(&network), samples());
    let (x, Targets::Values(targets, _)) = (inputs(), values()) else { panic!("values") };
    let sum: f64 = all
        .iter()
        .map(|sample| {
            let x: Vec<f64> = x.row(*sample).to_vec();
            let y = super::forward(&network, Default::default(), &theta, &x, 1);
            let square = |i: usize| (y[i] - targets[[*sample, i]]).powi(2);
            (square(0) + square(1)) / 2.0
        })
        .sum();
    let objective = Supervised::new(network, x, values()).unwrap();
    let loss = objective.loss(&theta, Batch::new(&all, 0)).unwrap();
    assert!((loss - sum / all.len() as f64).abs() < 1e-14, "{loss}");
}

/// The same bits on any number of threads, and of an objective that has worked before.
#[test]
fn threads() {
    let network = network(0.3);
    let theta = theta(&network);
    let objective = Supervised::new(network, inputs(), values()).unwrap().in_tiles_of(4).unwrap();
    let expected = gradient(&objective, &theta, 1.0);
    for threads in [1, 2, 3, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| gradient(&objective, &theta, 1.0)), expected, "{threads}");
    }
}

/// The reduction over tiles, parallel for this number of parameters, equals that of a single tile.
#[test]
fn many_parameters() {
    let network = Network::perceptron(&[3, 1100, 2], Activation::Tanh).unwrap();
    let theta = theta(&network);
    let of_tiles = |lanes: usize| {
        let objective = Supervised::new(network.clone(), inputs(), values()).unwrap();
        objective.in_tiles_of(lanes).unwrap()
    };
    let (parts, whole) = (of_tiles(16), gradient(&of_tiles(SAMPLES), &theta, 1.0).1);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| gradient(&parts, &theta, 1.0).1)
    };
    let found = on(1);
    assert_eq!(on(3), found);
    for (i, (found, whole)) in found.iter().zip(&whole).enumerate() {
        assert!((found - whole).abs() < 1e-13, "{i}: {found} {whole}");
    }
}

#[test]
fn refused() {
    let of = |inputs, targets| Supervised::new(network(0.0), inputs, targets).map(|_| ());
    let size = |result: Result<(), TrainingError>| match result {
        Err(TrainingError::Size(SizeMismatch { what, found, expected })) => (what, found, expected),
        other => panic!("{other:?}"),
    };
    let named = |what: &str, found, expected| (what.to_owned(), found, expected);
    let wrong = Array2::zeros((SAMPLES, 4));
    assert_eq!(size(of(wrong, values())), named("the inputs' features", 4, 3));
    assert_eq!(size(of(Array2::zeros((0, 3)), values())), named("the inputs' samples", 0, 1));
    let few = Targets::Classes(vec![0; 3]);
    assert_eq!(size(of(inputs(), few)), named("the targets' samples", 3, SAMPLES));
    let other = Targets::Classes(vec![2; SAMPLES]);
    assert_eq!(size(of(inputs(), other)), named("a class of the targets", 2, 1));
    let wide = Targets::Values(Array2::zeros((SAMPLES, 3)), Loss::MeanSquare);
    assert_eq!(size(of(inputs(), wide)), named("the network's outputs", 2, 3));
    let delta = Targets::Values(Array2::zeros((SAMPLES, 2)), Loss::Huber { delta: -1.0 });
    let setting = of(inputs(), delta);
    let Err(TrainingError::Loss(LossError::OutOfRange(setting))) = setting else {
        panic!("{setting:?}")
    };
    assert_eq!(setting.what, "delta");
    let objective = Supervised::new(network(0.0), inputs(), values()).unwrap();
    let theta = numbers(objective.parameters());
    let loss = |theta: &[f64], samples: &[usize]| {
        size(objective.loss(theta, Batch::new(samples, 0)).map(|_| ()))
    };
    assert_eq!(loss(&theta, &[]), named("the batch", 0, 1));
    assert_eq!(loss(&theta, &[0, 200]), named("the number of a sample", 200, 199));
    assert_eq!(
        loss(&theta[1..], &[0]),
        named("the list of parameters", theta.len() - 1, theta.len())
    );
}

/// The first parameter, layer or sample that is not finite.
#[test]
fn culprits() {
    let network = network(0.0);
    let theta = theta(&network);
    let blocks: Vec<Block> = network.blocks();
    let ask = |theta: &[f64], inputs, targets| {
        let objective = Supervised::new(network.clone(), inputs, targets).unwrap();
        let (samples, pass) = (samples(), Pass::Train { draw: 0, first_sample: 0 });
        objective.culprit(theta, Batch::new(&samples, 0), pass)
    };
    assert_eq!(ask(&theta, inputs(), values()), None);
    let mut start = 0;
    for block in &blocks {
        let mut theta = theta.clone();
        theta[start] = f64::NAN;
        assert_eq!(ask(&theta, inputs(), values()), Some(format!("the parameter {}", block.name)));
        start += block.len();
    }
    // The weights of the last layer overflow, those of the first one do.
    let last = theta.len() - 12;
    let mut large = theta.clone();
    large[last..].fill(f64::MAX);
    assert_eq!(ask(&large, inputs(), values()), Some("4.Dense".to_owned()));
    large[..15].fill(f64::MAX);
    assert_eq!(ask(&large, inputs(), values()), Some("0.Dense".to_owned()));
    let mut x = inputs();
    x[[5, 1]] = f64::INFINITY;
    assert_eq!(ask(&theta, x, values()), Some("inputs".to_owned()));
    let mut targets = Array2::zeros((SAMPLES, 2));
    targets[[5, 1]] = f64::NAN;
    let targets = Targets::Values(targets, Loss::MeanSquare);
    assert_eq!(ask(&theta, inputs(), targets), Some("targets".to_owned()));
}

/// Training on inputs stored in bfloat16 equals training on rounded inputs.
#[test]
fn shorter_inputs() {
    let network = network(0.0);
    let theta = theta(&network);
    let rounded = inputs().mapv(|x| {
        let mut store = CompactVec::new(Storage::BFloat16, 1);
        store.write(0, &[x]);
        let mut found = [0.0];
        store.read(0, &mut found);
        assert!((found[0] - x).abs() <= x.abs() / 256.0);
        found[0]
    });
    assert_ne!(rounded, inputs());
    let short = Supervised::new(network.clone(), inputs(), values()).unwrap();
    let short = short.with_inputs_in(Storage::BFloat16).unwrap();
    let full = Supervised::new(network, rounded, values()).unwrap();
    assert_eq!(gradient(&short, &theta, 1.0), gradient(&full, &theta, 1.0));
}
