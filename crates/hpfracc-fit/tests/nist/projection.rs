//! Evaluations of models with linear parameters projected out, and as parameters like any others.

use super::problems::{self, parameter};
use hpfracc_equation::{Rows, RowsMut};
use hpfracc_fit::{Bound, Declared, Fit, FitError, Model, Separable, Set, catalogue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Model that counts its evaluations, and hides its linear parameters unless they are projected out.
#[derive(Debug)]
struct Counted<'m> {
    model: &'m dyn Model,
    projected: bool,
    count: AtomicUsize,
}

struct CountedBound<'m> {
    bound: Box<dyn Bound + 'm>,
    count: &'m AtomicUsize,
}

impl Model for Counted<'_> {
    fn parameters(&self) -> &[Declared] {
        self.model.parameters()
    }

    fn inputs(&self) -> usize {
        self.model.inputs()
    }

    fn responses(&self) -> usize {
        self.model.responses()
    }

    fn linear(&self) -> &[usize] {
        self.model.linear()
    }

    fn separable(&self) -> Option<&Separable> {
        self.model.separable().filter(|_| self.projected)
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        let bound = self.model.at(parameters)?;
        Ok(Box::new(CountedBound { bound, count: &self.count }))
    }
}

impl Bound for CountedBound<'_> {
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.count.fetch_add(1, Relaxed);
        self.bound.values(inputs, out);
    }

    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.count.fetch_add(1, Relaxed);
        self.bound.derivatives(inputs, out);
    }

    fn mixed(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.count.fetch_add(1, Relaxed);
        self.bound.mixed(inputs, out);
    }
}

/// Evaluations of a block, cost and passes.
fn run(
    model: &dyn Model,
    projected: bool,
    (inputs, response): (&[Vec<f64>], &[Vec<f64>]),
    starts: &[(String, f64)],
) -> (usize, f64, usize) {
    let model = Counted { model, projected, count: AtomicUsize::new(0) };
    let set = inputs.iter().fold(Set::new("data", &model), |set, column| set.input(column));
    let set = response.iter().fold(set, |set, column| set.response(column));
    let fit = starts.iter().fold(Fit::new(set), |fit, (name, value)| fit?.start(name, *value));
    let found = fit.unwrap().run().unwrap();
    (model.count.load(Relaxed), found.cost(), found.passes())
}

fn starts(start: &[f64]) -> Vec<(String, f64)> {
    start.iter().enumerate().map(|(k, value)| (parameter(k), *value)).collect()
}

/// Problems of NIST: a third of the evaluations for the same minima. Lanczos1 has residuals of rounding.
#[test]
fn projection_saves_evaluations() {
    let (mut with, mut without) = (0, 0);
    for problem in problems::all() {
        if problem.model.linear().is_empty() {
            continue;
        }
        for start in &problem.starts {
            let data = (&problem.inputs[..], &[problem.response.clone()][..]);
            let starts = starts(start);
            let plain = run(&problem.model, false, data, &starts);
            let projected = run(&problem.model, true, data, &starts);
            println!("{:9} {plain:?} {projected:?}", problem.name);
            assert!((projected.1 / plain.1 - 1.0).abs() < 1e-2, "{}", problem.name);
            (with, without) = (with + projected.0, without + plain.0);
        }
    }
    println!("{with} evaluations with projection, {without} without");
    assert!(2 * with < without, "{with} {without}");
}

/// Models of the catalogue from starts off by a factor: fewer evaluations for the same minima.
#[test]
fn projection_saves_evaluations_of_the_catalogue() {
    let (mut with, mut without) = (0, 0);
    for name in ["stretched-exponential", "power-law-relaxation", "xpcs-g2", "xpcs-two-time"] {
        let model = catalogue::find(name).unwrap();
        let inputs = model.example_inputs(if model.inputs() == 1 { 100 } else { 12 });
        let mut data = model.values(&model.example(), &inputs).unwrap();
        for (i, y) in data[0].iter_mut().enumerate() {
            *y *= 1.0 + 0.01 * ((i as f64 * 12.9898).sin() * 43_758.545_3).fract();
        }
        for factor in [0.7, 1.15, 2.0] {
            let pairs = model.parameters().iter().zip(model.example());
            let starts: Vec<(String, f64)> =
                pairs.map(|(known, value)| (known.name.clone(), value * factor)).collect();
            let plain = run(&model, false, (&inputs, &data), &starts);
            let projected = run(&model, true, (&inputs, &data), &starts);
            println!("{name} {factor}: {plain:?} {projected:?}");
            assert!((projected.1 / plain.1 - 1.0).abs() < 1e-10, "{name} {factor}");
            (with, without) = (with + projected.0, without + plain.0);
        }
    }
    println!("{with} evaluations with projection, {without} without");
    assert!(with < without, "{with} {without}");
}
