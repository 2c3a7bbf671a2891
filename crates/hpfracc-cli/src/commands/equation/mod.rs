//! `hpfracc equation`: checks an equation and prints what it is.

mod args;
mod facts;
mod picture;
mod rust;

use crate::Error;
use crate::equations::Case;
use crate::input::named_values;
use crate::output::write_stdout;
pub(crate) use args::EquationArgs;
use hpfracc::equation::{Equation, Id, Symbol, derive, wgsl};
use hpfracc::ode::EquationProblemError;
use hpfracc_plot::write_file;

pub(crate) fn run(args: &EquationArgs) -> Result<(), Error> {
    let mut case = Case::any(&args.equation)?;
    case.set(&named_values::parse(&args.set)?)?;
    let equation = &case.equation;
    if let Some(path) = &args.graph {
        write_file(path, picture::of(&case, path)?)?;
    }
    let text = if args.jacobian {
        jacobian(equation)?
    } else if args.rust {
        rust::function(&case.name, equation)?
    } else if let Some(format) = args.wgsl {
        let function = wgsl::coefficients(equation).map_err(Error::library)?;
        let device = wgsl::Capabilities { fused: true, ..Default::default() };
        let library = wgsl::Library::new(format, device, wgsl::Rounding::Free);
        let text = function.weights_in(wgsl::WeightMemory::Workgroup) + &function.text(format);
        library.needed_by(&text) + &text
    } else {
        format!("{}\n{equation}\n", facts::of(equation))
    };
    write_stdout(text.as_bytes())
}

/// The entries of the Jacobian of the right-hand side, a line each.
fn jacobian(equation: &Equation) -> Result<String, Error> {
    let states = equation.states();
    let variables: Vec<u32> =
        (0..states.len()).filter_map(|k| equation.variable(Symbol::State(k))).collect();
    let drifts: Vec<Id> = states.iter().map(|state| state.drift()).collect();
    let mut graph = equation.graph().clone();
    let entries = derive::jacobian(&mut graph, &drifts, &variables);
    let entries = entries.map_err(|error| Error::library(EquationProblemError::from(error)))?;
    let line = |entry: &derive::JacobianEntry| {
        let (row, column) = (states[entry.row].name(), states[entry.column].name());
        format!("df_{row}/d{column} = {}\n", equation.expression_in(&graph, entry.value))
    };
    Ok(entries.iter().map(line).collect())
}
