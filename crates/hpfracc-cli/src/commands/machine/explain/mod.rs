//! `hpfracc explain`: backend choice of the autotuner for an operator, with reasons.

mod args;
mod composition;

use crate::Error;
use crate::commands::operators::operator_name::{self, OperatorName};
use crate::compute::{machine, report_wisdom};
use crate::input::named_values;
use crate::output::{json, write_stdout};
pub(crate) use args::ExplainArgs;
use composition::Composition;
use hpfracc::Machine;
use hpfracc::operators::{Definition, Operator, OperatorError, catalogue, named};
use hpfracc::selector::{Direction, Effort, Explanation, Task, Usage};
use hpfracc::types::{Order, Real};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn run(args: &ExplainArgs) -> Result<(), Error> {
    let operator = operator(args)?;
    let (name, scheme) = operator.name();
    let made_of = Composition::of(operator.as_ref(), args.n, args.batch)?;
    let machine = machine(args.backend.as_deref(), |settings| {
        // All GPUs are considered.
        settings.gpus_from = Duration::ZERO;
    })?;
    report_wisdom(&machine);
    let direction = if args.transpose { Direction::Transpose } else { Direction::Forward };
    let usage = if args.once { Usage::Once } else { Usage::Repeated };
    let tasks = made_of.workloads.iter().map(|(workload, _)| Task {
        workload: *workload,
        direction,
        usage,
    });
    let explanations = tasks.map(|task| {
        if args.f32 {
            explain::<f32>(&machine, task, args.measure)
        } else {
            explain::<f64>(&machine, task, args.measure)
        }
    });
    let explanations: Vec<Explanation> = explanations.collect::<Result<_, _>>()?;
    let text = if args.json {
        json(&Document {
            version: env!("CARGO_PKG_VERSION"),
            operator: name,
            scheme,
            explanation: explanations.first(),
            further: explanations.get(1..).unwrap_or_default(),
            times: made_of.workloads.iter().map(|(_, times)| *times).collect(),
            without_backend: &made_of.without,
        })?
    } else {
        as_text((name, scheme), &made_of, &explanations)
    };
    write_stdout(text.as_bytes())
}

fn as_text(
    (name, scheme): (&str, &str),
    made_of: &Composition,
    explanations: &[Explanation],
) -> String {
    let mut text = format!("{name}, scheme {scheme}\n");
    if explanations.is_empty() {
        text += "no backend is used\n";
    }
    if !made_of.is_plain() {
        text += &format!("made of: {made_of}\n");
    }
    let tables: Vec<String> = explanations.iter().map(Explanation::to_string).collect();
    text + &tables.join("\n")
}

/// JSON document of `--json`. Stable format: fields are added, never renamed.
#[derive(Serialize)]
struct Document<'a> {
    /// Version of the command.
    version: &'static str,
    operator: &'static str,
    scheme: &'static str,
    /// Explanation of the first workload; null if no backend is used.
    explanation: Option<&'a Explanation>,
    /// Explanations of further workloads of the operator.
    further: &'a [Explanation],
    /// Number of applications of each workload, in the same order.
    times: Vec<usize>,
    /// Parts computed without a backend.
    without_backend: &'a [&'static str],
}

fn explain<T: Real>(machine: &Machine, task: Task, measure: bool) -> Result<Explanation, Error> {
    if measure {
        machine.measure::<T>(task.workload, Effort::Measure).map_err(OperatorError::Backend)?;
    }
    Ok(machine.explain::<T>(task).map_err(OperatorError::Backend)?)
}

/// Operator by any name that the commands print.
fn operator(args: &ExplainArgs) -> Result<Arc<dyn Operator>, Error> {
    let OperatorName { definition: name, scheme, alpha, parameters: named_parameters } =
        operator_name::parse(&args.operator, args.scheme.as_deref());
    let entries = || catalogue().filter(move |entry| entry.definition.name == name);
    let mut parameters = named_values::parse(&args.set)?;
    operator_name::add(&mut parameters, &named_parameters);
    if let Some(entry) = entries().next() {
        fill(&mut parameters, entry.definition);
    }
    let of = |alpha| {
        let order = Order::new(alpha).map_err(Error::Alpha)?;
        Ok::<_, Error>(named(name, scheme, order, &parameters)?)
    };
    if let Some(alpha) = args.alpha.or(alpha) {
        return of(alpha);
    }
    // Sizes do not depend on the order, but each scheme has its range of orders.
    let examples = || {
        let candidates =
            entries().filter(|entry| scheme.is_none_or(|scheme| entry.scheme == scheme));
        candidates.flat_map(|entry| entry.range.examples)
    };
    of(0.5).or_else(|error| examples().find_map(|alpha| of(*alpha).ok()).ok_or(error))
}

/// Sets missing parameters to example values: workloads do not depend on them.
fn fill<'a>(parameters: &mut Vec<(&'a str, f64)>, definition: &'a Definition) {
    for parameter in definition.parameters {
        if parameters.iter().all(|(name, _)| *name != parameter.name) {
            parameters.push((parameter.name, parameter.example));
        }
    }
}
