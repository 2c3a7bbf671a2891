use crate::error::{product_of, size, value};
use crate::{Block, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::{Normals, Philox, Purpose};
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Sets each number to zero with the probability `rate` while a network learns, and divides those that stay by
/// `1 - rate`, so that means stay what they are. Where nothing is drawn, [`Pass::Evaluate`], `y = x`.
///
/// Which numbers are dropped is a function of (seed, draw, sample, feature), whatever tiles and threads
/// there are. Two such layers in a network want two seeds: with one they drop the same features. The
/// factors are kept for the backward direction.
///
/// Rates count in multiples of 2^-32: a number is dropped where a word of 32 random bits lies below
/// `rate 2^32`, rounded to the nearest integer.
///
/// Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov, J. Mach. Learn. Res. 15 (2014) 1929.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Dropout {
    fields: Fields,
}

/// A layer that is not checked yet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    features: usize,
    rate: f64,
    #[serde(default)]
    seed: u64,
}

impl TryFrom<Fields> for Dropout {
    type Error = NetworkError;

    fn try_from(fields: Fields) -> Result<Self, NetworkError> {
        size(NAME, "features", fields.features)?;
        product_of(NAME, &[fields.features])?;
        let allowed = (0.0..1.0).contains(&fields.rate);
        value(NAME, "rate", fields.rate, allowed, "at least 0 and less than 1")?;
        Ok(Self { fields })
    }
}

impl From<Dropout> for Fields {
    fn from(layer: Dropout) -> Self {
        layer.fields
    }
}

const NAME: &str = "Dropout";

impl Dropout {
    /// So many features, the probability that one is dropped, and what the random numbers are drawn with.
    ///
    /// # Errors
    /// [`NetworkError`] for no features, more than can be counted, or a rate outside of [0, 1).
    pub fn new(features: usize, rate: f64, seed: u64) -> Result<Self, NetworkError> {
        Fields { features, rate, seed }.try_into()
    }

    /// Words below this number drop; at most 2^32 - 1, so that the factor is finite.
    fn threshold(&self) -> u32 {
        (self.fields.rate * WORDS).round() as u32
    }
}

/// 2^32
const WORDS: f64 = 4_294_967_296.0;

impl Shape for Dropout {
    fn inputs(&self) -> usize {
        self.fields.features
    }

    fn outputs(&self) -> usize {
        self.fields.features
    }

    fn blocks(&self) -> Vec<Block> {
        Vec::new()
    }

    fn parameters(&self) -> usize {
        0
    }

    /// The factors.
    fn kept(&self) -> usize {
        self.fields.features
    }

    fn scratch(&self) -> usize {
        0
    }
}

impl<T: Scalar> Layer<T> for Dropout {
    fn initialise(&self, _: &Normals, _: u64, _: &mut [T]) {}

    fn forward(
        &self,
        pass: Pass,
        _: &[T],
        x: Rows<'_, T>,
        mut kept: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        match pass {
            Pass::Evaluate => {
                kept.as_mut_slice().fill(T::one());
                y.as_mut_slice().copy_from_slice(x.as_slice());
            }
            Pass::Train { draw, first_sample } => {
                let threshold = self.threshold();
                let kept = kept.reborrow();
                let philox = keyed(self.fields.seed, draw);
                Arch::new().dispatch(Draw { philox, threshold, first_sample, x, kept, y });
            }
        }
    }

    fn vjp(
        &self,
        _: &[T],
        tape: Tape<'_, T>,
        mut ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        _: &mut [T],
        _: RowsMut<'_, T>,
    ) {
        if let Some(mut xbar) = xbar {
            let both = ybar.as_mut_slice().iter().zip(tape.kept.as_slice());
            let all = xbar.as_mut_slice().iter_mut().zip(both);
            all.for_each(|(xbar, (ybar, factor))| *xbar += *ybar * *factor);
        }
    }
}

/// The generator of a draw. Its key is made of random bits: a counter has no room for draw, sample and feature.
fn keyed(seed: u64, draw: u64) -> Philox {
    let words = [draw as u32, (draw >> 32) as u32, 0, purpose()];
    let [low, high, ..] = Philox::new(seed).block(words);
    Philox::new(u64::from(low) | u64::from(high) << 32)
}

/// The last word of counters, as in [`Stream`](hpfracc_sde::noise::Stream).
const fn purpose() -> u32 {
    (Purpose::Dropout as u32) << 24
}

/// Samples that are drawn for side by side.
const LANES: usize = 16;

/// Features that one counter's words decide on.
const FEATURES: usize = 4;

struct Draw<'a, T> {
    philox: Philox,
    threshold: u32,
    first_sample: u64,
    x: Rows<'a, T>,
    kept: RowsMut<'a, T>,
    y: RowsMut<'a, T>,
}

impl<T: Scalar> WithSimd for Draw<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let stays = T::narrow(WORDS / (WORDS - f64::from(self.threshold)));
        let (features, lanes) = (self.x.rows(), self.x.lanes());
        for (block, first) in (0..features).step_by(FEATURES).enumerate() {
            for at in (0..lanes).step_by(LANES) {
                let mut counters =
                    [[block as u32; LANES], [0; LANES], [0; LANES], [purpose(); LANES]];
                for lane in 0..LANES {
                    let sample = self.first_sample.wrapping_add((at + lane) as u64);
                    counters[1][lane] = sample as u32;
                    counters[2][lane] = (sample >> 32) as u32;
                }
                let words = self.philox.blocks(counters);
                for (i, words) in (first..features).zip(&words) {
                    let part = at..lanes.min(at + LANES);
                    let (x, y) = (&self.x[i][part.clone()], &mut self.y[i][part.clone()]);
                    let kept = &mut self.kept[i][part];
                    for (((y, kept), x), word) in y.iter_mut().zip(kept).zip(x).zip(words) {
                        *kept = if *word < self.threshold { T::zero() } else { stays };
                        *y = *x * *kept;
                    }
                }
            }
        }
    }
}
