//! Batches of curves, samples of posterior distributions, fractional equations, and checkpoints of fits.

use super::{MODEL, data, model};
use crate::bench::Bench;
use crate::cell::{each, label, number, rate, ratio, reference_time, size, time};
use crate::measure::interleaved;
use hpfracc::equation::Equation;
use hpfracc::fit::sample::Nuts;
use hpfracc::fit::{Batch, EquationModel, Fit, FormulaModel, Model, Set};
use hpfracc_lanes::{Rows, RowsMut};
use ndarray::Array2;
use std::hint::black_box;
use std::time::Duration;

/// Points of a curve.
const POINTS: usize = 64;

/// Curves of one model, each with noise of its own.
fn curves(name: &str, count: usize) -> (Vec<f64>, Array2<f64>) {
    let [t, _] = data(name, POINTS);
    let noise = |k: usize| ((k as f64 * 12.9898).sin() * 43_758.545_3).fract();
    let y =
        |(curve, k): (usize, usize)| super::truth(name, t[k]) + 0.02 * noise(curve * POINTS + k);
    let y = Array2::from_shape_fn((count, POINTS), y);
    (t, y)
}

/// Passes of a single fit.
fn single(model: &FormulaModel, t: &[f64], y: &[f64]) -> usize {
    let found = Fit::new(Set::new("curve", model).input(t).response(y)).and_then(Fit::run);
    let found = found.expect(MODEL);
    black_box(found.values());
    found.passes()
}

/// Batches of curves of 64 points against single fits in a loop.
pub(crate) fn batch(bench: &mut Bench) {
    bench.note(
        "Fits of one model to many curves of 64 points, from starts 30 % off, on all threads. Reference: single fits of a \
         hundredth of the curves in a loop on one thread.",
    );
    bench.columns(
        "model | curves | single fits | batch | a curve | passes | batch / single | curves",
    );
    let count = if bench.quick { 10_000 } else { 100_000 };
    for name in ["stretched", "mittag-leffler"] {
        let (model, (t, y)) = (model(name), curves(name, count));
        let mut passes = 0.0;
        let [some, all] = interleaved(
            bench.budget.at_most(5),
            [
                &mut || {
                    for curve in y.rows().into_iter().take(count / 100) {
                        black_box(single(
                            &model,
                            &t,
                            curve.to_slice().expect("rows are contiguous"),
                        ));
                    }
                },
                &mut || {
                    let found = Batch::new("curves", &model).input(&t).response(&y).run();
                    let found = found.expect(MODEL);
                    passes = found.passes().iter().sum::<usize>() as f64 / count as f64;
                    black_box(found.values());
                },
            ],
        );
        let loop_of_all = some.scaled(100.0);
        bench.row([
            label(name),
            size(count),
            reference_time(&loop_of_all),
            time(&all),
            each(&all, count as f64),
            number(passes, 1),
            ratio(&all, &loop_of_all),
            rate(count as f64, &all),
        ]);
    }
}

/// Four chains of 1000 draws around a fit of 40 points.
pub(crate) fn sampling(bench: &mut Bench) {
    bench.note(
        "Posterior distribution of a fit of 40 points by NUTS, 4 chains of 1000 draws and their warm-up, in the coordinates of \
         the fit, on all threads. Reference: as many gradients of the density on one thread.",
    );
    bench.columns("model | draws | gradients alone | NUTS | NUTS / gradients | gradients of an effective draw");
    for name in ["stretched", "mittag-leffler"] {
        let (model, [t, y]) = (model(name), data(name, 40));
        let set = Set::new("rows", &model).input(&t).response(&y);
        let found = Fit::new(set).and_then(Fit::run).expect(MODEL);
        let settings = Nuts::default();
        let sampled = found.sample(&settings).expect(MODEL);
        let ess = (0..sampled.dim()).map(|k| sampled.summary(k).bulk_ess);
        let effective = ess.fold(4000.0, f64::min);
        let gradients = sampled.gradients() + sampled.warm_up_gradients();
        let (density, at) = (found.density(), found.values());
        let mut gradient = vec![0.0; at.len()];
        let [alone, sampling] = interleaved(
            bench.budget.at_most(5),
            [
                &mut || {
                    use hpfracc::fit::sample::LogDensity;
                    for _ in 0..gradients {
                        let value = density.value_and_gradient(&at, &mut gradient);
                        black_box(value.expect(MODEL));
                    }
                },
                &mut || {
                    black_box(found.sample(&settings).expect(MODEL));
                },
            ],
        );
        bench.row([
            label(name),
            size(4000),
            reference_time(&alone),
            time(&sampling),
            ratio(&sampling, &alone),
            number(sampled.gradients() as f64 / effective, 2),
        ]);
    }
}

/// Pass of a fit of a fractional differential equation against one solution of it.
pub(crate) fn equation(bench: &mut Bench) {
    bench.note(
        "A pass, the solution with its derivatives with respect to all parameters, the order among them: by tangents, or for \
         many more parameters than values by adjoints, from 2.7 parameters a value on. Reference: the solution alone.",
    );
    bench.columns("steps | parameters | values | solution | pass | pass / solution");
    let logistic = "D^alpha y = r y (1 - y/k); alpha = 0.8; r = 0.9; k = 2; y(0) = a; a = 0.2";
    equation_pass(bench, logistic, 50, 0.2);
    // A source of 60 heights: 15 values by adjoints, 25 by tangents.
    let heights = 60;
    let piece = |k: usize| format!("u{k} min(max({heights} t/6 - {k}, 0), 1)");
    let pieces: Vec<String> = (0..heights).map(piece).collect();
    let starts: Vec<String> = (0..heights).map(|k| format!("u{k} = 0.1")).collect();
    let (source, starts) = (pieces.join(" + "), starts.join("; "));
    let text = format!("D^alpha y = {source} - y; alpha = 0.8; y(0) = 0; {starts}");
    equation_pass(bench, &text, 15, 0.4);
    equation_pass(bench, &text, 25, 0.24);
}

/// Row of a pass of an equation at some values of y, with these steps between them.
fn equation_pass(bench: &mut Bench, text: &str, values: usize, step: f64) {
    let equation = Equation::parse(text).expect(MODEL);
    let t: Vec<f64> = (1..=values).map(|k| step * k as f64).collect();
    let model = EquationModel::new(&equation, &["y"], &t).expect(MODEL);
    let at: Vec<f64> = model.parameters().iter().filter_map(|declared| declared.start).collect();
    let (mut values, mut rows) = (vec![0.0; t.len()], vec![0.0; (1 + at.len()) * t.len()]);
    // A model has the derivatives of its last parameters: each pass is at others.
    let mut shift = 0.0;
    let mut moved = || {
        shift += 1e-9;
        at.iter().map(|x| x + shift).collect::<Vec<f64>>()
    };
    let other = || at.iter().map(|x| x * (1.0 + 1e-6)).collect::<Vec<f64>>();
    let [solution, pass] = interleaved(
        bench.budget.at_most(9),
        [
            &mut || {
                let bound = model.at(&other()).expect(MODEL);
                bound.values(Rows::new(&t, t.len()), RowsMut::new(&mut values, t.len()));
            },
            &mut || {
                let bound = model.at(&moved()).expect(MODEL);
                bound.derivatives(Rows::new(&t, t.len()), RowsMut::new(&mut rows, t.len()));
            },
        ],
    );
    bench.row([
        size(model.step_count()),
        label(at.len()),
        label(t.len()),
        reference_time(&solution),
        time(&pass),
        ratio(&pass, &solution),
    ]);
}

/// Fit that saves its state after each step against one that does not.
pub(crate) fn checkpoints(bench: &mut Bench) {
    bench.note(
        "Fit of 10 000 points that saves its state after each step, with rename and fsync, and one that may save it every 10 s. \
         Reference: the fit without checkpoints.",
    );
    bench.columns("points | steps | fit | every 10 s | each step | every 10 s / fit | a save");
    let (model, [t, y]) = (model("stretched"), data("stretched", 10_000));
    let folder = std::env::temp_dir().join(format!("hpfracc-bench-fit-{}", std::process::id()));
    let run = |every: Option<Duration>| {
        drop(std::fs::remove_dir_all(&folder));
        let fit = Fit::new(Set::new("rows", &model).input(&t).response(&y)).expect(MODEL);
        let fit = match every {
            Some(every) => fit.checkpoints(&folder, every),
            None => fit,
        };
        fit.run().expect(MODEL).passes()
    };
    let passes = run(None);
    let [alone, rare, each_step] = interleaved(
        bench.budget.at_most(9),
        [
            &mut || {
                black_box(run(None));
            },
            &mut || {
                black_box(run(Some(Duration::from_secs(10))));
            },
            &mut || {
                black_box(run(Some(Duration::ZERO)));
            },
        ],
    );
    drop(std::fs::remove_dir_all(&folder));
    bench.row([
        size(10_000),
        label(passes),
        reference_time(&alone),
        time(&rare),
        time(&each_step),
        ratio(&rare, &alone),
        each(&each_step.beyond(&alone), passes as f64),
    ]);
}
