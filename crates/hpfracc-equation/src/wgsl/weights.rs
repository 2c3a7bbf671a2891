//! Weights of networks, as vectors of four numbers that statements take in the order in which they are stored.

use std::fmt::Write as _;

/// Components of a vector.
const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Weights of the networks of a function.
#[derive(Debug, Clone, Default)]
pub(super) struct Weights(Vec<f64>);

impl Weights {
    /// Number of vectors.
    pub(super) fn vectors(&self) -> usize {
        self.0.len() / COMPONENTS.len()
    }

    /// All weights.
    pub(super) fn numbers(&self) -> &[f64] {
        &self.0
    }

    /// Adds weights, the last vector filled with zeros, and returns the number of their first vector.
    pub(super) fn add(&mut self, weights: impl IntoIterator<Item = f64>) -> usize {
        let first = self.vectors();
        self.0.extend(weights);
        self.0.resize(self.0.len().next_multiple_of(COMPONENTS.len()), 0.0);
        first
    }
}

/// Block of statements that take weights one after the other.
pub(super) struct Block<'a> {
    text: String,
    function: &'a str,
    /// Number of the first vector, as text.
    first: String,
    taken: usize,
}

impl<'a> Block<'a> {
    /// Block of a function that begins with this text and takes weights from this vector on.
    pub(super) fn new(function: &'a str, begin: &str, first: String) -> Self {
        Self { text: format!("    {begin}{{\n"), function, first, taken: 0 }
    }

    /// Name of the next weight.
    pub(super) fn weight(&mut self) -> String {
        let (vector, component) = (self.taken / COMPONENTS.len(), self.taken % COMPONENTS.len());
        if component == 0 {
            let (function, first) = (self.function, &self.first);
            let load = format!("let w{vector} = {function}_weights({first} + {vector}u);");
            self.line(&load);
        }
        self.taken += 1;
        format!("w{vector}.{}", COMPONENTS[component])
    }

    /// Adds a statement.
    pub(super) fn line(&mut self, statement: &str) {
        let _ = writeln!(self.text, "        {statement}");
    }

    /// The text, with its end.
    pub(super) fn finish(self) -> String {
        self.text + "    }\n"
    }
}
