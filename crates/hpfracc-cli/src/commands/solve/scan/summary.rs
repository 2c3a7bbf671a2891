use crate::commands::solve::method::Method;
use crate::equations::Case;
use hpfracc::ode::EquationSolution;
use serde::{Deserialize, Serialize};

/// What a scan stores of a solution.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    /// The value at the end, the smallest and the largest value over the second half of the interval, of
    /// each [quantity](quantities).
    pub(super) numbers: Vec<[f64; 3]>,
    /// Local maxima of the first state over the second half, or its last value if it has none.
    pub(super) maxima: Vec<f64>,
}

/// Names of the quantities of a scan: the states, and what the equation shows besides exact solutions.
pub(super) fn quantities(case: &Case) -> Vec<String> {
    let shown = shown(case).into_iter().map(|k| case.equation.shown()[k].name().to_owned());
    case.components().into_iter().chain(shown).collect()
}

/// Names of the columns of a quantity.
pub(super) fn columns(quantity: &str) -> [String; 3] {
    [quantity.to_owned(), format!("min({quantity})"), format!("max({quantity})")]
}

impl Summary {
    /// Summary with at most `maxima` maxima of the first state.
    pub(super) fn new(
        case: &Case,
        solution: &EquationSolution,
        method: &Method,
        maxima: usize,
    ) -> Self {
        // An event may have ended the solution before the interval.
        let t0 = solution.problem().interval().0;
        let t1 = solution.times().last().copied().unwrap_or(t0);
        let middle = 0.5 * (t0 + t1);
        let rows: Vec<Vec<f64>> = if method.adaptive() {
            let step = (t1 - middle) / method.n as f64;
            let times =
                (0..=method.n).map(|j| if j == method.n { t1 } else { middle + j as f64 * step });
            times.filter_map(|t| at(case, solution, t)).collect()
        } else {
            let late = solution.times().partition_point(|t| *t < middle);
            let shown = shown(case);
            let (states, values) = (solution.states(), solution.shown_at_nodes());
            (late..solution.times().len())
                .map(|node| {
                    let shown = shown.iter().map(|k| values[[node, *k]]);
                    states.row(node).iter().copied().chain(shown).collect()
                })
                .collect()
        };
        let column = |k: usize| rows.iter().map(move |row| row[k]);
        let numbers = (0..quantities(case).len()).map(|k| {
            let low = column(k).fold(f64::INFINITY, f64::min);
            let high = column(k).fold(f64::NEG_INFINITY, f64::max);
            [column(k).next_back().unwrap_or(f64::NAN), low, high]
        });
        Self { numbers: numbers.collect(), maxima: peaks(&column(0).collect::<Vec<_>>(), maxima) }
    }
}

/// Quantities at a time.
fn at(case: &Case, solution: &EquationSolution, t: f64) -> Option<Vec<f64>> {
    let mut row = solution.at(t).ok()?;
    let shown = shown(case);
    if !shown.is_empty() {
        let values = solution.shown(t).ok()?;
        row.extend(shown.iter().map(|k| values[*k]));
    }
    Some(row)
}

/// Indices of the shown quantities that are no exact solutions.
fn shown(case: &Case) -> Vec<usize> {
    let exact = case.equation.exact_solutions();
    let is_exact = |k: &usize| exact.iter().any(|(_, shown)| shown == k);
    (0..case.equation.shown().len()).filter(|k| !is_exact(k)).collect()
}

/// Local maxima of a series, at most `count`; its last value if it has none.
fn peaks(series: &[f64], count: usize) -> Vec<f64> {
    let peaks = series.windows(3).filter(|y| y[0] < y[1] && y[1] >= y[2]).map(|y| y[1]);
    let mut maxima: Vec<f64> = peaks.take(count).collect();
    if maxima.is_empty() {
        maxima.extend(series.last().filter(|_| count > 0));
    }
    maxima
}
