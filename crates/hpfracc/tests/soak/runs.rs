//! What the threads do, each a small run with a known answer.

use crate::dice::Dice;
use crate::maps::{Maps, close};
use hpfracc::backend::Reference;
use hpfracc::nn::trainer::{Event, RunFolder, Trained, Trainer, Training};
use hpfracc::nn::{Activation, Loss, Network, Supervised, Targets};
use hpfracc::ode;
use hpfracc::operators::Recurrence;
use hpfracc::prelude::*;
use hpfracc::sde::models::{Model, RoughBergomi, Variate};
use hpfracc::sde::{Checkpoint, Moments, Progress};
use ndarray::{Array1, Array2};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What a run has at hand.
pub(crate) struct Scene<'a> {
    pub(crate) maps: &'a Maps,
    pub(crate) dice: &'a mut Dice,
    pub(crate) folder: &'a Path,
}

type Run = fn(&mut Scene<'_>);

/// All of them, maps most often.
pub(crate) const ALL: &[(&str, Run)] = &[
    ("maps", maps),
    ("operators", operators),
    ("maps", maps),
    ("streams", streams),
    ("maps", maps),
    ("wisdom", wisdom),
    ("maps", maps),
    ("equations", equations),
    ("maps", maps),
    ("ensembles", ensembles),
    ("maps", maps),
    ("trainings", trainings),
];

fn maps(scene: &mut Scene<'_>) {
    (0..10).for_each(|_| scene.maps.trial(scene.dice));
}

fn wisdom(scene: &mut Scene<'_>) {
    scene.maps.keep_wisdom();
}

/// Longest signal of an operator, and longest block of a stream.
pub(crate) const LONGEST_OPERATOR: usize = 401;
pub(crate) const LONGEST_BLOCK: usize = 80;

/// An operator through the selector whose devices fail, and its gradients.
fn operators(scene: &mut Scene<'_>) {
    let n = 2 + scene.dice.below(LONGEST_OPERATOR - 1);
    let order = Order::new(0.5 + 0.4 * scene.dice.number()).unwrap();
    let (grid, caputo) = (Grid::uniform(n, 0.01).unwrap(), Caputo::l1(order).unwrap());
    let f = Array1::from(scene.dice.numbers(n));
    let under_faults: Bound<f64> = caputo.on(grid, &scene.maps.double).unwrap();
    let exact: Bound<f64> = caputo.on(grid, &Reference).unwrap();
    let pairs = [
        (under_faults.apply(f.view()).unwrap(), exact.apply(f.view()).unwrap()),
        (under_faults.vjp(f.view()).unwrap(), exact.vjp(f.view()).unwrap()),
    ];
    for (found, expected) in pairs {
        close("an operator", found.as_slice().unwrap(), expected.as_slice().unwrap(), 1e-10);
    }
    let [found, expected] =
        [&under_faults, &exact].map(|bound| bound.vjp_order(f.view(), f.view()).unwrap());
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(n as f64), "{found} {expected}");
}

fn half_integral() -> Recurrence {
    let half = RlIntegral::trapezoid(Order::new(0.5).unwrap()).unwrap();
    half.recurrence(0.01, 1000, 1e-8).unwrap()
}

/// Nodes of the streams.
pub(crate) fn stream_nodes() -> usize {
    half_integral().rates().len().next_multiple_of(16)
}

/// A stream in pieces, left and gone on with after each.
fn streams(scene: &mut Scene<'_>) {
    let recurrence = half_integral();
    let f = scene.dice.numbers(300);
    let mut whole = Stream::<f64>::new(&recurrence, 1, &Reference).unwrap();
    let expected: Vec<f64> = f.iter().map(|f| whole.push(*f).unwrap()).collect();
    let mut stream = Stream::new(&recurrence, 1, &scene.maps.double).unwrap();
    let (mut found, mut at) = (Array2::zeros((1, f.len())), 0);
    while at < f.len() {
        let next = f.len().min(at + 1 + scene.dice.below(LONGEST_BLOCK));
        let samples = Array2::from_shape_vec((1, next - at), f[at..next].to_vec()).unwrap();
        let piece = found.slice_mut(ndarray::s![.., at..next]);
        stream.push_block(samples.view(), piece).unwrap();
        stream = Stream::resume(&recurrence, &again(&stream.state()), &scene.maps.double).unwrap();
        at = next;
    }
    close("a stream", found.as_slice().unwrap(), &expected, 1e-10);
}

/// D^1/2 y = -y by schemes of several kinds; one solve is cancelled on its way.
fn equations(scene: &mut Scene<'_>) {
    let problem =
        Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0]).unwrap();
    let n = 200 + scene.dice.below(800);
    for (scheme, tolerance) in
        [(&AdamsBashforthMoulton::default() as &dyn Scheme, 2e-2), (&ProductTrapezoid, 2e-3)]
    {
        let solution = solve(&problem, scheme, &Steps::Uniform(n), Options::default()).unwrap();
        let error = (solution.last()[0] - 0.427_583_576_155_807).abs();
        assert!(error < tolerance, "{} in {n} steps: {error:e}", scheme.name());
    }
    let steps = Steps::adaptive(1e-12, 1e-12);
    let solution = solve(&problem, &Collocation::default(), &steps, Options::default()).unwrap();
    assert!((solution.last()[0] - 0.427_583_576_155_807).abs() < 1e-11);
    let (cancel, after) = (AtomicBool::new(false), scene.dice.below(n));
    let mut watched = |progress: ode::Progress| cancel.store(progress.steps >= after, Relaxed);
    let options =
        Options { cancel: Some(&cancel), progress: Some(&mut watched), ..Options::default() };
    let left = solve(&problem, &ProductTrapezoid, &Steps::Uniform(n), options).unwrap();
    assert_eq!(left.status(), ode::Status::Cancelled);
    assert_eq!(left.times().len(), 1 + after, "of {n} steps");
}

/// An ensemble that is left at random and gone on with has the bits of one that is not.
fn ensembles(scene: &mut Scene<'_>) {
    ensemble::<f32>(scene);
    ensemble::<f64>(scene);
}

fn ensemble<T: Variate>(scene: &mut Scene<'_>) {
    let (model, seed) = (RoughBergomi::default(), scene.dice.word());
    let problem = model.problem::<T>((0.0, 1.0)).unwrap();
    let (noise, scheme) = (model.noise::<T>(seed).unwrap(), model.scheme::<T>());
    let plain = Ensemble::new(300, 30).unwrap().saving_every(10).unwrap();
    let whole = plain.solve(&problem, &scheme, &noise, &Moments).unwrap();
    let mut kept: Option<Checkpoint> = None;
    loop {
        let (flag, stop) = (AtomicBool::new(false), scene.dice.below(4) as f64 / 3.0);
        let watched = |progress: Progress| flag.store(progress.share > stop, Relaxed);
        let ensemble = plain.clone().cancelled_by(&flag).watched_by(&watched);
        let run = ensemble.run(&problem, &scheme, &noise, &Moments).unwrap();
        let run = match &kept {
            Some(checkpoint) => run.restore(checkpoint).unwrap(),
            None => run,
        };
        match run.advance() {
            Err(SdeError::Cancelled) => kept = Some(again(&run.checkpoint())),
            end => {
                end.unwrap();
                flag.store(false, Relaxed);
                assert_eq!(run.finish().unwrap(), whole);
                return;
            }
        }
    }
}

/// A training that is left after each few steps and gone on with has the bits of one that is not.
fn trainings(scene: &mut Scene<'_>) {
    let network = Network::perceptron(&[1, 6, 1], Activation::Tanh).unwrap();
    let x = Array2::from_shape_vec((24, 1), scene.dice.numbers(24)).unwrap();
    let targets = Targets::Values(x.mapv(|x| (3.0 * x).sin()), Loss::MeanSquare);
    let objective = Supervised::<f64, _>::new(network, x, targets).unwrap();
    let training = Training { epochs: 6, batch: 8, seed: scene.dice.word(), ..Training::default() };
    let whole = Trainer::new(&objective, training.clone()).run(|_| ControlFlow::Continue(()));
    let whole = whole.unwrap();
    let folder = scene.folder.join("training");
    drop(std::fs::remove_dir_all(&folder));
    loop {
        let mut left = 1 + scene.dice.below(9);
        let run = RunFolder { every: Some(2), keep: 2, ..RunFolder::new(&folder) };
        let fresh = Trainer::new(&objective, training.clone());
        let trainer = Trainer { folder: Some(run), resume: true, ..fresh };
        let found: Trained<f64> = trainer
            .run(|event| {
                left -= usize::from(matches!(event, Event::Step(_)) && left > 0);
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
        if found.steps == whole.steps {
            assert_eq!(found.theta, whole.theta, "after {} steps", whole.steps);
            return;
        }
    }
}

/// The same value, by way of a file where there is a format for it.
fn again<V: serde::Serialize + serde::de::DeserializeOwned>(value: &V) -> V {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}
