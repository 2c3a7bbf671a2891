use crate::error::{all_finite, require};
use crate::history::HistoryChoice;
use crate::solution::Solved;
use crate::steps::MOST_STEPS;
use crate::{
    DenseOutput, MemoryEstimate, Node, Observer, ObserverAction, OdeError, Options, Problem,
    Progress, SaveNodes, Scheme, Setup, Solution, Statistics, Status, Stepper, Steps, System,
    Trajectory, Volterra,
};
use hpfracc_types::check_memory;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Solves a problem by a scheme.
///
/// ```
/// use hpfracc_ode::{AdamsBashforthMoulton, Collocation, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::adaptive(1e-12, 1e-12);
/// let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-12);
///
/// // A failed solve reports where it failed and returns the partial solution.
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -1e3 * y[0])?;
/// let scheme = AdamsBashforthMoulton::default(); // explicit: these steps are too long
/// let failure = solve(&problem, &scheme, &Steps::Uniform(1000), Options::default()).unwrap_err();
/// assert!(failure.to_string().contains("not finite at t = 0.105"));
/// assert!(failure.partial.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A [`Failure`] with the cause, and with the partial solution if a step failed. More steps than the
/// available memory has room for are refused before the first step ([`OdeError::Memory`]), or, with
/// adaptive steps, when the room ends.
pub fn solve<S: System>(
    problem: &Problem<S>,
    scheme: &dyn Scheme,
    steps: &Steps,
    options: Options<'_>,
) -> Result<Solution, Failure> {
    run(problem, scheme, steps, options)
}

/// Failure of a solve.
#[derive(Debug)]
pub struct Failure {
    /// Cause.
    pub error: OdeError,
    /// Partial solution up to the last node; None if there is no first node.
    pub partial: Option<Box<Solution>>,
}

impl From<OdeError> for Failure {
    fn from(error: OdeError) -> Self {
        Self { error, partial: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)?;
        match self.partial.as_ref().and_then(|partial| partial.statistics.stability) {
            Some(hint) => write!(
                f,
                "; from t = {} on, |lambda| h^alpha was up to {:.3} times the scheme's limit of \
                 stability",
                hint.t, hint.excess
            ),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

fn run(
    problem: &Problem<dyn System + '_>,
    scheme: &dyn Scheme,
    steps: &Steps,
    mut options: Options<'_>,
) -> Result<Solution, Failure> {
    let dim = problem.dim();
    let (history, save_nodes) = (options.history, options.save_nodes);
    if options.max_steps == Some(0) {
        require(false, "max_steps", 0.0, "at least 1")?;
    }
    let autotuner = options.autotuner.take();
    let without_callbacks = Options { history, autotuner, save_nodes, ..Options::default() };
    let setup = Setup { problem, steps, options: &without_callbacks };
    if let Some(n) = steps.count().filter(|n| *n as u64 <= MOST_STEPS) {
        let all = save_nodes == SaveNodes::All || !options.observers.is_empty();
        let nodes = if all { (1 + 2 * dim) as f64 * n as f64 } else { 0.0 };
        let MemoryEstimate { preparing, stepping } = scheme.memory_estimate(&setup, n)?;
        check_memory(preparing.max(stepping + nodes)).map_err(OdeError::from)?;
    }
    let mut stepper = scheme.prepare(&setup)?;
    let observed = !options.observers.is_empty();
    let saved_meanwhile = if observed && stepper.last_step().is_none() {
        // Dense output needs all nodes while the solve runs.
        if save_nodes == SaveNodes::Last
            && matches!(
                history,
                HistoryChoice::Exponentials { .. } | HistoryChoice::SingleExponentials { .. }
            )
        {
            return Err(OdeError::NeedsAllNodes { scheme: scheme.name() }.into());
        }
        SaveNodes::All
    } else {
        save_nodes
    };
    let solved = Solved {
        scheme: scheme.name(),
        equal_steps: matches!(steps, Steps::Uniform(_)),
        orders: problem.orders().to_vec(),
        initial: problem.initial_values().to_vec(),
    };
    let mut solution = Solution {
        solved,
        trajectory: Trajectory::new(dim, steps.count().unwrap_or(0) + 1, saved_meanwhile),
        statistics: Statistics::default(),
        status: Status::Failed,
        dense: stepper.dense().unwrap_or_else(|| Arc::new(Volterra::new(problem))),
    };
    let mut node = Node { t: problem.t0(), y: vec![0.0; dim], f: vec![0.0; dim] };
    problem.free_term(node.t, &mut node.y);
    if !stepper.initial_slope(&mut node) {
        problem.rhs(node.t, &node.y, &mut node.f, &mut solution.statistics)?;
    }
    let mut to_the_end = || -> Result<Status, OdeError> {
        loop {
            solution.trajectory.check_growth()?;
            solution.trajectory.push(&node);
            let end = observe(problem, (&*stepper, &mut node), &mut solution, &mut options)?;
            match end {
                Some(End::Solve(status)) => return Ok(status),
                Some(End::Piece(t)) => {
                    let names = (scheme.name(), steps.name());
                    let observers = &mut options.observers;
                    jump(problem, names, &mut *stepper, (&mut node, t), &mut solution, observers)?;
                    if t >= problem.t1() {
                        return Ok(Status::Complete);
                    }
                }
                None => {}
            }
            let limit = options.max_steps.unwrap_or_else(|| stepper.max_steps());
            check_attempts(steps, limit, &solution.statistics, (node.t, problem.t1()))?;
            stepper.advance(&mut node, &mut solution.statistics)?;
            solution.statistics.steps += 1;
        }
    };
    let ended = to_the_end();
    solution.trajectory.finish(save_nodes);
    match ended {
        Ok(status) => {
            solution.status = status;
            Ok(solution)
        }
        Err(error) => Err(Failure { error, partial: Some(Box::new(solution)) }),
    }
}

/// Checks that adaptive steps have an attempt left at t, on the way to t1.
fn check_attempts(
    steps: &Steps,
    limit: usize,
    statistics: &Statistics,
    (t, t1): (f64, f64),
) -> Result<(), OdeError> {
    let attempts = statistics.steps + statistics.rejections;
    match *steps {
        Steps::Adaptive { rtol, atol, .. } if attempts >= limit => {
            Err(OdeError::TooManySteps { rtol, atol, attempts, t, t1 })
        }
        _ => Ok(()),
    }
}

/// What ends after a node.
enum End {
    Solve(Status),
    /// The part up to a jump of the state at this time.
    Piece(f64),
}

/// Calls the observers with the last node.
fn observe(
    problem: &Problem<dyn System + '_>,
    (stepper, node): (&dyn Stepper, &mut Node),
    solution: &mut Solution,
    options: &mut Options<'_>,
) -> Result<Option<End>, OdeError> {
    let (mut stop, mut jump) = (f64::INFINITY, f64::INFINITY);
    let whole = Arc::clone(&solution.dense);
    let dense = stepper.last_step().unwrap_or(&*whole);
    let mut jumping = Vec::new();
    for (index, observer) in options.observers.iter_mut().enumerate() {
        match observer.node(&solution.trajectory, dense)? {
            ObserverAction::Continue => {}
            ObserverAction::StopAt(t) => stop = stop.min(t),
            ObserverAction::JumpAt(t) => {
                jumping.push((index, t));
                jump = jump.min(t);
            }
        }
    }
    if let Some(progress) = &mut options.progress {
        let steps = solution.statistics.steps;
        progress(Progress { t: node.t, t1: problem.t1(), steps });
    }
    let end = stop.min(jump);
    if end < f64::INFINITY {
        solution.end_at(problem, node, end, dense)?;
    }
    if stop <= jump && stop < f64::INFINITY {
        options.observers.iter_mut().for_each(|observer| observer.ended_at(stop));
        return Ok(Some(End::Solve(Status::Stopped)));
    }
    if jump < f64::INFINITY {
        for (index, _) in jumping.into_iter().filter(|(_, t)| *t == jump) {
            options.observers[index].jump(jump, &mut node.y);
        }
        return Ok(Some(End::Piece(jump)));
    }
    if node.t >= problem.t1() {
        return Ok(Some(End::Solve(Status::Complete)));
    }
    let cancelled = options.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    Ok(cancelled.then_some(End::Solve(Status::Cancelled)))
}

/// Continues from the state in `node`, which observers have assigned at the time of the last node.
fn jump(
    problem: &Problem<dyn System + '_>,
    (scheme, steps): (&'static str, &'static str),
    stepper: &mut (dyn Stepper + '_),
    (node, t): (&mut Node, f64),
    solution: &mut Solution,
    observers: &mut [&mut dyn Observer],
) -> Result<(), OdeError> {
    all_finite(&node.y, t)?;
    let last = solution.times().len() - 1;
    let trajectory = &solution.trajectory;
    let before = Node { t, y: trajectory.state(last).to_vec(), f: trajectory.slope(last).to_vec() };
    problem.rhs(t, &node.y, &mut node.f, &mut solution.statistics)?;
    if !stepper.jump(&before, node)? {
        return Err(OdeError::NoJumps { scheme, steps, t });
    }
    solution.statistics.jumps += 1;
    solution.trajectory.push(node);
    observers.iter_mut().try_for_each(|observer| observer.jumped(&solution.trajectory))
}

impl Solution {
    /// Replaces the last node by the solution at a time between the last two nodes.
    fn end_at(
        &mut self,
        problem: &Problem<dyn System + '_>,
        node: &mut Node,
        t: f64,
        dense: &dyn DenseOutput,
    ) -> Result<(), OdeError> {
        let times = self.times();
        let (t0, t1) = (times[times.len().saturating_sub(2)], node.t);
        if t == t1 {
            return Ok(());
        }
        if !(t0 < t && t < t1) {
            return Err(OdeError::Outside { t, t0, t1 });
        }
        dense.between(&self.trajectory, self.times().len() - 2, t, &mut node.y);
        node.t = t;
        problem.rhs(t, &node.y, &mut node.f, &mut self.statistics)?;
        self.trajectory.replace_last(node);
        Ok(())
    }
}
