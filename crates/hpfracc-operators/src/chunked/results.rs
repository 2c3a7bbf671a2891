use super::Chunked;
use crate::{OperatorError, Result};
use hpfracc_types::Real;
use ndarray::ArrayView1;
use std::fmt;

/// An iterator over the results of samples, computed in chunks; see [`Chunked::results`].
///
/// Ends after the first error. [`OperatorError::TooFewSamples`] if the samples end before the first
/// result.
pub struct ChunkedResults<T, I> {
    chunked: Chunked<T>,
    samples: I,
    chunk: Vec<T>,
    ready: std::vec::IntoIter<T>,
    ended: bool,
}

impl<T: Real, I: Iterator<Item = T>> ChunkedResults<T, I> {
    pub(super) fn new(chunked: Chunked<T>, samples: I) -> Self {
        let chunk = Vec::with_capacity(chunked.chunk());
        Self { chunked, samples, chunk, ready: Vec::new().into_iter(), ended: false }
    }

    /// Reads chunks until there are results.
    fn more(&mut self) -> Result<Option<T>> {
        loop {
            self.chunk.clear();
            self.chunk.extend(self.samples.by_ref().take(self.chunked.chunk()));
            if self.chunk.is_empty() {
                self.ended = true;
                let (n, needed) = (self.chunked.pushed(), self.chunked.lead());
                let (operator, scheme) = self.chunked.names;
                return if n < needed {
                    Err(OperatorError::TooFewSamples { operator, scheme, n, needed })
                } else {
                    Ok(None)
                };
            }
            self.ready = self.chunked.push(ArrayView1::from(&self.chunk))?.to_vec().into_iter();
            if let Some(result) = self.ready.next() {
                return Ok(Some(result));
            }
        }
    }
}

impl<T: Real, I: Iterator<Item = T>> Iterator for ChunkedResults<T, I> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(result) = self.ready.next() {
            return Some(Ok(result));
        }
        if self.ended {
            return None;
        }
        let more = self.more();
        self.ended |= more.is_err();
        more.transpose()
    }
}

impl<T: Real, I> fmt::Debug for ChunkedResults<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkedResults").field("chunked", &self.chunked).finish_non_exhaustive()
    }
}
