use super::args::SolveArgs;
use crate::Error;
use crate::equations::Case;
use crate::equations::schemes::{self, Tolerances};
use crate::memory;
use hpfracc::ode::{EquationProblem, EquationSolution, Failure, Options, Steps};

/// Scheme and steps of a solve.
pub(super) struct Method {
    pub(super) scheme: schemes::Named,
    steps: Steps,
    pub(super) n: usize,
    pub(super) grading: f64,
    max_steps: Option<u32>,
}

impl Method {
    pub(super) fn new(args: &SolveArgs, case: &Case) -> Result<Self, Error> {
        let scheme = schemes::named(args.scheme.as_deref().unwrap_or(case.scheme))?;
        // The default grading belongs to the default scheme.
        let default_grading = if scheme.name == case.scheme { case.grading } else { 1.0 };
        let grading = args.grading.unwrap_or(default_grading);
        let n = args.n.map_or(case.steps, |n| n as usize);
        let tolerances = Tolerances {
            rtol: args.rtol,
            atol: args.atol,
            min_step: args.min_step,
            max_step: args.max_step,
            max_steps: args.max_steps,
        };
        let steps = scheme.steps(n, grading, &tolerances)?;
        Ok(Self { scheme, steps, n, grading, max_steps: args.max_steps })
    }

    pub(super) fn adaptive(&self) -> bool {
        self.scheme.is_adaptive()
    }

    fn options(&self) -> Options<'static> {
        let max_steps = self.max_steps.map(|steps| steps as usize);
        Options { max_steps, ..Options::default() }
    }

    pub(super) fn solve(&self, problem: &EquationProblem) -> Result<EquationSolution, Error> {
        self.attempt(problem).map_err(Error::of_solve)
    }

    pub(super) fn attempt(&self, problem: &EquationProblem) -> Result<EquationSolution, Failure> {
        let scheme = self.scheme.scheme.clone().with_breaks(&problem.default_break_points());
        problem.solve(&scheme, &self.steps, self.options())
    }

    /// Checks the memory of this number of solves at once: states, history of the scheme, columns
    /// and text of each component at each node.
    pub(super) fn require_memory(&self, case: &Case, solves: u64) -> Result<(), Error> {
        let of_a_node = 64 + 128 * case.components().len() as u64;
        let bytes = (self.n as u64).saturating_mul(of_a_node).saturating_mul(solves);
        let what = format!("the solution at {} nodes", self.n);
        memory::require(what, bytes, "--n sets their number")
    }
}
