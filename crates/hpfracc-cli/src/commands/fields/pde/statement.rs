//! The equation of the command line: text, parameters, boundary values, start.

use super::args::PdeArgs;
use super::place::{Place, PlaceKind};
use super::start::initial;
use crate::Error;
use crate::commands::fields::expression::of_equation;
use crate::equations::{FilesIn, read};
use crate::error::FieldsError;
use crate::input::named_values;
use hpfracc::equation::FieldEquation;
use hpfracc::pde::{Equation, FieldProblem, PdeError, SpaceTimeNoise, catalogue};
use hpfracc::spatial::{End, Face};
use std::path::Path;

/// Equation in its place.
pub(super) struct Statement {
    /// Name of the ready equation or of the file, or `equation`.
    pub(super) name: String,
    pub(super) problem: FieldProblem,
    pub(super) place: Place,
    /// Start and velocity of all fields; None for those of the text.
    start: Option<Vec<f64>>,
    velocity: Option<Vec<f64>>,
}

impl Statement {
    pub(super) fn new(args: &PdeArgs) -> Result<Self, Error> {
        let place = Place::new(args)?;
        let (name, mut text) = text(args, &place)?;
        for (name, value) in named_values::parse(&args.set)? {
            if text.parameters().iter().all(|parameter| parameter.name() != name) {
                let known = text.parameters().iter().map(|parameter| parameter.name());
                return Err(Error::unknown("the equation has ", "parameter", name, known));
            }
            text = text.with_value(name, value).map_err(Error::library)?;
        }
        text = with_orders(text, &args.alpha)?;
        let mut problem = place.problem(text)?;
        for value in &args.value {
            problem = with_face_value(problem, value, &place)?;
        }
        let start = initial(&problem, &place, &args.start, 0)?;
        let velocity = initial(&problem, &place, &args.velocity, 1)?;
        Ok(Self { name, problem, place, start, velocity })
    }

    /// Names of the fields.
    pub(super) fn fields(&self) -> Vec<&str> {
        self.problem.text().fields().iter().map(|field| field.name()).collect()
    }

    /// The equation with its start, for steps or for a solution without them.
    pub(super) fn equation(&self, linear: bool) -> Result<Equation<'static>, Error> {
        let equation =
            if linear { self.problem.linear_equation() } else { self.problem.equation() };
        self.started(equation.map_err(Error::library)?)
    }

    /// The equation with its start, and its noise.
    pub(super) fn noisy(
        &self,
        seed: u64,
    ) -> Result<(Equation<'static>, SpaceTimeNoise<'static>), Error> {
        let (equation, noise) = self.problem.noisy(seed).map_err(Error::library)?;
        Ok((self.started(equation)?, noise))
    }

    fn started(&self, mut equation: Equation<'static>) -> Result<Equation<'static>, Error> {
        if let Some(start) = &self.start {
            equation = equation.start(start).map_err(Error::library)?;
        }
        if let Some(velocity) = &self.velocity {
            equation = equation.start_velocity(velocity).map_err(Error::library)?;
        }
        Ok(equation)
    }
}

/// Name and equation: a ready one, a text, or a file with one.
fn text(args: &PdeArgs, place: &Place) -> Result<(String, FieldEquation), Error> {
    let names = &place.names()[..];
    let Some(given) = &args.equation else { return Err(Error::NoEquation) };
    if let Some(entry) = catalogue::named(given) {
        let refused = |reason| Error::library(PdeError::Text { reason });
        let dimensions = place.dimensions();
        let text = entry
            .text_with_start(dimensions)
            .ok_or_else(|| refused(format!("{given} has no form in {dimensions} dimensions")))?;
        // Starts of the command line replace those of the entry, which are for boxes.
        let own = args.start.is_empty() && args.graph.is_none();
        let text = if own { &text } else { entry.text };
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
    place: &Place,
) -> Result<FieldProblem, Error> {
    let names = place.names();
    let PlaceKind::Box(grid) = &place.kind else {
        let reason = "boundary values are those of a box with boundary conditions".to_owned();
        let (option, value) = ("--value", text.to_owned());
        return Err(Error::OptionUnused { option, value, reason });
    };
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
    let expression = of_equation(problem.text(), value, &columns, "--value")?;
    let g = move |t: f64, x: &[f64]| {
        let columns = [t, x[0], x.get(1).copied().unwrap_or(0.0), x.get(2).copied().unwrap_or(0.0)];
        expression.at(&columns, 1)[0]
    };
    problem.boundary(field, Face { axis, end }, g).map_err(Error::library)
}
