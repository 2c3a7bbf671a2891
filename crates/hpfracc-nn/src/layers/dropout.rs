use crate::checks::{checked, in_range, sizes_of};
use crate::error::product_of;
use crate::kernels::vectorised;
use crate::{Backward, Forward, Layer, NetworkError, ParameterBlock, Pass, Scalar, Shape, Sizes};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::{Philox, Purpose};
use serde::{Deserialize, Serialize};

/// Inverted dropout: in training, sets each number to zero with probability `rate` and divides the
/// others by `1 - rate`, which preserves the mean:
///
/// ```text
/// training     y_i = d_i x_i / (1 - rate),   d_i = 0 with probability rate, else 1
/// evaluation   y_i = x_i
/// ```
///
/// The mask is a function of (seed, draw, sample, feature), independent of tiles and threads:
/// layers in one network need different seeds, or they drop the same features. A number is dropped
/// where a 32-bit random word is below `rate * 2^32`, rounded to the nearest integer.
///
/// Shapes: x and y have `features` rows, one lane for each sample. No parameters.
///
/// Cost for each sample: `features / 4` Philox blocks forward, `features` multiply-adds backward.
/// Saves the factors (`features` rows).
///
/// Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov, J. Mach. Learn. Res. 15
/// (2014) 1929.
///
/// ```
/// use hpfracc_nn::{Dropout, Shape};
///
/// let layer = Dropout::new(10, 0.2, 1)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.saved()), (10, 10, 10));
/// assert!(Dropout::new(10, 1.0, 1).is_err());
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Dropout {
    features: usize,
    rate: f64,
    #[serde(default)]
    seed: u64,
}

checked!(Dropout);

const NAME: &str = "Dropout";

impl Dropout {
    /// Dropout of `features` features with probability `rate`, drawn with `seed`.
    ///
    /// # Errors
    /// [`NetworkError`] if `features` is 0 or not addressable, or the rate is outside [0, 1).
    pub fn new(features: usize, rate: f64, seed: u64) -> Result<Self, NetworkError> {
        let layer = Self { features, rate, seed };
        layer.check().map(|()| layer)
    }

    /// Last word of the counters of the random words.
    pub const STREAM: u32 = (Purpose::Dropout as u32) << 24;

    /// Seed of the masks.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A number is dropped where its random word is below: at most 2^32 - 1, so that the factor is finite.
    #[must_use]
    pub fn threshold(&self) -> u32 {
        (self.rate * WORDS).round() as u32
    }

    fn check(&self) -> Result<(), NetworkError> {
        sizes_of(NAME, &[("features", self.features)])?;
        product_of(NAME, &[self.features])?;
        let allowed = (0.0..1.0).contains(&self.rate);
        Ok(in_range(allowed, "Dropout: rate", self.rate, "at least 0 and less than 1")?)
    }
}

/// 2^32
const WORDS: f64 = 4_294_967_296.0;

impl Shape for Dropout {
    fn sizes(&self) -> Sizes {
        let features = self.features;
        // Saved: the factors.
        Sizes { inputs: features, outputs: features, saved: features, ..Sizes::default() }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        Vec::new()
    }
}

impl<T: Scalar> Layer<T> for Dropout {
    fn forward(&self, Forward { pass, x, mut saved, mut y, .. }: Forward<'_, T>) {
        match pass {
            Pass::Evaluate => {
                saved.as_mut_slice().fill(T::one());
                y.as_mut_slice().copy_from_slice(x.as_slice());
            }
            Pass::Train { draw: of_draw, first_sample } => {
                let generator = (keyed(self.seed, of_draw), first_sample);
                draw(generator, self.threshold(), x, saved, y);
            }
        }
    }

    fn vjp(&self, Backward { tape, mut ybar, xbar, .. }: Backward<'_, T>) {
        if let Some(mut xbar) = xbar {
            let both = ybar.as_mut_slice().iter().zip(tape.saved.as_slice());
            let all = xbar.as_mut_slice().iter_mut().zip(both);
            all.for_each(|(xbar, (ybar, factor))| *xbar += *ybar * *factor);
        }
    }
}

/// The generator of a draw. Its key consists of random bits, as a counter has no room for draw,
/// sample and feature.
fn keyed(seed: u64, draw: u64) -> Philox {
    let words = [draw as u32, (draw >> 32) as u32, 0, Dropout::STREAM];
    let [low, high, ..] = Philox::new(seed).block(words);
    Philox::new(u64::from(low) | u64::from(high) << 32)
}

/// Samples whose masks are drawn together.
const LANES: usize = 16;

/// Features whose masks come from the words of one counter.
const FEATURES: usize = 4;

vectorised! {
    /// Draws the factors of all numbers, and multiplies by them.
    fn draw<'a, T>(
        generator: (Philox, u64),
        threshold: u32,
        x: Rows<'a, T>,
        factors: RowsMut<'a, T>,
        y: RowsMut<'a, T>,
    ) {
        let ((philox, first_sample), mut all_factors, mut y) = (generator, factors, y);
        let scale = T::narrow(WORDS / (WORDS - f64::from(threshold)));
        let (features, lanes) = (x.rows(), x.lanes());
        for (block, first) in (0..features).step_by(FEATURES).enumerate() {
            for at in (0..lanes).step_by(LANES) {
                let mut counters =
                    [[block as u32; LANES], [0; LANES], [0; LANES], [Dropout::STREAM; LANES]];
                for lane in 0..LANES {
                    let sample = first_sample.wrapping_add((at + lane) as u64);
                    counters[1][lane] = sample as u32;
                    counters[2][lane] = (sample >> 32) as u32;
                }
                let words = philox.blocks(counters);
                for (i, words) in (first..features).zip(&words) {
                    let part = at..lanes.min(at + LANES);
                    let (x, y) = (&x[i][part.clone()], &mut y[i][part.clone()]);
                    let factors = &mut all_factors[i][part];
                    for (((y, factor), x), word) in y.iter_mut().zip(factors).zip(x).zip(words) {
                        *factor = if *word < threshold { T::zero() } else { scale };
                        *y = *x * *factor;
                    }
                }
            }
        }
    }
}
