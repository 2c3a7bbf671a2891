//! Recurrences in streams: the same bits for every division into blocks.

use super::cases::{Samples, recurrences};
use super::{Violation, ensure, violation};
use crate::{Backend, Workload};
use hpfracc_types::Real;

/// Checks that a backend computes recurrences to the same bits for every division into blocks.
///
/// Two blocks, with the states after the first as input of the second, give the outputs and the
/// states of one block; so do single samples; and a signal alone gives the same as in a batch. A
/// backend whose states have more digits than its scalar cannot satisfy this
/// ([`Reference`](crate::Reference) in `f32`), nor one whose members round differently.
///
/// # Errors
/// The first [`Violation`] found, naming the workload.
pub fn verify_streaming<T: Real>(backend: &dyn Backend<T>) -> Result<(), Violation> {
    for (seed, workload) in recurrences().into_iter().enumerate() {
        let Workload::Recurrence { nodes, len, batch } = workload else { continue };
        let mut samples = Samples::new(seed as u64);
        let kernel = samples.kernel(workload);
        let stream = Stream { backend, kernel, nodes, len };
        stream
            .check(&samples.signal(workload.signal_len() * batch))
            .map_err(|defect| violation::at(backend, workload, defect))?;
    }
    Ok(())
}

struct Stream<'a, T: Real> {
    backend: &'a dyn Backend<T>,
    kernel: Vec<T>,
    nodes: usize,
    len: usize,
}

impl<T: Real> Stream<'_, T> {
    fn check(&self, signals: &[T]) -> Result<(), String> {
        let together = self.block(self.len, signals)?;
        let signal_len = self.nodes + self.len;
        let alone = self.block(self.len, &signals[..signal_len])?;
        ensure(alone == together[..signal_len], "a signal alone has other bits than in a batch")?;
        // Divisions before, at and after whole registers and blocks, and after each sample.
        for first in [1, 7, 64, self.len / 2].into_iter().filter(|&n| 0 < n && n < self.len) {
            let cut = self.in_blocks(&[first, self.len - first], &signals[..signal_len])?;
            ensure(cut == alone, &format!("divided after sample {first} it has other bits"))?;
        }
        if self.len <= 65 {
            let cut = self.in_blocks(&vec![1; self.len], &signals[..signal_len])?;
            ensure(cut == alone, "one sample at a time it has other bits")?;
        }
        Ok(())
    }

    /// Signals of this length in one block.
    fn block(&self, len: usize, signals: &[T]) -> Result<Vec<T>, String> {
        let batch = signals.len() / (self.nodes + len);
        let workload = Workload::Recurrence { nodes: self.nodes, len, batch };
        let mut results = vec![T::NAN; signals.len()];
        self.backend
            .plan(workload)
            .and_then(|plan| plan.bind(&self.kernel))
            .and_then(|map| map.apply(signals, &mut results))
            .map_err(|error| error.to_string())?;
        Ok(results)
    }

    /// One signal, block by block.
    fn in_blocks(&self, lens: &[usize], signal: &[T]) -> Result<Vec<T>, String> {
        let (before, mut samples) = signal.split_at(self.nodes);
        let (mut states, mut outputs) = (before.to_vec(), Vec::new());
        for &len in lens {
            let (block, rest) = samples.split_at(len);
            let results = self.block(len, &[&states, block].concat())?;
            states.copy_from_slice(&results[..self.nodes]);
            outputs.extend_from_slice(&results[self.nodes..]);
            samples = rest;
        }
        Ok([states, outputs].concat())
    }
}
