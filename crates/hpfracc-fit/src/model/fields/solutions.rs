//! Solutions and their derivatives at some times.

use super::FieldModel;
use super::differences::Difference;
use crate::model::nodes::Nodes;
use hpfracc_pde::{FieldProblem, PdeError, Settings, solve, solve_linear};
use rayon::prelude::*;

/// Tolerance of the contours of linear equations.
const TOLERANCE: f64 = 1e-12;

/// Values of all fields at each time.
pub(super) type Snapshots = Vec<Vec<f64>>;

impl FieldModel {
    /// The solution at the times of the nodes and, with derivatives, those with respect to each parameter. None where the
    /// equation has no solution. To be called on the threads of the model.
    pub(super) fn solutions(
        &self,
        problem: &FieldProblem,
        parameters: &[f64],
        nodes: &Nodes,
        derivatives: bool,
    ) -> Option<Vec<Snapshots>> {
        if !derivatives {
            return Some(vec![snapshots(problem, nodes).ok()?]);
        }
        let exact = problem.is_linear();
        let differences: Vec<Difference> = (self.declared.iter().zip(parameters))
            .map(|(declared, value)| Difference::new(declared, *value, exact))
            .collect();
        let others = differences
            .iter()
            .enumerate()
            .flat_map(|(k, difference)| difference.others.map(|(value, _)| Some((k, value))));
        let moved: Vec<Option<(usize, f64)>> = [None].into_iter().chain(others).collect();
        let solved = |moved: &Option<(usize, f64)>| -> Option<Snapshots> {
            let Some((k, value)) = *moved else { return snapshots(problem, nodes).ok() };
            let name = &self.declared[k].name;
            let problem = problem.clone().with_value(name, value).ok()?;
            snapshots(&problem, nodes).ok()
        };
        let mut all: Vec<Snapshots> = moved.par_iter().map(solved).collect::<Option<_>>()?;
        let slopes = differences.iter().zip(all[1..].chunks_exact(2));
        let slopes = slopes.map(|(difference, pair)| slope(difference, &all[0], pair));
        let slopes: Vec<Snapshots> = slopes.collect();
        all.truncate(1);
        all.extend(slopes);
        Some(all)
    }
}

/// The solution of a problem at the times of the nodes: without time steps if it is linear.
fn snapshots(problem: &FieldProblem, nodes: &Nodes) -> Result<Snapshots, PdeError> {
    let times: Vec<f64> = nodes.times().iter().map(|(t, _)| *t).collect();
    if problem.is_linear() {
        return solve_linear(&problem.linear_equation()?, &times, TOLERANCE);
    }
    let settings =
        Settings { steps: Some(nodes.steps.clone()), save: times, ..Settings::default() };
    Ok(solve(&problem.equation()?, nodes.end(), settings)?.saved().to_vec())
}

/// Derivative from a solution and two others.
fn slope(difference: &Difference, centre: &Snapshots, others: &[Snapshots]) -> Snapshots {
    let [(_, one), (_, other)] = difference.others;
    let at_time = |time: usize| -> Vec<f64> {
        let triples = centre[time].iter().zip(&others[0][time]).zip(&others[1][time]);
        triples.map(|((c, a), b)| difference.centre * c + one * a + other * b).collect()
    };
    (0..centre.len()).map(at_time).collect()
}
