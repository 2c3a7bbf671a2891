use crate::SdeError;
use crate::checks::Range;
use crate::error::in_range;
use crate::noise::increments::{MOST_JUMPS, check_components, without_integrals};
use crate::noise::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Normals, Philox, Purpose, Source,
    Stream, Tile, TileIncrements,
};
use crate::random::unit;
use hpfracc_lanes::unfused::ln;
use hpfracc_lanes::{RowsMut, vectorised};
use hpfracc_special::ln_gamma;
use pulp::Arch;

/// Compound Poisson processes, independent of each other: jumps of independent sizes J at
/// independent times, `lambda` of them in a unit of time on the average.
///
#[doc = formula!("poisson_jumps", r"dZ = \text{sum of the } J \text{ of the jumps in the step}, \quad \mathrm{E} \, e^{iuZ(t)} = e^{\lambda t (\mathrm{E} e^{iuJ} - 1)}")]
///
/// or, [compensated](Self::compensated), `dZ - lambda E J h`, of mean 0.
///
/// Method: exact in distribution on any steps. The number of jumps comes from a random word of 64
/// bits by inversion; each jump then has random numbers of its own, but a sum of normal jumps needs
/// one. On average a step has at most 1000 jumps. Cost: one random word a step, and for each jump
/// its own.
///
/// A solver takes a step as if its jumps came at its end: schemes that see increments alone have
/// strong order 1/2 with them.
///
/// Sources: Devroye, Non-Uniform Random Variate Generation (1986), section X.3, DOI
/// 10.1007/978-1-4613-8643-8 (inversion); the double exponential distribution: Kou, Manage. Sci. 48
/// (2002) 1086, DOI 10.1287/mnsc.48.8.1086.166.
///
/// ```
/// use hpfracc_sde::noise::{CompoundPoisson, JumpDistribution, Noise, PoissonJumps, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths that count two jumps a unit of time, less their mean, to Z(1)
/// let noise = PoissonJumps::new(7, &[CompoundPoisson { intensity: 2.0, distribution: JumpDistribution::Constant(1.0) }])?.compensated();
/// let tile = Tile { first_path: 0, lanes: 1000, steps: 4, h: 0.25 };
/// let mut increments = Noise::<f64>::increments(&noise, tile, &[])?;
/// let (mut z, mut dz) = (vec![0.0; 1000], vec![0.0; 1000]);
/// for step in 0..4 {
///     increments.write(step, RowsMut::new(&mut dz, 1000));
///     z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
/// }
/// let variance = z.iter().map(|z| z * z).sum::<f64>() / 1000.0;
/// assert!((variance - 2.0).abs() < 0.2 * 2.0);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PoissonJumps {
    philox: Philox,
    components: Vec<CompoundPoisson>,
    compensated: bool,
}

/// How often there are jumps, and how large they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompoundPoisson {
    /// Jumps in a unit of time on the average, lambda.
    pub intensity: f64,
    /// Their sizes.
    pub distribution: JumpDistribution,
}

impl CompoundPoisson {
    /// Probabilities of more than k jumps in a step of length h, k = 0, 1, ..., in units of 2^-64, as long as they are not
    /// 0: by which a random word gives the number of jumps.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for more than 1000 jumps in a step on average.
    pub fn survival(&self, h: f64) -> Result<Vec<u64>, SdeError> {
        Ok(survival(mean_in_step(self.intensity, h)?))
    }

    /// Stream of the size of a jump of a step; those of further jumps follow. `None` beyond the last component.
    pub fn sizes(component: u32) -> Option<Stream> {
        Stream::new(Purpose::JumpSizes, component.checked_mul(JUMPS)?)
    }
}

/// Mean number of jumps in a step.
fn mean_in_step(intensity: f64, h: f64) -> Result<f64, SdeError> {
    let (mean, what) = (intensity * h, "the mean number of jumps in a step");
    in_range(mean <= MOST, what, mean, "at most 1000")?;
    Ok(mean)
}

/// The distribution of the size of a jump.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum JumpDistribution {
    /// Always this size: of size 1, Z counts the jumps.
    Constant(f64),
    /// Normal sizes, as in Merton's model.
    Normal {
        /// Their mean.
        mean: f64,
        /// Their standard deviation.
        standard_deviation: f64,
    },
    /// Upward with some probability and else downward, with exponential sizes either way, as in
    /// Kou's model.
    DoubleExponential {
        /// Probability of an upward jump.
        upward: f64,
        /// Mean size of upward jumps.
        mean_up: f64,
        /// Mean size of downward jumps, as a positive number.
        mean_down: f64,
    },
}

impl JumpDistribution {
    /// E J
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant(size) => size,
            Self::Normal { mean, .. } => mean,
            Self::DoubleExponential { upward, mean_up, mean_down } => {
                upward * mean_up - (1.0 - upward) * mean_down
            }
        }
    }

    /// Whether -J has the distribution of J.
    fn symmetric(&self) -> bool {
        match *self {
            Self::Constant(size) => size == 0.0,
            Self::Normal { mean, .. } => mean == 0.0,
            Self::DoubleExponential { upward, mean_up, mean_down } => {
                upward == 0.5 && mean_up == mean_down
            }
        }
    }

    fn check(&self) -> Result<(), SdeError> {
        let size = |what, value| Range::NOT_NEGATIVE.check(what, value);
        match *self {
            Self::Constant(value) => Range::ANY.check("the size of jumps", value),
            Self::Normal { mean, standard_deviation } => {
                Range::ANY.check("the mean size of jumps", mean)?;
                size("the standard deviation of jumps", standard_deviation)
            }
            Self::DoubleExponential { upward, mean_up, mean_down } => {
                let what = "the probability of an upward jump";
                in_range((0.0..=1.0).contains(&upward), what, upward, "0 to 1")?;
                size("the mean size of upward jumps", mean_up)?;
                size("the mean size of downward jumps", mean_down)
            }
        }
    }
}

/// Components, and jumps of a component in a step, that have random numbers of their own.
const JUMPS: u32 = 1 << 11;

/// Jumps in a step on the average: more than `JUMPS` then have a probability far below 2^-64.
const MOST: f64 = 1000.0;

impl PoissonJumps {
    /// A component for each process.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for an intensity that is negative or not finite, for invalid
    /// parameters of a distribution, and for none or more than 2^13 components.
    pub fn new(seed: u64, components: &[CompoundPoisson]) -> Result<Self, SdeError> {
        check_components(components.len(), MOST_JUMPS)?;
        for CompoundPoisson { intensity, distribution } in components {
            Range::NOT_NEGATIVE.check("the intensity of jumps", *intensity)?;
            distribution.check()?;
        }
        let (philox, components) = (Philox::new(seed), components.to_vec());
        Ok(Self { philox, components, compensated: false })
    }

    /// Less their mean: a martingale.
    pub fn compensated(self) -> Self {
        Self { compensated: true, ..self }
    }
}

impl<T: Gaussian> Noise<T> for PoissonJumps {
    fn components(&self) -> usize {
        self.components.len()
    }

    fn process(&self, _: usize) -> NoiseProcess {
        NoiseProcess::Jumps
    }

    fn symmetric(&self) -> bool {
        self.components
            .iter()
            .all(|process| process.intensity == 0.0 || process.distribution.symmetric())
    }

    fn sources(&self) -> Vec<Source> {
        vec![Source { seed: self.philox.seed(), purpose: Purpose::JumpTimes }]
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        without_integrals("a process of jumps", integrals)?;
        tile.check(1)?;
        let component = |process: &CompoundPoisson| {
            let CompoundPoisson { intensity, distribution } = *process;
            let mean = mean_in_step(intensity, tile.h)?;
            let drift = if self.compensated { mean * distribution.mean() } else { 0.0 };
            Ok::<_, SdeError>(Component { survival: survival(mean), distribution, drift: -drift })
        };
        Ok(Box::new(JumpIncrements {
            philox: self.philox,
            tile,
            components: self.components.iter().map(component).collect::<Result<_, _>>()?,
            arch: Arch::new(),
            words: vec![0; tile.lanes],
        }))
    }
}

/// The probability of more than k jumps, k = 0, 1, ..., in units of 2^-64, as long as it is not 0.
fn survival(mean: f64) -> Vec<u64> {
    if mean == 0.0 {
        return Vec::new();
    }
    let probability = |k: u32| {
        let k = f64::from(k);
        (k * mean.ln() - mean - ln_gamma(k + 1.0).0).exp()
    };
    // Twelve standard deviations and forty above the mean, probabilities are below 2^-90.
    let last = ((mean + 12.0 * mean.sqrt()) as u32 + 40).min(JUMPS);
    let words = |probability: f64| (probability * 18_446_744_073_709_551_616.0) as u64;
    // From either end, so that nothing cancels: more than k above the mean, at most k below.
    let mut more = 0.0;
    let mut above: Vec<u64> = Vec::new();
    for k in (mean as u32..last).rev() {
        more += probability(k + 1);
        above.push(words(more));
    }
    let mut least = 0.0;
    let below = (0..mean as u32).map(|k| {
        least += probability(k);
        u64::MAX - words(least)
    });
    below.chain(above.into_iter().rev()).take_while(|word| *word > 0).collect()
}

struct Component {
    survival: Vec<u64>,
    distribution: JumpDistribution,
    drift: f64,
}

struct JumpIncrements {
    philox: Philox,
    tile: Tile,
    components: Vec<Component>,
    arch: Arch,
    /// By path.
    words: Vec<u64>,
}

/// Paths that are computed side by side.
const LANES: usize = 16;

impl<T: Gaussian> Increments<T> for JumpIncrements {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let first_path = self.tile.first_path;
        for (number, component) in (0..).zip(&self.components) {
            let Some(times) = Stream::new(Purpose::JumpTimes, number) else { continue };
            // Two steps share the words of a counter.
            let counter = times.counter((step / 2) as u32, first_path);
            let half = 2 * (step % 2);
            let row = &mut rows[number as usize];
            let (philox, words) = (self.philox, &mut self.words[..]);
            vectorised(
                self.arch,
                // Copies of all captures: words written might change what is read by reference.
                #[inline(always)]
                move || {
                    for (first, words) in (0..).step_by(LANES).zip(words.chunks_mut(LANES)) {
                        let bits = philox.blocks(Stream::counters::<LANES>(counter, first));
                        let (high, low) = (&bits[half], &bits[half + 1]);
                        for ((word, high), low) in words.iter_mut().zip(high).zip(low) {
                            *word = u64::from(*high) << 32 | u64::from(*low);
                        }
                    }
                },
            );
            for ((path, word), increment) in (first_path..).zip(&self.words).zip(row) {
                let sum = match component.count(*word) {
                    0 => 0.0,
                    count => self.sum((number, component.distribution), count, (step as u32, path)),
                };
                *increment = T::narrow(sum + component.drift);
            }
        }
    }
}

impl Component {
    #[inline(always)]
    fn count(&self, word: u64) -> u32 {
        // Most steps have no jump.
        match self.survival.first() {
            Some(any) if word < *any => self.survival.partition_point(|more| word < *more) as u32,
            _ => 0,
        }
    }
}

impl JumpIncrements {
    /// The sum of `count` jumps of a component, at least one.
    fn sum(
        &self,
        (component, distribution): (u32, JumpDistribution),
        count: u32,
        (step, path): (u32, u64),
    ) -> f64 {
        let sizes = |jump| Stream::new(Purpose::JumpSizes, component * JUMPS + jump);
        match distribution {
            JumpDistribution::Constant(size) => f64::from(count) * size,
            JumpDistribution::Normal { mean, standard_deviation } => {
                let normals = Normals::new(self.philox.seed());
                let z = sizes(0).map_or(0.0, |stream| normals.at::<f64>(stream, path, step));
                f64::from(count) * mean + f64::from(count).sqrt() * standard_deviation * z
            }
            JumpDistribution::DoubleExponential { upward, mean_up, mean_down } => {
                let jump = |stream: Stream| {
                    let [a, b, c, d] = self.philox.block(stream.counter(step, path));
                    let size = -ln(unit(c, d));
                    if unit(a, b) < upward { mean_up * size } else { -mean_down * size }
                };
                (0..count).filter_map(sizes).map(jump).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sums of probabilities, and at the ends: an average of 1000 stays within the
    /// addresses.
    #[test]
    fn probabilities_of_more_jumps() {
        let unit = 18_446_744_073_709_551_616.0;
        let table = survival(0.5);
        let p = [1.0, 0.5, 0.125].map(|x: f64| x * (-0.5f64).exp());
        let more = [1.0 - p[0], 1.0 - p[0] - p[1], 1.0 - p[0] - p[1] - p[2]];
        for (found, expected) in table.iter().zip(more) {
            assert!((*found as f64 / unit - expected).abs() < 1e-15);
        }
        assert!((table[10] as f64 / unit / 5.0e-12 - 1.0).abs() < 1.0, "{}", table[10]);
        assert!(table.windows(2).all(|pair| pair[0] > pair[1]));
        let large = survival(MOST);
        assert!(large.len() < 1400 && large[0] == u64::MAX, "{}", large.len());
        let half = large[1000] as f64 / unit;
        assert!((half - 0.5).abs() < 0.02, "{half}");
        assert!(survival(0.0).is_empty());
        let rare = survival(1e-12);
        assert!((rare[0] as f64 / unit / 1e-12 - 1.0).abs() < 1e-7);
    }
}
