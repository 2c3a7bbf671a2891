use super::differentiable::Differentiable;
use crate::error::same_length;
use crate::{
    Collocation, OdeError, Problem, Scheme, Solution, Statistics, Status, Steps, Trajectory,
    UniformGrid,
};

/// A problem and its numerical solution, validated to belong together.
pub(super) struct ForwardSolution<'a> {
    pub(super) problem: &'a Problem<dyn Differentiable + 'a>,
    pub(super) trajectory: &'a Trajectory,
    /// None for unequal steps.
    pub(super) grid: Option<UniformGrid>,
    /// Of a delay equation, with its shortest delay.
    pub(super) lags: Option<Lags<'a>>,
    scheme: &'static str,
}

/// Nodes of a delay equation, on which f at later nodes depends. The products of its system with
/// Jacobians collect the cotangents of these nodes, or take their changes.
pub(crate) trait LaggedNodes {
    /// Adds the cotangent of a node from f at all later nodes.
    fn add_cotangent(&self, node: usize, ybar: &mut [f64]);

    /// Takes the change of a node.
    fn set_change(&self, node: usize, dy: &[f64]);
}

/// Nodes, and the shortest delay above 0.
pub(crate) type Lags<'a> = (&'a dyn LaggedNodes, f64);

impl<'a> ForwardSolution<'a> {
    pub(super) fn checked(
        problem: &'a Problem<dyn Differentiable + 'a>,
        solution: &'a Solution,
        scheme: &'static str,
    ) -> Result<Self, OdeError> {
        let trajectory = solution.trajectory();
        same_length("a state", trajectory.dim(), problem.dim())?;
        let solved = &solution.solved;
        if solved.scheme != scheme {
            return Err(OdeError::OtherScheme { solved_by: solved.scheme, scheme });
        }
        if solution.status() != Status::Complete {
            return Err(OdeError::Steps { scheme, steps: "interrupted" });
        }
        if solution.statistics().jumps > 0 {
            return Err(OdeError::NotDifferentiable { what: "a solution with state jumps" });
        }
        let times = trajectory.times();
        let last = times.len() - 1;
        if solution.statistics().steps != last || last == 0 {
            return Err(OdeError::Steps { scheme, steps: "interrupted or not stored" });
        }
        let grid = if solved.equal_steps {
            Some(Steps::Uniform(last).uniform(scheme, problem.interval())?)
        } else {
            None
        };
        let initial = problem.initial_values();
        let interval = (times[0], times[last]) == problem.interval();
        if !interval || solved.orders != problem.orders() || solved.initial != initial {
            return Err(OdeError::OtherProblem { t: problem.t0() });
        }
        // One evaluation of f detects other parameters.
        let mut f = vec![0.0; problem.dim()];
        problem.rhs(times[last], trajectory.state(last), &mut f, &mut Statistics::default())?;
        // Collocation stores f to the precision of its iteration.
        let precision = if solved.scheme == Collocation::default().name() { 1e-3 } else { 0.0 };
        let same = |(f, slope): (&f64, &f64)| (f - slope).abs() <= precision * f.abs().max(1.0);
        if !f.iter().zip(trajectory.slope(last)).all(same) {
            return Err(OdeError::OtherProblem { t: times[last] });
        }
        Ok(Self { problem, trajectory, grid, lags: None, scheme })
    }

    /// The same with lagged nodes.
    pub(super) fn with_lags(self, lags: Option<Lags<'a>>) -> Self {
        Self { lags, ..self }
    }

    /// Refuses delays that reach into the first nodes, if `coupled` of them are solved as one system.
    pub(super) fn check_coupled(&self, coupled: usize) -> Result<(), OdeError> {
        let span = self.times()[coupled.min(self.times().len() - 1)] - self.times()[0];
        match self.lags {
            Some((_, shortest)) if coupled > 0 && shortest < span => {
                let what = "a linear multistep method with a delay shorter than its first steps";
                Err(OdeError::NotDifferentiable { what })
            }
            _ => Ok(()),
        }
    }

    /// Adds the cotangent of a node from f at later nodes.
    pub(super) fn add_lagged_cotangent(&self, node: usize, ybar: &mut [f64]) {
        if let Some((lags, _)) = self.lags {
            lags.add_cotangent(node, ybar);
        }
    }

    /// Takes the change of a node.
    pub(super) fn set_change(&self, node: usize, dy: &[f64]) {
        if let Some((lags, _)) = self.lags {
            lags.set_change(node, dy);
        }
    }

    /// Times of the nodes.
    pub(super) fn times(&self) -> &'a [f64] {
        self.trajectory.times()
    }

    /// Equal steps, for a scheme that takes no others.
    pub(super) fn uniform(&self) -> Result<UniformGrid, OdeError> {
        let scheme = self.scheme;
        self.grid.ok_or(OdeError::Steps { scheme, steps: "unequal" })
    }
}
