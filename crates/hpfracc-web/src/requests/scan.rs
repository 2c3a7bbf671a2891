use super::solve::{Chosen, Requested, deterministic, quantities};
use crate::budget::{Budget, Timer};
use crate::case::{Case, Prepared};
use crate::failure::Failure;
use crate::transfer::{Numbers, Place};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    case: Case,
    steps: usize,
    #[serde(flatten)]
    method: Requested,
    /// Name of a parameter, or of the slider of an order.
    parameter: String,
    from: f64,
    to: f64,
    count: usize,
    #[serde(default)]
    budget: Budget,
}

/// Values at the end, and extremes over the second half of the interval.
#[derive(Debug, Serialize)]
pub(crate) struct Scanned {
    parameter: String,
    x: Place,
    names: Vec<String>,
    last: Vec<Place>,
    low: Vec<Place>,
    high: Vec<Place>,
    milliseconds: f64,
    notes: Vec<String>,
}

/// Most values of the parameter.
const MOST: usize = 100_000;

pub(crate) fn scan(
    request: &Request,
    cancel: &Arc<AtomicBool>,
    numbers: &mut Numbers,
) -> Result<Scanned, Failure> {
    let timer = request.budget.start(cancel);
    let &Request { from, to, count, .. } = request;
    if !(2..=MOST).contains(&count) || !(to - from).is_finite() {
        return Err(Failure::new(format!(
            "{count} values from {from} to {to}, expected 2 to {MOST} values between finite numbers"
        )));
    }
    let prepared = request.case.prepare()?;
    deterministic(&prepared)?;
    let chosen = Chosen::new(&request.case.text, &request.method, request.steps)?;
    let columns = prepared.equation.states().len() + prepared.equation.shown().len();
    let bytes = chosen.bytes(columns) + 24.0 * (count * columns) as f64;
    request.budget.admit("a solution of the scan", bytes)?;
    let last = (count - 1) as f64;
    // Both ends are exact.
    let value = |k: usize| if k + 1 == count { to } else { from + (to - from) * (k as f64 / last) };
    let x: Vec<f64> = (0..count).map(value).collect();
    // A value outside of the range is an error, not a gap.
    for end in [from, to] {
        prepared.clone().set(&request.parameter, end)?;
    }
    let mut solved: Vec<Option<Vec<[f64; 3]>>> = Vec::with_capacity(count);
    for value in &x {
        timer.look();
        let summary = if timer.is_over() {
            None
        } else {
            summary(&prepared, &chosen, (&request.parameter, *value), &timer)
        };
        solved.push(summary);
    }
    let failed = solved.iter().filter(|summary| summary.is_none()).count();
    let notes = [
        timer.is_over().then(|| timer.message("before the last values")),
        (failed > 0).then(|| format!("{failed} of {count} values have no solution")),
    ];
    let shown = quantities(&prepared);
    let names = prepared.equation.states().iter().map(|state| state.name().to_owned());
    let names = names.chain(shown.iter().map(|k| prepared.equation.shown()[*k].name().to_owned()));
    let names: Vec<String> = names.collect();
    let mut columns = |number: usize| -> Vec<Place> {
        let of = |k: usize| {
            let value =
                |all: &Option<Vec<[f64; 3]>>| all.as_ref().map_or(f64::NAN, |all| all[k][number]);
            numbers.put(solved.iter().map(value))
        };
        (0..names.len()).map(of).collect()
    };
    let [last, low, high] = [0, 1, 2].map(&mut columns);
    let (parameter, milliseconds) = (request.parameter.clone(), timer.milliseconds());
    let notes = notes.into_iter().flatten().collect();
    Ok(Scanned { parameter, x: numbers.put(x), names, last, low, high, milliseconds, notes })
}

/// Last, least and greatest value over the second half of each quantity; `None` without a complete solution.
fn summary(
    prepared: &Prepared,
    chosen: &Chosen,
    (parameter, value): (&str, f64),
    timer: &Timer,
) -> Option<Vec<[f64; 3]>> {
    let mut prepared = prepared.clone();
    prepared.set(parameter, value).ok()?;
    let problem = deterministic(&prepared).ok()?;
    let (solution, ended) = chosen.solve(&problem, timer).ok()?;
    if ended.is_some() {
        return None;
    }
    let table = chosen.table(&solution).ok()?;
    let (first, last) = (table.times.first()?, table.times.last()?);
    let late = table.times.partition_point(|t| *t < 0.5 * (first + last));
    let numbers = |column: Vec<f64>| {
        let second_half = column[late..].iter().copied();
        let low = second_half.clone().fold(f64::INFINITY, f64::min);
        let high = second_half.fold(f64::NEG_INFINITY, f64::max);
        [column.last().copied().unwrap_or(f64::NAN), low, high]
    };
    let states = table.states.columns().into_iter().map(|column| numbers(column.to_vec()));
    let shown = quantities(&prepared);
    let shown = shown.iter().map(|k| numbers(table.shown.column(*k).to_vec()));
    Some(states.chain(shown).collect())
}
