use crate::history::{History, Kernel};
use crate::steps::MAX_STEPS;
use crate::{
    DenseOutput, Node, OdeError, Options, Problem, Statistics, Steps, System, UniformGrid,
};
use std::sync::Arc;

/// Problem, steps and options of a solve, from which a [`Scheme`] prepares its stepper.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Problem.
    pub problem: &'a Problem<dyn System + 'a>,
    /// Steps.
    pub steps: &'a Steps,
    /// History, autotuner and stored nodes; the callbacks remain with the solve.
    pub options: &'a Options<'a>,
}

debug_fields!(Setup<'a> { steps, options });

impl Setup<'_> {
    /// Equal steps over the interval of the problem, for a scheme that takes no others.
    ///
    /// # Errors
    /// Those of [`Steps::uniform`].
    pub fn uniform(&self, scheme: &dyn Scheme) -> Result<UniformGrid, OdeError> {
        self.steps.uniform(scheme.name(), self.problem.interval())
    }

    /// Builds the history of the scheme: `capacity` samples of all components.
    ///
    /// # Errors
    /// Those of [`HistoryChoice::build`](crate::history::HistoryChoice::build).
    pub fn history(
        &self,
        kernels: &[Kernel],
        capacity: usize,
    ) -> Result<Box<dyn History>, OdeError> {
        self.options.build_history(kernels, self.problem.dim(), capacity)
    }
}

/// Numbers of 8 bytes that a scheme has in memory, its history included and the nodes not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemoryEstimate {
    /// Largest number at once in [`Scheme::prepare`].
    pub preparing: f64,
    /// Number while the solve makes its steps.
    pub stepping: f64,
}

impl MemoryEstimate {
    /// The same while preparing and stepping.
    pub(super) const fn constant(numbers: f64) -> Self {
        Self { preparing: numbers, stepping: numbers }
    }
}

/// Tables of weights of a scheme on equal steps, each as long as the solve, from which the memory of
/// a solve is estimated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tables {
    /// Kernels of the history.
    pub(super) kernels: usize,
    /// Whether the rows of the history are product rules, not tables of the scheme.
    pub(super) product_rules: bool,
    /// Tables of the scheme, those of the history's rows included.
    pub(super) own: usize,
    /// Tables of the scheme that remain once the history is built.
    pub(super) kept: usize,
    /// Tables that are computed after the history, at most at once.
    pub(super) after: usize,
}

impl Setup<'_> {
    /// Estimated numbers in memory of these tables and of the history, for n steps and `rows` rows
    /// of each kernel.
    pub(super) fn memory_estimate(
        &self,
        n: usize,
        rows: usize,
        tables: Tables,
    ) -> Result<MemoryEstimate, OdeError> {
        let Tables { kernels, product_rules, own, kept, after } = tables;
        let Options { history, autotuner, .. } = self.options;
        let [stored, computed] = history.numbers(
            (kernels, kernels * rows),
            (self.problem.dim(), n),
            (product_rules, autotuner.is_some()),
        )?;
        let of = |tables: usize| tables as f64 * n as f64;
        let preparing = stored + of(own) + computed.max(of(after));
        Ok(MemoryEstimate { preparing, stepping: stored + of(kept) })
    }

    /// Number of different orders.
    pub(super) fn order_count(&self) -> usize {
        self.problem.by_order().len()
    }
}

/// Numerical scheme: advances the solution from node to node.
pub trait Scheme {
    /// Name in the literature.
    fn name(&self) -> &'static str;

    /// Prepares a solve: computes weights, builds the history, allocates scratch memory.
    ///
    /// # Errors
    /// [`OdeError::Steps`] for steps that the scheme does not take; those of weights and histories.
    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError>;

    /// Estimated memory for n fixed steps, from which a solve is refused before anything is
    /// allocated. Default: two tables of weights, and a history with one kernel.
    ///
    /// # Errors
    /// Those of the choice of the history.
    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        let rows = setup.order_count();
        let own = 2 * rows;
        setup.memory_estimate(
            n,
            rows,
            Tables { kernels: 1, product_rules: false, own, kept: own, after: 0 },
        )
    }

    /// Interpolation of the delayed values of a [delay equation](crate::DelayProblem) that is as
    /// accurate as the nodes of this scheme.
    fn interpolation(&self) -> Interpolation {
        Interpolation::Linear
    }
}

/// State of a solve.
pub trait Stepper {
    /// Advances to the next node: on entry `node` is the last node of the solution, on return the
    /// next one. Allocates nothing (exceptions:
    /// [`ProductTrapezoid`](crate::ProductTrapezoid) for adaptive steps, and
    /// [`Collocation`](crate::Collocation)).
    ///
    /// # Errors
    /// [`OdeError::NotFinite`], [`OdeError::StepTooSmall`], [`OdeError::NewtonFailed`]. The node
    /// may then be partly written, and the stepper is not used again.
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError>;

    /// Dense output between all nodes. Requested once, before the first step; it outlives the solve.
    /// Default: None, for [`Volterra`](crate::Volterra), the equation with f linear between the
    /// nodes.
    fn dense(&self) -> Option<Arc<dyn DenseOutput>> {
        None
    }

    /// Writes `f(t0, y0)` to the first node and returns true. Default: returns false, and the solve
    /// evaluates the right-hand side.
    fn initial_slope(&mut self, node: &mut Node) -> bool {
        let _ = node;
        false
    }

    /// Largest number of attempts of adaptive steps, unless
    /// [`Options::max_steps`](crate::Options::max_steps) is given. Default: a million.
    fn max_steps(&self) -> usize {
        MAX_STEPS
    }

    /// Ends the last step at the node `before`, and continues from `after` at the same time, another
    /// state and its f, by the [equation with a jump](crate::ObserverAction::JumpAt). Returns false
    /// if it cannot: the default.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for a step that is too short for the history.
    fn jump(&mut self, before: &Node, after: &Node) -> Result<bool, OdeError> {
        let _ = (before, after);
        Ok(false)
    }

    /// Dense output in the last step, of a stepper that needs no earlier nodes for it: observers
    /// use it, and earlier nodes need not be stored. Default: None.
    fn last_step(&self) -> Option<&dyn DenseOutput> {
        None
    }
}

/// Interpolation of delayed values between the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// Linear in each step: error h^2 for smooth y, as schemes of order 2.
    #[default]
    Linear,
    /// Quadratic through these nodes and the one before (at the start the one after): error h^3 for
    /// smooth y.
    Quadratic,
    /// Polynomial through both nodes and values of the scheme's dense output at Chebyshev points
    /// inside each step. For schemes with long and accurate steps, as
    /// [`Collocation`](crate::Collocation); for others each value costs a sum over
    /// all nodes. In the current step, which has no dense output yet, it is
    /// [`Linear`](Self::Linear): no step should be longer than a delay.
    Dense {
        /// Number of values inside a step.
        points: usize,
    },
}
