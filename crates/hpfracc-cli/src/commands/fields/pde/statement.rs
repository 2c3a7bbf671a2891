//! The equation of the command line: text, parameters, boundary values, start.

use super::args::PdeArgs;
use crate::Error;
use crate::commands::fields::expression::Expression;
use crate::commands::fields::npy;
use crate::equations::{FilesIn, read};
use crate::error::FieldsError;
use crate::input::{CsvTable, named_values};
use hpfracc::equation::FieldEquation;
use hpfracc::pde::{Equation, FieldProblem, PdeError, catalogue};
use hpfracc::spatial::{BoxGrid, End, Face};
use std::path::Path;

/// Equation on its box.
pub(super) struct Statement {
    /// Name of the ready equation or of the file, or `equation`.
    pub(super) name: String,
    pub(super) problem: FieldProblem,
    pub(super) grid: BoxGrid,
    pub(super) names: &'static [&'static str],
    /// Start and velocity of all fields; None for those of the text.
    start: Option<Vec<f64>>,
    velocity: Option<Vec<f64>>,
}

impl Statement {
    pub(super) fn new(args: &PdeArgs) -> Result<Self, Error> {
        let (names, grid) = (args.space.names()?, args.space.grid()?);
        let (name, text) = text(args, names.len())?;
        let mut text = text;
        for (name, value) in named_values::parse(&args.set)? {
            if text.parameters().iter().all(|parameter| parameter.name() != name) {
                let known = text.parameters().iter().map(|parameter| parameter.name());
                return Err(Error::unknown("the equation has ", "parameter", name, known));
            }
            text = text.with_value(name, value).map_err(Error::library)?;
        }
        text = with_orders(text, &args.alpha)?;
        let mut problem = FieldProblem::on_box(text, grid.clone()).map_err(Error::library)?;
        for value in &args.value {
            problem = with_face_value(problem, value, (&grid, names))?;
        }
        let mut statement = Self { name, problem, grid, names, start: None, velocity: None };
        statement.start = statement.initial(&args.start, 0)?;
        statement.velocity = statement.initial(&args.velocity, 1)?;
        Ok(statement)
    }

    /// Names of the fields.
    pub(super) fn fields(&self) -> Vec<&str> {
        self.problem.text().fields().iter().map(|field| field.name()).collect()
    }

    /// The equation with its start, for steps or for a solution without them.
    pub(super) fn equation(&self, linear: bool) -> Result<Equation<'static>, Error> {
        let equation =
            if linear { self.problem.linear_equation() } else { self.problem.equation() };
        let mut equation = equation.map_err(Error::library)?;
        if let Some(start) = &self.start {
            equation = equation.start(start).map_err(Error::library)?;
        }
        if let Some(velocity) = &self.velocity {
            equation = equation.start_velocity(velocity).map_err(Error::library)?;
        }
        Ok(equation)
    }

    /// Start (derivative 0) or velocity (1) of all fields: those of the options, else of the text.
    fn initial(&self, typed: &[String], derivative: usize) -> Result<Option<Vec<f64>>, Error> {
        let fields = self.fields();
        if let [file] = typed
            && let Some(values) = self.file_values(file)?
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
                    return Err(FieldsError::Start { text: text.clone(), reason }.into());
                }
            };
            let index = fields.iter().position(|name| *name == field).unwrap_or(0);
            if expressions[index].replace(expression).is_some() {
                let reason = format!("{field} has two starts");
                return Err(FieldsError::Start { text: text.clone(), reason }.into());
            }
        }
        let mut values = Vec::new();
        for (k, expression) in expressions.iter().enumerate() {
            let of_text = self.problem.initial(k, derivative).map_err(Error::library)?;
            let row = match (expression, of_text) {
                (Some(expression), _) => self.sampled(expression)?,
                (None, Some(row)) => row,
                // Orders up to 1 have no velocity.
                (None, None) if derivative > 0 => vec![0.0; self.grid.len()],
                (None, None) => {
                    return Err(FieldsError::NoStart { field: fields[k].to_owned() }.into());
                }
            };
            values.extend(row);
        }
        let wanted = derivative == 0 || !typed.is_empty();
        Ok(wanted.then_some(values))
    }

    /// Values of an expression at all points.
    fn sampled(&self, text: &str) -> Result<Vec<f64>, Error> {
        let expression = self.expression(text, self.names, "--start")?;
        let n = self.grid.len();
        let mut columns = vec![0.0; self.names.len() * n];
        for index in 0..n {
            for (d, x) in self.grid.coordinates(index).into_iter().enumerate() {
                columns[d * n + index] = x;
            }
        }
        Ok(expression.at(&columns, n))
    }

    fn expression(&self, text: &str, columns: &[&str], place: &str) -> Result<Expression, Error> {
        expression(self.problem.text(), text, columns, place)
    }

    /// Values of all fields from a file; None if the text names none.
    fn file_values(&self, text: &str) -> Result<Option<Vec<f64>>, Error> {
        let path = Path::new(text);
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let (fields, n) = (self.fields(), self.grid.len());
        match extension.as_deref() {
            Some("npy") => {
                let (shape, values) = npy::read(path)?;
                let mut expected = self.grid.shape();
                if fields.len() > 1 {
                    expected.insert(0, fields.len());
                }
                if shape != expected {
                    let reason = format!("an array of shape {shape:?}, expected {expected:?}");
                    return Err(FieldsError::Start { text: text.to_owned(), reason }.into());
                }
                Ok(Some(values))
            }
            Some("csv") => {
                let table = CsvTable::open(path)?;
                let mut all = Vec::with_capacity(fields.len() * n);
                for field in &fields {
                    let numbers = table.complete_numbers(table.column(field)?)?;
                    if numbers.len() != n {
                        let reason = format!("{} rows, expected {n}", numbers.len());
                        return Err(FieldsError::Start { text: text.to_owned(), reason }.into());
                    }
                    all.extend(numbers);
                }
                Ok(Some(all))
            }
            _ => Ok(None),
        }
    }
}

fn expression(
    text: &FieldEquation,
    expression: &str,
    columns: &[&str],
    place: &str,
) -> Result<Expression, Error> {
    let value = |name: &str| {
        let parameter = text.parameters().iter().find(|parameter| parameter.name() == name);
        parameter.map(|parameter| parameter.value())
    };
    let known: Vec<&str> = text.parameters().iter().map(|p| p.name()).collect();
    Expression::parse(expression, columns, place, value, &known)
}

/// Name and equation: a ready one, a text, or a file with one.
fn text(args: &PdeArgs, dimensions: usize) -> Result<(String, FieldEquation), Error> {
    let names = args.space.names()?;
    let Some(given) = &args.equation else { return Err(Error::NoEquation) };
    if let Some(entry) = catalogue::named(given) {
        let refused = |reason| Error::library(PdeError::Text { reason });
        let text = entry
            .text_with_start(dimensions)
            .ok_or_else(|| refused(format!("{given} has no form in {dimensions} dimensions")))?;
        // Starts of the command line replace those of the entry.
        let text = if args.start.is_empty() { &text } else { entry.text };
        let equation = FieldEquation::parse(text, names);
        let equation = equation.map_err(|source| Error::equation(given, source))?;
        return Ok((given.clone(), equation));
    }
    let is_file = !given.contains(['=', '\n']);
    if !is_file {
        let equation = FieldEquation::parse_with(given, names, &FilesIn(Path::new("")));
        let equation = equation.map_err(|source| Error::equation("EQUATION", source))?;
        return Ok(("equation".to_owned(), equation));
    }
    let path = Path::new(given);
    if path.extension().is_none() && !path.exists() {
        let known = catalogue::ENTRIES.iter().map(|entry| entry.name);
        return Err(Error::unknown("", "equation", given, known));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let equation = FieldEquation::parse_with(&read(path)?, names, &FilesIn(folder));
    let equation = equation.map_err(|source| Error::equation(given, source))?;
    let stem = path.file_stem().map_or("equation".into(), |stem| stem.to_string_lossy());
    Ok((stem.into_owned(), equation))
}

/// Sets the orders: the parameter alpha if there is one, else those of the fields.
fn with_orders(text: FieldEquation, orders: &[f64]) -> Result<FieldEquation, Error> {
    let has_alpha = text.parameters().iter().any(|parameter| parameter.name() == "alpha");
    match *orders {
        [] => Ok(text),
        [alpha] if has_alpha => text.with_value("alpha", alpha),
        _ => text.with_orders(orders),
    }
    .map_err(Error::library)
}

/// `u(x=0) = sin(t)`
fn with_face_value(
    problem: FieldProblem,
    text: &str,
    (grid, names): (&BoxGrid, &'static [&'static str]),
) -> Result<FieldProblem, Error> {
    let bad = |reason: &str| -> Error {
        FieldsError::FaceValue { text: text.to_owned(), reason: reason.to_owned() }.into()
    };
    let parts = text.split_once(')').and_then(|(face, value)| {
        let (field, place) = face.split_once('(')?;
        let (coordinate, at) = place.split_once('=')?;
        let value = value.trim_start().strip_prefix('=')?;
        Some((field.trim(), coordinate.trim(), at.trim(), value))
    });
    let (field, coordinate, at, value) = parts.ok_or_else(|| bad("this is no boundary value"))?;
    let fields: Vec<&str> = problem.text().fields().iter().map(|field| field.name()).collect();
    let field = fields
        .iter()
        .position(|name| *name == field)
        .ok_or_else(|| bad(&format!("the fields are {}", fields.join(", "))))?;
    let axis = names.iter().position(|name| *name == coordinate);
    let axis = axis.ok_or_else(|| bad(&format!("the coordinates are {}", names.join(", "))))?;
    let at: f64 = at.parse().map_err(|_| bad("expected a number after the coordinate"))?;
    let [lower, upper] = grid.axes()[axis].ends();
    let end = match at {
        at if at == lower => End::Lower,
        at if at == upper => End::Upper,
        _ => return Err(bad(&format!("the faces are at {coordinate} = {lower} and {upper}"))),
    };
    let columns: Vec<&str> = std::iter::once("t").chain(names.iter().copied()).collect();
    let expression = expression(problem.text(), value, &columns, "--value")?;
    let g = move |t: f64, x: &[f64]| {
        let columns = [t, x[0], x.get(1).copied().unwrap_or(0.0), x.get(2).copied().unwrap_or(0.0)];
        expression.at(&columns, 1)[0]
    };
    problem.boundary(field, Face { axis, end }, g).map_err(Error::library)
}
