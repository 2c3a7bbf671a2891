//! `hpfracc explain`: which backend an operator goes to here, and why.

use crate::Error;
use crate::args::ExplainArgs;
use crate::environment::machine;
use crate::output::{remark, write_stdout};
use hpfracc::Machine;
use hpfracc::backend::{Shape, Workload};
use hpfracc::operators::{Boundary, Entry, Operator, OperatorError, Weights, catalogue, named};
use hpfracc::selector::{Direction, Effort, Explanation, Task, Usage};
use hpfracc::types::{Grid, Order, Real};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn run(args: &ExplainArgs) -> Result<(), Error> {
    let operator = operator(args)?;
    let (name, scheme) = operator.name();
    let workload = workload(operator.as_ref(), args.n, args.batch)?;
    let machine = machine(args.backend.as_deref(), |settings| {
        // The question is what there is.
        settings.gpus_from = Duration::ZERO;
    })?;
    if let Some(reason) = machine.wisdom_refused() {
        remark(&format!("the file of HPFRACC_WISDOM was left aside: {reason}"));
    }
    let direction = if args.transpose { Direction::Transpose } else { Direction::Forward };
    let usage = if args.once { Usage::Once } else { Usage::Repeated };
    let task = Task { workload, direction, usage };
    let explanation = if args.f32 {
        explain::<f32>(&machine, task, args.measure)
    } else {
        explain::<f64>(&machine, task, args.measure)
    }?;
    let text = if args.json {
        as_json(&Document {
            version: env!("CARGO_PKG_VERSION"),
            operator: name,
            scheme,
            explanation,
        })?
    } else {
        format!("{name}, scheme {scheme}\n{explanation}")
    };
    write_stdout(text.as_bytes())
}

/// The document that `--json` prints. Its names are a promise: fields are added, never renamed.
#[derive(Serialize)]
struct Document {
    /// Of this command.
    version: &'static str,
    operator: &'static str,
    scheme: &'static str,
    explanation: Explanation,
}

fn as_json(document: &Document) -> Result<String, Error> {
    serde_json::to_string_pretty(document)
        .map(|text| text + "\n")
        .map_err(|error| Error::Write { name: "<stdout>".to_owned(), source: error.into() })
}

fn explain<T: Real>(machine: &Machine, task: Task, measure: bool) -> Result<Explanation, Error> {
    if measure {
        machine.measure::<T>(task.workload, Effort::Measure).map_err(OperatorError::Backend)?;
    }
    Ok(machine.explain::<T>(task).map_err(OperatorError::Backend)?)
}

/// The operator named, by its name and the scheme's, or by both joined: `caputo-l1`.
fn operator(args: &ExplainArgs) -> Result<Arc<dyn Operator>, Error> {
    let joined = |e: &&Entry| format!("{}-{}", e.definition.name, e.scheme) == args.operator;
    let joined = catalogue().find(joined);
    let (name, scheme) = match (joined, args.scheme.as_deref()) {
        (Some(entry), None) => (entry.definition.name, Some(entry.scheme)),
        (_, scheme) => (args.operator.as_str(), scheme),
    };
    // Sizes depend neither on parameters nor on the order, but not every scheme takes every order.
    let entry = catalogue().find(|entry| entry.definition.name == name);
    let parameters = entry.map_or(&[][..], |entry| entry.definition.parameters);
    let examples: Vec<_> = parameters.iter().map(|p| (p.name, p.example)).collect();
    let of = |alpha| {
        let order = Order::new(alpha).map_err(Error::Alpha)?;
        Ok::<_, Error>(named(name, scheme, order, &examples)?)
    };
    if let Some(alpha) = args.alpha {
        return of(alpha);
    }
    of(0.5).or_else(|error| of(1.5).map_err(|_| error))
}

/// What the operator asks of a backend, for so many signals of so many samples.
fn workload(operator: &dyn Operator, len: usize, batch: usize) -> Result<Workload, Error> {
    // Long enough for the first steps of every scheme; the kind does not depend on it.
    let grid = Grid::uniform(64, 1.0).expect("64 steps of length 1 are a grid");
    Ok(match operator.weights(grid)? {
        Weights::Symbol(_) => Workload::SpectralMultiplier { shape: Shape::line(len), batch },
        Weights::Eigenvalues(of) => {
            let ends = if of.boundary == Boundary::Dirichlet { 2 } else { 0 };
            Workload::SpectralMultiplier { shape: Shape::line(2 * len + ends), batch }
        }
        _ => Workload::CausalConvolution { len, batch },
    })
}
