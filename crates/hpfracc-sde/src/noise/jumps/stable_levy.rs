use crate::SdeError;
use crate::checks::Range;
use crate::error::in_range;
use crate::noise::increments::{MOST, check_components, without_integrals};
use crate::noise::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Philox, Purpose, Source, Stream, Tile,
    TileIncrements,
};
use crate::random::unit;
use hpfracc_lanes::unfused::{exp_m1, ln, sinc_cos};
use hpfracc_lanes::{RowsMut, vectorised};
use pulp::Arch;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Stable Lévy motion with independent components: independent stationary increments, whose
/// distribution over a time t has the characteristic function
///
#[doc = formula!("stable_levy", r"\mathrm{E} \, e^{iuZ(t)} = \exp \left( -t |c u|^\alpha (1 - i \beta \, \mathrm{sign}(u) \tan(\pi \alpha/2)) \right), \quad \alpha \ne 1
    \mathrm{E} \, e^{iuZ(t)} = \exp \left( -t |c u| (1 + i \beta \, \mathrm{sign}(u) \tfrac{2}{\pi} \ln|u|) \right), \quad \alpha = 1")]
///
/// with index 0 < alpha <= 2, skewness -1 <= beta <= 1 and scale c > 0. Over a unit of time it is
/// the distribution S(alpha, beta, c, 0; 1) of Nolan, of Samorodnitsky and Taqqu. alpha = 2 is
/// Brownian motion of variance 2 c^2 t. For alpha < 2 the variance is infinite, for alpha <= 1
/// there is no mean; for alpha > 1 the mean is 0. With beta != 0 the location goes to infinity as
/// alpha goes to 1: it is a drift of `c^alpha beta tan(pi alpha/2)` a unit of time against a
/// distribution that is continuous there, and costs the digits of single precision that it takes
/// up.
///
/// Method: Chambers, Mallows and Stuck, from an angle V uniform in (-pi/2, pi/2) and an exponential
/// W, in a form that is exact to rounding near and at alpha = 1: with `e = 1 - alpha`, `k = beta e
/// / tan(pi e/2)` (2 beta/pi at alpha = 1) and `A = cos eV + k sin(eV)/e`,
///
#[doc = formula!("stable_levy_sample", r"P = \left( \frac{A}{W \cos V} \right)^{e/\alpha}, \quad Z = Z_0 + k/e
    Z_0 = (A \tan V - \sin eV) P + k \left( \frac{\cos eV - 1}{e} P + \frac{P - 1}{e} \right)")]
///
/// Increments over a step h are `c h^(1/alpha) Z`, and for alpha = 1, where only Z_0 exists, `c h
/// Z_0 + (2/pi) beta c h ln(c h)`. V and W have 52 bits. For small indices values overflow, to
/// infinity or to what is no number: with a probability of 1e-16 at alpha = 0.05, in single
/// precision at 0.4.
///
/// Cost: two random words and some ten elementary functions a step. Nothing is stored.
///
/// Sources: Chambers, Mallows and Stuck, J. Am. Stat. Assoc. 71 (1976) 340, DOI
/// 10.1080/01621459.1976.10480344, corrected by Weron, Stat. Probab. Lett. 28 (1996) 165, DOI
/// 10.1016/0167-7152(95)00113-1; distributions: Nolan, Univariate Stable Distributions (2020), DOI
/// 10.1007/978-3-030-52915-4.
///
/// ```
/// use hpfracc_sde::noise::{Noise, StableDistribution, StableLevy, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths of a Cauchy process side by side, to Z(1): half of them within 1
/// let noise = StableLevy::new(7, &[StableDistribution::symmetric(1.0)])?;
/// let tile = Tile { first_path: 0, lanes: 1000, steps: 4, h: 0.25 };
/// let mut increments = Noise::<f64>::increments(&noise, tile, &[])?;
/// let (mut z, mut dz) = (vec![0.0; 1000], vec![0.0; 1000]);
/// for step in 0..4 {
///     increments.write(step, RowsMut::new(&mut dz, 1000));
///     z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
/// }
/// let within = z.iter().filter(|z| z.abs() < 1.0).count();
/// assert!((420..580).contains(&within));
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StableLevy {
    philox: Philox,
    distributions: Vec<StableDistribution>,
}

/// A stable distribution in Nolan's first parametrisation, of location 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StableDistribution {
    /// The index alpha, 0 < alpha <= 2.
    pub index: f64,
    /// The skewness beta, between -1 and 1; without effect for alpha = 2.
    pub skewness: f64,
    /// The scale c, positive.
    pub scale: f64,
}

impl StableDistribution {
    /// The symmetric distribution of this index and of scale 1, `E exp(iuZ) = exp(-|u|^alpha)`.
    pub fn symmetric(index: f64) -> Self {
        Self { index, skewness: 0.0, scale: 1.0 }
    }

    /// Numbers of an increment over a step of length h, for an executor that computes it: 1 - alpha, 1/alpha, k, the least A
    /// for a distance from the ends of the angle, and scale and shift of `scale (Z_0 + shift)`.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a scale of the increment that under- or overflows.
    pub fn in_step(&self, h: f64) -> Result<[f64; 6], SdeError> {
        let StepDistribution { e, inverse_index, k, least, scale, shift } =
            StepDistribution::new(self, h)?;
        Ok([e, inverse_index, k, least, scale, shift])
    }

    fn check(&self) -> Result<(), SdeError> {
        let Self { index, skewness, scale } = *self;
        let what = "the index of a stable distribution";
        in_range(index > 0.0 && index <= 2.0, what, index, "0 < alpha <= 2")?;
        Range::MINUS_ONE_TO_ONE.check("the skewness of a stable distribution", skewness)?;
        Range::POSITIVE.check("the scale of a stable distribution", scale)
    }
}

impl StableLevy {
    /// A component for each distribution.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for an index, a skewness or a scale that no distribution has, and
    /// for none or more than 2^24.
    pub fn new(seed: u64, distributions: &[StableDistribution]) -> Result<Self, SdeError> {
        check_components(distributions.len(), MOST)?;
        distributions.iter().try_for_each(StableDistribution::check)?;
        Ok(Self { philox: Philox::new(seed), distributions: distributions.to_vec() })
    }

    /// The distributions of the components.
    pub fn distributions(&self) -> &[StableDistribution] {
        &self.distributions
    }
}

impl<T: Gaussian> Noise<T> for StableLevy {
    fn components(&self) -> usize {
        self.distributions.len()
    }

    fn process(&self, component: usize) -> NoiseProcess {
        match self.distributions.get(component) {
            Some(distribution) if distribution.index < 2.0 => {
                NoiseProcess::Stable { index: distribution.index }
            }
            Some(distribution) => NoiseProcess::CorrelatedBrownian {
                variance: 2.0 * distribution.scale * distribution.scale,
            },
            None => NoiseProcess::Brownian,
        }
    }

    fn sources(&self) -> Vec<Source> {
        vec![Source { seed: self.philox.seed(), purpose: Purpose::Stable }]
    }

    fn symmetric(&self) -> bool {
        self.distributions
            .iter()
            .all(|distribution| distribution.skewness == 0.0 || distribution.index == 2.0)
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        without_integrals("stable noise", integrals)?;
        tile.check(0)?;
        let distributions = self
            .distributions
            .iter()
            .map(|distribution| StepDistribution::new(distribution, tile.h));
        let distributions = distributions.collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(StableIncrements {
            philox: self.philox,
            tile,
            distributions,
            arch: Arch::new(),
        }))
    }
}

/// The distribution of the increments of a step.
#[derive(Debug, Clone, Copy)]
struct StepDistribution {
    /// 1 - alpha
    e: f64,
    /// 1 / alpha
    inverse_index: f64,
    /// beta e / tan(pi e/2)
    k: f64,
    /// `2 |e| / sin(pi |e|/2)`, so that A is at least that times the distance of V/pi from its
    /// ends.
    least: f64,
    /// `scale (Z_0 + shift)`
    scale: f64,
    shift: f64,
}

impl StepDistribution {
    fn new(distribution: &StableDistribution, h: f64) -> Result<Self, SdeError> {
        let StableDistribution { index, skewness, scale } = *distribution;
        let e = 1.0 - index;
        let scale = scale * h.powf(1.0 / index);
        let what = "the scale of an increment of stable noise, c h^(1/alpha),";
        in_range(scale.is_normal(), what, scale, "a number that neither under- nor overflows")?;
        let (k, least, shift) = if e == 0.0 {
            let k = skewness * FRAC_2_PI;
            (k, 2.0 * FRAC_2_PI, k * scale.ln())
        } else if index == 2.0 {
            // Where the tangent is 0.
            (0.0, 2.0, 0.0)
        } else {
            let k = skewness * e / (FRAC_PI_2 * e).tan();
            (k, 2.0 * e / (FRAC_PI_2 * e).sin(), k / e)
        };
        Ok(Self { e, inverse_index: 1.0 / index, k, least, scale, shift })
    }

    /// An increment from four random words.
    #[inline(always)]
    fn increment(&self, [a, b, c, d]: [u32; 4]) -> f64 {
        let (e, k) = (self.e, self.k);
        let u = unit(a, b) - 0.5;
        let edge = 0.5 - u.abs();
        // V = pi u; its cosine is the sine of pi times the distance from the edge.
        let half = FRAC_PI_2 * u;
        let (sinc, cos) = sinc_cos(half);
        let sin_v = 2.0 * half * sinc * cos;
        let half_edge = FRAC_PI_2 * edge;
        let (sinc, cos) = sinc_cos(half_edge);
        let cos_v = 2.0 * half_edge * sinc * cos;
        // sin(eV/2)/e, which has a limit.
        let (sinc, cos) = sinc_cos(e * half);
        let sin_per_e = half * sinc;
        let sin = 2.0 * e * sin_per_e * cos;
        let cos_less_one_per_e = -2.0 * e * sin_per_e * sin_per_e;
        let w = -ln(unit(c, d));
        let a = 1.0 + e * cos_less_one_per_e + k * (2.0 * sin_per_e * cos);
        // For totally skewed distributions A goes to 0 at an end, where rounding would make it
        // negative.
        let a = a.max(self.least * edge);
        let log = self.inverse_index * ln(a / (w * cos_v));
        let less_one = exp_m1(e * log);
        let p = 1.0 + less_one;
        let less_one_per_e = if e == 0.0 { log } else { less_one / e };
        let z = (a * (sin_v / cos_v) - sin) * p + k * (cos_less_one_per_e * p + less_one_per_e);
        self.scale * (z + self.shift)
    }
}

struct StableIncrements {
    philox: Philox,
    tile: Tile,
    distributions: Vec<StepDistribution>,
    arch: Arch,
}

impl<T: Gaussian> Increments<T> for StableIncrements {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let Self { philox, tile, .. } = *self;
        for (component, distribution) in self.distributions.iter().enumerate() {
            let Some(stream) = Stream::new(Purpose::Stable, component as u32) else { continue };
            let counter = stream.counter(step as u32, tile.first_path);
            let row = &mut rows[component];
            vectorised(
                self.arch,
                #[inline(always)]
                move || {
                    for (first, row) in (0..).step_by(LANES).zip(row.chunks_mut(LANES)) {
                        let [a, b, c, d] = philox.blocks(Stream::counters::<LANES>(counter, first));
                        let mut increments = [T::zero(); LANES];
                        for lane in 0..LANES {
                            let words = [a[lane], b[lane], c[lane], d[lane]];
                            increments[lane] = T::narrow(distribution.increment(words));
                        }
                        row.copy_from_slice(&increments[..row.len()]);
                    }
                },
            );
        }
    }
}

/// Paths that are computed side by side.
const LANES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the formula of Chambers, Mallows and Stuck as it stands in Weron, where it is well
    /// conditioned.
    #[test]
    fn increments_are_those_of_the_source() {
        let philox = Philox::new(6);
        for index in [0.3f64, 0.6, 1.0, 1.4, 1.9] {
            for skewness in [-1.0, -0.4, 0.0, 0.7, 1.0] {
                let (scale, h) = (1.7, 0.2f64);
                let distribution =
                    StepDistribution::new(&StableDistribution { index, skewness, scale }, h)
                        .unwrap();
                for i in 0..300 {
                    let bits @ [a, b, c, d] = philox.block([i, 0, 0, 0]);
                    let (v, w) = (std::f64::consts::PI * (unit(a, b) - 0.5), -unit(c, d).ln());
                    let exact = if index == 1.0 {
                        let bend = FRAC_PI_2 + skewness * v;
                        let log = (FRAC_PI_2 * w * v.cos() / bend).ln();
                        let z = FRAC_2_PI * (bend * v.tan() - skewness * log);
                        let step = scale * h;
                        step * z + FRAC_2_PI * skewness * step * step.ln()
                    } else {
                        let t = skewness * (FRAC_PI_2 * index).tan();
                        let (shift, size) = (t.atan() / index, (1.0 + t * t).powf(0.5 / index));
                        let angle = index * (v + shift);
                        let power = ((v - angle).cos() / w).powf(1.0 / index - 1.0);
                        let z = size * angle.sin() / v.cos().powf(1.0 / index) * power;
                        scale * h.powf(1.0 / index) * z
                    };
                    let found = distribution.increment(bits);
                    let size = 1.0 + exact.abs();
                    let what = format!("{index} {skewness}, V = {v}, W = {w}: {found} {exact}");
                    assert!((found - exact).abs() < 1e-10 * size, "{what}");
                }
            }
        }
    }

    #[test]
    fn scales_that_are_no_numbers() {
        let distribution = StableDistribution { index: 1e-3, skewness: 0.5, scale: 1.0 };
        for h in [0.1, 10.0] {
            let refused = StepDistribution::new(&distribution, h).unwrap_err().to_string();
            assert!(refused.contains("the scale of an increment"), "{refused}");
        }
    }
}
