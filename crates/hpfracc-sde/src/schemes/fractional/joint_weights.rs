//! Weights of the increment and of the drawn integrals of a cell: the best linear estimate of the
//! integral of the kernel at every lag, given these numbers.
//!
//! With y the increment and the integrals `int k_0 dW`, `int k_1 dW`, ... of a cell, of covariance
//! `C = L L^T`, and c_m the covariances of y with the integral at lag m, the weights solve
//! `C w_m = c_m`: in the lags of y they are those of the integral itself, beyond they are the
//! conditional expectation.
//!
//! As `y = L z` with standard normals z, the derivative with respect to the order at fixed z is
//! `w'_m^T y + w_m^T L' z`: the weights of y and of all other numbers that are drawn for the cell,
//! integrals for other components, among whose normals are those of z.

use crate::noise::{Factored, covariance, covariance_change};
use hpfracc_special::{digamma, recip_gamma};

/// Exponent and lag of the kernel of an integral.
pub(crate) type Kernel = (f64, usize);

/// Weights by lag.
#[derive(Debug, Clone)]
pub(crate) struct JointWeights {
    pub(crate) increment: Vec<f64>,
    /// For each of the integrals, by kernel.
    pub(crate) integrals: Vec<(Kernel, Vec<f64>)>,
}

/// The increment.
const CONSTANT: Kernel = (0.0, 0);

/// Kernels of the integrals of the nearest `joint` cells for the order alpha, in which they are
/// drawn.
fn own_kernels(alpha: f64, joint: usize) -> Vec<Kernel> {
    (0..joint).map(|lag| (alpha - 1.0, lag)).collect()
}

/// The integral at a lag as a combination of the normals of the increment and of its `own`
/// integrals, with its derivative by a shift of the exponents for which `shifts` holds: exact in the
/// lags of these integrals, the conditional expectation at later ones.
fn normals(
    factored: &Factored,
    (alpha, own): (f64, &[Kernel]),
    lag: usize,
    shifts: impl Fn(Kernel) -> bool,
) -> (Vec<f64>, Vec<f64>) {
    if lag < own.len() {
        return factored.row(lag + 1);
    }
    let kernel = (alpha - 1.0, lag);
    factored.estimate(|j| {
        let other = at(own, j);
        let shifted = [shifts(kernel), shifts(other)];
        [covariance(kernel, other), covariance_change(kernel, other, shifted)]
    })
}

/// The factor of the covariance of the increment and integrals, with its derivative by a shift of
/// the exponents for which `shifts` holds.
fn factored(kernels: &[Kernel], shifts: impl Fn(Kernel) -> bool) -> Factored {
    let mut factored = Factored::default();
    let all: Vec<Kernel> = [CONSTANT].iter().chain(kernels).copied().collect();
    for a in &all {
        factored.push(|j| {
            let b = all[j];
            [covariance(*a, b), covariance_change(*a, b, [shifts(*a), shifts(b)])]
        });
    }
    factored
}

impl JointWeights {
    /// Of the kernel `t^(alpha-1)/Gamma(alpha)` in `cells` cells of length h, where the integrals
    /// of the nearest `joint` are drawn.
    pub(crate) fn new(alpha: f64, h: f64, joint: usize, cells: usize) -> Self {
        let own = own_kernels(alpha, joint);
        let fixed = |_: Kernel| false;
        let factored = factored(&own, fixed);
        Self::of(alpha, h, &own, cells, |lag| {
            factored.solve(normals(&factored, (alpha, &own), lag, fixed).0)
        })
    }

    /// Their derivatives with respect to alpha, where the integrals of `all` kernels are drawn for
    /// the cell.
    pub(crate) fn by_order(
        alpha: f64,
        h: f64,
        (joint, cells): (usize, usize),
        all: &[Kernel],
    ) -> Self {
        let own = own_kernels(alpha, joint);
        let shifts = |(exponent, _): Kernel| exponent == alpha - 1.0;
        let (part, whole) = (factored(&own, shifts), factored(all, shifts));
        let places = places(&own, all);
        // Of h^(alpha-1)/Gamma(alpha), over itself.
        let scale = h.ln() - digamma(alpha);
        Self::of(alpha, h, all, cells, |lag| {
            let (row, change) = normals(&part, (alpha, &own), lag, shifts);
            let weights = part.solve(row);
            let moved = part.times_change(&weights);
            let change = change.iter().zip(moved).map(|(change, moved)| change - moved);
            let changes = part.solve(change.collect());
            let mut found = moved_with_all(&whole, &places, &weights);
            for (place, (change, weight)) in places.iter().zip(changes.iter().zip(&weights)) {
                found[*place] += change + scale * weight;
            }
            found
        })
    }

    /// What the weights of order alpha become by a change of `other`, the order of another component
    /// with integrals of the same noise, which has a share in the normals of its own.
    pub(crate) fn by_other_order(
        (alpha, other): (f64, f64),
        h: f64,
        (joint, cells): (usize, usize),
        all: &[Kernel],
    ) -> Self {
        let own = own_kernels(alpha, joint);
        let fixed = |_: Kernel| false;
        let part = factored(&own, fixed);
        let whole = factored(all, |(exponent, _)| exponent == other - 1.0);
        let places = places(&own, all);
        Self::of(alpha, h, all, cells, |lag| {
            let (row, _) = normals(&part, (alpha, &own), lag, fixed);
            moved_with_all(&whole, &places, &part.solve(row))
        })
    }

    /// `weights` has those of a lag, in units of a cell of length 1 and without the factor of the
    /// kernel.
    fn of(
        alpha: f64,
        h: f64,
        kernels: &[Kernel],
        cells: usize,
        weights: impl Fn(usize) -> Vec<f64>,
    ) -> Self {
        let gamma = recip_gamma(alpha);
        let mut increment = Vec::with_capacity(cells);
        let mut integrals: Vec<_> = kernels.iter().map(|kernel| (*kernel, Vec::new())).collect();
        for lag in 0..cells {
            let weights = weights(lag);
            increment.push(gamma * h.powf(alpha - 1.0) * weights[0]);
            for (((exponent, _), of), weight) in integrals.iter_mut().zip(&weights[1..]) {
                of.push(gamma * h.powf(alpha - 1.0 - *exponent) * weight);
            }
        }
        Self { increment, integrals }
    }
}

/// Where the increment and the own integrals are among all numbers.
fn places(own: &[Kernel], all: &[Kernel]) -> Vec<usize> {
    let place = |kernel: &Kernel| all.iter().position(|other| other == kernel);
    [0].into_iter().chain(own.iter().filter_map(place).map(|place| place + 1)).collect()
}

/// `w^T L'` as weights of all numbers, w being those of the numbers at `places`.
fn moved_with_all(whole: &Factored, places: &[usize], weights: &[f64]) -> Vec<f64> {
    let last = places.iter().max().map_or(0, |last| last + 1);
    let mut spread = vec![0.0; last];
    for (place, weight) in places.iter().zip(weights) {
        spread[*place] = *weight;
    }
    whole.solve(whole.times_change(&spread))
}

/// The kernel of a number: the increment is the first.
fn at(kernels: &[Kernel], number: usize) -> Kernel {
    number.checked_sub(1).map_or(CONSTANT, |i| kernels[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_their_own_lags_the_integrals_are_taken_as_they_are() {
        let found = JointWeights::new(0.6, 0.01, 3, 5);
        for lag in 0..3 {
            assert_eq!(found.increment[lag], 0.0);
            for (j, (kernel, weights)) in found.integrals.iter().enumerate() {
                assert_eq!(*kernel, (0.6 - 1.0, j));
                let expected = if j == lag { recip_gamma(0.6) } else { 0.0 };
                assert_eq!(weights[lag], expected, "{lag}, {j}");
            }
        }
    }

    /// The variance that the best estimate leaves is that of an independent one: by least squares
    /// over the points of a quadrature.
    #[test]
    fn beyond_them_estimates_are_best() {
        let alpha = 0.7;
        let found = JointWeights::new(alpha, 1.0, 2, 6);
        const POINTS: usize = 20_000;
        let point = |i: usize| ((i as f64 + 0.5) / POINTS as f64).powi(5);
        let weight = |i: usize| 5.0 * ((i as f64 + 0.5) / POINTS as f64).powi(4) / POINTS as f64;
        let kernel = |m: usize, u: f64| (u + m as f64).powf(alpha - 1.0) * recip_gamma(alpha);
        let gamma = 1.0 / recip_gamma(alpha);
        for lag in 2..6 {
            // The residual is orthogonal to all that is drawn.
            let residual = |u: f64| {
                let drawn = found.integrals.iter().enumerate();
                let drawn = drawn.map(|(j, (_, w))| w[lag] * gamma * kernel(j, u));
                kernel(lag, u) - found.increment[lag] - drawn.sum::<f64>()
            };
            let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
                (0..POINTS).map(|i| weight(i) * f(point(i)) * residual(point(i))).sum()
            };
            for product in [sum(&|_| 1.0), sum(&|u| kernel(0, u)), sum(&|u| kernel(1, u))] {
                assert!(product.abs() < 1e-9, "{lag}: {product:e}");
            }
        }
    }
}
