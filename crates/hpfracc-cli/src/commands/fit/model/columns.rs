//! Columns of a file that a model takes.

use crate::Error;
use crate::commands::fit::data::Rows;
use crate::commands::fit::settings::Settings;
use crate::error::FittingError;
use hpfracc::fit::Model;

/// Model of a set with its columns.
#[derive(Debug)]
pub(in crate::commands::fit) struct SetModel {
    pub(in crate::commands::fit) model: Box<dyn Model>,
    /// The formula as it was read.
    pub(in crate::commands::fit) text: String,
    pub(in crate::commands::fit) inputs: Columns,
    pub(in crate::commands::fit) responses: Columns,
    /// Columns that were chosen by their places.
    pub(in crate::commands::fit) notes: Vec<String>,
}

/// Names in the model, and indices among the columns of the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::commands::fit) struct Columns {
    pub(in crate::commands::fit) names: Vec<String>,
    pub(in crate::commands::fit) indices: Vec<usize>,
}

/// Search for columns, each of which is taken once.
pub(super) struct Finder<'r> {
    pub(super) set: String,
    pub(super) rows: &'r Rows,
    taken: Vec<usize>,
    pub(super) notes: Vec<String>,
}

impl<'r> Finder<'r> {
    pub(super) fn new(settings: &Settings, set: String, rows: &'r Rows) -> Self {
        let data = &settings.data;
        let weights = data.sigma.iter().chain(&data.weight);
        let taken = weights.filter_map(|name| rows.names.iter().position(|known| known == name));
        Self { set, rows, taken: taken.collect(), notes: vec![] }
    }

    /// Columns that are not taken.
    pub(super) fn free(&self) -> Vec<usize> {
        (0..self.rows.names.len()).filter(|column| !self.taken.contains(column)).collect()
    }

    /// Columns of these names.
    pub(super) fn named(&mut self, names: &[String]) -> Result<Columns, Error> {
        let indices = names.iter().map(|name| self.rows.index(&self.set, name));
        let indices = indices.collect::<Result<Vec<usize>, Error>>()?;
        self.taken.extend(&indices);
        Ok(Columns { names: names.to_vec(), indices })
    }

    /// Columns of these names; where none has one of them, the first columns that are not taken, if no others could be meant.
    pub(super) fn named_or_placed(
        &mut self,
        what: &'static str,
        names: &[String],
    ) -> Result<Columns, Error> {
        let known = |name: &String| self.rows.names.contains(name);
        if names.iter().any(known) {
            return self.named(names);
        }
        let free = self.free();
        // Responses come last; inputs leave some for them.
        let fits =
            if what == "inputs" { free.len() > names.len() } else { free.len() == names.len() };
        if !fits {
            let (name, names) = (self.set.clone(), names.join(", "));
            let candidates = join(&self.rows.names, &free);
            return Err(FittingError::WhichColumns { name, what, names, candidates }.into());
        }
        let indices = free[..names.len()].to_vec();
        for (name, column) in names.iter().zip(&indices) {
            self.notes
                .push(format!("{}: column `{}` is `{name}`", self.set, self.rows.names[*column]));
        }
        self.taken.extend(&indices);
        Ok(Columns { names: names.to_vec(), indices })
    }

    /// Columns of some quantities of an equation, the first `states` of which are its unknowns: those that are requested,
    /// else all that have a column, else the only column that is left for the only unknown.
    pub(super) fn quantities(
        &mut self,
        all: &[String],
        states: usize,
        settings: &Settings,
    ) -> Result<Columns, Error> {
        let given = &settings.data.response;
        if !given.is_empty() {
            return self.named(given);
        }
        let present = |name: &&String| self.rows.names.contains(name);
        let quantities: Vec<String> = all.iter().filter(present).cloned().collect();
        if !quantities.is_empty() {
            return self.named(&quantities);
        }
        if states == 1 {
            return self.named_or_placed("responses", &all[..1]);
        }
        let (name, quantities) = (self.set.clone(), all.join(", "));
        Err(FittingError::NoQuantity { name, quantities }.into())
    }

    /// Column of this name, or the first that is not taken.
    pub(super) fn named_or_first(&mut self, name: &str) -> Result<Columns, Error> {
        self.named_or_placed("inputs", &[name.to_owned()])
    }
}

pub(super) fn join(names: &[String], indices: &[usize]) -> String {
    indices.iter().map(|k| names[*k].as_str()).collect::<Vec<_>>().join(", ")
}
