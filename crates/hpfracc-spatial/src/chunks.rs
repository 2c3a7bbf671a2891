//! Chunks of a field, shared among threads where the field is long.

use rayon::prelude::*;

/// Values from which threads share a pass over a field: for fewer, to wake them takes longer than they
/// save.
pub(crate) const PARALLEL: usize = 1 << 17;

/// Calls `f(scratch, k, chunk)` for each chunk k of `len` values.
pub(crate) fn for_each_chunk<T: Send, S: Send>(
    x: &mut [T],
    len: usize,
    scratch: impl Fn() -> S + Sync + Send,
    f: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) {
    if x.len() < PARALLEL {
        let mut scratch = scratch();
        x.chunks_mut(len).enumerate().for_each(|(k, chunk)| f(&mut scratch, k, chunk));
    } else {
        let chunks = x.par_chunks_mut(len).enumerate();
        chunks.for_each_init(scratch, |scratch, (k, chunk)| f(scratch, k, chunk));
    }
}
