use super::{DenseOutput, Interpolation, Problem, Statistics, Steps, System, Volterra};
use crate::OdeError;
use crate::history::HistoryChoice;
use std::sync::Arc;

/// A rule that solves from node to node.
pub trait Scheme {
    /// Its name, as in the literature.
    fn name(&self) -> &'static str;

    /// Prepares a solve: weights, history, scratch memory. What happens once happens here.
    ///
    /// # Errors
    /// [`OdeError::Steps`] for steps that it does not take; those of weights and histories.
    fn prepare<'a>(
        &self,
        problem: &'a Problem<dyn System + 'a>,
        steps: &Steps,
        history: HistoryChoice,
    ) -> Result<Box<dyn Stepper + 'a>, OdeError>;

    /// How lagged values of a [delay equation](super::DelayProblem) are found between this scheme's
    /// nodes, so that they are as accurate as the nodes.
    fn interpolation(&self) -> Interpolation {
        Interpolation::Linear
    }

    /// The solution between the nodes; without more ado, from the equation with f linear between
    /// them.
    fn dense(&self, problem: &Problem<dyn System + '_>) -> Arc<dyn DenseOutput> {
        Arc::new(Volterra::new(problem))
    }
}

/// A solve under way.
pub trait Stepper {
    /// Goes to the next node. On entry `node` is the last one, which has become part of the solution;
    /// on return it is the next. Allocates nothing (but see
    /// [`ProductTrapezoid`](super::ProductTrapezoid) for adaptive steps, and
    /// [`Collocation`](super::Collocation)).
    ///
    /// # Errors
    /// [`OdeError::NotFinite`], [`OdeError::StepTooSmall`], [`OdeError::NewtonFailed`]. The node
    /// may then be half written, and the stepper is not used again.
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError>;

    /// The solution between all nodes, of a stepper that knows more than the nodes; it is asked for
    /// once, before the first step, grows with the steps, and stays with the solution. Without it,
    /// [`Scheme::dense`] serves.
    fn dense(&self) -> Option<Arc<dyn DenseOutput>> {
        None
    }

    /// Writes `f(t0, y0)` to the first node, for a scheme that does not take it from the problem.
    /// Returns false if it does.
    fn slope_at_start(&mut self, node: &mut Node) -> bool {
        let _ = node;
        false
    }

    /// The solution in the last step, of a stepper that has it without the nodes before: asked by
    /// observers, for the last step only. Then these need not be kept. [`dense`](Self::dense) is what
    /// outlives the solve; a stepper that has that needs no `newest`.
    fn newest(&self) -> Option<&dyn DenseOutput> {
        None
    }
}

/// A point of the solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The time.
    pub t: f64,
    /// The state.
    pub y: Vec<f64>,
    /// `f(t, y)`.
    pub f: Vec<f64>,
}
