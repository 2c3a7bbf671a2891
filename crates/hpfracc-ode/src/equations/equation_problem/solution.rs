use super::{EquationProblem, Form};
use crate::error::same_length;
use crate::{EventHit, OdeError, Solution, Statistics};
use ndarray::Array2;

/// Solution of an [`EquationProblem`], in the quantities of its equation.
#[derive(Debug)]
pub struct EquationSolution {
    pub(super) problem: EquationProblem,
    pub(super) solution: Solution,
    pub(super) hits: Vec<Vec<EventHit>>,
}

impl EquationProblem {
    /// Solution of this problem from that of the solver, such as the partial one of a
    /// [`Failure`](crate::Failure), with the hits of its events.
    ///
    /// # Errors
    /// [`OdeError::Length`] for a solution with another number of components.
    pub fn solution_of(
        &self,
        solution: Solution,
        hits: Vec<Vec<EventHit>>,
    ) -> Result<EquationSolution, OdeError> {
        same_length("the solution", solution.trajectory().dim(), self.0.layout.dim())?;
        Ok(EquationSolution { problem: self.clone(), solution, hits })
    }
}

impl EquationSolution {
    /// Solution of the solver. Its components are those of the solver: states, then lower
    /// derivatives without their known terms, or the regular parts of states.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Problem.
    pub fn problem(&self) -> &EquationProblem {
        &self.problem
    }

    /// Times of the nodes.
    pub fn times(&self) -> &[f64] {
        self.solution.times()
    }

    /// Counts of the solve.
    pub fn statistics(&self) -> &Statistics {
        self.solution.statistics()
    }

    /// Hits of each event of the equation.
    pub fn hits(&self) -> &[Vec<EventHit>] {
        &self.hits
    }

    /// States of the equation at a time.
    ///
    /// # Errors
    /// [`OdeError::Outside`] for a time outside of the solution, or where a solution of a
    /// Riemann-Liouville equation is infinite.
    pub fn at(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        let parts = &*self.problem.0;
        let mut y = match &parts.form {
            Form::Caputo(_) | Form::Delay(_) => self.solution.at(t)?,
            Form::RiemannLiouville(problem) => problem.system().value(&self.solution, t)?,
            Form::Nonsingular(problem) => problem.system().value(&self.solution, t)?,
        };
        y.truncate(parts.layout.states);
        Ok(y)
    }

    /// States of the equation at the nodes, a row each. NaN where a solution of a Riemann-Liouville
    /// equation is infinite, at t0.
    pub fn states(&self) -> Array2<f64> {
        let (parts, times) = (&*self.problem.0, self.times());
        let of_solver = self.solution.states();
        let same = matches!(parts.form, Form::Caputo(_) | Form::Delay(_));
        let mut states = Array2::from_elem((times.len(), parts.layout.states), f64::NAN);
        for ((mut row, solved), &t) in
            states.rows_mut().into_iter().zip(of_solver.rows()).zip(times)
        {
            if same {
                row.iter_mut().zip(solved).for_each(|(y, value)| *y = *value);
            } else if let Ok(y) = self.at(t) {
                row.iter_mut().zip(y).for_each(|(to, y)| *to = y);
            }
        }
        states
    }

    /// NaN for each state, if t is the start of a solution that is infinite there.
    ///
    /// # Errors
    /// [`OdeError::Outside`] for any other time.
    pub fn infinite_at_start(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        let parts = &*self.problem.0;
        let (t0, t1) = parts.layout.interval;
        if t == t0 && matches!(parts.form, Form::RiemannLiouville(_)) {
            Ok(vec![f64::NAN; parts.layout.states])
        } else {
            Err(OdeError::Outside { t, t0, t1 })
        }
    }

    /// Quantities that the equation shows at the nodes, a row each.
    pub fn shown_at_nodes(&self) -> Array2<f64> {
        let (parts, states, times) = (&*self.problem.0, self.states(), self.times());
        let of_solver = self.solution.states();
        let mut shown = Array2::zeros((times.len(), parts.shown.count()));
        let (mut components, mut values) =
            (vec![0.0; of_solver.ncols()], vec![0.0; parts.shown.count()]);
        for (node, mut row) in shown.rows_mut().into_iter().enumerate() {
            components.iter_mut().zip(of_solver.row(node)).for_each(|(to, y)| *to = *y);
            components.iter_mut().zip(states.row(node)).for_each(|(to, y)| *to = *y);
            parts.layout.add_starts(times[node], &mut components);
            parts.shown.evaluate(times[node], &components, &mut values);
            row.iter_mut().zip(&values).for_each(|(to, value)| *to = *value);
        }
        shown
    }

    /// States of the equation at the last node. NaN at the start of a solution that is infinite there.
    pub fn last(&self) -> Vec<f64> {
        let parts = &*self.problem.0;
        let states = parts.layout.states;
        if let Form::Caputo(_) | Form::Delay(_) = parts.form {
            return self.solution.last()[..states].to_vec();
        }
        let t = self.times()[self.times().len() - 1];
        self.at(t).unwrap_or_else(|_| vec![f64::NAN; states])
    }

    /// Quantities that the equation shows, at a time.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn shown(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        let (parts, mut components) = (&*self.problem.0, self.solution.at(t)?);
        let states = self.at(t)?;
        components[..states.len()].copy_from_slice(&states);
        parts.layout.add_starts(t, &mut components);
        let mut values = vec![0.0; parts.shown.count()];
        parts.shown.evaluate(t, &components, &mut values);
        Ok(values)
    }
}
