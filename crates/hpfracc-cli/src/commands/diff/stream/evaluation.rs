//! Operator applied piece by piece.

use crate::Error;
use hpfracc::Machine;
use hpfracc::ndarray::{ArrayView1, ArrayView2, ArrayViewMut2};
use hpfracc::operators::{Chunked, Operator, OperatorError, Stream, catalogue};
use hpfracc::types::{Order, Real};
use std::sync::Arc;

/// Method of evaluation by pieces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Method {
    /// Sum of exponentials (SOE) with this relative error of each weight.
    Stream(f64),
    /// Exact, with this number of samples per chunk.
    Chunks(usize),
}

/// Operator with the state after the samples pushed.
pub(super) enum Evaluation<T> {
    Stream(Box<Stream<T>>),
    Chunks(Box<Chunked<T>>),
}

impl<T: Real> Evaluation<T> {
    /// Initial state for a time series of at most `longest` samples.
    pub(super) fn new(
        operator: &Arc<dyn Operator>,
        manner: Method,
        (dt, longest): (f64, u64),
        machine: &Machine,
    ) -> Result<Self, Error> {
        Ok(match manner {
            Method::Stream(tolerance) => {
                let recurrence = operator.recurrence(dt, longest, tolerance);
                let recurrence = recurrence.map_err(|error| match error {
                    OperatorError::NoRecurrence { .. } => no_stream(error),
                    error => error.into(),
                })?;
                Self::Stream(Box::new(Stream::new(&recurrence, 1, machine)?))
            }
            Method::Chunks(chunk) => {
                let longest = usize::try_from(longest).unwrap_or(usize::MAX);
                let chunked = Chunked::new(operator.as_ref(), dt, longest, chunk, machine)?;
                Self::Chunks(Box::new(chunked))
            }
        })
    }

    /// Pushes the next samples; `out` receives the results that they determine, in order.
    pub(super) fn push(
        &mut self,
        samples: &[T],
        results: &mut Vec<T>,
    ) -> Result<(), OperatorError> {
        results.clear();
        match self {
            Self::Stream(stream) => {
                results.resize(samples.len(), T::zero());
                let shape = (1, samples.len());
                let malformed = "a row of samples is an array of one row";
                let samples = ArrayView2::from_shape(shape, samples).expect(malformed);
                let results = ArrayViewMut2::from_shape(shape, results).expect(malformed);
                stream.push_block(samples, results)
            }
            Self::Chunks(chunked) => {
                results.extend(chunked.push(ArrayView1::from(samples))?);
                Ok(())
            }
        }
    }
}

/// Error with the schemes that support streaming.
fn no_stream(source: OperatorError) -> Error {
    let able = catalogue().filter(|entry| {
        entry.range.examples.iter().any(|alpha| {
            let operator = Order::new(*alpha).ok().and_then(|order| entry.example(order).ok());
            operator.is_some_and(|operator| operator.recurrence(1.0, 100, 1e-3).is_ok())
        })
    });
    let known = able.map(|entry| entry.name()).collect::<Vec<_>>().join(", ");
    Error::NoStream { source: Box::new(source), known }
}
