//! Solutions of an equation at the times of the output, without steps, by steps, or a path with noise.

use super::args::PdeArgs;
use super::statement::Statement;
use crate::Error;
use crate::error::FieldsError;
use crate::text::rounded;
use hpfracc::ode::{Event, Steps};
use hpfracc::pde::{Settings, TimeScheme, graded_steps, solve, solve_linear, solve_path};

/// Largest distance of a time of the output from a node, relative to the end.
const SAME: f64 = 1e-9;
/// Largest number of reported events.
const MOST_EVENTS: usize = 10;

/// Fields at the times of the output.
pub(super) struct Frames {
    pub(super) times: Vec<f64>,
    /// All fields at each time, one field after the other.
    pub(super) states: Vec<Vec<f64>>,
    /// Shown quantities with their values at all points, one time after the other.
    pub(super) shown: Vec<(String, Vec<f64>)>,
    /// How they were computed, and the events.
    pub(super) notes: Vec<String>,
}

impl Frames {
    pub(super) fn new(
        args: &PdeArgs,
        statement: &Statement,
        until: f64,
        times: Vec<f64>,
    ) -> Result<Self, Error> {
        let mut frames = match method(args, statement)? {
            Method::WithoutSteps => without_steps(statement, times)?,
            Method::Steps(scheme) => by_steps(args, statement, scheme, until, times)?,
            Method::Path => path(args, statement, until, &times)?,
        };
        if !statement.problem.text().shown().is_empty() {
            let shown = statement.problem.shown().map_err(Error::library)?;
            frames.shown = shown.names().iter().map(|name| (name.clone(), Vec::new())).collect();
            for (t, u) in frames.times.iter().zip(&frames.states) {
                for ((_, all), row) in frames.shown.iter_mut().zip(shown.at(*t, u)) {
                    all.extend(row);
                }
            }
        }
        Ok(frames)
    }

    fn of(times: Vec<f64>, states: Vec<Vec<f64>>, note: String) -> Self {
        Self { times, states, shown: Vec::new(), notes: vec![note] }
    }
}

enum Method {
    WithoutSteps,
    Steps(TimeScheme),
    Path,
}

const SCHEMES: [(&str, TimeScheme); 3] = [
    ("product-trapezoid", TimeScheme::ProductTrapezoid),
    ("l1", TimeScheme::L1),
    ("implicit-explicit", TimeScheme::ImplicitExplicit),
];

fn method(args: &PdeArgs, statement: &Statement) -> Result<Method, Error> {
    let problem = &statement.problem;
    if problem.has_noise() {
        return noisy(args, statement);
    }
    for (option, value) in [("--seed", args.seed), ("--path", args.path)] {
        if let Some(value) = value {
            let reason = "the equation has no noise".to_owned();
            return Err(Error::OptionUnused { option, value: value.to_string(), reason });
        }
    }
    let linear = problem.is_linear();
    match args.scheme.as_deref() {
        None | Some("none") if linear => Ok(Method::WithoutSteps),
        Some("none") => Err(FieldsError::NeedsSteps.into()),
        None => Ok(Method::Steps(problem.default_scheme())),
        Some("product-trapezoid") if !problem.text().has_single_orders() => {
            Err(FieldsError::SeveralOrders.into())
        }
        Some(name) => match SCHEMES.iter().find(|(known, _)| *known == name) {
            Some((_, scheme)) => Ok(Method::Steps(*scheme)),
            None => {
                let known = std::iter::once("none").chain(SCHEMES.map(|(name, _)| name));
                Err(Error::unknown("", "scheme", name, known))
            }
        },
    }
}

/// Refuses what paths with noise do not have.
fn noisy(args: &PdeArgs, statement: &Statement) -> Result<Method, Error> {
    let grading = args.grading.map(|exponent| exponent.to_string());
    for (option, value) in [("--scheme", args.scheme.clone()), ("--grading", grading)] {
        if let Some(value) = value {
            let reason = "an equation with noise has equal steps of the product rectangle rule";
            return Err(Error::OptionUnused { option, value, reason: reason.to_owned() });
        }
    }
    match statement.problem.text().events().is_empty() {
        true => Ok(Method::Path),
        false => Err(FieldsError::NoisyEvents.into()),
    }
}

fn without_steps(statement: &Statement, times: Vec<f64>) -> Result<Frames, Error> {
    let tolerance = statement.problem.default_tolerance();
    let states = solve_linear(&statement.equation(true)?, &times, tolerance);
    let note = format!("without time steps, error in time below {tolerance:e}");
    Ok(Frames::of(times, states.map_err(Error::library)?, note))
}

fn by_steps(
    args: &PdeArgs,
    statement: &Statement,
    scheme: TimeScheme,
    until: f64,
    times: Vec<f64>,
) -> Result<Frames, Error> {
    let problem = &statement.problem;
    let equation = statement.equation(false)?;
    let lowest = problem.orders().into_iter().fold(2.0, f64::min);
    let n = args.n as usize;
    let steps = match args.grading {
        Some(exponent) => Steps::Graded { n, exponent },
        None => graded_steps(lowest, n).map_err(Error::library)?,
    };
    let mut events = problem.events().map_err(Error::library)?;
    let observers = events.iter_mut().map(|event| event as _).collect();
    let settings =
        Settings { scheme, steps: Some(steps), save: times, observers, ..Settings::default() };
    let solution = solve(&equation, until, settings).map_err(Error::library)?;
    let statistics = solution.statistics();
    let name = SCHEMES.iter().find(|(_, known)| *known == scheme).map_or("", |(name, _)| *name);
    let note = format!(
        "{name}, {}, {} steps, {} Newton iterations",
        order_of(scheme, problem.text().has_single_orders()),
        statistics.steps,
        statistics.newton_iterations
    );
    let mut frames = Frames::of(solution.times().to_vec(), solution.saved().to_vec(), note);
    let end = solution.end();
    if end < until && frames.times.last().is_none_or(|last| *last < end) {
        frames.times.push(end);
        frames.states.push(solution.last().to_vec());
    }
    frames.notes.extend(notes_of_events(statement, &events));
    Ok(frames)
}

/// Order of the errors of a scheme on graded steps.
fn order_of(scheme: TimeScheme, single: bool) -> &'static str {
    match scheme {
        TimeScheme::L1 => "order 2 - alpha",
        TimeScheme::ImplicitExplicit if !single => "order 2 - alpha",
        TimeScheme::ProductTrapezoid | TimeScheme::ImplicitExplicit => "order 2",
    }
}

/// A note on each event with its times.
fn notes_of_events(statement: &Statement, events: &[Event<'_>]) -> Vec<String> {
    let text = statement.problem.text();
    let note = |(event, located): (&hpfracc::equation::Event, &Event<'_>)| {
        let expression = text.expression(event.expression());
        let times = located.hits().iter().take(MOST_EVENTS).map(|hit| rounded(hit.t));
        let times: Vec<String> = times.collect();
        match located.hits().len() {
            0 => format!("no event {expression} = 0"),
            count if count > MOST_EVENTS => {
                format!("event {expression} = 0 at t = {}, ... ({count} times)", times.join(", "))
            }
            _ => format!("event {expression} = 0 at t = {}", times.join(", ")),
        }
    };
    text.events().iter().zip(events).map(note).collect()
}

fn path(args: &PdeArgs, statement: &Statement, until: f64, times: &[f64]) -> Result<Frames, Error> {
    let (seed, path, n) = (args.seed.unwrap_or(0), args.path.unwrap_or(0), args.n as usize);
    let h = until / n as f64;
    let node_of = |time: &f64| {
        let node = (time / h).round();
        let near = (node * h - time).abs() <= SAME * until;
        if near { Ok(node as usize) } else { Err(FieldsError::NoNode { time: *time, n }) }
    };
    let nodes: Vec<usize> = times.iter().map(node_of).collect::<Result<_, _>>()?;
    let (equation, noise) = statement.noisy(seed)?;
    let solution = solve_path(&equation, until, n, &noise, path).map_err(Error::library)?;
    let states = nodes.into_iter().map(|node| solution.saved()[node].clone()).collect();
    let note = format!("product rectangle rule, {n} steps, path {path} of the seed {seed}");
    Ok(Frames::of(times.to_vec(), states, note))
}
