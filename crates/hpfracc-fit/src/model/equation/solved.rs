//! The equation solved for given parameters.

use super::EquationModel;
use super::derivatives::SolvedEquation;
use super::quantities::States;
use crate::FitError;
use crate::model::Bound;
use crate::model::nodes::Nodes;
use hpfracc_equation::Equation;
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_ode::{
    DifferentiableScheme, EquationProblem, LinearMultistep, Options, ProductTrapezoid, Steps,
};
use std::sync::{Arc, OnceLock};

/// Rows of numbers, each with one for every time of the model.
type Table = Vec<f64>;

/// Results for given parameters, computed when they are needed first.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) equation: Equation,
    values: OnceLock<Table>,
    /// Values, then derivatives.
    derivatives: OnceLock<Table>,
}

impl Solved {
    pub(super) fn new(equation: Equation) -> Self {
        Self { equation, values: OnceLock::new(), derivatives: OnceLock::new() }
    }
}

/// Model for given parameters.
pub(super) struct BoundEquation<'m> {
    pub(super) model: &'m EquationModel,
    pub(super) solved: Arc<Solved>,
}

impl Bound for BoundEquation<'_> {
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.look_up(inputs, out, false);
    }

    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.look_up(inputs, out, true);
    }
}

impl BoundEquation<'_> {
    /// Writes the columns of the table for the times; other times than those of the model have a solve of their own.
    fn look_up(&self, inputs: Rows<'_, f64>, mut out: RowsMut<'_, f64>, derivatives: bool) {
        let times = &inputs[0];
        let nodes = &self.model.nodes;
        if times.iter().all(|t| nodes.place(*t).is_some() || t.is_nan()) {
            return write(nodes, self.table(derivatives), times, &mut out);
        }
        let known = nodes.times().iter().map(|(t, _)| *t);
        let usable = |t: &f64| t.is_finite() && *t >= nodes.start;
        let all: Vec<f64> = known.chain(times.iter().copied().filter(usable)).collect();
        let solved = Nodes::new(nodes.start, &all, self.model.resolution).map(|nodes| {
            let table = self.model.table(&self.solved.equation, &nodes, derivatives);
            (nodes, table)
        });
        match solved {
            Ok((nodes, table)) => write(&nodes, &table, times, &mut out),
            Err(_) => out.as_mut_slice().fill(f64::NAN),
        }
    }

    fn table(&self, derivatives: bool) -> &Table {
        let (model, solved) = (self.model, &self.solved);
        let compute = || model.table(&solved.equation, &model.nodes, derivatives);
        if !derivatives {
            return solved.derivatives.get().unwrap_or_else(|| solved.values.get_or_init(compute));
        }
        solved.derivatives.get_or_init(|| {
            model.remember(solved);
            compute()
        })
    }
}

/// Writes the columns of a table at some times, NaN at others.
fn write(nodes: &Nodes, table: &[f64], times: &[f64], out: &mut RowsMut<'_, f64>) {
    let places: Vec<Option<usize>> = times.iter().map(|t| nodes.place(*t)).collect();
    for row in 0..out.rows() {
        let from = &table[row * nodes.times().len()..];
        for (to, place) in out[row].iter_mut().zip(&places) {
            *to = place.map_or(f64::NAN, |place| from[place]);
        }
    }
}

impl EquationModel {
    /// Values of the quantities at the times of the nodes, or values and derivatives with respect to the parameters of the
    /// model; NaN where the equation has no solution.
    fn table(&self, equation: &Equation, nodes: &Nodes, derivatives: bool) -> Table {
        let (times, count) = (nodes.times().len(), self.quantities.count());
        let rows = if derivatives { 1 + self.free.len() } else { 1 };
        let table = self.solved(equation, nodes, |solved| {
            let mut table = solved.quantities.values().to_vec();
            if derivatives {
                table.extend(solved.derivatives(&self.free)?);
            }
            Ok(table)
        });
        table.unwrap_or_else(|_| vec![f64::NAN; times * count * rows])
    }

    /// Solves the equation and runs a function with the solution.
    pub(super) fn solved<R>(
        &self,
        equation: &Equation,
        nodes: &Nodes,
        run: impl FnOnce(&SolvedEquation<'_>) -> Result<R, FitError>,
    ) -> Result<R, FitError> {
        let equation = equation.clone().with_interval((nodes.start, nodes.end()));
        let problem = EquationProblem::new(&equation)?;
        let scheme = self.scheme_of(&equation, &nodes.steps);
        let solution = problem
            .solve(scheme, &nodes.steps, Options::default())
            .map_err(|failure| FitError::Equation { reason: failure.error.to_string() })?;
        let times: Vec<f64> = nodes.times().iter().map(|(t, _)| *t).collect();
        let parameters: Vec<f64> = equation.parameters().iter().map(|p| p.value()).collect();
        let states = nodes.rows(equation.states().len(), solution.solution().states());
        let at = States { times: &times, states: &states, parameters: &parameters };
        let quantities = self.quantities.evaluate(&at);
        run(&SolvedEquation { problem, scheme, solution, nodes, quantities })
    }

    /// The scheme of the user, or one for the steps.
    fn scheme_of(&self, equation: &Equation, steps: &Steps) -> &dyn DifferentiableScheme {
        match &self.scheme {
            Some(scheme) => &**scheme,
            None if matches!(steps, Steps::Uniform(_)) && equation.delays().is_empty() => {
                &LinearMultistep::Trapezoidal
            }
            None => &ProductTrapezoid,
        }
    }
}
