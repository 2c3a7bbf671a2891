//! Steps of schemes as text.

mod euler_maruyama;
mod fractional;
mod heun;
mod milstein;

use super::{NoiseRow, PathEquation, PathScheme};

/// Row of the state of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StateRow {
    pub(super) name: String,
    /// Component whose initial value it has; else it begins with 0.
    pub(super) start: Option<usize>,
}

/// Number of the scheme in the text: `numbers[k]`.
pub(super) const H: &str = "numbers[0]";

/// Rows of the state: the components first.
pub(super) fn rows(equation: &PathEquation) -> Vec<StateRow> {
    let component = |i: usize| StateRow { name: format!("x{i}"), start: Some(i) };
    let mut rows: Vec<StateRow> = (0..equation.dim).map(component).collect();
    if let PathScheme::FractionalEulerMaruyama(memories) = &equation.scheme {
        rows.extend(fractional::rows(memories));
    }
    rows
}

/// Numbers of the scheme for steps of length h: h, its root, and those of the scheme.
pub(super) fn numbers(equation: &PathEquation, h: f64) -> Vec<f32> {
    let mut numbers = vec![h as f32, h.sqrt() as f32];
    match &equation.scheme {
        PathScheme::EulerMaruyama | PathScheme::Heun => {}
        PathScheme::Milstein => numbers.push((0.5 / h) as f32),
        PathScheme::FractionalEulerMaruyama(memories) => {
            numbers.push((1.0 / h) as f32);
            numbers.extend(fractional::numbers(memories));
        }
    }
    numbers.extend(factors(equation));
    numbers
}

/// Factors of correlated noises.
fn factors(equation: &PathEquation) -> impl Iterator<Item = f32> {
    equation.correlation.iter().flatten().flatten().map(|(_, factor)| *factor)
}

/// Increments of the noises in terms of those of the Brownian motions.
pub(super) fn increments(
    equation: &PathEquation,
    brownian: impl Fn(usize) -> String,
) -> Vec<String> {
    let Some(correlation) = &equation.correlation else {
        return (0..equation.streams.len()).map(brownian).collect();
    };
    let mut number = numbers(equation, 1.0).len() - factors(equation).count();
    let mut add = |sum: String, j: usize| {
        number += 1;
        format!("add_product({sum}, numbers[{}], {})", number - 1, brownian(j))
    };
    let mut sum =
        |row: &Vec<(usize, f32)>| row.iter().fold("0.0".to_owned(), |sum, (j, _)| add(sum, *j));
    correlation.iter().map(&mut sum).collect()
}

/// Times of a step at which the coefficients are evaluated, from its start on.
pub(super) fn times(equation: &PathEquation, h: f64) -> Vec<f64> {
    match equation.scheme {
        PathScheme::Heun => vec![0.0, h],
        _ => vec![0.0],
    }
}

/// Function `step` of the state, of the place of the values of its time, and of the increments.
pub(super) fn step(equation: &PathEquation) -> String {
    let (about, body) = match &equation.scheme {
        PathScheme::EulerMaruyama => euler_maruyama::step(equation),
        PathScheme::Milstein => milstein::step(equation),
        PathScheme::Heun => heun::step(equation),
        PathScheme::FractionalEulerMaruyama(memories) => fractional::step(equation, memories),
    };
    let increments: String = (0..equation.noises()).map(|j| format!(", dw{j}: f32")).collect();
    let result: Vec<String> = rows(equation).into_iter().map(|row| row.name).collect();
    format!(
        "// {about}\nfn step(s: State, at: u32{increments}) -> State {{\n    let h = {H};\n{body}    \
         return State({});\n}}\n\n",
        result.join(", ")
    )
}

/// Coefficients at values of the components.
fn coefficients(equation: &PathEquation, at: &str, x: impl Fn(usize) -> String) -> String {
    let arguments: String = (0..equation.dim).map(|i| format!(", {}", x(i))).collect();
    format!("coefficients({at}{arguments})")
}

/// A value and the noises of a component, `g dW` added one after the other.
fn with_noise(
    equation: &PathEquation,
    value: String,
    rows: &[NoiseRow],
    g: impl Fn(usize) -> String,
) -> String {
    rows.iter().fold(value, |value, row| {
        format!("add_product({value}, {}, dw{})", g(row.diffusion + equation.dim), row.noise)
    })
}
