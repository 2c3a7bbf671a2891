//! Checkpoints: the state of a training as bytes, in files of a folder.

mod folder;

pub(super) use folder::Open;
pub use folder::RunFolder;

use super::error::TrainerError;
use super::metrics::Settled;
use super::settings::Training;
use super::standardisation::Standardisation;
use super::state::{Best, State};
use crate::{Block, OptimiserState, Scalar};
use hpfracc_checkpoint::{CheckpointError, Fingerprint, Format, Reader, Writer};
use std::path::Path;

/// Kinds of files with the versions of their formats.
const STATE: Format = Format { kind: *b"hpftrain", version: 2 };
const PARAMETERS: Format = Format { kind: *b"hpfparam", version: 1 };

/// Identity of a training, which rejects checkpoints of other trainings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Identity {
    pub(super) scalar: &'static str,
    pub(super) blocks: Vec<Block>,
    /// Settings, data and other facts that determine the result.
    pub(super) facts: Fingerprint,
    pub(super) standardisation: Option<Standardisation>,
}

impl Identity {
    fn write(&self, to: &mut Writer) {
        to.text(self.scalar);
        write_blocks(to, &self.blocks);
        self.facts.write(to);
        write_standardisation(to, self.standardisation.as_ref());
    }

    /// Reads another identity; error for the first difference.
    fn compare(&self, from: &mut Reader<'_>) -> Result<(), CheckpointError> {
        let scalar = from.text()?;
        if scalar != self.scalar {
            return Err(from.foreign("the scalar", scalar, self.scalar.to_owned()));
        }
        let blocks = read_blocks(from)?;
        let shown = |block: Option<&Block>| match block {
            Some(Block { name, shape }) => format!("`{name}` {shape:?}"),
            None => "none".to_owned(),
        };
        for i in 0..blocks.len().max(self.blocks.len()) {
            let (found, expected) = (blocks.get(i), self.blocks.get(i));
            if found != expected {
                let what = format!("parameter block {i}");
                return Err(from.foreign(&what, shown(found), shown(expected)));
            }
        }
        self.facts.compare(from)?;
        let standardisation = read_standardisation(from)?;
        if standardisation != self.standardisation {
            let shown = |it: &Option<Standardisation>| format!("{it:?}");
            let (found, expected) = (shown(&standardisation), shown(&self.standardisation));
            return Err(from.foreign("the standardisation", found, expected));
        }
        Ok(())
    }
}

fn write_blocks(to: &mut Writer, blocks: &[Block]) {
    to.word(blocks.len() as u64);
    for Block { name, shape } in blocks {
        to.text(name);
        to.word(shape.len() as u64);
        shape.iter().for_each(|size| to.word(*size as u64));
    }
}

fn read_blocks(from: &mut Reader<'_>) -> Result<Vec<Block>, CheckpointError> {
    from.items(|from| {
        let name = from.text()?;
        let shape = from.items(|from| usize::try_from(from.word()?).map_err(|_| from.damaged()))?;
        Ok(Block { name, shape })
    })
}

/// Number of parameters of unchecked blocks; none on overflow.
fn length(blocks: &[Block]) -> Option<usize> {
    blocks.iter().try_fold(0usize, |sum, block| {
        let len = block.shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size))?;
        sum.checked_add(len)
    })
}

fn write_standardisation(to: &mut Writer, standardisation: Option<&Standardisation>) {
    to.word(u64::from(standardisation.is_some()));
    if let Some(Standardisation { mean, deviation }) = standardisation {
        to.scalars(mean);
        to.scalars(deviation);
    }
}

fn read_standardisation(from: &mut Reader<'_>) -> Result<Option<Standardisation>, CheckpointError> {
    Ok(match from.word()? {
        0 => None,
        _ => Some(Standardisation { mean: from.scalars()?, deviation: from.scalars()? }),
    })
}

/// The bytes of a checkpoint.
pub(super) fn write<T: Scalar>(identity: &Identity, state: &State<T>) -> Vec<u8> {
    let mut to = Writer::new(STATE);
    identity.write(&mut to);
    let State { step, epoch, batch, samples, stale, metrics, .. } = state;
    let Settled { length, checksum } = metrics;
    let words = [step, epoch, batch, samples, stale, length, checksum];
    words.into_iter().for_each(|word| to.word(*word));
    to.number(state.sum);
    to.scalars(&state.theta);
    to.word(state.optimiser.steps());
    to.scalars(state.optimiser.values());
    // Integers: text does not round them.
    to.text(&serde_json::json!(state.scale).to_string());
    to.word(u64::from(state.best.is_some()));
    if let Some(Best { theta, loss, epoch }) = &state.best {
        to.scalars(theta);
        to.number(*loss);
        to.word(*epoch);
    }
    to.seal()
}

/// Reads the state from a checkpoint of this training.
pub(super) fn read<T: Scalar>(
    identity: &Identity,
    training: &Training,
    path: &Path,
    bytes: &[u8],
) -> Result<State<T>, CheckpointError> {
    let mut from = Reader::open(STATE, path, bytes)?;
    identity.compare(&mut from)?;
    let mut word = || from.word();
    let [step, epoch, batch, samples, stale] = [word()?, word()?, word()?, word()?, word()?];
    let metrics = Settled { length: word()?, checksum: word()? };
    let sum = from.number()?;
    let theta: Vec<T> = from.scalars()?;
    let (steps, values) = (from.word()?, from.scalars()?);
    let optimiser = OptimiserState::restore(training.optimiser, theta.len(), steps, values);
    let optimiser = optimiser.map_err(|_| from.damaged())?;
    let scale = serde_json::from_str(&from.text()?).map_err(|_| from.damaged())?;
    let best = match from.word()? {
        0 => None,
        _ => Some(Best { theta: from.scalars()?, loss: from.number()?, epoch: from.word()? }),
    };
    let expected: usize = identity.blocks.iter().map(Block::len).sum();
    let best_length = best.as_ref().map_or(expected, |best| best.theta.len());
    if theta.len() != expected || best_length != expected {
        return Err(from.damaged());
    }
    from.end()?;
    let state =
        State { theta, optimiser, scale, step, epoch, batch, sum, samples, best, stale, metrics };
    Ok(state)
}

/// Parameters of a trained model.
///
/// File format: the name of the scalar, the blocks with their names and shapes, the standardisation
/// and the bits of the parameters, with a version and a checksum of everything.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters<T> {
    /// Names and shapes of the blocks.
    pub blocks: Vec<Block>,
    /// Standardisation of the data.
    pub standardisation: Option<Standardisation>,
    /// The parameters.
    pub theta: Vec<T>,
}

impl<T: Scalar> Parameters<T> {
    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut to = Writer::new(PARAMETERS);
        to.text(T::NAME);
        write_blocks(&mut to, &self.blocks);
        write_standardisation(&mut to, self.standardisation.as_ref());
        to.scalars(&self.theta);
        to.seal()
    }

    /// Reads the bytes of a file; errors name `path`.
    ///
    /// # Errors
    /// [`TrainerError::Damaged`], [`TrainerError::Version`], or [`TrainerError::Foreign`] for
    /// another scalar.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, TrainerError> {
        let mut from = Reader::open(PARAMETERS, path, bytes)?;
        let found = from.text()?;
        if found != T::NAME {
            return Err(from.foreign("the scalar", found, T::NAME.to_owned()).into());
        }
        let blocks = read_blocks(&mut from)?;
        let standardisation = read_standardisation(&mut from)?;
        let theta: Vec<T> = from.scalars()?;
        if length(&blocks) != Some(theta.len()) {
            return Err(from.damaged().into());
        }
        from.end()?;
        Ok(Self { blocks, standardisation, theta })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_checkpoint::Damage;

    /// Their product is 2^64, which wraps to 0: as many as there are parameters.
    #[test]
    fn sizes_of_blocks_are_not_believed() {
        for shape in [vec![1 << 32, 1 << 32], vec![usize::MAX, 3]] {
            let blocks = vec![Block { name: "weight".to_owned(), shape }];
            let claimed = Parameters::<f64> { blocks, standardisation: None, theta: Vec::new() };
            let read = Parameters::<f64>::from_bytes(Path::new("a"), &claimed.to_bytes());
            assert!(matches!(read, Err(TrainerError::Damaged { damage: Damage::Contents, .. })));
        }
    }
}
