//! Steps of schemes as text.

mod euler_maruyama;
mod fractional;
mod heun;
mod milstein;
mod reversible_heun;
mod sra1;
mod sric2;
mod sriw1;
mod stop_rows;
mod tamed_euler;

pub(super) use stop_rows::STOP;

use super::{NoiseRow, PathEquation, PathScheme};
use stop_rows::stop_rows;

/// Row of the state of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StateRow {
    pub(super) name: String,
    /// Component whose initial value it has; else it begins with 0.
    pub(super) start: Option<usize>,
    /// Whether a path has it in registers during a span, and not in the buffer of states only.
    pub(super) in_registers: bool,
}

impl StateRow {
    /// Row that begins with 0.
    pub(super) fn zero(name: String) -> Self {
        Self { name, start: None, in_registers: true }
    }

    /// Row that begins with the initial value of a component.
    fn starting(name: String, component: usize) -> Self {
        Self { start: Some(component), ..Self::zero(name) }
    }
}

/// Number of the scheme in the text: `numbers[k]`.
pub(super) const H: &str = "numbers[0]";

/// Zero in the text.
const ZERO: &str = "ZERO";

/// First of the numbers of the scheme after the length of a step and its root.
const FIRST: usize = 2;

/// Rows of the state: the components first.
pub(super) fn rows(equation: &PathEquation) -> Vec<StateRow> {
    let component = |i: usize| StateRow::starting(format!("x{i}"), i);
    let mut rows: Vec<StateRow> = (0..equation.dim).map(component).collect();
    match &equation.scheme {
        PathScheme::FractionalEulerMaruyama(memories) => rows.extend(fractional::rows(memories)),
        PathScheme::ReversibleHeun => rows.extend(reversible_heun::rows(equation)),
        _ => {}
    }
    rows.extend(stop_rows(equation.stops.as_ref()));
    rows
}

/// Numbers of the scheme for steps of length h, before they are rounded to the format of the solver: h, its root, and
/// those of the scheme.
pub(super) fn numbers(equation: &PathEquation, h: f64) -> Vec<f64> {
    let mut numbers = vec![h, h.sqrt()];
    match &equation.scheme {
        PathScheme::EulerMaruyama
        | PathScheme::Heun
        | PathScheme::TamedEuler
        | PathScheme::ReversibleHeun => {}
        PathScheme::Sra1 => numbers.extend(sra1::numbers(h)),
        PathScheme::Sriw1 => numbers.extend(sriw1::numbers(h)),
        PathScheme::Sric2 { .. } => numbers.extend(sric2::numbers(h)),
        PathScheme::Milstein => numbers.push(0.5 / h),
        PathScheme::FractionalEulerMaruyama(memories) => {
            numbers.push(1.0 / h);
            numbers.extend(fractional::numbers(memories));
        }
    }
    numbers.extend(equation.integrals.iter().flat_map(|integrals| integrals.factors));
    numbers.extend(factors(equation));
    numbers
}

/// Texts of the factors of the normals in an integral over a step.
pub(super) fn integral_factors(equation: &PathEquation) -> [String; 2] {
    let end = numbers(equation, 1.0).len() - factors(equation).count();
    [2, 1].map(|k| format!("numbers[{}]", end.saturating_sub(k)))
}

/// Factors of correlated noises.
fn factors(equation: &PathEquation) -> impl Iterator<Item = f64> {
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
        |row: &Vec<(usize, f64)>| row.iter().fold(ZERO.to_owned(), |sum, (j, _)| add(sum, *j));
    correlation.iter().map(&mut sum).collect()
}

/// Times of step n at which the coefficients are evaluated.
pub(super) fn times(equation: &PathEquation, (t0, h): (f64, f64), n: u32) -> Vec<f64> {
    let begin = t0 + f64::from(n) * h;
    let after = |offsets: &[f64]| offsets.iter().map(|offset| begin + offset).collect();
    match equation.scheme {
        PathScheme::Heun => after(&[0.0, h]),
        PathScheme::Sra1 => after(&sra1::times(h)),
        PathScheme::Sriw1 => after(&sriw1::times(h)),
        PathScheme::Sric2 { .. } => after(&sric2::times(h)),
        PathScheme::ReversibleHeun => reversible_heun::times((t0, h), n).into(),
        PathScheme::FractionalEulerMaruyama(ref memories) if fractional::is_corrected(memories) => {
            after(&[0.0, h])
        }
        _ => vec![begin],
    }
}

/// Numbers of step n, after the values of its times.
pub(super) fn step_numbers(equation: &PathEquation, n: u32) -> Vec<f64> {
    match &equation.scheme {
        PathScheme::FractionalEulerMaruyama(memories) => fractional::step_numbers(memories, n),
        _ => vec![],
    }
}

/// Values with time of a step: of its times, and its numbers.
pub(super) fn timed_values(equation: &PathEquation) -> usize {
    let times = times(equation, (0.0, 1.0), 0).len();
    equation.coefficients.uniform_values().1 * times + step_numbers(equation, 0).len()
}

/// The number of this index of a step.
fn step_numbers_place(equation: &PathEquation, index: usize) -> String {
    let first = timed_values(equation) - step_numbers(equation, 0).len();
    format!("coefficients_timed[at + {}u]", first + index)
}

/// Rounds of all loops in a step, at most: one of the steps, those over rows that are in the buffer only, and those of
/// networks, whose coefficients a scheme evaluates four times at most.
pub(super) fn loop_rounds(equation: &PathEquation) -> usize {
    let buffered = rows(equation).iter().filter(|row| !row.in_registers).count();
    let stops = equation.stops.as_ref().map_or(0, |stops| stops.functions.loop_rounds());
    1 + buffered + 4 * equation.coefficients.loop_rounds() + stops
}

/// Place of the values of the time with this index in a step.
fn later(equation: &PathEquation, time: usize) -> String {
    match time * equation.coefficients.uniform_values().1 {
        0 => "at".to_owned(),
        places => format!("at + {places}u"),
    }
}

/// Function `step` of the state, of the place of the values of its time, of the lane of the path, and of the increments.
pub(super) fn step(equation: &PathEquation) -> String {
    let (about, body) = match &equation.scheme {
        PathScheme::EulerMaruyama => euler_maruyama::step(equation),
        PathScheme::Milstein => milstein::step(equation),
        PathScheme::Heun => heun::step(equation),
        PathScheme::TamedEuler => tamed_euler::step(equation),
        PathScheme::Sra1 => sra1::step(equation),
        PathScheme::Sriw1 => sriw1::step(equation),
        PathScheme::Sric2 { additive } => sric2::step(equation, *additive),
        PathScheme::ReversibleHeun => reversible_heun::step(equation),
        PathScheme::FractionalEulerMaruyama(memories) => fractional::step(equation, memories),
    };
    let mut increments: String = (0..equation.noises()).map(|j| format!(", dw{j}: real")).collect();
    if equation.integrals.is_some() {
        increments.extend((0..equation.noises()).map(|j| format!(", di{j}: real")));
    }
    let scheme_rows = rows(equation).into_iter().filter(|row| row.in_registers);
    let stop_rows = stop_rows(equation.stops.as_ref());
    let value = |row: StateRow| match stop_rows.contains(&row) {
        true => format!("s.{}", row.name),
        false => row.name,
    };
    let result: Vec<String> = scheme_rows.map(value).collect();
    format!(
        "// {about}\nfn step(s: State, at: u32, lane: u32{increments}) -> State {{\n    let h = {H};\n{body}    \
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
    add_noises(value, rows, "dw", |row| g(row + equation.dim))
}

/// A value and products of rows of the diffusion, counted from the first, with increments or integrals of noises.
fn add_noises(
    value: String,
    rows: &[NoiseRow],
    noise: &str,
    g: impl Fn(usize) -> String,
) -> String {
    rows.iter().fold(value, |value, row| {
        format!("add_product({value}, {}, {noise}{})", g(row.diffusion), row.noise)
    })
}
