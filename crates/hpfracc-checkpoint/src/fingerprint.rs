use crate::{CheckpointError, Reader, Writer};

/// Names and values of everything that determines the result of a computation: settings, the model,
/// checksums of the data.
///
/// A checkpoint has the fingerprint of its computation, and one with another fingerprint is refused
/// with the first difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fingerprint {
    facts: Vec<(String, String)>,
}

impl Fingerprint {
    /// A fingerprint of these names and values.
    ///
    /// # Errors
    /// [`CheckpointError::Twice`] for two facts of the same name.
    pub fn new<N: Into<String>, V: Into<String>>(
        facts: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, CheckpointError> {
        let facts: Vec<(String, String)> =
            facts.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let mut names: Vec<&String> = facts.iter().map(|fact| &fact.0).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(Self { facts }),
            Some(pair) => Err(CheckpointError::Twice { fact: pair[0].clone() }),
        }
    }

    /// Writes the names and values.
    pub fn write(&self, to: &mut Writer) {
        to.word(self.facts.len() as u64);
        for (name, value) in &self.facts {
            to.text(name);
            to.text(value);
        }
    }

    /// Reads another fingerprint, which must have the same facts in any order.
    ///
    /// # Errors
    /// [`CheckpointError::Foreign`] for the first difference, [`CheckpointError::Damaged`].
    pub fn compare(&self, from: &mut Reader<'_>) -> Result<(), CheckpointError> {
        let facts = from.items(|from| Ok((from.text()?, from.text()?)))?;
        let value = |facts: &[(String, String)], name: &str| {
            let fact = facts.iter().find(|fact| fact.0 == name);
            fact.map_or_else(|| "not known".to_owned(), |fact| fact.1.clone())
        };
        for (name, _) in self.facts.iter().chain(&facts) {
            let (found, expected) = (value(&facts, name), value(&self.facts, name));
            if found != expected {
                return Err(from.foreign(name, found, expected));
            }
        }
        Ok(())
    }
}
