//! Equations on boxes, and their values with noise.

use hpfracc_equation::FieldEquation;
use hpfracc_fit::{FieldModel, Found, Model};
use hpfracc_lanes::random::{Philox, unit};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_pde::FieldProblem;
use hpfracc_spatial::{Axis, Boundary, BoxGrid};

const NAMES: [&str; 2] = ["x", "y"];

/// Grid of axes with ends, number of cells and boundary.
pub(crate) fn grid(axes: &[(f64, f64, usize, Boundary)]) -> BoxGrid {
    let axis = |&(from, to, n, boundary): &(f64, f64, usize, Boundary)| {
        Axis::new(from, to, n, [boundary; 2]).unwrap()
    };
    BoxGrid::new(axes.iter().map(axis).collect()).unwrap()
}

pub(crate) fn problem(text: &str, grid: &BoxGrid) -> FieldProblem {
    let equation = FieldEquation::parse(text, &NAMES[..grid.dim()]);
    FieldProblem::on_box(equation.unwrap_or_else(|e| panic!("{e}")), grid.clone()).unwrap()
}

/// All pairs of times and points, as columns.
pub(crate) fn product(times: &[f64], x: &[f64]) -> [Vec<f64>; 2] {
    let pairs = || times.iter().flat_map(|t| x.iter().map(move |x| (*t, *x)));
    [pairs().map(|(t, _)| t).collect(), pairs().map(|(_, x)| x).collect()]
}

/// Values of a model, or values and derivatives, at points.
pub(crate) fn rows(
    model: &FieldModel,
    parameters: &[f64],
    columns: &[Vec<f64>],
    derivatives: bool,
) -> Vec<f64> {
    let lanes = columns[0].len();
    let count = if derivatives { 1 + parameters.len() } else { 1 };
    let mut out = vec![0.0; model.responses() * count * lanes];
    let inputs = columns.concat();
    let (inputs, to) = (Rows::new(&inputs, lanes), RowsMut::new(&mut out, lanes));
    let bound = model.at(parameters).unwrap();
    match derivatives {
        true => bound.derivatives(inputs, to),
        false => bound.values(inputs, to),
    }
    out
}

/// Numbers with normal noise of a standard deviation.
pub(crate) fn noisy(values: &[f64], sd: f64, seed: u64) -> Vec<f64> {
    let philox = Philox::new(seed);
    let of = |(k, value): (usize, &f64)| {
        let [a, b, c, d] = philox.block([k as u32, 0, 0, 0]);
        let radius = (-2.0 * (1.0 - unit(a, b)).ln()).sqrt();
        value + sd * radius * (std::f64::consts::TAU * unit(c, d)).cos()
    };
    values.iter().enumerate().map(of).collect()
}

/// Checks that estimates are within some standard errors of the truth.
#[track_caller]
pub(crate) fn agrees(found: &Found<'_>, truth: &[(&str, f64)], within: f64) {
    assert!(found.outcome().is_success(), "{:?}", found.outcome());
    for (name, value) in truth {
        let estimate = found.estimate(name).unwrap();
        let error = estimate.standard_error.unwrap_or_else(|| panic!("{name}: no error"));
        let distance = (estimate.value - value).abs() / error;
        assert!(distance < within, "{name}: {} +- {error}, truth {value}", estimate.value);
    }
}
