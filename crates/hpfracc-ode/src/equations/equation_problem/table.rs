use super::EquationSolution;
use crate::OdeError;
use crate::error::require;
use ndarray::Array2;

/// Columns of a solution, a row for each time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SolutionTable {
    /// Times, increasing.
    pub times: Vec<f64>,
    /// States, by time and state.
    pub states: Array2<f64>,
    /// Shown quantities, by time and quantity.
    pub shown: Array2<f64>,
}

impl EquationSolution {
    /// Table at the nodes of the solver.
    pub fn table_at_nodes(&self) -> SolutionTable {
        let (times, states) = (self.times().to_vec(), self.states());
        SolutionTable { times, states, shown: self.shown_at_nodes() }
    }

    /// Table at `t0 + (t1 - t0) (j/n)^grading`, j = 0 .. n, from the dense output. Where the solution ends before t1, the
    /// last row is at its end.
    ///
    /// Values that are infinite at t0 are NaN there.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    /// use hpfracc_ode::{Collocation, EquationProblem, Options, Steps};
    ///
    /// let equation = Equation::parse("D^0.5 y = -y; y(0) = 1; t in [0, 2]; show half = y/2")?;
    /// let steps = Steps::adaptive(1e-9, 1e-9);
    /// let solution = EquationProblem::new(&equation)?.solve(
    ///     &Collocation::default(),
    ///     &steps,
    ///     Options::default(),
    /// )?;
    /// let table = solution.table_between(4, 1.0)?;
    /// assert_eq!(table.times, [0.0, 0.5, 1.0, 1.5, 2.0]);
    /// assert!((table.states[[2, 0]] - 0.427583576155807).abs() < 1e-8);
    /// assert_eq!(table.shown[[2, 0]], table.states[[2, 0]] / 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for no interval, or a grading that is not finite or below 1.
    pub fn table_between(&self, n: usize, grading: f64) -> Result<SolutionTable, OdeError> {
        require(n > 0, "n", n as f64, "at least 1")?;
        require(grading.is_finite() && grading >= 1.0, "grading", grading, "at least 1")?;
        let (t0, t1) = self.problem().interval();
        let end = self.times().last().copied().unwrap_or(t1);
        let before_last = (0..n).map(|j| t0 + (t1 - t0) * (j as f64 / n as f64).powf(grading));
        let times: Vec<f64> = before_last.filter(|t| *t < end).chain([end]).collect();
        let equation = self.problem().equation();
        let mut states = Array2::zeros((times.len(), equation.states().len()));
        let mut shown = Array2::zeros((times.len(), equation.shown().len()));
        for (row, &t) in times.iter().enumerate() {
            let state = self.at(t).or_else(|_| self.infinite_at_start(t))?;
            states.row_mut(row).iter_mut().zip(state).for_each(|(to, value)| *to = value);
            let values = self.shown(t).unwrap_or_else(|_| vec![f64::NAN; shown.ncols()]);
            shown.row_mut(row).iter_mut().zip(values).for_each(|(to, value)| *to = value);
        }
        Ok(SolutionTable { times, states, shown })
    }
}
