//! Starts and velocities of the fields, from options, files or the text.

use super::place::{Place, PlaceKind};
use crate::Error;
use crate::commands::fields::expression::of_equation;
use crate::commands::fields::graph::NODE;
use crate::commands::fields::npy;
use crate::error::FieldsError;
use crate::input::CsvTable;
use hpfracc::pde::FieldProblem;
use std::path::Path;

/// Start (derivative 0) or velocity (1) of all fields: those of the options, else of the text.
pub(super) fn initial(
    problem: &FieldProblem,
    place: &Place,
    typed: &[String],
    derivative: usize,
) -> Result<Option<Vec<f64>>, Error> {
    let fields: Vec<&str> = problem.text().fields().iter().map(|field| field.name()).collect();
    if let [file] = typed
        && let Some(values) = of_file(place, &fields, file)?
    {
        return Ok(Some(values));
    }
    let mut expressions: Vec<Option<&str>> = vec![None; fields.len()];
    for text in typed {
        let (field, expression) = match text.split_once('=') {
            Some((name, rest)) if fields.contains(&name.trim()) => (name.trim(), rest),
            _ if fields.len() == 1 => (fields[0], text.as_str()),
            _ => {
                let reason = format!("write FIELD=EXPR, FIELD one of {}", fields.join(", "));
                return Err(refused(text, reason));
            }
        };
        let index = fields.iter().position(|name| *name == field).unwrap_or(0);
        if expressions[index].replace(expression).is_some() {
            return Err(refused(text, format!("{field} has two starts")));
        }
    }
    let mut values = Vec::new();
    for (k, expression) in expressions.iter().enumerate() {
        let of_text = problem.initial(k, derivative).map_err(Error::library)?;
        let row = match (expression, of_text) {
            (Some(expression), _) => sampled(problem, place, expression)?,
            (None, Some(row)) => row,
            // Orders up to 1 have no velocity.
            (None, None) if derivative > 0 => vec![0.0; place.n()],
            (None, None) => {
                return Err(FieldsError::NoStart { field: fields[k].to_owned() }.into());
            }
        };
        values.extend(row);
    }
    let wanted = derivative == 0 || !typed.is_empty();
    Ok(wanted.then_some(values))
}

fn refused(text: &str, reason: String) -> Error {
    FieldsError::Start { text: text.to_owned(), reason }.into()
}

/// Values of an expression at all points; on a graph also a list `a: 1, b: 0.5` of nodes, with 0 at all
/// others.
fn sampled(problem: &FieldProblem, place: &Place, text: &str) -> Result<Vec<f64>, Error> {
    if let (PlaceKind::Graph(nodes, _), true) = (&place.kind, text.contains(':')) {
        let (numbers, mut values) = (nodes.numbers(), vec![0.0; place.n()]);
        for entry in text.split(',') {
            let (name, value) = entry.split_once(':').unwrap_or((entry, ""));
            let node = numbers.get(name.trim()).ok_or_else(|| {
                refused(text, format!("no node `{}` among the edges", name.trim()))
            })?;
            let number = value.trim().parse().ok().filter(|value: &f64| value.is_finite());
            let expected = "expected a number after each node, such as \"a: 1, b: 0.5\"";
            values[*node] = number.ok_or_else(|| refused(text, expected.to_owned()))?;
        }
        return Ok(values);
    }
    let expression = of_equation(problem.text(), text, &place.names(), "--start")?;
    Ok(expression.at(&place.columns(), place.n()))
}

/// Values of all fields from a file; None if the text names none.
fn of_file(place: &Place, fields: &[&str], text: &str) -> Result<Option<Vec<f64>>, Error> {
    let path = Path::new(text);
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("npy") => {
            let (shape, values) = npy::read(path)?;
            let mut expected = place.shape();
            let whole: usize = expected.iter().product();
            if fields.len() > 1 {
                expected.insert(0, fields.len());
            }
            if shape != expected {
                let found = format!("an array of shape {shape:?}, expected {expected:?}");
                return Err(refused(text, found));
            }
            let rows = values.chunks_exact(whole).map(|row| place.of_whole(row));
            Ok(Some(rows.collect::<Result<Vec<_>, Error>>()?.concat()))
        }
        Some("csv") => {
            let table = CsvTable::open(path)?;
            let order = order_of_rows(place, &table, text)?;
            let mut all = Vec::with_capacity(fields.len() * place.n());
            for field in fields {
                let numbers = table.complete_numbers(table.column(field)?)?;
                all.extend(order.iter().map(|row| numbers[*row]));
            }
            Ok(Some(all))
        }
        _ => Ok(None),
    }
}

/// Row of each point: by the names of nodes if the table has them.
fn order_of_rows(place: &Place, table: &CsvTable, text: &str) -> Result<Vec<usize>, Error> {
    let n = place.n();
    if table.rows() != n {
        return Err(refused(text, format!("{} rows, expected {n}", table.rows())));
    }
    let column = table.header().iter().position(|name| name == NODE);
    let (PlaceKind::Graph(nodes, _), Some(column)) = (&place.kind, column) else {
        return Ok((0..n).collect());
    };
    let (numbers, mut rows) = (nodes.numbers(), vec![None; n]);
    for row in 0..n {
        let name = table.cell(row, column);
        let node = *numbers
            .get(name.trim())
            .ok_or_else(|| refused(text, format!("no node `{}` among the edges", name.trim())))?;
        if rows[node].replace(row).is_some() {
            return Err(refused(text, format!("node `{}` has two rows", name.trim())));
        }
    }
    Ok(rows.into_iter().flatten().collect())
}
