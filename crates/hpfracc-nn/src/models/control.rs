use super::error::ModelError;
use crate::Scalar;
use crate::checks::in_range;
use hpfracc_lanes::RowsMut;
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{CellIntegral, Increments, Noise, NoiseProcess, Tile};
use ndarray::Array3;

/// Controls: time series that drive equations, by sample, node of the solve and channel; linear
/// between nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Controls<T> {
    values: Array3<T>,
}

impl<T: Scalar> Controls<T> {
    /// Controls with these values. NaN marks a missing value: it is interpolated linearly between
    /// its neighbours, and extrapolated as a constant before the first and after the last value.
    ///
    /// # Errors
    /// [`ModelError`] for no sample, fewer than two nodes, no channel, infinite values, and a
    /// channel without values.
    pub fn new(mut values: Array3<T>) -> Result<Self, ModelError> {
        let (samples, nodes, channels) = values.dim();
        in_range(samples > 0, "the number of samples", samples, "at least 1")?;
        in_range(nodes > 1, "the number of nodes", nodes, "at least 2")?;
        in_range(channels > 0, "the number of channels", channels, "at least 1")?;
        for value in &values {
            let value = value.widen();
            in_range(!value.is_infinite(), "a control", value, "finite or missing")?;
        }
        for sample in 0..samples {
            for channel in 0..channels {
                let known = |node: &usize| !values[[sample, *node, channel]].widen().is_nan();
                let known: Vec<usize> = (0..nodes).filter(known).collect();
                let (Some(first), Some(last)) = (known.first(), known.last()) else {
                    return Err(ModelError::Nothing { sample, what: "value of a channel" });
                };
                for node in (0..*first).chain(last + 1..nodes) {
                    let nearest = (*first).max(node.min(*last));
                    values[[sample, node, channel]] = values[[sample, nearest, channel]];
                }
                for ends in known.windows(2) {
                    let [before, after] = [ends[0], ends[1]];
                    let [from, to] = [before, after].map(|node| values[[sample, node, channel]]);
                    for node in before + 1..after {
                        let share = (node - before) as f64 / (after - before) as f64;
                        let value = from + T::narrow(share) * (to - from);
                        values[[sample, node, channel]] = value;
                    }
                }
            }
        }
        Ok(Self { values })
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.values.dim().0
    }

    /// Steps of the solve: one less than the nodes.
    pub fn steps(&self) -> usize {
        self.values.dim().1 - 1
    }

    /// Number of channels.
    pub fn channels(&self) -> usize {
        self.values.dim().2
    }

    /// An initial value.
    pub(super) fn at_start(&self, sample: usize, channel: usize) -> T {
        self.values[[sample, 0, channel]]
    }
}

/// Controls of the samples of a batch, path by path, as the noise of an equation.
pub(super) struct Driving<'a, T> {
    pub(super) controls: &'a Controls<T>,
    pub(super) samples: &'a [usize],
}

impl<T: Scalar> Noise<T> for Driving<'_, T> {
    fn components(&self) -> usize {
        self.controls.channels()
    }

    /// It has a derivative, but for the nodes.
    fn process(&self, _: usize) -> NoiseProcess {
        NoiseProcess::Smooth
    }

    fn symmetric(&self) -> bool {
        false
    }

    fn increments(
        &self,
        tile: Tile,
        integrals: &[CellIntegral],
    ) -> Result<Box<dyn Increments<T> + '_>, SdeError> {
        if !integrals.is_empty() {
            return Err(SdeError::NoIntegrals { noise: "a control" });
        }
        let first = tile.first_path as usize;
        let samples = &self.samples[first..first + tile.lanes];
        Ok(Box::new(Steps { controls: self.controls, samples }))
    }
}

/// What the controls of some samples grow by.
struct Steps<'a, T> {
    controls: &'a Controls<T>,
    samples: &'a [usize],
}

impl<T: Scalar> Increments<T> for Steps<'_, T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let values = &self.controls.values;
        for channel in 0..self.controls.channels() {
            for (increment, sample) in rows[channel].iter_mut().zip(self.samples) {
                *increment =
                    values[[*sample, step + 1, channel]] - values[[*sample, step, channel]];
            }
        }
    }
}
