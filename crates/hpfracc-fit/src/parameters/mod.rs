//! Parameters of a fit: starts, bounds, fixed and tied ones, and those that each set has for itself.

mod layout;
mod linear;
mod tie;

pub(crate) use layout::{Layout, Slopes};
pub(crate) use linear::Separated;
pub(crate) use tie::Tie;

use crate::FitError;
use crate::model::Declared;

/// What a parameter does in a fit.
#[derive(Debug, Clone)]
pub(crate) enum Role {
    Free,
    Fixed,
    Tied(Tie),
}

/// Parameter of a fit.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    pub(crate) declared: Declared,
    pub(crate) role: Role,
    /// Mean and standard deviation of a normal prior.
    pub(crate) prior: Option<(f64, f64)>,
}

/// All parameters of a fit, and those of each set.
#[derive(Debug, Clone)]
pub(crate) struct Parameters {
    pub(crate) all: Vec<Parameter>,
    /// For each set, the index of each parameter of its model.
    pub(crate) of_sets: Vec<Vec<usize>>,
}

impl Parameters {
    /// Parameters of sets with these names, shared by name.
    pub(crate) fn new<'a>(sets: impl Iterator<Item = &'a [Declared]>) -> Self {
        let mut parameters = Self { all: vec![], of_sets: vec![] };
        for declared in sets {
            let indices = declared.iter().map(|declared| parameters.shared(declared)).collect();
            parameters.of_sets.push(indices);
        }
        parameters
    }

    fn shared(&mut self, declared: &Declared) -> usize {
        let known = self.all.iter().position(|known| known.declared.name == declared.name);
        let parameter = || Parameter { declared: declared.clone(), role: Role::Free, prior: None };
        known.unwrap_or_else(|| self.add(parameter()))
    }

    fn add(&mut self, parameter: Parameter) -> usize {
        self.all.push(parameter);
        self.all.len() - 1
    }

    /// Gives each of the sets with these names a parameter of its own, `name@set`, with what is set for `name`.
    pub(crate) fn separate(&mut self, name: &str, sets: &[&str]) -> Result<(), FitError> {
        let shared = self.index(name)?;
        let parameter = self.all[shared].clone();
        let mut next = Some(shared);
        for (k, set) in sets.iter().enumerate() {
            let Some(place) = self.of_sets[k].iter().position(|index| *index == shared) else {
                continue;
            };
            let mut own = parameter.clone();
            own.declared.name = format!("{name}@{set}");
            // The first set keeps the index.
            self.of_sets[k][place] = match next.take() {
                Some(first) => {
                    self.all[first] = own;
                    first
                }
                None => self.add(own),
            };
        }
        Ok(())
    }

    /// Index of a name.
    pub(crate) fn index(&self, name: &str) -> Result<usize, FitError> {
        let found = self.all.iter().position(|known| known.declared.name == name);
        found.ok_or_else(|| FitError::UnknownParameter {
            name: name.to_owned(),
            known: self.names().join(", "),
        })
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Result<&mut Parameter, FitError> {
        let index = self.index(name)?;
        Ok(&mut self.all[index])
    }

    /// Names.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.all.iter().map(|parameter| parameter.declared.name.as_str()).collect()
    }
}
