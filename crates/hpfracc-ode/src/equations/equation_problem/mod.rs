//! Problems of equations that are data.

mod delayed;
mod differentiable;
mod error;
mod events;
mod gradient;
mod jumps;
mod layout;
mod moving_interval;
mod parameter_derivatives;
mod solution;
mod system;
mod table;

pub use differentiable::DifferentiableEquation;
pub use error::EquationProblemError;
pub use solution::EquationSolution;
pub use system::EquationSystem;
pub use table::SolutionTable;

use super::riemann_liouville::RiemannLiouville;
use super::{AtanganaBaleanu, CaputoFabrizio, InitialConsistency, Nonsingular};
use crate::{DelayProblem, Event, Failure, Options, Problem, Scheme, Solution, Steps, System};
use delayed::{EquationDelays, Expressions, History};
use events::EquationEvent;
use hpfracc_equation::{Derivative, Equation};
use layout::Layout;
use parameter_derivatives::ParameterDerivatives;
use std::rc::Rc;
use std::sync::Arc;

/// Initial value problem of an [`Equation`]: of the form that it has, with its orders, initial values,
/// delays, history and events, and with exact Jacobians.
///
/// | equation | problem |
/// |---|---|
/// | `D^alpha x = f`, any orders | [`Problem`] |
/// | `D^2 y + D^1.5 y = f`, lower derivatives | as [`MultiTerm`](crate::MultiTerm) |
/// | `y(t - tau)` | [`DelayProblem`] |
/// | `RL D^alpha y` | [`RiemannLiouville`](crate::RiemannLiouville) |
/// | `CF D^alpha y`, `AB D^alpha y` | [`Nonsingular`](crate::Nonsingular), started by [`InitialConsistency::Relaxed`] |
///
/// ```
/// use hpfracc_equation::Equation;
/// use hpfracc_ode::{AdamsBashforthMoulton, EquationProblem, Options, Steps};
///
/// let equation = Equation::parse("D^0.5 y = -y; y(0) = 1; t in [0, 1]")?;
/// let problem = EquationProblem::new(&equation)?;
/// let scheme = AdamsBashforthMoulton::default();
/// let solution = problem.solve(&scheme, &Steps::Uniform(1000), Options::default())?;
/// assert!((solution.last()[0] - 0.427_583_576).abs() < 1e-4); // exp(1) erfc(1)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EquationProblem(Rc<Parts>);

/// Parts of a problem, which its solutions share.
struct Parts {
    equation: Equation,
    layout: Arc<Layout>,
    form: Form,
    events: Vec<EquationEvent>,
    shown: Expressions,
}

/// Problem of an equation's form.
enum Form {
    Caputo(Problem<EquationSystem>),
    RiemannLiouville(Problem<RiemannLiouville<EquationSystem>>),
    Nonsingular(Problem<Nonsingular<EquationSystem>>),
    Delay(Box<Delayed<EquationSystem>>),
}

type Phi = Box<dyn Fn(f64, &mut [f64])>;
type Delayed<S> = DelayProblem<S, EquationDelays, Phi>;

impl EquationProblem {
    /// The problem of an equation with the values of its parameters.
    ///
    /// # Errors
    /// [`EquationProblemError`] for noise, a missing interval, tables that do not cover the interval, and
    /// combinations that have no solver;
    /// those of [`Problem::of`] for invalid numbers.
    pub fn new(equation: &Equation) -> Result<Self, EquationProblemError> {
        if let Some(state) = equation.states().iter().find(|state| !state.noise().is_empty()) {
            return Err(EquationProblemError::Noise { state: state.name().to_owned() });
        }
        let random = equation.states().iter().find(|state| state.random_start().is_some());
        if let Some(state) = random {
            return Err(EquationProblemError::RandomStart { state: state.name().to_owned() });
        }
        let definition = definition(equation)?;
        equation.check_tables()?;
        let layout = Arc::new(Layout::new(equation)?);
        let system = EquationSystem::new(equation, Arc::clone(&layout))?;
        let form = match definition {
            Derivative::Caputo if equation.delays().is_empty() => {
                Form::Caputo(Problem::of(system, &layout.orders, layout.interval, &layout.rows())?)
            }
            Derivative::Caputo => Form::Delay(Box::new(delayed(equation, &layout, system)?)),
            Derivative::RiemannLiouville => {
                let alpha = only_order(equation, &layout, "Riemann-Liouville")?;
                let (slope, rest) = system.without_linear_part(equation)?;
                Form::RiemannLiouville(RiemannLiouville::problem(
                    alpha,
                    &slope,
                    layout.interval,
                    &layout.rows(),
                    rest,
                )?)
            }
            Derivative::CaputoFabrizio => {
                let alpha = only_order(equation, &layout, "Caputo-Fabrizio")?;
                let (rows, start) = (layout.rows(), InitialConsistency::Relaxed);
                let of = CaputoFabrizio::new(alpha);
                Form::Nonsingular(of.problem(layout.interval, rows[0], start, system)?)
            }
            Derivative::AtanganaBaleanu => {
                let alpha = only_order(equation, &layout, "Atangana-Baleanu")?;
                let (rows, start) = (layout.rows(), InitialConsistency::Relaxed);
                let of = AtanganaBaleanu::new(alpha);
                Form::Nonsingular(of.problem(layout.interval, rows[0], start, system)?)
            }
        };
        let events = EquationEvent::all(equation, &layout)?;
        let shown: Vec<_> = equation.shown().iter().map(|shown| shown.value()).collect();
        let shown = Expressions::new(equation, &shown, &layout)?;
        let equation = equation.clone();
        Ok(Self(Rc::new(Parts { equation, layout, form, events, shown })))
    }

    /// The equation.
    pub fn equation(&self) -> &Equation {
        &self.0.equation
    }

    /// Interval (t0, t1).
    pub fn interval(&self) -> (f64, f64) {
        self.0.layout.interval
    }

    /// Break points for [`Collocation`](crate::Collocation), of an equation with delays: many levels for one delay, few for more, whose sums
    /// multiply. Empty without delays, and where delays depend on time or state.
    pub fn default_break_points(&self) -> Vec<f64> {
        let levels = if self.equation().delays().len() > 1 { 6 } else { 1000 };
        self.break_points(levels).unwrap_or_default()
    }

    /// Break points, where the solution is less smooth: t0 plus sums of at most `levels` constant
    /// delays. None without constant delays.
    pub fn break_points(&self, levels: usize) -> Option<Vec<f64>> {
        match &self.0.form {
            Form::Delay(problem) => problem.break_points(levels),
            _ => None,
        }
    }

    /// The problem as one that every scheme solves and differentiates, if the equation has Caputo
    /// derivatives and no delays.
    pub fn as_problem(&self) -> Option<&Problem<EquationSystem>> {
        match &self.0.form {
            Form::Caputo(problem) => Some(problem),
            _ => None,
        }
    }

    /// The problem for gradients: as [`as_problem`](Self::as_problem), whose solution it has, with
    /// exact derivatives with respect to states and parameters.
    ///
    /// # Errors
    /// [`EquationProblemError::NoDerivative`] for functions without derivatives,
    /// [`EquationProblemError::Unsupported`] for delays and other derivatives than Caputo's.
    pub fn differentiable(&self) -> Result<Problem<DifferentiableEquation>, EquationProblemError> {
        let Form::Caputo(_) = &self.0.form else { return Err(self.no_gradient()) };
        let (system, layout) = (self.differentiable_system()?, &self.0.layout);
        Ok(Problem::of(system, &layout.orders, layout.interval, &layout.rows())?)
    }

    fn differentiable_system(&self) -> Result<DifferentiableEquation, EquationProblemError> {
        let system = EquationSystem::new(&self.0.equation, Arc::clone(&self.0.layout))?;
        DifferentiableEquation::new(&self.0.equation, system, self.parameter_derivatives()?)
    }

    fn no_gradient(&self) -> EquationProblemError {
        let state = self.0.equation.states().first();
        EquationProblemError::Unsupported {
            state: state.map_or(String::new(), |state| state.name().to_owned()),
            definition: match &self.0.form {
                Form::RiemannLiouville(_) => "Riemann-Liouville",
                Form::Nonsingular(_) => "nonsingular",
                Form::Caputo(_) | Form::Delay(_) => "delayed Caputo",
            },
            what: "such gradients",
        }
    }

    fn parameter_derivatives(&self) -> Result<Arc<ParameterDerivatives>, EquationProblemError> {
        Ok(Arc::new(ParameterDerivatives::new(&self.0.equation, &self.0.layout)?))
    }

    /// Solves it, with its events.
    ///
    /// # Errors
    /// Those of [`solve`](crate::solve()).
    pub fn solve(
        &self,
        scheme: &dyn Scheme,
        steps: &Steps,
        mut options: Options<'_>,
    ) -> Result<EquationSolution, Failure> {
        let events = self.0.events.iter().map(|event| event.observer(&self.0.layout));
        let mut events: Vec<Event<'_>> = events.collect();
        let Options { history, save_nodes, max_steps, cancel, .. } = options;
        let autotuner = options.autotuner.take();
        let progress = options.progress.map(|progress| progress as &mut dyn FnMut(_));
        let mut observers: Vec<&mut dyn crate::Observer> = Vec::new();
        observers.extend(events.iter_mut().map(|event| event as &mut dyn crate::Observer));
        observers.extend(options.observers.into_iter().map(|o| o as &mut dyn crate::Observer));
        let options =
            Options { history, autotuner, save_nodes, max_steps, progress, cancel, observers };
        let solution = self.solve_form(scheme, steps, options)?;
        let hits = events.iter().map(|event| event.hits().to_vec()).collect();
        Ok(EquationSolution { problem: self.clone(), solution, hits })
    }

    fn solve_form(
        &self,
        scheme: &dyn Scheme,
        steps: &Steps,
        options: Options<'_>,
    ) -> Result<Solution, Failure> {
        match &self.0.form {
            Form::Caputo(problem) => crate::solve(problem, scheme, steps, options),
            Form::RiemannLiouville(problem) => crate::solve(problem, scheme, steps, options),
            Form::Nonsingular(problem) => crate::solve(problem, scheme, steps, options),
            Form::Delay(problem) => problem.solve(scheme, steps, options),
        }
    }
}

impl std::fmt::Debug for EquationProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EquationProblem").field("layout", &self.0.layout).finish_non_exhaustive()
    }
}

/// Definition of all derivatives of an equation.
fn definition(equation: &Equation) -> Result<Derivative, EquationProblemError> {
    let Some(first) = equation.states().first() else { return Ok(Derivative::Caputo) };
    match equation.states().iter().find(|state| state.definition() != first.definition()) {
        Some(second) => Err(EquationProblemError::MixedDefinitions {
            first: first.name().to_owned(),
            second: second.name().to_owned(),
        }),
        None => Ok(first.definition()),
    }
}

/// The order of all components, for a definition whose equations have neither delays nor lower
/// derivatives.
fn only_order(
    equation: &Equation,
    layout: &Layout,
    definition: &'static str,
) -> Result<f64, EquationProblemError> {
    let name = |state: usize| equation.states()[state].name().to_owned();
    let unsupported = |state, what| {
        Err(EquationProblemError::Unsupported { state: name(state), definition, what })
    };
    if let Some(state) = layout.state_of.get(layout.states) {
        return unsupported(*state, "lower derivatives");
    }
    if !equation.delays().is_empty() {
        return unsupported(0, "delays");
    }
    if !equation.events().is_empty() {
        return unsupported(0, "events");
    }
    let order = layout.orders[0];
    match layout.orders.iter().position(|other| *other != order) {
        Some(second) => Err(EquationProblemError::DifferentOrders {
            first: name(0),
            order,
            second: name(second),
            other: layout.orders[second],
            definition,
        }),
        None => Ok(order),
    }
}

/// The delay problem of an equation.
fn delayed<S: System>(
    equation: &Equation,
    layout: &Layout,
    system: S,
) -> Result<Delayed<S>, EquationProblemError> {
    let history = History::new(equation, layout)?;
    let phi: Phi = Box::new(move |t, y| history.write(t, y));
    let delays = EquationDelays::new(equation, layout)?;
    let (orders, rows) = (&layout.orders, layout.rows());
    Ok(DelayProblem::of(system, orders, layout.interval, &rows, (delays, phi))?)
}
