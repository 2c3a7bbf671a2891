//! Meanings of names.

use super::functions::FUNCTIONS;
use crate::equation::AppliedKind;
use crate::graph::ShortKeys;
use crate::text::syntax::{NameId, Names, nearest};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meaning {
    Unknown,
    /// Function, by its index in the table.
    Function(usize),
    /// Word of the language.
    Reserved,
    Time,
    Pi,
    /// State, by its index.
    State(usize),
    /// Parameter or auxiliary quantity, by the index of its definition.
    Definition(usize),
    /// Vector of definitions.
    Vector {
        first: usize,
        count: usize,
    },
    /// Noise, by its index.
    Noise(usize),
    /// Table of data, by its index.
    Table(usize),
    /// Operator in space.
    Spatial(SpatialName),
}

/// Name of an operator in space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpatialName {
    /// `lap`
    Laplacian,
    /// `grad`
    Gradient,
    /// `grad_x`, by the number of the coordinate.
    Derivative(usize),
    /// `div`
    Divergence,
    /// `integral`, `mean`
    Reduction(AppliedKind),
}

const RESERVED: [&str; 20] = [
    "D", "dt", "inf", "o", "and", "or", "not", "in", "for", "when", "show", "net", "table", "corr",
    "rising", "falling", "stop", "log", "int", "hpfracc",
];

/// Meanings of all names of a text.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    meanings: Vec<Meaning>,
}

impl Scope {
    /// Meaning of a name.
    pub(crate) fn meaning(&mut self, id: NameId, names: &Names) -> Meaning {
        for k in self.meanings.len()..=id as usize {
            self.meanings.push(built_in(names.name(k as NameId)));
        }
        self.meanings[id as usize]
    }

    /// Gives a name its meaning. `E` may be a name of the user beside the function.
    pub(crate) fn set(&mut self, id: NameId, meaning: Meaning, names: &Names) {
        self.meaning(id, names);
        self.meanings[id as usize] = meaning;
    }

    /// Hint for an unknown name: one that is close, or two known ones in a row.
    pub(crate) fn hint(&self, name: &str, names: &Names) -> Option<String> {
        let known = |id: NameId| {
            let meaning = self.meanings.get(id as usize);
            !matches!(
                meaning,
                None | Some(Meaning::Unknown | Meaning::Reserved | Meaning::Noise(_))
            )
        };
        let split = (1..name.len()).filter(|k| name.is_char_boundary(*k)).take(64).find(|k| {
            let (left, right) = name.split_at(*k);
            let is_known = |part| names.find(part).is_some_and(known);
            is_known(left) && is_known(right)
        });
        if let Some(k) = split {
            let (left, right) = name.split_at(k);
            return Some(format!("did you mean `{left} {right}`?"));
        }
        let of_user = (0..self.meanings.len() as NameId).filter(|id| known(*id));
        let all = of_user.map(|id| names.name(id)).chain(FUNCTIONS.iter().map(|f| f.name));
        nearest(name, all.filter(|other| *other != name))
            .map(|close| format!("did you mean `{close}`?"))
    }
}

/// Meaning of a name in every text.
fn built_in(name: &str) -> Meaning {
    static MEANINGS: LazyLock<HashMap<&str, Meaning, ShortKeys>> = LazyLock::new(|| {
        let functions = FUNCTIONS.iter().enumerate();
        let functions = functions.map(|(k, function)| (function.name, Meaning::Function(k)));
        let reserved = RESERVED.iter().map(|name| (*name, Meaning::Reserved));
        reserved.chain(functions).chain([("t", Meaning::Time), ("pi", Meaning::Pi)]).collect()
    });
    MEANINGS.get(name).copied().unwrap_or(Meaning::Unknown)
}
