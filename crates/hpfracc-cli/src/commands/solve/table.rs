//! Table of a solution.

use crate::Error;
use crate::equations::Case;
use crate::output::csv_of_columns;
use hpfracc::ode::{EquationSolution, SolutionTable};
use ndarray::{Array2, aview1};
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

impl Table {
    /// Table at the nodes of the solver.
    pub(super) fn at_nodes(case: &Case, solution: &EquationSolution) -> Self {
        Self::new(case, solution.table_at_nodes())
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
        let table = solution.table_between(n, grading).map_err(Error::of_solve)?;
        Ok(Self::new(case, table))
    }

    fn new(case: &Case, table: SolutionTable) -> Self {
        let columns = |of: &Array2<f64>| -> Vec<Vec<f64>> {
            of.columns().into_iter().map(|column| column.to_vec()).collect()
        };
        let known = case.equation.exact_solutions();
        let (mut exact, mut extra) = (Vec::new(), Vec::new());
        let shown = case.equation.shown().iter().zip(columns(&table.shown)).enumerate();
        for (k, (quantity, column)) in shown {
            match known.iter().find(|(_, shown)| *shown == k) {
                Some((state, _)) if case.own_orders => exact.push((*state, column)),
                Some(_) => {}
                None => extra.push((quantity.name().to_owned(), column)),
            }
        }
        let (names, columns) = (case.components(), columns(&table.states));
        Self { times: table.times, names, columns, exact, extra }
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
