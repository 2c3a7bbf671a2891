use super::error::ModelError;
use crate::checks::{in_range, same_size};
use crate::{Loss, Scalar};
use ndarray::{Array2, Array3, ArrayView2};

/// Time series cut into windows: initial values, and observations at the same nodes of a solve. NaN
/// marks a missing value. The memory of an equation begins at the start of a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Windows<T> {
    starts: Array2<T>,
    nodes: Vec<usize>,
    observed: Array3<T>,
}

impl<T: Scalar> Windows<T> {
    /// Windows with initial values by sample and component, and observations by sample, node and
    /// component, of the leading components of the state or of a readout. Node 0 is the start.
    ///
    /// # Errors
    /// [`ModelError`] for no sample, sizes that do not match, nodes that do not increase, infinite
    /// initial or observed values, missing initial values, and a sample without observations.
    pub fn new(
        starts: Array2<T>,
        nodes: &[usize],
        observed: Array3<T>,
    ) -> Result<Self, ModelError> {
        in_range(starts.nrows() > 0, "the number of samples", 0, "at least 1")?;
        same_size("the samples observed", observed.dim().0, starts.nrows())?;
        same_size("the nodes observed", observed.dim().1, nodes.len())?;
        for pair in nodes.windows(2) {
            in_range(pair[0] < pair[1], "a node", pair[1], "above the one before it")?;
        }
        for start in &starts {
            let value = start.widen();
            in_range(value.is_finite(), "a start", value, "finite")?;
        }
        let mut counts = vec![0; starts.nrows()];
        for ((sample, _, _), value) in observed.indexed_iter() {
            let value = value.widen();
            in_range(!value.is_infinite(), "an observed value", value, "finite or missing")?;
            counts[sample] += usize::from(!value.is_nan());
        }
        if let Some(sample) = counts.iter().position(|count| *count == 0) {
            return Err(ModelError::Nothing { sample, what: "observed value" });
        }
        let observed = observed.as_standard_layout().into_owned();
        Ok(Self { starts, nodes: nodes.to_vec(), observed })
    }

    /// Windows without initial values, for models that infer them.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn without_starts(nodes: &[usize], observed: Array3<T>) -> Result<Self, ModelError> {
        Self::new(Array2::zeros((observed.dim().0, 0)), nodes, observed)
    }

    /// Cuts a time series, by time and component, into windows of one initial row and `length`
    /// further rows; each window begins `stride` rows after the one before it. A solve takes
    /// `every` steps between two rows. Windows with an incomplete initial row or without
    /// observations are dropped.
    ///
    /// # Errors
    /// [`ModelError::TooShort`] if no window remains; [`ModelError::OutOfRange`] for numbers that
    /// are 0, infinite values, and more than 2^32 - 1 steps in a window.
    pub fn cut(
        record: ArrayView2<'_, T>,
        (length, stride): (usize, usize),
        every: usize,
    ) -> Result<Self, ModelError> {
        let given =
            [("rows of a window", length), ("the stride", stride), ("steps of a row", every)];
        for (what, number) in given {
            in_range(number > 0, what, number, "at least 1")?;
        }
        let (rows, columns) = record.dim();
        let known = |row: usize, j: usize| !record[[row, j]].widen().is_nan();
        let complete = |first: &usize| {
            let mut others = first + 1..=first + length;
            (0..columns).all(|j| known(*first, j))
                && others.any(|row| (0..columns).any(|j| known(row, j)))
        };
        let window = length.saturating_add(1);
        let last = rows.checked_sub(window);
        let firsts = last.into_iter().flat_map(|last| (0..=last).step_by(stride));
        let firsts: Vec<usize> = firsts.filter(complete).collect();
        if firsts.is_empty() {
            return Err(ModelError::TooShort { rows, window });
        }
        let steps = length.checked_mul(every).is_some_and(|last| last <= u32::MAX as usize);
        let last = length as f64 * every as f64;
        in_range(steps, "the number of steps of a window", last, "at most 2^32 - 1")?;
        let starts =
            Array2::from_shape_fn((firsts.len(), columns), |(i, j)| record[[firsts[i], j]]);
        let observed = Array3::from_shape_fn((firsts.len(), length, columns), |(i, k, j)| {
            record[[firsts[i] + 1 + k, j]]
        });
        let nodes: Vec<usize> = (1..=length).map(|row| row * every).collect();
        Self::new(starts, &nodes, observed)
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.starts.nrows()
    }

    /// Initial values by sample and component.
    pub fn starts(&self) -> &Array2<T> {
        &self.starts
    }

    /// Observed nodes.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Observations by sample, node and component.
    pub fn observed(&self) -> &Array3<T> {
        &self.observed
    }

    /// Number of observed components.
    pub fn components(&self) -> usize {
        self.observed.dim().2
    }

    /// Error for a sample without a node that the loss can use.
    pub(super) fn check(&self, loss: Loss) -> Result<(), ModelError> {
        if loss != Loss::CrossEntropy {
            return Ok(());
        }
        let complete = |node: &[T]| node.iter().all(|value| !value.widen().is_nan());
        let nothing =
            |sample: &usize| !self.of(*sample).chunks_exact(self.components()).any(complete);
        match (0..self.samples()).find(nothing) {
            None => Ok(()),
            Some(sample) => {
                let what = "node at which all components are observed, as cross entropy requires";
                Err(ModelError::Nothing { sample, what })
            }
        }
    }

    /// True if no value is missing.
    pub(super) fn complete(&self) -> bool {
        self.observed.iter().all(|value| !value.widen().is_nan())
    }

    /// Observations of a sample, node by node.
    pub(super) fn of(&self, sample: usize) -> &[T] {
        let values = self.nodes.len() * self.components();
        let all = self.observed.as_slice().unwrap_or_default();
        &all[sample * values..][..values]
    }
}
