//! Table of a solution.

use crate::Error;
use crate::output::csv_of_columns;
use crate::systems::Case;
use hpfracc::ode::Solution;
use ndarray::aview1;
use std::iter::once;

/// Times and components.
pub(super) struct Table {
    pub(super) times: Vec<f64>,
    pub(super) names: Vec<String>,
    /// Column of each component.
    pub(super) columns: Vec<Vec<f64>>,
    /// Exact solution of the first components, where it is known.
    pub(super) exact: Vec<Vec<f64>>,
}

impl Table {
    /// Table at the nodes of the solver.
    pub(super) fn at_nodes(case: &Case, solution: &Solution) -> Self {
        let states = solution.states();
        let column = |k: usize| states.column(k).to_vec();
        Self::new(case, solution.times().to_vec(), column)
    }

    /// Table at `t1 (j/n)^grading`, from the dense output.
    pub(super) fn between(
        case: &Case,
        solution: &Solution,
        n: usize,
        grading: f64,
    ) -> Result<Self, Error> {
        if !(grading.is_finite() && grading >= 1.0) {
            let (value, reason) = (grading.to_string(), "expected at least 1".to_owned());
            return Err(Error::OptionUnused { option: "--grading", value, reason });
        }
        let before_last = (0..n).map(|j| case.t1 * (j as f64 / n as f64).powf(grading));
        let times: Vec<f64> = before_last.chain([case.t1]).collect();
        let states: Vec<Vec<f64>> = times
            .iter()
            .map(|&t| solution.at(t))
            .collect::<Result<_, _>>()
            .map_err(Error::of_solve)?;
        Ok(Self::new(case, times, |k| states.iter().map(|state| state[k]).collect()))
    }

    fn new(case: &Case, times: Vec<f64>, column: impl Fn(usize) -> Vec<f64>) -> Self {
        let names = case.system().components;
        let columns: Vec<Vec<f64>> = (0..names.len()).map(column).collect();
        let exact: Option<Vec<Vec<f64>>> = times.iter().map(|&t| case.exact(t)).collect();
        let exact = exact.map_or_else(Vec::new, |states| {
            let dim = states.first().map_or(0, Vec::len);
            (0..dim).map(|k| states.iter().map(|state| state[k]).collect()).collect()
        });
        Self { times, names: names.iter().map(|&name| name.to_owned()).collect(), columns, exact }
    }

    /// CSV.
    pub(super) fn to_csv(&self) -> Result<Vec<u8>, Error> {
        let exact = self.names.iter().map(|name| format!("exact({name})")).zip(&self.exact);
        let columns = self.names.iter().cloned().zip(&self.columns).chain(exact);
        let columns = once(("t".to_owned(), &self.times)).chain(columns);
        csv_of_columns(columns.map(|(name, values)| (name, aview1(values))))
    }

    /// Maximum error over components and times; `None` without an exact solution.
    pub(super) fn largest_error(&self) -> Option<f64> {
        let pairs = self.columns.iter().zip(&self.exact);
        let errors = pairs.flat_map(|(found, exact)| found.iter().zip(exact));
        errors.map(|(found, exact)| (found - exact).abs()).reduce(f64::max)
    }
}
