//! `hpfracc graph`: fractional operators on graphs.

mod args;
mod data;

pub(crate) use args::{GraphArgs, LaplacianKind};
pub(super) use data::{NODE, Nodes, bad, nodes_and_columns, nodes_of_edges};

use crate::Error;
use crate::output::{csv_bytes, diagnostic, publish, refuse_shared_files, write_stdout};
use args::{DiffuseArgs, GraphCommand, Inputs, PowerArgs};
use data::Data;
use hpfracc::pde::{Equation, solve_linear};
use hpfracc::spatial::{Function, OperatorFunction, Way};
use hpfracc::types::shortest;

pub(crate) fn run(args: &GraphArgs) -> Result<(), Error> {
    match &args.command {
        GraphCommand::Power(args) => power(args),
        GraphCommand::Diffuse(args) => diffuse(args),
    }
}

fn power(args: &PowerArgs) -> Result<(), Error> {
    let data = read(&args.inputs)?;
    let function = Function::Power(args.gamma);
    let power =
        OperatorFunction::new(&*data.nodes.laplacian, function, Way::Auto, args.inputs.tolerance);
    let power = power.map_err(Error::library)?;
    let mut results = Vec::new();
    for (_, x) in &data.columns {
        let mut y = vec![0.0; x.len()];
        power.apply(x, &mut y).map_err(Error::library)?;
        results.push(y);
    }
    let header = header(&["node"], &data);
    let record = |node: usize| {
        let numbers = results.iter().map(move |y| shortest(y[node]));
        std::iter::once(data.nodes.names[node].clone()).chain(numbers).collect()
    };
    let records = std::iter::once(header).chain((0..data.nodes.names.len()).map(record));
    finish(&args.inputs, csv_bytes("output", records)?, &[data.nodes.notes(), power.explain()])
}

fn diffuse(args: &DiffuseArgs) -> Result<(), Error> {
    let data = read(&args.inputs)?;
    let n = data.nodes.names.len();
    let mut solutions = Vec::new();
    for (_, start) in &data.columns {
        let solved = Equation::new(data.nodes.laplacian.clone())
            .order(args.alpha)
            .and_then(|equation| equation.coefficient(args.kappa))
            .and_then(|equation| equation.start(start))
            .and_then(|equation| match args.alpha > 1.0 {
                true => equation.start_velocity(&vec![0.0; n]),
                false => Ok(equation),
            })
            .and_then(|equation| solve_linear(&equation, &args.times, args.inputs.tolerance));
        solutions.push(solved.map_err(Error::library)?);
    }
    let header = header(&["t", "node"], &data);
    let record = |k: usize| {
        let (time, node) = (k / n, k % n);
        let numbers = solutions.iter().map(move |u| shortest(u[time][node]));
        [shortest(args.times[time]), data.nodes.names[node].clone()]
            .into_iter()
            .chain(numbers)
            .collect()
    };
    let records = std::iter::once(header).chain((0..args.times.len() * n).map(record));
    finish(&args.inputs, csv_bytes("output", records)?, &[data.nodes.notes()])
}

fn read(inputs: &Inputs) -> Result<Data, Error> {
    refuse_shared_files(&[
        ("the edges", Some(inputs.edges.as_path())),
        ("the values", Some(inputs.values.as_path())),
        ("--output", Some(inputs.output.as_path())),
    ])?;
    Data::read(inputs)
}

fn header(first: &[&str], data: &Data) -> Vec<String> {
    let names = data.columns.iter().map(|(name, _)| name.clone());
    first.iter().map(|name| (*name).to_owned()).chain(names).collect()
}

/// Writes the table and the diagnostics.
fn finish(inputs: &Inputs, table: Vec<u8>, notes: &[String]) -> Result<(), Error> {
    let to_stdout = inputs.output.as_os_str() == "-";
    if !to_stdout {
        publish([(inputs.output.as_path(), table.clone())])?;
    }
    if !inputs.quiet {
        notes.iter().for_each(|note| diagnostic(note));
    }
    if to_stdout { write_stdout(&table) } else { Ok(()) }
}
