use super::cells::{
    CellMemory, OrderGroup, Pieces, SumOfExponentialsMemory, add_cells, moments_by_order,
};
use crate::problem::taylor;
use crate::{DenseOutput, Problem, System, Trajectory};

/// Dense output by the Volterra equation itself: `y(t) = g(t) + I^alpha f(t)` with f linear between
/// the nodes, exactly integrated, on any nodes.
///
/// It reproduces the weakly singular power (t - t0)^alpha at the start, which a spline does not.
/// The residual of the equation at the two nodes around t, left by a corrector or by jumps of y
/// before it, is added linearly, so that y is continuous in each step.
///
/// Error: that of the product trapezoidal rule, order min(2, 1 + alpha) away from t0. Cost: three
/// sums over all earlier nodes for each t. For many times with more than some 1e5 terms in all, one
/// pass over the nodes computes all of them, with the kernel as a sum of exponentials within 1e-13.
#[derive(Debug, Clone)]
pub struct Volterra {
    groups: Vec<OrderGroup>,
    t0: f64,
    initial: Vec<f64>,
}

/// Largest number of terms for which sums cost less than the search for exponentials.
const MOST_TERMS: usize = 100_000;

impl Volterra {
    /// For a problem's orders and initial values.
    pub fn new<S: System + ?Sized>(problem: &Problem<S>) -> Self {
        Self {
            groups: moments_by_order(problem),
            t0: problem.t0(),
            initial: problem.initial_values().to_vec(),
        }
    }

    /// y in the cell after `node`, continuous up to both ends, with a memory of all before.
    pub(crate) fn in_cell(
        &self,
        memory: &dyn CellMemory,
        trajectory: &Trajectory,
        (node, t): (usize, f64),
        y: &mut [f64],
    ) {
        let dim = trajectory.dim();
        let times = &trajectory.times()[node..node + 2];
        let slopes = &trajectory.slopes()[node * dim..][..2 * dim];
        corrected_at_nodes(trajectory, (node, t), y, |t, y| {
            taylor(&self.initial, t - self.t0, y);
            memory.add_into(t, y);
            add_cells(&self.groups, (times, slopes), t, y);
        });
    }

    /// A memory for the nodes of a trajectory, if exponentials have one.
    fn exponentials(&self, trajectory: &Trajectory) -> Option<SumOfExponentialsMemory> {
        let times = trajectory.times();
        // A jump has a step of length 0, in which nothing is integrated.
        let steps = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|h| *h > 0.0);
        let (shortest, span) =
            (steps.fold(f64::INFINITY, f64::min), times[times.len() - 1] - times[0]);
        let extent = (shortest, span, &[][..]);
        SumOfExponentialsMemory::new(Pieces::Linear, &self.groups, extent, 1e-13).ok()
    }
}

/// The equation at t, corrected by its residuals at the two nodes around t, linearly.
pub(crate) fn corrected_at_nodes(
    trajectory: &Trajectory,
    (node, t): (usize, f64),
    y: &mut [f64],
    equation: impl Fn(f64, &mut [f64]),
) {
    let times = trajectory.times();
    let share = (t - times[node]) / (times[node + 1] - times[node]);
    equation(t, y);
    let mut at_node = vec![0.0; y.len()];
    for (node, share) in [(node, 1.0 - share), (node + 1, share)] {
        equation(times[node], &mut at_node);
        for ((y, state), equation) in y.iter_mut().zip(trajectory.state(node)).zip(&at_node) {
            *y += share * (state - equation);
        }
    }
}

impl DenseOutput for Volterra {
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]) {
        corrected_at_nodes(trajectory, (node, t), y, |t, y| {
            taylor(&self.initial, t - self.t0, y);
            add_cells(&self.groups, (trajectory.times(), trajectory.slopes()), t, y);
        });
    }

    fn between_many(&self, trajectory: &Trajectory, at: &[(usize, f64)], out: &mut [f64]) {
        let terms = at.iter().map(|(node, _)| 3 * node).sum::<usize>();
        let memory = if terms > MOST_TERMS { self.exponentials(trajectory) } else { None };
        let states = at.iter().zip(out.chunks_exact_mut(trajectory.dim()));
        let Some(mut memory) = memory else {
            return states.for_each(|(&(node, t), y)| self.between(trajectory, node, t, y));
        };
        let mut known = 0;
        for (&(node, t), y) in states {
            for next in known..=node {
                memory.push(trajectory.times()[next], trajectory.slope(next));
            }
            known = known.max(node + 1);
            self.in_cell(&memory, trajectory, (node, t), y);
        }
    }
}
