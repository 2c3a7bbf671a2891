use super::LossError;
use super::tile::{self, Cotangent, expect_cotangent, expect_tile, some_rows};
use crate::Scalar;
use crate::checks::in_range;
use hpfracc_lanes::LONGEST;
use hpfracc_lanes::Rows;
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Pairs within a sample over which a mean runs.
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
    /// Smallest number of paths.
    pub(super) fn least(self) -> usize {
        if self == Self::Distinct { 2 } else { 1 }
    }

    /// Number of ordered pairs of n.
    pub(super) fn count(self, n: usize) -> f64 {
        let n = n as f64;
        if self == Self::Distinct { n * (n - 1.0) } else { n * n }
    }
}

/// Energy distance between the distributions of two sets of paths:
///
/// ```text
/// D = E|X - Y| - E|X - X'|/2 - E|Y - Y'|/2
/// ```
///
/// with the Euclidean norm over all rows of a path, and independent copies X' and Y' of X and Y. D
/// is zero if and only if the distributions are equal, and needs neither features nor densities.
/// For n and m paths the means run over all pairs (X, Y) and over [`Pairs`] within each sample; D
/// is half the distance of the source. Scale paths beforehand if their components or times differ
/// in size or spacing.
///
/// Cost: `n m + n^2 + m^2` norms over all rows, the first two with their gradients; no memory. The
/// gradient of a norm at zero is taken to be zero.
///
/// Accuracy: squares of a path's differences are summed in the scalar of the paths, row by row, and
/// each norm has an error of up to half as many roundings as there are rows; norms are summed in
/// double precision. D is a difference of means of norms, and its error is relative to those, not
/// to D. A square over the largest number makes D infinite or NaN, and differences whose squares
/// are below the least number count as zero: in `f32` some 1e19 and 1e-22.
///
/// Source: Szekely and Rizzo, J. Stat. Plan. Inference 143, 1249-1272 (2013), DOI
/// 10.1016/j.jspi.2013.03.018, section 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnergyDistance {
    /// Pairs within each sample.
    #[serde(default)]
    pub pairs: Pairs,
}

impl EnergyDistance {
    /// The distance between the paths in the lanes of `x` and of `y`, and its gradient with respect
    /// to `x`. Sums over pairs are in double precision and in a fixed order.
    ///
    /// NaN in a path propagates to all its pairs.
    ///
    /// # Errors
    /// [`LossError::OutOfRange`] for too few paths, [`LossError::Size`] for tiles whose sizes do not
    /// match, or without rows.
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
        // X and X' are the same paths: each ordered pair is in the gradient twice.
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

/// Checks sizes; returns the numbers of paths.
pub(super) fn check<T: Scalar>(
    pairs: Pairs,
    x: Rows<'_, T>,
    y: Rows<'_, T>,
    cotangent: Option<&Cotangent<'_, T>>,
) -> Result<(usize, usize), LossError> {
    let (n, m, rows) = (x.lanes(), y.lanes(), tile::rows(y));
    for (what, found) in [("x", n), ("y", m)] {
        let (what, least) = (format_args!("the number of paths of `{what}`"), pairs.least());
        in_range(found >= least, what, found, format_args!("at least {least}"))?;
    }
    some_rows("y", rows)?;
    expect_tile("y", y, rows, m)?;
    expect_tile("x", x, rows, n)?;
    expect_cotangent("cotangent", cotangent, rows, n)?;
    Ok((n, m))
}

/// The sum of `|from_i - to_j|` over all i and j. Adds `scale` times its gradient with respect to
/// `from_i`.
struct Norms<'a, T> {
    from: Rows<'a, T>,
    to: Rows<'a, T>,
    cotangent: Option<Cotangent<'a, T>>,
}

impl<T: Scalar> WithSimd for Norms<'_, T> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { from, to, mut cotangent } = self;
        let (width, mut sum) = (T::count::<S>(), 0.0);
        let mut at = 0;
        while at < from.lanes() {
            let left = from.lanes() - at;
            let count = if left >= 2 * width { 2 * width } else { width.min(left) };
            let mut first = 0;
            while first < to.lanes() {
                let block = if first + 4 <= to.lanes() { 4 } else { 1 };
                let cotangent = cotangent.as_mut().map(|Cotangent { scale, rows }| Cotangent {
                    scale: *scale,
                    rows: rows.reborrow(),
                });
                let pairs = Block { from, to, cotangent, at, count, first };
                sum += match (count > width, block) {
                    (true, 4) => simd.vectorize(Registers::<T, 4, 2>(pairs)),
                    (true, _) => simd.vectorize(Registers::<T, 1, 2>(pairs)),
                    (_, 4) => simd.vectorize(Registers::<T, 4, 1>(pairs)),
                    (_, _) => simd.vectorize(Registers::<T, 1, 1>(pairs)),
                };
                first += block;
            }
            at += count;
        }
        sum
    }
}

/// `count` paths of `from` with some of `to`.
struct Block<'a, T> {
    from: Rows<'a, T>,
    to: Rows<'a, T>,
    cotangent: Option<Cotangent<'a, T>>,
    at: usize,
    count: usize,
    first: usize,
}

/// `N` registers of paths of `from` with `M` paths of `to`. A function of its own: within a large
/// one the compiler spills.
struct Registers<'a, T, const M: usize, const N: usize>(Block<'a, T>);

impl<T: Scalar, const M: usize, const N: usize> WithSimd for Registers<'_, T, M, N> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Block { from, to, mut cotangent, at, count, first } = self.0;
        let width = T::count::<S>();
        let load = |row: &[T]| -> [T::Vector<S>; N] {
            let lanes = &row[at..][..count];
            if count == N * width {
                return std::array::from_fn(|n| T::load::<S>(&lanes[n * width..][..width]));
            }
            let mut padded = [T::zero(); LONGEST];
            padded[..count].copy_from_slice(lanes);
            [T::load::<S>(&padded[..width]); N]
        };
        let zero = T::splat(simd, T::zero());
        let mut squares = [[zero; N]; M];
        for row in 0..from.rows() {
            let (x, y) = (load(&from[row]), &to[row][first..][..M]);
            for m in 0..M {
                let y = T::splat(simd, y[m]);
                for n in 0..N {
                    let e = T::difference(simd, x[n], y);
                    squares[m][n] = T::fused(simd, e, e, squares[m][n]);
                }
            }
        }
        let scale = cotangent.as_ref().map_or(T::zero(), |cotangent| cotangent.scale);
        let (mut sum, mut slopes) = (0.0, [[zero; N]; M]);
        for m in 0..M {
            for n in 0..N {
                let mut norms = [T::zero(); LONGEST];
                T::store::<S>(&mut norms[..width], squares[m][n]);
                let lanes = &mut norms[..width.min(count - n * width)];
                for norm in lanes {
                    *norm = norm.sqrt();
                    sum += norm.widen();
                    *norm = if *norm == T::zero() { *norm } else { scale / *norm };
                }
                slopes[m][n] = T::load::<S>(&norms[..width]);
            }
        }
        if let Some(Cotangent { rows, .. }) = &mut cotangent {
            for row in 0..from.rows() {
                let (x, y, mut bar) = (load(&from[row]), &to[row][first..][..M], load(&rows[row]));
                for m in 0..M {
                    let y = T::splat(simd, y[m]);
                    for n in 0..N {
                        let e = T::difference(simd, x[n], y);
                        bar[n] = T::fused(simd, slopes[m][n], e, bar[n]);
                    }
                }
                let out = rows[row][at..][..count].chunks_mut(width);
                out.zip(bar).for_each(|(out, bar)| T::store::<S>(out, bar));
            }
        }
        sum
    }
}
