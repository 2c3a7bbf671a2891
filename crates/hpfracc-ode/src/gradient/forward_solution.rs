use super::differentiable::Differentiable;
use crate::error::same_length;
use crate::{OdeError, Problem, Solution, Statistics, Steps, Trajectory, UniformGrid};

/// A problem and its numerical solution on equal steps, validated to belong together.
pub(super) struct ForwardSolution<'a> {
    pub(super) problem: &'a Problem<dyn Differentiable + 'a>,
    pub(super) trajectory: &'a Trajectory,
    pub(super) grid: UniformGrid,
}

impl<'a> ForwardSolution<'a> {
    pub(super) fn checked(
        problem: &'a Problem<dyn Differentiable + 'a>,
        solution: &'a Solution,
        scheme: &'static str,
    ) -> Result<Self, OdeError> {
        let trajectory = solution.trajectory();
        same_length("a state", trajectory.dim(), problem.dim())?;
        let (solved_by, orders, initial) = &solution.solved;
        if *solved_by != scheme {
            return Err(OdeError::OtherScheme { solved_by, scheme });
        }
        let times = trajectory.times();
        let last = times.len() - 1;
        let grid = Steps::Uniform(last).uniform(scheme, problem.interval())?;
        // Some nodes of a finer grid would pass for all nodes of a coarser one.
        let all = solution.statistics().steps == last;
        if !(all && times.iter().enumerate().all(|(node, &t)| t == grid.t(node))) {
            return Err(OdeError::Steps { scheme, steps: "unequal or interrupted" });
        }
        if orders != problem.orders() || !problem.initial().flatten().eq(initial) {
            return Err(OdeError::OtherProblem { t: problem.t0() });
        }
        // One evaluation of f detects other parameters.
        let mut f = vec![0.0; problem.dim()];
        problem.rhs(times[last], trajectory.state(last), &mut f, &mut Statistics::default())?;
        if trajectory.slope(last) != f {
            return Err(OdeError::OtherProblem { t: times[last] });
        }
        Ok(Self { problem, trajectory, grid })
    }
}
