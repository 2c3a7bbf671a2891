//! Equations of fields: coordinates, what they do not have yet, and their operators in space.

mod checks;
mod orders;

use super::expression::{Meaning, Parser, SpatialName, StateDraft};
use super::syntax::{EquationError, ErrorKind, Files, NoFiles, Parsed, problem, tokens};
use crate::equation::{AppliedKind, FieldEquation};

impl FieldEquation {
    /// Reads an equation of fields over these coordinates, one to three.
    ///
    /// # Errors
    /// If the text is no equation, or has what equations of fields do not have: delays, histories,
    /// noises but white ones with a number as their factor, events of values at a point, and
    /// derivatives other than Caputo's.
    pub fn parse(text: &str, coordinates: &[&str]) -> Result<Self, EquationError> {
        Self::parse_with(text, coordinates, &NoFiles)
    }

    /// Reads an equation of fields, and the [files](Files) that it names.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and [`ErrorKind::File`] for a file that cannot be read.
    pub fn parse_with(
        text: &str,
        coordinates: &[&str],
        files: &dyn Files,
    ) -> Result<Self, EquationError> {
        read(text, coordinates, files).map_err(|problem| problem.in_text(text))
    }
}

fn read(text: &str, coordinates: &[&str], files: &dyn Files) -> Parsed<FieldEquation> {
    let (tokens, names) = tokens(text)?;
    let mut parser = Parser::new(text, files, tokens, names);
    parser.declare_coordinates(coordinates)?;
    parser.read_statements()?;
    let fields = parser.check_fields()?;
    let orders = parser.take_orders(fields)?;
    let operations = std::mem::take(&mut parser.draft.applied);
    let coordinates = coordinates.len();
    Ok(FieldEquation { equation: parser.finish()?, coordinates, operations, orders })
}

impl Parser<'_> {
    /// Coordinates are states of their own, whose equations are of no use.
    fn declare_coordinates(&mut self, coordinates: &[&str]) -> Parsed<()> {
        self.builder.coordinates = Some(coordinates.len());
        let (zero, one) = (self.builder.constant(0.0), self.builder.constant(1.0));
        for (k, name) in coordinates.iter().enumerate() {
            let id = self.names.number(name);
            if !matches!(self.meaning(id), Meaning::Unknown) {
                let what = format!("a coordinate cannot be named `{name}`");
                return Err(problem(ErrorKind::Reserved, 0..0, what));
            }
            let draft = StateDraft::fixed((*name).to_owned(), [one, zero, zero], 0..0);
            self.draft.states.push(draft);
            self.scope.set(id, Meaning::State(k), &self.names);
            let id = self.names.number(&format!("grad_{name}"));
            self.scope.set(id, Meaning::Spatial(SpatialName::Derivative(k)), &self.names);
        }
        for (name, meaning) in [
            ("lap", SpatialName::Laplacian),
            ("grad", SpatialName::Gradient),
            ("div", SpatialName::Divergence),
            ("integral", SpatialName::Reduction(AppliedKind::Integral)),
            ("mean", SpatialName::Reduction(AppliedKind::Mean)),
        ] {
            let id = self.names.number(name);
            self.scope.set(id, Meaning::Spatial(meaning), &self.names);
        }
        Ok(())
    }
}
