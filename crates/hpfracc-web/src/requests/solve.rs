use super::check::is_stochastic;
use crate::budget::{Budget, Timer};
use crate::case::{Case, Prepared};
use crate::failure::Failure;
use crate::transfer::{Numbers, Place};
use hpfracc::equation::catalogue::Method;
use hpfracc::ode::ndarray::Array2;
use hpfracc::ode::{
    AnyScheme, EquationProblem, EquationSolution, Options, SolutionTable, Status, Steps,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    case: Case,
    steps: usize,
    #[serde(flatten)]
    method: Requested,
    #[serde(default)]
    budget: Budget,
}

/// Scheme of a request.
#[derive(Debug, Deserialize)]
pub(super) struct Requested {
    #[serde(default = "automatic")]
    scheme: String,
    /// Exponent of graded steps.
    #[serde(default)]
    grading: Option<f64>,
}

fn automatic() -> String {
    "auto".to_owned()
}

/// Scheme of texts that recommend none: it adapts to stiffness, kinks and events.
pub(super) const DEFAULT_SCHEME: &str = "collocation";

/// Whether the explorer has a scheme: those without parameters.
pub(super) fn is_offered(name: &str) -> bool {
    name != "rectangle-explicit" && !name.starts_with("exponential-")
}

/// Solution at its times.
#[derive(Debug, Serialize)]
pub(crate) struct Solved {
    t: Place,
    /// Names of the states, then of the shown quantities that are no exact solutions.
    names: Vec<String>,
    y: Vec<Place>,
    scheme: &'static str,
    steps: usize,
    milliseconds: f64,
    /// Exact solutions of states.
    exact: Option<BTreeMap<String, Place>>,
    /// Whether the solution reaches the end of the interval or an event that stops it.
    complete: bool,
    notes: Vec<String>,
}

/// Relative and absolute tolerance of adaptive steps.
const TOLERANCE: f64 = 1e-10;
/// Most steps.
const MOST_STEPS: usize = 10_000_000;

/// Scheme with its steps.
pub(super) struct Chosen {
    /// Name in requests.
    name: &'static str,
    scheme: AnyScheme,
    steps: Steps,
    n: usize,
    grading: f64,
}

impl Chosen {
    /// Scheme of the request; for `auto` the one that the text recommends, else the default one.
    pub(super) fn new(text: &str, requested: &Requested, n: usize) -> Result<Self, Failure> {
        if !(1..=MOST_STEPS).contains(&n) {
            return Err(Failure::new(format!("{n} steps, expected 1 to {MOST_STEPS}")));
        }
        let recommended = Method::of_text(text).filter(|of| is_offered(of.scheme));
        let recommended = recommended.filter(|of| AnyScheme::named(of.scheme).is_some());
        let (name, grading) = match (&*requested.scheme, recommended) {
            ("auto", Some(method)) => (method.scheme, method.grading),
            ("auto", None) => (DEFAULT_SCHEME, 1.0),
            (name, _) => (name, 1.0),
        };
        let grading = requested.grading.unwrap_or(grading);
        let known =
            || AnyScheme::NAMES.iter().map(|(name, _)| *name).filter(|name| is_offered(name));
        let found = known().find(|known| *known == name);
        let found = found.and_then(|name| Some((name, AnyScheme::named(name)?)));
        let (name, scheme) = found.ok_or_else(|| {
            let known: Vec<&str> = known().collect();
            Failure::new(format!("`{name}` is no scheme; the schemes are {}", known.join(", ")))
        })?;
        let steps = if scheme.is_adaptive() {
            Steps::adaptive(TOLERANCE, TOLERANCE)
        } else if grading == 1.0 {
            Steps::Uniform(n)
        } else {
            Steps::Graded { n, exponent: grading }
        };
        Ok(Self { name, scheme, steps, n, grading })
    }

    /// Solves up to the end, an event, an error or the end of the time.
    pub(super) fn solve(
        &self,
        problem: &EquationProblem,
        timer: &Timer,
    ) -> Result<(EquationSolution, Option<String>), Failure> {
        let scheme = self.scheme.clone().with_breaks(&problem.default_break_points());
        let mut look = |_| timer.look();
        let options =
            Options { progress: Some(&mut look), cancel: Some(timer.flag()), ..Options::default() };
        match problem.solve(&scheme, &self.steps, options) {
            Ok(solution) => {
                let t = solution.times().last().copied().unwrap_or(f64::NAN);
                let cancelled = solution.solution().status() == Status::Cancelled;
                let note = cancelled.then(|| timer.message(&format!("at t = {t}")));
                Ok((solution, note))
            }
            Err(failure) => {
                let message = Failure::from(&failure).message;
                let partial = failure.partial.filter(|partial| partial.times().len() > 1);
                let Some(partial) = partial else { return Err(Failure::new(message)) };
                let hits = problem.equation().events().iter().map(|_| vec![]).collect();
                Ok((problem.solution_of(*partial, hits)?, Some(message)))
            }
        }
    }

    /// The solution at the nodes, or of adaptive steps at `n` equal intervals.
    pub(super) fn table(&self, solution: &EquationSolution) -> Result<SolutionTable, Failure> {
        if self.scheme.is_adaptive() {
            Ok(solution.table_between(self.n, self.grading)?)
        } else {
            Ok(solution.table_at_nodes())
        }
    }

    /// Bytes of a solution: its states, the history of the scheme and the columns, as an estimate.
    pub(super) fn bytes(&self, components: usize) -> f64 {
        self.n as f64 * (64.0 + 128.0 * components as f64)
    }
}

/// Refuses equations with noise.
pub(super) fn deterministic(prepared: &Prepared) -> Result<EquationProblem, Failure> {
    if is_stochastic(&prepared.equation) {
        return Err(Failure::new(
            "the equation is stochastic: a path is one of an ensemble, which has its own request",
        ));
    }
    Ok(EquationProblem::new(&prepared.equation)?)
}

/// Indices of the shown quantities that are no exact solutions.
pub(super) fn quantities(prepared: &Prepared) -> Vec<usize> {
    let exact = prepared.equation.exact_solutions();
    let is_exact = |k: &usize| exact.iter().any(|(_, shown)| shown == k);
    (0..prepared.equation.shown().len()).filter(|k| !is_exact(k)).collect()
}

pub(crate) fn solve(
    request: &Request,
    cancel: &Arc<AtomicBool>,
    numbers: &mut Numbers,
) -> Result<Solved, Failure> {
    let timer = request.budget.start(cancel);
    let prepared = request.case.prepare()?;
    let problem = deterministic(&prepared)?;
    let chosen = Chosen::new(&request.case.text, &request.method, request.steps)?;
    let equation = &prepared.equation;
    let columns = equation.states().len() + equation.shown().len();
    request.budget.admit("the solution", chosen.bytes(columns))?;
    let (solution, ended) = chosen.solve(&problem, &timer)?;
    let table = chosen.table(&solution)?;
    let milliseconds = timer.milliseconds();

    let mut put = |of: &Array2<f64>, k: usize| numbers.put(of.column(k).iter().copied());
    let shown = quantities(&prepared);
    let states = 0..equation.states().len();
    let mut y: Vec<Place> = states.map(|k| put(&table.states, k)).collect();
    y.extend(shown.iter().map(|k| put(&table.shown, *k)));
    let exact = equation.exact_solutions().into_iter();
    let exact: BTreeMap<String, Place> = exact
        .filter(|_| prepared.own_orders)
        .map(|(state, k)| (equation.states()[state].name().to_owned(), put(&table.shown, k)))
        .collect();
    let names = equation.states().iter().map(|state| state.name().to_owned());
    let names = names.chain(shown.iter().map(|k| equation.shown()[*k].name().to_owned()));
    Ok(Solved {
        t: numbers.put(table.times.iter().copied()),
        names: names.collect(),
        y,
        scheme: chosen.name,
        steps: solution.statistics().steps,
        milliseconds,
        exact: (!exact.is_empty()).then_some(exact),
        complete: ended.is_none(),
        notes: ended.into_iter().chain(notes(&solution)).collect(),
    })
}

/// Remarks on a solution: events, and steps that are too long for an explicit scheme.
fn notes(solution: &EquationSolution) -> Vec<String> {
    let mut notes = Vec::new();
    for (number, hits) in (1..).zip(solution.hits()) {
        notes.extend(hits.first().map(|first| match hits.len() {
            1 => format!("event {number} at t = {}", first.t),
            count => format!("event {number} occurred {count} times, first at t = {}", first.t),
        }));
    }
    notes.extend(solution.statistics().stability.map(|hint| {
        format!(
            "from t = {} on the steps are too long for this explicit scheme: |lambda| h^alpha is up to {:.3} times its limit \
             of stability",
            hint.t, hint.excess
        )
    }));
    notes
}
