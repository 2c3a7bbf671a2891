//! `hpfracc solve`: solves a named equation; table and picture.

mod args;
mod picture;
mod table;

use crate::Error;
use crate::input::named_values;
use crate::memory;
use crate::output::{Progress, diagnostic};
use crate::systems::schemes::{self, Tolerances};
use crate::systems::{self, Case};
use crate::text::rounded;
pub(crate) use args::SolveArgs;
use hpfracc::ode::{Options, Solution};
use table::Table;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Error> {
    let case = case(args)?;
    let defaults = case.system().defaults;
    let chosen = schemes::named(args.scheme.as_deref().unwrap_or(defaults.scheme))?;
    // The default grading belongs to the default scheme.
    let default_grading = if chosen.name == defaults.scheme { defaults.grading } else { 1.0 };
    let grading = args.grading.unwrap_or(default_grading);
    let n = args.n.map_or(defaults.n, |n| n as usize);
    let scheme = chosen.scheme(case.break_points());
    let tolerances = Tolerances {
        rtol: args.rtol,
        atol: args.atol,
        min_step: args.min_step,
        max_step: args.max_step,
        max_steps: args.max_steps,
    };
    let steps = chosen.steps(n, grading, &tolerances)?;
    let phase = args.phase.as_deref().map(|text| phase(&case, text)).transpose()?;
    let format = args.files.check(None)?;

    // States, history of the scheme, columns and text of each component at each node.
    let bytes = (n as u64).saturating_mul(64 + 128 * case.system().components.len() as u64);
    memory::require(format!("the solution at {n} nodes"), bytes, "--n sets their number")?;
    let progress = Progress::start(args.files.quiet);
    progress.step("solving");
    let options =
        Options { max_steps: args.max_steps.map(|steps| steps as usize), ..Options::default() };
    let solution = case.solve(scheme.as_ref(), &steps, options)?;
    let table = if chosen.adaptive {
        Table::between(&case, &solution, n, grading)?
    } else {
        Table::at_nodes(&case, &solution)
    };
    progress.step("writing");
    let draw = |format| picture::draw(&case, &table, phase, args.log_time, format);
    let picture = format.map(draw).transpose()?;
    args.files.finish(table.to_csv()?, picture, || {
        drop(progress);
        report(&case, &solution, &table, scheme.name());
    })
}

/// Equation with the parameters of the command line.
fn case(args: &SolveArgs) -> Result<Case, Error> {
    let mut case = systems::named(&args.system)?.case();
    for (name, value) in named_values::parse(&args.param)? {
        case = case.with(name, value)?;
    }
    if !args.alpha.is_empty() {
        case.orders.clone_from(&args.alpha);
    }
    case.t1 = args.t1.unwrap_or(case.t1);
    Ok(case)
}

/// Indices of the components of `x,y`.
fn phase(case: &Case, text: &str) -> Result<[usize; 2], Error> {
    let (x, y) = text.split_once(',').ok_or_else(|| Error::BadPhase { text: text.to_owned() })?;
    let components = [case.system().component(x.trim())?, case.system().component(y.trim())?];
    if components[0] == components[1] {
        return Err(Error::BadPhase { text: text.to_owned() });
    }
    Ok(components)
}

/// Writes diagnostics: steps, stability, error.
fn report(case: &Case, solution: &Solution, table: &Table, scheme: &str) {
    let statistics = solution.statistics();
    let name = case.system().name;
    diagnostic(&format!(
        "{name}: {scheme}, {} steps, {} evaluations, {} Newton iterations",
        statistics.steps, statistics.evaluations, statistics.newton_iterations
    ));
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
