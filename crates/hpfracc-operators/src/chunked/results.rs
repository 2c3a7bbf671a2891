use super::Chunked;
use crate::OperatorError;
use hpfracc_types::Real;
use ndarray::ArrayView1;
use std::fmt;

/// Results of samples that come one by one, computed in chunks; see [`Chunked::results`].
///
/// After an error there are no more results. A record that ends before its first result was known is
/// [`OperatorError::TooFewSamples`].
pub struct ChunkedResults<T, I> {
    chunked: Chunked<T>,
    samples: I,
    chunk: Vec<T>,
    known: std::vec::IntoIter<T>,
    ended: bool,
}

impl<T: Real, I: Iterator<Item = T>> ChunkedResults<T, I> {
    pub(super) fn new(chunked: Chunked<T>, samples: I) -> Self {
        let chunk = Vec::with_capacity(chunked.chunk());
        Self { chunked, samples, chunk, known: Vec::new().into_iter(), ended: false }
    }

    /// Reads chunks until there are results.
    fn more(&mut self) -> Result<Option<T>, OperatorError> {
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
            self.known = self.chunked.push(ArrayView1::from(&self.chunk))?.to_vec().into_iter();
            if let Some(result) = self.known.next() {
                return Ok(Some(result));
            }
        }
    }
}

impl<T: Real, I: Iterator<Item = T>> Iterator for ChunkedResults<T, I> {
    type Item = Result<T, OperatorError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(result) = self.known.next() {
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
