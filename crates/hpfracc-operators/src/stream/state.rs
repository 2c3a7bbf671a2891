use super::{NODES, Stream};
use crate::{OperatorError, Recurrence, Result};
use hpfracc_backend::Backend;
use hpfracc_types::Real;

/// The saved state of a [`Stream`]: everything that the next sample needs except the
/// [`Recurrence`].
///
/// A plain value of about K whole numbers for each channel, the bits of its numbers: with the
/// feature `serde`, any format preserves them, and the stream resumes with the same bits. It has a
/// fingerprint of the recurrence and a checksum, which [`Stream::resume`] verifies.
///
/// It does not include the nodes; save the recurrence with it. Nodes computed again on another
/// computer may differ in the last bit, and then do not match the fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StreamState {
    version: u32,
    scalar: String,
    recurrence: u64,
    channels: u64,
    pushed: u64,
    /// Whether the device failed, so that the numbers are not those of a sample.
    failed: bool,
    /// Differences, delayed differences, f_0 and states, as bits in double precision.
    numbers: Vec<u64>,
    checksum: u64,
}

/// Version of the format.
const VERSION: u32 = 2;

impl StreamState {
    /// Number of samples of each channel.
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Checksum of all other fields.
    fn sum(&self) -> u64 {
        let failed = u64::from(self.failed);
        let head = [u64::from(self.version), self.recurrence, self.channels, self.pushed, failed];
        let scalar = self.scalar.bytes().map(u64::from);
        checksum(head.into_iter().chain(scalar).chain(self.numbers.iter().copied()))
    }
}

impl<T: Real> Stream<T> {
    /// The state of the stream after its last sample.
    ///
    /// After a failure of the device the state is undefined, and [`Stream::resume`] refuses it.
    pub fn state(&self) -> StreamState {
        let mut numbers = Vec::new();
        let mut save = |part: &[T]| numbers.extend(part.iter().map(|x| x.widen().to_bits()));
        save(&self.previous);
        save(&self.recent);
        save(&self.first);
        // With those of coefficient 0, which make an infinite sample NaN.
        (0..self.channels).for_each(|channel| save(self.blocks[0].states(channel)));
        let mut state = StreamState {
            version: VERSION,
            scalar: T::NAME.to_owned(),
            recurrence: fingerprint(&self.recurrence),
            channels: self.channels as u64,
            pushed: self.pushed,
            failed: self.failed,
            numbers,
            checksum: 0,
        };
        state.checksum = state.sum();
        state
    }

    /// A stream that continues from a saved state.
    ///
    /// # Errors
    /// [`OperatorError::ForeignState`] if the state is of another version, scalar type or
    /// recurrence, [`OperatorError::DamagedState`] if its numbers are not those that were saved,
    /// [`OperatorError::StreamFailed`] if the device had failed; and those of [`Stream::new`].
    pub fn resume<B>(recurrence: &Recurrence, state: &StreamState, backend: &B) -> Result<Self>
    where
        B: Backend<T> + Clone + 'static,
    {
        same("its version", state.version, VERSION)?;
        same("its scalar type", state.scalar.as_str(), T::NAME)?;
        let (found, expected) = (state.sum(), state.checksum);
        if found != expected {
            return Err(OperatorError::DamagedState { found, expected });
        }
        if state.failed {
            return Err(OperatorError::StreamFailed);
        }
        same("the fingerprint of its recurrence", state.recurrence, fingerprint(recurrence))?;
        let nodes = recurrence.rates().len().next_multiple_of(NODES);
        let stored = recurrence.differences() + recurrence.near().len() + nodes;
        let expected = state.channels.saturating_mul(stored as u64);
        same("the count of its numbers", state.numbers.len() as u64, expected)?;
        let channels = usize::try_from(state.channels).unwrap_or(usize::MAX);
        let mut stream = Self::new(recurrence, channels, backend)?;
        stream.check_length(state.pushed)?;
        stream.pushed = state.pushed;
        let mut numbers = state.numbers.iter().map(|bits| T::narrow(f64::from_bits(*bits)));
        let mut restore = |part: &mut [T]| {
            part.iter_mut().zip(&mut numbers).for_each(|(place, number)| *place = number);
        };
        restore(&mut stream.previous);
        restore(&mut stream.recent);
        restore(&mut stream.first);
        (0..channels).for_each(|channel| restore(stream.blocks[0].states_mut(channel)));
        Ok(stream)
    }
}

fn same<V: PartialEq + std::fmt::Display>(what: &'static str, found: V, expected: V) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(OperatorError::ForeignState { what, found, expected })
}

/// Checksum of all numbers of a recurrence.
fn fingerprint(recurrence: &Recurrence) -> u64 {
    let sizes = [
        recurrence.longest(),
        recurrence.differences() as u64,
        recurrence.near().len() as u64,
        recurrence.rates().len() as u64,
        recurrence.before() as u64,
    ];
    let start = recurrence.start_parts();
    let start = start.into_iter().flat_map(|start| start.outputs.iter().chain(&start.states));
    let single = [recurrence.dt(), recurrence.relative_error()];
    let parts = recurrence.near().iter().chain(recurrence.rates());
    let numbers = single.iter().chain(parts).chain(recurrence.coefficients()).chain(start);
    checksum(sizes.into_iter().chain(numbers.map(|x| x.to_bits())))
}

/// The hash of Fowler, Noll and Vo, 64 bits, form 1a: a different one for any single change.
fn checksum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
