//! `hpfracc solve`: solves an equation; table and picture.

mod args;
mod method;
mod picture;
mod scan;
mod sensitivity;
pub(crate) mod systems;
mod table;

use crate::equations::Case;
use crate::input::named_values;
use crate::output::{Progress, diagnostic};
use crate::text::rounded;
use crate::{Error, Ranks};
pub(crate) use args::SolveArgs;
use hpfracc::ode::{EquationSolution, Scheme};
use method::Method;
use table::Table;

pub(crate) fn run(args: &SolveArgs, ranks: &Ranks) -> Result<(), Error> {
    // Whether it can be solved at all comes before the scheme.
    let chosen = case(args).and_then(|case| {
        let problem = case.problem()?;
        let method = Method::new(args, &case)?;
        Ok((case, problem, method))
    });
    let (case, problem, method) = ranks.prepared(chosen)?;
    if !args.scan.is_empty() {
        return scan::run(args, &case, &method, ranks);
    }
    if !ranks.runs_alone("a solution without --scan") {
        return Ok(());
    }
    let phase = args.phase.as_deref().map(|text| phase(&case, text)).transpose()?;
    let sensitivities = sensitivity::check(&case, &problem, &method, &args.sensitivity)?;
    let format = args.files.check(None)?;
    method.require_memory(&case, 1)?;
    let progress = Progress::start(args.files.quiet);
    progress.step("solving");
    let solution = method.solve(&problem)?;
    let mut table = if method.adaptive() {
        Table::between(&case, &solution, method.n, method.grading)?
    } else {
        Table::at_nodes(&case, &solution)
    };
    if let Some(scheme) = sensitivities {
        progress.step("differentiating");
        table.extra.extend(sensitivity::columns(&case, &scheme, &solution, &args.sensitivity)?);
    }
    progress.step("writing");
    let draw = |format| picture::draw(&case, &table, phase, args.log_time, format);
    let picture = format.map(draw).transpose()?;
    args.files.finish(table.to_csv()?, picture, || {
        drop(progress);
        report(&case, &solution, &table, &method);
    })
}

/// Equation with the parameters of the command line.
fn case(args: &SolveArgs) -> Result<Case, Error> {
    let mut case = Case::chosen(args.system.as_deref(), args.equation.as_deref())?;
    case.set(&named_values::parse(&args.set)?)?;
    case.set_orders(&args.alpha)?;
    if let Some(t1) = args.t1 {
        case.set_end(t1);
    }
    Ok(case)
}

/// Indices of the components of `x,y`.
fn phase(case: &Case, text: &str) -> Result<[usize; 2], Error> {
    let (x, y) = text.split_once(',').ok_or_else(|| Error::BadPhase { text: text.to_owned() })?;
    let components = [case.component(x.trim())?, case.component(y.trim())?];
    if components[0] == components[1] {
        return Err(Error::BadPhase { text: text.to_owned() });
    }
    Ok(components)
}

/// Writes diagnostics: steps, events, stability, error.
fn report(case: &Case, solution: &EquationSolution, table: &Table, method: &Method) {
    let (statistics, name) = (solution.statistics(), &case.name);
    diagnostic(&format!(
        "{name}: {}, {} steps, {} evaluations, {} Newton iterations",
        method.scheme.scheme.name(),
        statistics.steps,
        statistics.evaluations,
        statistics.newton_iterations
    ));
    for (k, hits) in (1..).zip(solution.hits()) {
        let times: Vec<String> = hits.iter().take(5).map(|hit| rounded(hit.t)).collect();
        let more = if hits.len() > times.len() { ", ..." } else { "" };
        let times = times.join(", ");
        diagnostic(&match hits.len() {
            0 => format!("{name}: event {k} did not occur"),
            1 => format!("{name}: event {k} at t = {times}"),
            count => format!("{name}: event {k} occurred {count} times, at t = {times}{more}"),
        });
    }
    if let Some(hint) = statistics.stability {
        diagnostic(&format!(
            "{name}: from t = {} on the steps exceed the stability limit of this explicit scheme: |lambda| h^alpha \
             is up to {:.3} times the limit",
            rounded(hint.t),
            hint.excess
        ));
    }
    if let Some(error) = table.largest_error() {
        diagnostic(&format!("{name}: largest error against the exact solution {error:.1e}"));
    }
}
