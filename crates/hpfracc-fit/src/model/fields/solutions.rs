//! Solutions and their derivatives at some times.

use super::differences::Difference;
use super::field_model::FieldModel;
use super::table::Snapshots;
use crate::model::nodes::Nodes;
use hpfracc_pde::{FieldProblem, PdeError, Settings, solve, solve_linear};
use rayon::prelude::*;

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
        let tangents = self.tangent_parameters(problem, nodes);
        let by_tangents = match &tangents[..] {
            [] => None,
            tangents => self.by_tangents(problem, parameters, nodes, tangents),
        };
        let all: Vec<usize> = (0..parameters.len()).collect();
        let Some(mut found) = by_tangents else {
            let centre = snapshots(problem, nodes).ok()?;
            let slopes = self.by_differences(problem, parameters, nodes, &all, &centre)?;
            return Some([centre].into_iter().chain(slopes).collect());
        };
        let rest: Vec<usize> = all.into_iter().filter(|k| !tangents.contains(k)).collect();
        let others = self.by_differences(problem, parameters, nodes, &rest, &found[0])?;
        for (k, slope) in rest.into_iter().zip(others) {
            found.insert(1 + k, slope);
        }
        Some(found)
    }

    /// Derivatives with respect to some parameters, ascending, by differences of solutions.
    fn by_differences(
        &self,
        problem: &FieldProblem,
        parameters: &[f64],
        nodes: &Nodes,
        of: &[usize],
        centre: &Snapshots,
    ) -> Option<Vec<Snapshots>> {
        let exact = problem.is_linear();
        let differences: Vec<Difference> = (of.iter())
            .map(|k| Difference::new(&self.declared[*k], parameters[*k], exact))
            .collect();
        let moved = of.iter().zip(&differences).flat_map(|(k, difference)| {
            difference.others.map(|(value, _)| (&self.declared[*k].name, value))
        });
        let moved: Vec<(&String, f64)> = moved.collect();
        let solved = |&(name, value): &(&String, f64)| -> Option<Snapshots> {
            snapshots(&problem.clone().with_value(name, value).ok()?, nodes).ok()
        };
        let others: Vec<Snapshots> = moved.par_iter().map(solved).collect::<Option<_>>()?;
        let pairs = differences.iter().zip(others.chunks_exact(2));
        Some(pairs.map(|(difference, pair)| slope(difference, centre, pair)).collect())
    }
}

/// The solution of a problem at the times of the nodes: without time steps if it is linear.
fn snapshots(problem: &FieldProblem, nodes: &Nodes) -> Result<Snapshots, PdeError> {
    let times: Vec<f64> = nodes.times().iter().map(|(t, _)| *t).collect();
    if problem.is_linear() {
        let tolerance = problem.default_tolerance();
        return solve_linear(&problem.linear_equation()?, &times, tolerance);
    }
    let (scheme, steps) = (problem.default_scheme(), Some(nodes.steps.clone()));
    let settings = Settings { scheme, steps, save: times, ..Settings::default() };
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
