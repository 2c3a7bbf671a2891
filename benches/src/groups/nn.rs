//! Steps of training, beside their floors: the products and activations of the networks alone.

use crate::bench::Bench;
use crate::measure::{Budget, Time, interleaved};
use hpfracc::ndarray::{Array2, Array3};
use hpfracc::nn::models::{
    Checkpoints, Diffusion, Misfit, NeuralFractionalSde, Orders, SdeFit, Solving, Windows,
};
use hpfracc::nn::{
    Activation, Adam, Batch, Dense, Layer, LayerNorm, MultiHeadAttention, Network, Objective,
    Optimiser, Pass, Shape, Softmax, Supervised, Tape, Targets,
};
use hpfracc::solvers::noise::{Normals, Rows, RowsMut};
use hpfracc::solvers::sde::{Drift, PathMemory};
use rayon::prelude::*;
use std::hint::black_box;

const BATCH: usize = 256;
const STATE: usize = 4;
const INSIDE: &str = "inside the range";

fn drift() -> Network {
    Network::perceptron(&[STATE, 64, 64, STATE], Activation::Tanh).expect(INSIDE)
}

fn diffusion() -> Network {
    Network::perceptron(&[STATE, 64, STATE], Activation::Tanh).expect(INSIDE)
}

/// A network forward once, then forward and back, on a batch: what a step of a solve and of its gradient
/// cannot do without.
pub(crate) struct Alone {
    network: Network,
    lanes: usize,
    theta: Vec<f32>,
    x: Vec<f32>,
    y: Vec<f32>,
    kept: Vec<f32>,
    ybar: Vec<f32>,
    xbar: Vec<f32>,
    thetabar: Vec<f32>,
    scratch: Vec<f32>,
}

impl Alone {
    pub(crate) fn new(network: Network, lanes: usize) -> Self {
        let rows = |rows: usize| vec![0.25f32; rows * lanes];
        let mut theta = vec![0.0; network.parameters()];
        network.initialise(&Normals::new(1), 0, &mut theta);
        Self {
            lanes,
            x: rows(network.inputs()),
            y: rows(network.outputs()),
            kept: rows(network.kept()),
            ybar: rows(network.outputs()),
            xbar: rows(network.inputs()),
            thetabar: vec![0.0; theta.len()],
            scratch: rows(network.scratch()),
            theta,
            network,
        }
    }

    pub(crate) fn forward(&mut self) {
        let (x, lanes) = (Rows::new(&self.x, self.lanes), self.lanes);
        let (kept, y) = (RowsMut::new(&mut self.kept, lanes), RowsMut::new(&mut self.y, lanes));
        self.network.forward(Pass::Evaluate, &self.theta, x, kept, y);
    }

    fn there_and_back(&mut self) {
        self.forward();
        self.forward();
        self.back();
    }

    pub(crate) fn back(&mut self) {
        let lanes = self.lanes;
        let [x, kept, y] = [&self.x, &self.kept, &self.y].map(|rows| Rows::new(rows, lanes));
        self.network.vjp(
            &self.theta,
            Tape { x, kept, y },
            RowsMut::new(&mut self.ybar, lanes),
            Some(RowsMut::new(&mut self.xbar, lanes)),
            &mut self.thetabar,
            RowsMut::new(&mut self.scratch, lanes),
        );
    }
}

fn windows(nodes: &[usize]) -> Windows<f32> {
    let starts = Array2::from_shape_fn((BATCH, STATE), |(i, j)| ((i + 7 * j) % 13) as f32 / 13.0);
    let observed = Array3::from_shape_fn((BATCH, nodes.len(), STATE), |(i, _, j)| {
        ((i + 3 * j) % 11) as f32 / 11.0
    });
    Windows::new(starts, nodes, observed).expect(INSIDE)
}

/// A model of learning, and what a step of its solve evaluates.
struct Case {
    name: &'static str,
    diffusion: Diffusion,
    orders: Orders,
    solving: Solving,
    /// Evaluations of the drift in a step, and whether the diffusion is evaluated.
    drifts: usize,
}

impl Case {
    fn stochastic(checkpoints: Checkpoints) -> Self {
        let name = if checkpoints == Checkpoints::All {
            "neural SDE, 100 steps"
        } else {
            "the same, states computed again"
        };
        let diffusion = Diffusion::Diagonal { network: diffusion(), floor: None };
        let solving = Solving { checkpoints, ..Solving::new(1.0, 100) };
        Self { name, diffusion, orders: Orders::One, solving, drifts: 1 }
    }

    fn fractional(name: &'static str, steps: usize, memory: PathMemory, drift: Drift) -> Self {
        let solving = Solving { memory, drift, ..Solving::new(1.0, steps) };
        let drifts = if drift == Drift::Rectangle { 1 } else { 2 };
        Self { name, diffusion: Diffusion::None, orders: Orders::Fixed(vec![0.7]), solving, drifts }
    }

    /// The gradient of a batch, and the networks alone: forward for the solve, and again before each
    /// derivative.
    fn row(self, budget: Budget) {
        let noisy = !matches!(self.diffusion, Diffusion::None);
        let model = NeuralFractionalSde::new(drift(), self.diffusion, self.orders).expect(INSIDE);
        let windows = windows(&[self.solving.steps]);
        let fit = SdeFit::new(model, self.solving, windows, Misfit::default(), 1).expect(INSIDE);
        let mut theta = vec![0.0f32; fit.parameters()];
        fit.initialise(1, &mut theta);
        let mut gradient = theta.clone();
        let batch: Vec<usize> = (0..BATCH).collect();
        let mut draw = 0;
        let (mut f, mut g) = (Alone::new(drift(), BATCH), Alone::new(diffusion(), BATCH));
        let [step, floor] = interleaved(
            budget,
            [
                &mut || {
                    draw += 1;
                    let loss = fit.gradient(&theta, Batch::new(&batch, draw), &mut gradient);
                    black_box(loss.expect("a gradient"));
                },
                &mut || {
                    for _ in 0..self.solving.steps {
                        (0..self.drifts).for_each(|_| f.there_and_back());
                        if noisy {
                            g.there_and_back();
                        }
                    }
                },
            ],
        );
        show(self.name, step, floor);
    }
}

fn show(name: &str, time: Time, floor: Time) {
    let (time, floor) = (1e3 * time.least, 1e3 * floor.least);
    println!("{name:<48}{time:9.3} ms{floor:9.3} ms{:8.2}", time / floor);
}

/// Steps of training on so many threads.
fn on(threads: usize, work: impl FnOnce() + Send) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(work);
}

/// Neural differential equations: a gradient of a batch of 256, state 4, drift 4-64-64-4 and diffusion 4-64-4.
pub(crate) fn models(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let long = if quick { 400 } else { 1000 };
    for threads in [1, 2] {
        println!(
            "\ngradient of a batch, {threads} threads{:>33}{:>12}{:>8}",
            "time", "networks", "ratio"
        );
        on(threads, || {
            let (exact, sum) = (PathMemory::Blocked, PathMemory::default());
            let (rectangle, corrected) = (Drift::Rectangle, Drift::PredictorCorrector);
            Case::stochastic(Checkpoints::All).row(budget);
            Case::stochastic(Checkpoints::Sqrt).row(budget);
            Case::fractional("neural ODE of order 0.7, 200 steps", 200, exact, rectangle)
                .row(budget);
            Case::fractional("  corrected", 200, exact, corrected).row(budget);
            Case::fractional("  exponentials", 200, sum, rectangle).row(budget);
            Case::fractional("neural ODE of order 0.7, long", long, exact, rectangle).row(budget);
            Case::fractional("  corrected", long, exact, corrected).row(budget);
            Case::fractional("  exponentials", long, sum, rectangle).row(budget);
        });
    }
}

/// Samples of a tile, as [`Supervised`] has them.
const TILE: usize = 64;

/// A layer on so many samples, tile by tile over the threads, forward.
fn tiles(network: &Network, samples: usize) -> Vec<Alone> {
    (0..samples / TILE).map(|_| Alone::new(network.clone(), TILE)).collect()
}

/// Layers forward, in single precision: beside products at the peak of one core, or a copy of what they write.
pub(crate) fn layers(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let length = if quick { 512 } else { 2048 };
    let attention = MultiHeadAttention::new(512, 8, length).expect(INSIDE);
    let gelu = Network::Dense(Dense::new(1024, 2048, Activation::Gelu));
    let cases = [
        ("linear and GELU, 512 x 1024 x 2048", gelu, 512),
        ("layer norm, 4096 x 1024", Network::LayerNorm(LayerNorm::new(1024)), 4096),
        ("softmax, 4096 x 1024", Network::Softmax(Softmax::new(1024).expect(INSIDE)), 4096),
    ];
    for threads in [1, 2] {
        println!("\nforward, {threads} threads{:>43}{:>12}{:>8}", "time", "copy", "ratio");
        on(threads, || {
            for (name, network, samples) in &cases {
                let mut all = tiles(network, *samples);
                let from = vec![1.0f32; network.outputs() * samples];
                let mut to = from.clone();
                let [time, copy] = interleaved(
                    budget,
                    [&mut || all.par_iter_mut().for_each(Alone::forward), &mut || {
                        black_box(&mut to).copy_from_slice(black_box(&from));
                    }],
                );
                show(name, time, copy);
            }
            let mut one = Alone::new(Network::MultiHeadAttention(attention.clone()), 1);
            let from = vec![1.0f32; 512 * length];
            let mut to = from.clone();
            let [time, copy] = interleaved(
                budget,
                [&mut || one.forward(), &mut || {
                    black_box(&mut to).copy_from_slice(&from);
                }],
            );
            show("attention with projections, 8 heads of 64, long", time, copy);
        });
    }
}

/// Steps of training of plain networks: the gradient and Adam.
pub(crate) fn networks(bench: &mut Bench) {
    let budget = bench.budget;
    for threads in [1, 2] {
        println!(
            "\nstep of a network, {threads} threads{:>35}{:>12}{:>8}",
            "time", "gradient", "ratio"
        );
        on(threads, || {
            let sizes: [(&str, &[usize], usize); 2] = [
                ("784-128-10, batch 128, single precision", &[784, 128, 10], 128),
                ("24-8-2, batch 200, single precision", &[24, 8, 2], 200),
            ];
            for (name, rows, samples) in sizes {
                plain::<f32>(budget, name, rows, samples);
            }
            plain::<f64>(budget, "24-8-2, batch 200, double precision", &[24, 8, 2], 200);
        });
    }
}

fn plain<T: hpfracc::nn::Scalar>(budget: Budget, name: &str, rows: &[usize], samples: usize) {
    let network = Network::perceptron(rows, Activation::Tanh).expect(INSIDE);
    let inputs = Array2::from_shape_fn((samples, rows[0]), |(i, j)| {
        T::narrow(((i * 7 + j * 13) % 17) as f64 / 17.0)
    });
    let classes = (0..samples).map(|i| i % rows[rows.len() - 1]).collect();
    let fit = Supervised::new(network, inputs, Targets::Classes(classes)).expect(INSIDE);
    let parameters = Objective::<T>::parameters(&fit);
    let mut theta = vec![T::zero(); parameters];
    fit.initialise(1, &mut theta);
    let (mut gradient, mut only) = (theta.clone(), theta.clone());
    let fixed = theta.clone();
    let mut adam = Optimiser::Adam(Adam::default()).state::<T>(parameters).expect(INSIDE);
    let batch: Vec<usize> = (0..samples).collect();
    let [step, alone] = interleaved(
        budget,
        [
            &mut || {
                let loss = fit.gradient(&theta, Batch::new(&batch, 0), &mut gradient);
                black_box(loss.expect("a gradient"));
                adam.step(1e-4, &mut theta, &gradient).expect("a step");
            },
            &mut || {
                let loss = fit.gradient(&fixed, Batch::new(&batch, 0), &mut only);
                black_box(loss.expect("a gradient"));
            },
        ],
    );
    show(name, step, alone);
}
