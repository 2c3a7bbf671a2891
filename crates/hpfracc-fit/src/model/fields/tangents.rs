//! Derivatives of solutions by time steps: tangents of the numerical solution.

use super::differences::Difference;
use super::field_model::FieldModel;
use super::table::Snapshots;
use crate::model::nodes::Nodes;
use hpfracc_ode::{Options, ProductTrapezoid, SaveNodes, Variation, solve, tangents};
use hpfracc_pde::FieldProblem;

/// Most steps, whose sums over the history cost their square.
const MOST_STEPS: usize = 1500;
/// Most numbers of all solutions at all nodes: 512 MiB.
const MOST_NUMBERS: usize = 1 << 26;

impl FieldModel {
    /// Indices of the parameters whose derivatives are tangents: those that change coefficients, terms, orders and
    /// starts, but no operator. None of them where tangents take much time or
    /// memory, and for several, distributed and variable orders.
    pub(super) fn tangent_parameters(&self, problem: &FieldProblem, nodes: &Nodes) -> Vec<usize> {
        let steps = nodes.steps.count().unwrap_or(usize::MAX);
        let fields = problem.text().fields().len();
        let numbers = (1 + self.declared.len()) * steps.saturating_mul(self.grid.len() * fields);
        let several = !problem.text().has_single_orders();
        if several || problem.is_linear() || steps > MOST_STEPS || numbers > MOST_NUMBERS {
            return vec![];
        }
        let all = self.declared.iter().enumerate();
        all.filter(|(_, declared)| !problem.changes_operator(&declared.name))
            .map(|(k, _)| k)
            .collect()
    }

    /// The solution and its tangents with respect to some parameters, at the times of the nodes. None where there is no
    /// solution, or a parameter changes the number of different orders.
    pub(super) fn by_tangents(
        &self,
        problem: &FieldProblem,
        parameters: &[f64],
        nodes: &Nodes,
        moved: &[usize],
    ) -> Option<Vec<Snapshots>> {
        let stated = |problem: &FieldProblem| problem.equation().ok()?.problem(nodes.end()).ok();
        let centre = stated(problem)?;
        let direction = |k: &usize| -> Option<Variation> {
            let declared = &self.declared[*k];
            let difference = Difference::new(declared, parameters[*k], true);
            let mut direction = Variation::zeros(&centre);
            FieldProblem::add_to_direction(&mut direction, difference.centre, &centre)?;
            for (value, weight) in difference.others {
                let moved = problem.clone().with_value(&declared.name, value).ok()?;
                FieldProblem::add_to_direction(&mut direction, weight, &stated(&moved)?)?;
            }
            Some(direction)
        };
        let directions: Vec<Variation> = moved.iter().map(direction).collect::<Option<_>>()?;
        let options = Options { save_nodes: SaveNodes::All, ..Options::default() };
        let solution = solve(&centre, &ProductTrapezoid, &nodes.steps, options).ok()?;
        let options = Options::default();
        let by = tangents(&centre, &ProductTrapezoid, &solution, &directions, &options).ok()?;
        let at_times = |row: &dyn Fn(usize) -> Vec<f64>| -> Snapshots {
            nodes.times().iter().map(|(_, node)| row(*node)).collect()
        };
        let values = at_times(&|node| solution.states().row(node).to_vec());
        let slopes = by.iter().map(|by| at_times(&|node| by.row(node).to_vec()));
        Some([values].into_iter().chain(slopes).collect())
    }
}
