use super::LossError;
use super::tile::{self, Cotangent, expect_cotangent, expect_tile, lanes, write};
use crate::Scalar;
use hpfracc_solvers::noise::Rows;
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Over which pairs of a sample with itself a mean goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Pairs of two different paths, n (n - 1) of them: unbiased, and negative at times.
    #[default]
    Distinct,
    /// All n^2 pairs: never negative, zero for the same sample, biased upwards by order 1/n.
    All,
}

impl Pairs {
    /// Paths that are needed.
    pub(super) fn least(self) -> usize {
        if self == Self::Distinct { 2 } else { 1 }
    }

    /// Number of ordered pairs of n.
    pub(super) fn count(self, n: usize) -> f64 {
        let n = n as f64;
        if self == Self::Distinct { n * (n - 1.0) } else { n * n }
    }
}

/// How far the law of one set of paths is from that of another:
///
/// ```text
/// D = E|X - Y| - E|X - X'|/2 - E|Y - Y'|/2
/// ```
///
/// with the Euclidean norm over all rows of a path, X' and Y' drawn as X and Y on their own. D is zero
/// if and only if the laws are equal, and needs neither features nor densities. Of n and m paths means
/// over all pairs (X, Y) and over [`Pairs`] within each sample are taken; half the distance of the
/// source. Paths whose components or times differ in size or spacing are to be scaled beforehand.
///
/// Cost: `n m + n^2 + m^2` norms over all rows, the first two with their gradients; no memory. The
/// gradient of a norm at zero is taken to be zero.
///
/// Source: Szekely and Rizzo, J. Stat. Plan. Inference 143, 1249-1272 (2013), DOI
/// 10.1016/j.jspi.2013.03.018, section 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnergyDistance {
    /// The mean within each sample.
    #[serde(default)]
    pub pairs: Pairs,
}

impl EnergyDistance {
    /// The distance of the paths in the lanes of `x` from those in the lanes of `y`, and its gradient in
    /// `x`. Sums over pairs are in double precision and in a fixed order.
    ///
    /// NaN in a path makes everything that it is paired with NaN.
    ///
    /// # Errors
    /// [`LossError::Paths`] for fewer paths than there have to be, [`LossError::Size`] for tiles that do
    /// not fit each other.
    pub fn evaluate<T: Scalar>(
        &self,
        x: Rows<'_, T>,
        y: Rows<'_, T>,
        cotangent: Option<Cotangent<'_, T>>,
    ) -> Result<T, LossError> {
        let (n, m) = check(self.pairs, x, y, cotangent.as_ref())?;
        let arch = Arch::new();
        let cross = 1.0 / (n as f64 * m as f64);
        let (of_x, of_y) = (0.5 / self.pairs.count(n), 0.5 / self.pairs.count(m));
        let mut distance = 0.0;
        let mut cotangent = cotangent;
        if let Some(Cotangent { rows, .. }) = &mut cotangent {
            rows.as_mut_slice().fill(T::zero());
        }
        // X' moves as X does: each ordered pair is twice in the gradient.
        for (to, value, slope) in [(y, cross, cross), (x, -of_x, -2.0 * of_x)] {
            let gradient = cotangent.as_mut().map(|Cotangent { scale, rows }| Cotangent {
                scale: *scale * T::narrow(slope),
                rows: rows.reborrow(),
            });
            distance += value * arch.dispatch(Norms { from: x, to, cotangent: gradient });
        }
        distance -= of_y * arch.dispatch(Norms { from: y, to: y, cotangent: None });
        Ok(T::narrow(distance))
    }
}

/// Checks sizes and gives the numbers of paths.
pub(super) fn check<T: Scalar>(
    pairs: Pairs,
    x: Rows<'_, T>,
    y: Rows<'_, T>,
    cotangent: Option<&Cotangent<'_, T>>,
) -> Result<(usize, usize), LossError> {
    let (n, m, rows) = (x.lanes(), y.lanes(), tile::rows(y));
    for (what, found) in [("x", n), ("y", m)] {
        if found < pairs.least() {
            return Err(LossError::Paths { what, found, least: pairs.least() });
        }
    }
    expect_tile("y", y, rows, m)?;
    expect_tile("x", x, rows, n)?;
    expect_cotangent("cotangent", cotangent, rows, n)?;
    Ok((n, m))
}

/// Paths of `from` whose distances are found together,
const LANES: usize = 16;
/// to so many paths of `to`.
const BLOCK: usize = 4;

/// The sum of `|from_i - to_j|` over all i and j. Adds `scale` times its gradient in `from_i`.
struct Norms<'a, T> {
    from: Rows<'a, T>,
    to: Rows<'a, T>,
    cotangent: Option<Cotangent<'a, T>>,
}

impl<T: Scalar> WithSimd for Norms<'_, T> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let Self { from, to, mut cotangent } = self;
        let mut sums = [0.0f64; LANES];
        for at in (0..from.lanes()).step_by(LANES) {
            let count = LANES.min(from.lanes() - at);
            for first in (0..to.lanes()).step_by(BLOCK) {
                let block = BLOCK.min(to.lanes() - first);
                let differences = |row: usize| -> [[T; LANES]; BLOCK] {
                    let x = lanes::<T, LANES>(&from[row][at..], count);
                    let y = lanes::<T, BLOCK>(&to[row][first..], block);
                    y.map(|y| x.map(|x| x - y))
                };
                let mut norms = [[T::zero(); LANES]; BLOCK];
                for row in 0..from.rows() {
                    for (norms, e) in norms.iter_mut().zip(differences(row)) {
                        norms.iter_mut().zip(e).for_each(|(norm, e)| *norm += e * e);
                    }
                }
                let norms = norms.map(|norms| norms.map(T::sqrt));
                for norms in &norms[..block] {
                    let pairs = sums[..count].iter_mut().zip(norms);
                    pairs.for_each(|(sum, norm)| *sum += norm.widen());
                }
                let Some(Cotangent { scale, rows }) = &mut cotangent else { continue };
                let mut slopes = [[T::zero(); LANES]; BLOCK];
                for (slopes, norms) in slopes.iter_mut().zip(norms).take(block) {
                    let slope = |n: T| if n == T::zero() { n } else { *scale / n };
                    *slopes = norms.map(slope);
                }
                for row in 0..from.rows() {
                    let mut bar = lanes::<T, LANES>(&rows[row][at..], count);
                    for (slopes, e) in slopes.iter().zip(differences(row)) {
                        for l in 0..LANES {
                            bar[l] += slopes[l] * e[l];
                        }
                    }
                    write(&mut rows[row][at..], count, &bar);
                }
            }
        }
        sums.iter().sum()
    }
}
