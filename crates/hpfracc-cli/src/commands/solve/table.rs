//! Table of a solution.

use crate::Error;
use crate::equations::Case;
use crate::output::csv_of_columns;
use hpfracc::ode::EquationSolution;
use ndarray::aview1;
use std::iter::once;

/// Times, states and other columns.
pub(super) struct Table {
    pub(super) times: Vec<f64>,
    pub(super) names: Vec<String>,
    /// Column of each state.
    pub(super) columns: Vec<Vec<f64>>,
    /// Exact solution of states, by their index, where it is known.
    pub(super) exact: Vec<(usize, Vec<f64>)>,
    /// Other columns with their names: shown quantities, sensitivities.
    pub(super) extra: Vec<(String, Vec<f64>)>,
}

/// Shown quantities with this prefix are exact solutions of the state named after it.
const EXACT: &str = "exact_";

/// Whether a shown quantity is the exact solution of a state.
pub(super) fn is_exact(case: &Case, name: &str) -> bool {
    exact_state(case, name).is_some()
}

/// State whose exact solution a shown quantity is.
fn exact_state(case: &Case, name: &str) -> Option<usize> {
    name.strip_prefix(EXACT).and_then(|state| case.equation.state_index(state))
}

impl Table {
    /// Table at the nodes of the solver.
    pub(super) fn at_nodes(case: &Case, solution: &EquationSolution) -> Self {
        let (states, shown) = (solution.states(), solution.shown_at_nodes());
        let columns = states.columns().into_iter().map(|column| column.to_vec()).collect();
        let shown = shown.columns().into_iter().map(|column| column.to_vec()).collect();
        Self::new(case, solution.times().to_vec(), columns, shown)
    }

    /// Table at `t0 + (t1 - t0) (j/n)^grading`, from the dense output, up to the end of the solution.
    pub(super) fn between(
        case: &Case,
        solution: &EquationSolution,
        n: usize,
        grading: f64,
    ) -> Result<Self, Error> {
        if !(grading.is_finite() && grading >= 1.0) {
            let (value, reason) = (grading.to_string(), "expected at least 1".to_owned());
            return Err(Error::OptionUnused { option: "--grading", value, reason });
        }
        let (t0, t1) = solution.problem().interval();
        let end = solution.times().last().copied().unwrap_or(t1);
        let before_last = (0..n).map(|j| t0 + (t1 - t0) * (j as f64 / n as f64).powf(grading));
        let times: Vec<f64> = before_last.filter(|t| *t < end).chain([end]).collect();
        let dim = case.equation.states().len();
        let mut columns = vec![Vec::with_capacity(times.len()); dim];
        let mut shown = vec![Vec::with_capacity(times.len()); case.equation.shown().len()];
        for &t in &times {
            let state = solution.at(t).or_else(|_| solution.infinite_at_start(t));
            let state = state.map_err(Error::of_solve)?;
            columns.iter_mut().zip(state).for_each(|(column, value)| column.push(value));
            let values = solution.shown(t).unwrap_or_else(|_| vec![f64::NAN; shown.len()]);
            shown.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        Ok(Self::new(case, times, columns, shown))
    }

    fn new(case: &Case, times: Vec<f64>, columns: Vec<Vec<f64>>, shown: Vec<Vec<f64>>) -> Self {
        let (mut exact, mut extra) = (Vec::new(), Vec::new());
        for (quantity, column) in case.equation.shown().iter().zip(shown) {
            match exact_state(case, quantity.name()) {
                Some(state) if case.own_orders => exact.push((state, column)),
                Some(_) => {}
                None => extra.push((quantity.name().to_owned(), column)),
            }
        }
        Self { times, names: case.components(), columns, exact, extra }
    }

    /// CSV.
    pub(super) fn to_csv(&self) -> Result<Vec<u8>, Error> {
        let exact = self.exact.iter();
        let exact = exact.map(|(state, column)| (format!("exact({})", self.names[*state]), column));
        let extra = self.extra.iter().map(|(name, column)| (name.clone(), column));
        let columns = self.names.iter().cloned().zip(&self.columns).chain(extra).chain(exact);
        let columns = once(("t".to_owned(), &self.times)).chain(columns);
        csv_of_columns(columns.map(|(name, values)| (name, aview1(values))))
    }

    /// Maximum error over states and times; `None` without an exact solution.
    pub(super) fn largest_error(&self) -> Option<f64> {
        let pairs = self.exact.iter().map(|(state, exact)| (&self.columns[*state], exact));
        let errors = pairs.flat_map(|(found, exact)| found.iter().zip(exact));
        errors.map(|(found, exact)| (found - exact).abs()).reduce(f64::max)
    }
}
