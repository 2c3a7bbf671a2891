//! The product trapezoidal rule on any nodes.

mod extrapolation;
mod step_control;

use super::corrector_passes::CorrectorPasses;
use super::newton::{Equations, Iterate, Newton};
use super::scheme::MemoryEstimate;
use crate::error::require;
use crate::history::{CellMemory, MeshExtent, cell_memory};
use crate::steps::StepLimits;
use crate::{
    DenseOutput, Node, OdeError, Problem, Setup, Statistics, Stepper, Steps, System, Trajectory,
    Volterra,
};
use extrapolation::Extrapolation;
use hpfracc_special::recip_gamma;
use std::ops::Range;
use step_control::{StepAttempt, StepControl, Tolerances};

/// ```text
/// y_n = g(t_n) + I^alpha (f linear between the nodes) (t_n)
///     = known + h^alpha/Gamma(alpha+2) f(t_n, y_n),    h = t_n - t_(n-1)
/// ```
///
/// with the last cell exact and the earlier ones from a [`CellMemory`]. The initial guess for y_n
/// extrapolates f over the last cell: linearly in the predictor of the explicit variant,
/// quadratically for Newton's iteration.
pub(super) struct VariableTrapezoid<'a> {
    pacing: Pacing,
    step: Step<'a>,
    /// Memory up to the start of the last step.
    last_step: LastStep,
}

/// Solver for the equation of a step of the product trapezoidal rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corrector {
    /// Number of corrector passes after the predictor.
    Passes(usize),
    /// Newton's iteration.
    Newton,
}

enum Pacing {
    Nodes(Vec<f64>),
    Adaptive(StepControl),
}

/// Dense output in the last step, from the memory of all earlier steps.
struct LastStep {
    equation: Volterra,
    memory: Box<dyn CellMemory>,
}

struct Step<'a> {
    problem: &'a Problem<dyn System + 'a>,
    /// None for corrector passes.
    newton: Option<Newton<'a>>,
    passes: CorrectorPasses,
    /// Index of the last node.
    index: usize,
    /// Sum of the jumps of y.
    jumps: Vec<f64>,
    extrapolation: Extrapolation,
    /// Components of the same order in a row.
    runs: Vec<OrderRun>,
    /// h^alpha/Gamma(alpha+2), by component.
    newest: Vec<f64>,
    known: Vec<f64>,
    tried: Node,
}

/// Components of the same order in a row.
struct OrderRun {
    alpha: f64,
    /// 1/Gamma(alpha+2).
    recip_gamma: f64,
    components: Range<usize>,
}

impl OrderRun {
    fn all(problem: &Problem<dyn System + '_>) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for i in 0..problem.dim() {
            let alpha = problem.order(i);
            match runs.last_mut().filter(|run| run.alpha == alpha) {
                Some(run) => run.components.end = i + 1,
                None => {
                    let recip_gamma = recip_gamma(alpha + 2.0);
                    runs.push(Self { alpha, recip_gamma, components: i..i + 1 });
                }
            }
        }
        runs
    }
}

impl<'a> VariableTrapezoid<'a> {
    /// For n fixed steps: the nodes, and those of all cells unless the history has exponentials.
    pub(super) fn memory_estimate(setup: &Setup<'_>, n: usize) -> MemoryEstimate {
        let (history, dim) = (setup.options.history, setup.problem.dim());
        let compressed = history.numbers_of_exponentials(dim, setup.steps.ratio(n));
        let cells = if compressed.is_none() { 1 + dim } else { 0 };
        let nodes = (1 + cells) as f64 * n as f64;
        MemoryEstimate::constant(nodes + compressed.unwrap_or(0.0))
    }

    pub(super) fn boxed(
        name: &'static str,
        corrector: Corrector,
        setup: &Setup<'a>,
    ) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let problem = setup.problem;
        let (pacing, min_step, negligible) = match *setup.steps {
            Steps::Adaptive { rtol, atol, min_step, max_step } => {
                let limits = StepLimits::new(min_step, max_step, problem.t1() - problem.t0())?;
                let control = StepControl::new(problem, Tolerances { rtol, atol }, limits)?;
                // Without a relative tolerance the scale of the errors is unknown.
                let compared = if rtol > 0.0 { rtol } else { 1e-9 };
                let negligible = Some((1e-3 * compared).clamp(1e-13, 1e-4));
                (Pacing::Adaptive(control), min_step, negligible)
            }
            _ => {
                let nodes = setup.steps.nodes(name, problem.interval())?;
                let lengths = nodes.windows(2).map(|pair| pair[1] - pair[0]);
                let min_step = lengths.fold(f64::INFINITY, f64::min);
                (Pacing::Nodes(nodes), min_step, None)
            }
        };
        let nodes = match &pacing {
            Pacing::Nodes(nodes) => Some(&nodes[..]),
            Pacing::Adaptive(_) => None,
        };
        let extent = MeshExtent { nodes, min_step, negligible };
        let memory = cell_memory(setup.options.history, problem, extent)?;
        let dim = problem.dim();
        let (newton, passes) = match corrector {
            Corrector::Newton => (Some(Newton::new(problem, 1)?), 0),
            Corrector::Passes(passes) => (None, passes),
        };
        let extrapolation = Extrapolation::new(if newton.is_some() { 2 } else { 1 }, dim);
        Ok(Box::new(Self {
            pacing,
            last_step: LastStep { equation: Volterra::new(problem), memory },
            step: Step {
                problem,
                newton,
                passes: CorrectorPasses::new(passes, dim),
                index: 0,
                jumps: vec![0.0; dim],
                extrapolation,
                runs: OrderRun::all(problem),
                newest: vec![0.0; dim],
                known: vec![0.0; dim],
                tried: Node { t: 0.0, y: vec![0.0; dim], f: vec![0.0; dim] },
            },
        }))
    }
}

impl Stepper for VariableTrapezoid<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        let Self { pacing, step, last_step } = self;
        last_step.memory.push(node.t, &node.f);
        match pacing {
            Pacing::Nodes(nodes) => {
                step.attempt(last_step, node, nodes[step.index + 1], statistics)?;
            }
            Pacing::Adaptive(control) => {
                if step.index == 0 {
                    control.start(node);
                }
                while !step.attempt_controlled(last_step, node, control, statistics)? {
                    statistics.rejections += 1;
                }
            }
        }
        step.take(node, statistics);
        Ok(())
    }

    fn max_steps(&self) -> usize {
        self.last_step.memory.max_steps()
    }

    fn last_step(&self) -> Option<&dyn DenseOutput> {
        Some(&self.last_step)
    }

    fn jump(&mut self, before: &Node, after: &Node) -> Result<bool, OdeError> {
        let Self { pacing, step, last_step } = self;
        last_step.memory.push(before.t, &before.f);
        for (jump, (after, before)) in step.jumps.iter_mut().zip(after.y.iter().zip(&before.y)) {
            *jump += after - before;
        }
        step.extrapolation.restart();
        match pacing {
            Pacing::Nodes(nodes) if before.t < nodes[step.index] => {
                let left = nodes[step.index] - before.t;
                let shortest = last_step.memory.shortest();
                let what = "the rest of a step after a jump";
                require(left >= shortest, what, left, "at least the shortest step of the history")?;
                nodes.insert(step.index, before.t);
            }
            Pacing::Nodes(_) => {}
            Pacing::Adaptive(control) => control.start(after),
        }
        Ok(true)
    }
}

impl DenseOutput for LastStep {
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]) {
        self.equation.in_cell(&*self.memory, trajectory, (node, t), y);
    }
}

impl Step<'_> {
    /// Attempts a step of the planned length; returns whether it is accepted.
    fn attempt_controlled(
        &mut self,
        last_step: &LastStep,
        last: &Node,
        control: &mut StepControl,
        statistics: &mut Statistics,
    ) -> Result<bool, OdeError> {
        control.keep_above(last_step.memory.shortest());
        let t = control.target(last.t);
        match self.attempt(last_step, last, t, statistics) {
            Ok(()) => {
                let before = self.extrapolation.before();
                let dissipativity = self.newton.as_ref().map_or(0.0, Newton::dissipativity);
                control.accepts(&StepAttempt { last, next: &self.tried, before, dissipativity })
            }
            // A shorter step may stay where f is finite, or converge.
            Err(error @ (OdeError::NotFinite { .. } | OdeError::NewtonFailed { .. })) => {
                control.shrink(last.t, 0.25).map(|()| false).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the node at t to `tried`; nothing else changes.
    fn attempt(
        &mut self,
        last_step: &LastStep,
        last: &Node,
        t: f64,
        statistics: &mut Statistics,
    ) -> Result<(), OdeError> {
        let h = t - last.t;
        self.problem.free_term(t, &mut self.known);
        last_step.memory.add_into(t, &mut self.known);
        self.known.iter_mut().zip(&self.jumps).for_each(|(known, jump)| *known += jump);
        self.tried.t = t;
        // f of the guess, until it is evaluated.
        self.extrapolation.at(t, last, &mut self.tried.f);
        for run in &self.runs {
            let newest = h.powf(run.alpha) * run.recip_gamma;
            let slope = run.alpha * newest;
            let components = run.components.clone();
            self.newest[components.clone()].fill(newest);
            let known = self.known[components.clone()].iter_mut().zip(&last.f[components.clone()]);
            let Node { y, f, .. } = &mut self.tried;
            let tried = y[components.clone()].iter_mut().zip(&f[components]);
            for ((known, last), (y, f)) in known.zip(tried) {
                *known += slope * last;
                *y = *known + newest * f;
            }
        }
        let Self { problem, newton, passes, known, newest, tried, .. } = self;
        let equations = Equations { problem, times: &[t], known, coupling: newest };
        let at = &mut Iterate { y: &mut tried.y, f: &mut tried.f, statistics };
        let Some(newton) = newton else { return passes.correct(&equations, at) };
        newton.solve(&equations, at).or_else(|_| {
            at.y.copy_from_slice(&last.y);
            newton.forget();
            newton.solve(&equations, at)
        })
    }

    /// `tried` becomes the last node.
    fn take(&mut self, node: &mut Node, statistics: &mut Statistics) {
        self.passes.check_stability(&self.newest, &self.tried, statistics);
        std::mem::swap(node, &mut self.tried);
        // `tried` is the last node now, which the next attempt overwrites.
        self.extrapolation.push(&mut self.tried);
        self.index += 1;
    }
}
