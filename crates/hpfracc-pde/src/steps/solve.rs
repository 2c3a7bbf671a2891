use crate::error::{PdeError, Result, require};
use crate::steps::imex::{Extrapolated, LastTerms, TermsAtNodes};
use crate::steps::nodes::with_nodes_at;
use crate::{Equation, MethodOfLines, Solution};
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    L1, L1OfOrders, Observer, OdeError, Options, Problem, ProductTrapezoid, SaveAt, SaveNodes,
    Scheme, Steps, System,
};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

/// Scheme of the time steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeScheme {
    /// [`ProductTrapezoid`] with Newton's iteration: order 2 on graded steps, implicit.
    #[default]
    ProductTrapezoid,
    /// [`L1`] with Newton's iteration: order 2 - alpha, with a discrete maximum principle for
    /// operators that have one; orders up to 1. With saved times or observers it stores all nodes.
    ///
    /// [`L1OfOrders`](hpfracc_ode::L1OfOrders) for fields of several, distributed or variable
    /// orders: order 2 - alpha with the highest order alpha, at the cost of one order; nodes need not
    /// be stored, and observers have dense output that is linear in each step.
    L1,
    /// [`ProductTrapezoid`] of the linear part and of terms that are extrapolated linearly from the
    /// last two nodes (IMEX): order 2, one linear equation a step. Stable for steps with
    /// `L h^alpha / Gamma(alpha + 2)` below about 1, L the Lipschitz constant of the terms. Not for
    /// adaptive steps, whose error estimate does not see the extrapolation. With several or variable
    /// orders the linear part is that of [`L1`](Self::L1), of its order.
    ImplicitExplicit,
}

/// Settings of [`solve`].
pub struct Settings<'a> {
    /// Scheme.
    pub scheme: TimeScheme,
    /// Steps. None: 200 [`graded_steps`]. [`Steps::Adaptive`] for the product trapezoid alone.
    pub steps: Option<Steps>,
    /// History of the time-fractional derivative. Default: sums of exponentials with an error of
    /// 1e-10, of constant cost a step; for large fields
    /// [`SingleExponentials`](HistoryChoice::SingleExponentials) have half the memory.
    pub history: HistoryChoice,
    /// Increasing times from 0 at which the fields are saved. Fixed steps have a node at each;
    /// adaptive steps have dense output.
    pub save: Vec<f64>,
    /// Observers: events, conserved quantities.
    pub observers: Vec<&'a mut dyn Observer>,
    /// Ends the solve after the next step when set to true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            scheme: TimeScheme::default(),
            steps: None,
            history: HistoryChoice::Exponentials { tolerance: 1e-10 },
            save: Vec::new(),
            observers: Vec::new(),
            cancel: None,
        }
    }
}

/// n steps with nodes `T (j/n)^r` that suit the singularity t^alpha of the solution at the start:
/// r = 2/alpha, between 1 and 5, and at most so large that the shortest step is 1e-14 T.
///
/// Larger exponents gain nothing at times of interest: the error at T of an exponent below 2/alpha
/// is that of the singularity, T n^(-r (1 + alpha)).
///
/// # Errors
/// [`OutOfRange`](PdeError::OutOfRange) for an order outside (0, 2) or no step.
pub fn graded_steps(alpha: f64, n: usize) -> Result<Steps> {
    require(alpha > 0.0 && alpha < 2.0, "the order alpha", alpha, "0 < alpha < 2")?;
    require(n > 0, "the number of steps", n as f64, "at least 1")?;
    let resolved = if n > 1 { 14.0 / (n as f64).log10() } else { 5.0 };
    Ok(Steps::Graded { n, exponent: (2.0 / alpha).min(5.0).min(resolved).max(1.0) })
}

/// Solves an equation on [0, until].
///
/// The default is the product trapezoidal rule on graded steps, second order also for starts that
/// disagree with the boundary values; equations without terms and time-dependent data need no
/// steps, see [`solve_linear`](crate::solve_linear). At order 1 with such starts prefer
/// [`TimeScheme::L1`], which damps the fastest modes.
///
/// # Errors
/// [`NoStart`](PdeError::NoStart), [`NoVelocity`](PdeError::NoVelocity),
/// [`SeveralOrders`](PdeError::SeveralOrders); [`SourceNotFinite`](PdeError::SourceNotFinite) and
/// [`RightSideNotFinite`](PdeError::RightSideNotFinite) with time and point;
/// [`Ode`](PdeError::Ode) for a Newton iteration that fails, an invalid interval or steps, and
/// [`OdeError::Memory`] before the first step if the history and the stored fields need more memory
/// than there is.
pub fn solve(equation: &Equation<'_>, until: f64, settings: Settings<'_>) -> Result<Solution> {
    let system = MethodOfLines::new(equation.clone()).with_tolerance(NEWTON_TOLERANCE);
    let solved = match settings.scheme {
        TimeScheme::ProductTrapezoid => {
            let problem = equation.problem_of(&system, until)?;
            run(&problem, &ProductTrapezoid, settings, None, equation)
        }
        TimeScheme::L1 => {
            let several = several_orders(equation)?;
            let scheme = several.as_ref().map_or(&L1 as &dyn Scheme, |scheme| scheme);
            let problem = equation.problem_of_highest(&system, until)?;
            run(&problem, scheme, settings, None, equation)
        }
        TimeScheme::ImplicitExplicit => {
            if let Some(Steps::Adaptive { .. }) = settings.steps {
                let (scheme, steps) = ("ImplicitExplicit", "adaptive");
                return Err(OdeError::Steps { scheme, steps }.into());
            }
            let terms = RefCell::new(LastTerms::default());
            let mut at_nodes = TermsAtNodes::new(&system, &terms);
            let several = several_orders(equation)?;
            let scheme = several.as_ref().map_or(&ProductTrapezoid as &dyn Scheme, |scheme| scheme);
            let extrapolated = Extrapolated::new(&system, &terms);
            let problem = equation.problem_of_highest(extrapolated, until)?;
            run(&problem, scheme, settings, Some(&mut at_nodes), equation)
        }
    };
    solved.map_err(|error| located(error, equation))
}

/// The scheme of several or variable orders; None if each field has one order.
fn several_orders<'a>(equation: &Equation<'a>) -> Result<Option<L1OfOrders<'a>>> {
    if equation.has_single_orders() { Ok(None) } else { Ok(Some(equation.l1_of_orders()?)) }
}

/// Relative residual of the linear solves of Newton's iteration, which converges by this factor.
const NEWTON_TOLERANCE: f64 = 1e-4;

fn run<S: System>(
    problem: &Problem<S>,
    scheme: &dyn Scheme,
    mut settings: Settings<'_>,
    first: Option<&mut dyn Observer>,
    equation: &Equation<'_>,
) -> Result<Solution> {
    let Settings { steps, history, save, cancel, .. } = settings;
    let lowest = problem.orders().iter().copied().fold(2.0, f64::min);
    let steps = steps.map_or_else(|| graded_steps(lowest, 200), Ok)?;
    let mut saved = SaveAt::times_of(&save)?;
    let mut observers: Vec<&mut dyn Observer> = Vec::new();
    if let Some(first) = first {
        observers.push(first);
    }
    for observer in &mut settings.observers {
        observers.push(&mut **observer);
    }
    if !save.is_empty() {
        observers.push(&mut saved);
    }
    let steps = match steps {
        steps @ Steps::Adaptive { .. } => steps,
        steps if !save.is_empty() => {
            let nodes = steps.nodes(scheme.name(), problem.interval())?;
            Steps::Given(with_nodes_at(&save, &nodes))
        }
        // Equal steps as unequal ones have dense output in the last step, and the weights of L1
        // sums of exponentials.
        Steps::Uniform(n) if !observers.is_empty() || scheme.name() == L1.name() => {
            Steps::Graded { n, exponent: 1.0 }
        }
        steps => steps,
    };
    let whole = scheme.name() == L1.name() && !observers.is_empty();
    let save_nodes = if whole { SaveNodes::All } else { SaveNodes::Last };
    let options = Options { history, save_nodes, cancel, observers, ..Options::default() };
    let solution = hpfracc_ode::solve(problem, scheme, &steps, options)?;
    Ok(Solution {
        fields: equation.field_count(),
        times: saved.times().to_vec(),
        saved: saved.states().outer_iter().map(|row| row.to_vec()).collect(),
        end: solution.times()[solution.times().len() - 1],
        last: solution.last().to_vec(),
        statistics: *solution.statistics(),
        status: solution.status(),
    })
}

/// The error with field and point in place of a component.
pub(crate) fn located(error: PdeError, equation: &Equation<'_>) -> PdeError {
    let PdeError::Ode(OdeError::NotFinite { t, component }) = error else { return error };
    let (field, index) = (component / equation.n(), component % equation.n());
    let sources = equation.sources.iter().filter(|source| source.field == field);
    for source in sources {
        if let Err(error) = source.check(t, index, &equation.points) {
            return error;
        }
    }
    let point = equation.points.at(index);
    PdeError::RightSideNotFinite { field, t, index, point }
}
