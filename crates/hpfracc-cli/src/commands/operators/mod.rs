//! `hpfracc operators`: prints the catalogue as a table, a definition in full, or JSON.

mod args;
mod json;
pub(crate) mod operator_name;
mod page;
mod table;

use crate::Error;
use crate::output::write_stdout;
pub(crate) use args::OperatorsArgs;
use hpfracc::operators::{CATALOGUE, Entry, OperatorError};

pub(crate) fn run(args: &OperatorsArgs) -> Result<(), Error> {
    let definitions: Vec<&[Entry]> = match &args.operator {
        Some(name) => vec![named(name)?],
        None => CATALOGUE.to_vec(),
    };
    let text = if args.json {
        json::of(&definitions)?
    } else if args.operator.is_some() {
        definitions.into_iter().map(page::of).collect()
    } else {
        table::of(&definitions)
    };
    write_stdout(text.as_bytes())
}

/// Schemes of a definition.
fn named(name: &str) -> Result<&'static [Entry], Error> {
    let known = || CATALOGUE.iter().map(|entries| entries[0].definition.name);
    CATALOGUE.iter().copied().find(|entries| entries[0].definition.name == name).ok_or_else(|| {
        let (name, known) = (name.to_owned(), known().collect::<Vec<_>>().join(", "));
        OperatorError::UnknownOperator { name, known }.into()
    })
}
