use crate::checks::{in_range, positive, same_size};
use crate::kernels::vectorised;
use crate::{NetworkError, Scalar};
use serde::{Deserialize, Serialize};

/// Rotary position embedding at real times: in each head of d features, the pair `(2m, 2m + 1)` of
/// a query or key at time t is rotated by the angle `omega_m t`, `omega_m = base^(-2m/d)/unit`.
/// Scores depend on differences of times only, which suits samples at irregular times.
///
/// Angles are computed in double precision.
///
/// Source: Su, Lu, Pan, Murtadha, Wen and Liu, arXiv:2104.09864 (2021), equation (34), with a real
/// time in place of the position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rotary {
    /// Times of the samples.
    pub times: Times,
    /// Time in which the first pair rotates by 1 radian: a few days, for a series in days that
    /// varies over years.
    pub unit: f64,
    /// Ratio of the rotation rates of the first pair and of a pair after the last.
    pub base: f64,
}

/// Times of the samples of a sequence.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Times {
    /// 0, 1, 2, ...
    #[default]
    Steps,
    /// Given times, the same for all sequences.
    Given(Vec<f64>),
    /// Times of each sequence, in a channel of the input after the features, with a gradient.
    Channel,
}

impl Default for Rotary {
    fn default() -> Self {
        Self { times: Times::Steps, unit: 1.0, base: 1e4 }
    }
}

impl Rotary {
    pub(super) fn check(&self, features: usize, length: usize) -> Result<(), NetworkError> {
        let found = format_args!("{features} a head");
        in_range(features.is_multiple_of(2), "Rotary: features", found, "an even number of them")?;
        positive("Rotary: unit", self.unit)?;
        positive("Rotary: base", self.base)?;
        let Times::Given(times) = &self.times else { return Ok(()) };
        same_size("Rotary: times", times.len(), length)?;
        for time in times {
            in_range(time.is_finite(), "Rotary: times", time, "finite")?;
        }
        Ok(())
    }

    /// Angle by which a pair rotates in one unit of time, in a head with this number of features.
    pub fn frequency(&self, pair: usize, features: usize) -> f64 {
        self.base.powf(-2.0 * pair as f64 / features as f64) / self.unit
    }

    /// Writes cosines and sines of the angles at all times, a line of each for every pair.
    pub(super) fn turns<T: Scalar>(
        &self,
        features: usize,
        length: usize,
        time: impl Fn(usize) -> T,
        turns: &mut [T],
    ) {
        for (pair, lines) in turns.chunks_exact_mut(2 * length).enumerate() {
            let frequency = self.frequency(pair, features);
            let (cosines, sines) = lines.split_at_mut(length);
            for (i, (cosine, sine)) in cosines.iter_mut().zip(sines).enumerate() {
                let t = match &self.times {
                    Times::Steps => i as f64,
                    Times::Given(times) => times[i],
                    Times::Channel => time(i).widen(),
                };
                let (s, c) = (frequency * t).sin_cos();
                (*cosine, *sine) = (T::narrow(c), T::narrow(s));
            }
        }
    }

    /// Adds the gradient with respect to the times, given rotated queries or keys of a head and
    /// their gradients.
    pub(super) fn pull_back_times<T: Scalar>(
        &self,
        length: usize,
        series: &[T],
        seriesbar: &[T],
        timesbar: &mut [T],
    ) {
        let features = series.len() / length;
        let pairs = series.chunks_exact(2 * length).zip(seriesbar.chunks_exact(2 * length));
        for (pair, (lines, bars)) in pairs.enumerate() {
            let frequency = T::narrow(self.frequency(pair, features));
            for (i, timebar) in timesbar.iter_mut().enumerate() {
                *timebar += frequency * (lines[i] * bars[length + i] - lines[length + i] * bars[i]);
            }
        }
    }
}

/// Direction of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rotation {
    Forward,
    Inverse,
}

vectorised! {
    /// Rotates the pairs of a head, given cosines and sines.
    pub(super) fn turn<'a, T>(
        series: &'a mut [T],
        turns: &'a [T],
        length: usize,
        rotation: Rotation,
    ) {
        let pair = 2 * length;
        let sign = if rotation == Rotation::Forward { T::one() } else { -T::one() };
        for (lines, turns) in series.chunks_exact_mut(pair).zip(turns.chunks_exact(pair)) {
            let (first, second) = lines.split_at_mut(length);
            let (cosines, sines) = turns.split_at(length);
            let lines = first.iter_mut().zip(second);
            for ((a, b), (cosine, sine)) in lines.zip(cosines.iter().zip(sines)) {
                let sine = sign * *sine;
                (*a, *b) = (*a * *cosine - *b * sine, *a * sine + *b * *cosine);
            }
        }
    }
}
