//! Models: gradients of every parameter by name, bits, limits, and whether they learn.

#[path = "models/cde.rs"]
mod cde;
#[path = "models/latent.rs"]
mod latent;
#[path = "models/memories.rs"]
mod memories;
#[path = "models/sde.rs"]
mod sde;
#[path = "models/storage.rs"]
mod storage;

use hpfracc_nn::{Activation, Batch, Dense, Dropout, Network, Objective, Sequential};

/// A number in [-1, 1) for each place.
fn number(i: usize) -> f64 {
    ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0
}

/// A network of which some numbers of the hidden layer are dropped.
fn dropping(inputs: usize, outputs: usize, seed: u64) -> Network {
    let layers = vec![
        Network::Dense(Dense::new(inputs, 4, Activation::Tanh)),
        Network::Dropout(Dropout::new(4, 0.3, seed).unwrap()),
        Network::Dense(Dense::new(4, outputs, Activation::Identity)),
    ];
    Network::Sequential(Sequential::new(layers).unwrap())
}

/// Parameters to begin with, away from where they start: zeros have symmetries.
fn parameters(objective: &dyn Objective<f64>) -> Vec<f64> {
    let mut theta = vec![f64::NAN; objective.parameters()];
    objective.initialise(5, &mut theta);
    theta.iter_mut().enumerate().for_each(|(i, w)| *w += 0.1 * number(i));
    theta
}

/// Every parameter by the name of its block against differences of fourth order; no block is
/// without.
fn check(name: &str, objective: &dyn Objective<f64>, samples: &[usize]) {
    let mut theta = parameters(objective);
    let batch = Batch::new(samples, 11);
    let mut found = vec![f64::NAN; theta.len()];
    let loss = objective.gradient(&theta, batch, &mut found).unwrap();
    let again = objective.loss(&theta, batch).unwrap();
    assert!((loss - again).abs() <= 1e-12 * loss.abs().max(1.0), "{name}: {loss} {again}");
    // A scale multiplies the gradient, and not the loss.
    let mut scaled = vec![f64::NAN; theta.len()];
    let with_scale = Batch { scale: 1024.0, ..batch };
    assert_eq!(objective.gradient(&theta, with_scale, &mut scaled).unwrap(), loss, "{name}");
    let largest = found.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    for (scaled, found) in scaled.iter().zip(&found) {
        assert!((scaled / 1024.0 - found).abs() <= 1e-12 * largest, "{name}: {scaled} {found}");
    }
    let mut first = 0;
    for block in objective.blocks() {
        let places = first..first + block.len();
        let label = format!("{name}, {}", block.name);
        assert!(found[places.clone()].iter().any(|x| x.abs() > 1e-9), "{label}: no gradient");
        let scale = found[places.clone()].iter().fold(1.0f64, |a, b| a.max(b.abs()));
        for i in places {
            let (before, h) = (theta[i], 1e-3);
            let mut at = |d: f64| {
                theta[i] = before + d;
                let loss = objective.loss(&theta, batch).unwrap();
                theta[i] = before;
                loss
            };
            let expected = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            let apart = (found[i] - expected).abs();
            assert!(apart < 1e-6 * scale, "{label} {}: {} {expected}", i - first, found[i]);
        }
        first += block.len();
    }
    assert_eq!(first, theta.len(), "{name}");
}

/// Every parameter against differences of the loss that [`Objective::gradient`] gives, where layers
/// draw.
fn check_drawing(name: &str, objective: &dyn Objective<f64>, samples: &[usize]) {
    let mut theta = parameters(objective);
    let batch = Batch::new(samples, 11);
    let (mut found, mut unused) = (vec![f64::NAN; theta.len()], vec![f64::NAN; theta.len()]);
    let loss = objective.gradient(&theta, batch, &mut found).unwrap();
    assert_ne!(loss, objective.loss(&theta, batch).unwrap(), "{name}: nothing is drawn");
    let scale = found.iter().fold(1.0f64, |a, b| a.max(b.abs()));
    for i in 0..theta.len() {
        let (before, h) = (theta[i], 1e-3);
        let mut at = |d: f64| {
            theta[i] = before + d;
            let loss = objective.gradient(&theta, batch, &mut unused).unwrap();
            theta[i] = before;
            loss
        };
        let expected = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        assert!((found[i] - expected).abs() < 1e-6 * scale, "{name} {i}: {} {expected}", found[i]);
    }
}

/// On so many threads.
fn gradient_on(
    threads: usize,
    objective: &dyn Objective<f64>,
    samples: &[usize],
) -> (f64, Vec<f64>) {
    let theta = parameters(objective);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut found = vec![f64::NAN; theta.len()];
    let batch = Batch::new(samples, 3);
    (pool.install(|| objective.gradient(&theta, batch, &mut found).unwrap()), found)
}

/// So many steps of Adam over all samples; the losses before and after, with the same noise.
fn learn(objective: &dyn Objective<f64>, steps: u64, rate: f64) -> (f64, f64, Vec<f64>) {
    let mut theta = vec![0.0; objective.parameters()];
    objective.initialise(1, &mut theta);
    let all: Vec<usize> = (0..objective.samples()).collect();
    let judged = Batch::new(&all, u64::MAX);
    let before = objective.loss(&theta, judged).unwrap();
    let (mut m, mut v) = (vec![0.0; theta.len()], vec![0.0; theta.len()]);
    let mut bar = vec![0.0; theta.len()];
    for step in 1..=steps {
        objective.gradient(&theta, Batch::new(&all, step), &mut bar).unwrap();
        let (c, d) = (1.0 - 0.9f64.powi(step as i32), 1.0 - 0.999f64.powi(step as i32));
        for (i, g) in bar.iter().enumerate() {
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            theta[i] -= rate * (m[i] / c) / ((v[i] / d).sqrt() + 1e-8);
        }
    }
    (before, objective.loss(&theta, judged).unwrap(), theta)
}
