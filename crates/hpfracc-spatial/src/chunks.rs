//! Chunks of a field, shared among threads where the field is long.

use rayon::prelude::*;

/// Values from which threads share a pass over a field. On two cores the transforms of a plane of
/// 65536 values, several passes each, still take a fifth longer when shared.
pub(crate) const PARALLEL: usize = 1 << 17;

/// Calls `f(scratch, k, chunk)` for each chunk k of `len` values, by several threads from `parallel`
/// values on.
pub(crate) fn for_each_chunk<T: Send, S: Send>(
    x: &mut [T],
    (len, parallel): (usize, usize),
    scratch: impl Fn() -> S + Sync + Send,
    f: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) {
    if x.len() < parallel {
        let mut scratch = scratch();
        x.chunks_mut(len).enumerate().for_each(|(k, chunk)| f(&mut scratch, k, chunk));
    } else {
        let chunks = x.par_chunks_mut(len).enumerate();
        chunks.for_each_init(scratch, |scratch, (k, chunk)| f(scratch, k, chunk));
    }
}
