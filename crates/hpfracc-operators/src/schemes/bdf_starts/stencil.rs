//! Coefficients of the powers of t at the start, from the first samples.
//!
//! They are differences of samples that are nearly equal, and count h^-alpha times. Rounded
//! weights, such as 11/6, would not sum to zero over a constant: weights are whole numbers over a
//! common denominator.

/// Weights of the first samples for one coefficient, times a denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stencil {
    weights: Vec<i128>,
    denominator: i128,
}

impl Stencil {
    /// The coefficient of n^k in the polynomial through the first `len` samples, at most 26.
    pub(super) fn of_power(k: usize, len: usize) -> Self {
        // (len-1)! C(x, i) = ratio x (x-1) .. (x-i+1), by powers of x.
        let denominator: i128 = (1..len as i128).product();
        let (mut ratio, mut falling) = (denominator, vec![1]);
        let mut weights = vec![0; len];
        for i in 0..len {
            let coefficient = ratio * falling.get(k).copied().unwrap_or(0);
            for (weight, c) in weights.iter_mut().zip(signed_binomials(i)) {
                *weight += coefficient * c;
            }
            ratio /= i as i128 + 1;
            falling.push(0);
            for power in (0..=i).rev() {
                falling[power + 1] += falling[power];
                falling[power] *= -(i as i128);
            }
        }
        Self { weights, denominator }.reduced()
    }

    /// The sum with these weights over the samples less the polynomial with these coefficients of
    /// 1, n, n^2, ...
    pub(super) fn of_remainder(weights: &[i128], coefficients: &[Self]) -> Self {
        let denominator =
            coefficients.iter().fold(1, |all, c| all / divisor(all, c.denominator) * c.denominator);
        let mut sum: Vec<i128> = weights.iter().map(|w| w * denominator).collect();
        for (k, coefficient) in coefficients.iter().enumerate() {
            let value = |(j, w): (usize, &i128)| w * (j as i128).pow(k as u32);
            let of_power: i128 = weights.iter().enumerate().map(value).sum();
            let factor = of_power * (denominator / coefficient.denominator);
            sum.resize(sum.len().max(coefficient.weights.len()), 0);
            sum.iter_mut().zip(&coefficient.weights).for_each(|(s, w)| *s -= factor * w);
        }
        Self { weights: sum, denominator }.reduced()
    }

    /// The whole numbers, and their denominator. Rounded beyond 2^53, for more than 18 samples.
    pub(super) fn numbers(&self) -> (Vec<f64>, f64) {
        (self.weights.iter().map(|w| *w as f64).collect(), self.denominator as f64)
    }

    fn reduced(self) -> Self {
        let common = self.weights.iter().fold(self.denominator, |all, w| divisor(all, *w));
        let weights = self.weights.into_iter().map(|w| w / common).collect();
        Self { weights, denominator: self.denominator / common }
    }
}

/// (-1)^(i-j) C(i, j) for j = 0..=i.
fn signed_binomials(i: usize) -> impl Iterator<Item = i128> {
    let mut c: i128 = if i.is_multiple_of(2) { 1 } else { -1 };
    (0..=i).map(move |j| {
        let now = c;
        c = -c * (i - j) as i128 / (j as i128 + 1);
        now
    })
}

/// Delta^i 0^k = sum_j (-1)^(i-j) C(i, j) j^k, a whole number.
pub(super) fn difference_of_power(i: usize, k: usize) -> f64 {
    let term = |(j, c): (usize, i128)| c * (j as i128).pow(k as u32);
    signed_binomials(i).enumerate().map(term).sum::<i128>() as f64
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(k: usize, len: usize) -> Vec<f64> {
        let (weights, denominator) = Stencil::of_power(k, len).numbers();
        weights.iter().map(|w| w / denominator).collect()
    }

    #[test]
    fn stencils_are_the_one_sided_differences() {
        assert_eq!(weights(0, 1), [1.0]);
        assert_eq!(weights(1, 2), [-1.0, 1.0]);
        assert_eq!(weights(1, 3), [-1.5, 2.0, -0.5]);
        assert_eq!(weights(2, 3), [0.5, -1.0, 0.5]);
    }

    /// In whole numbers, and so to the last one.
    #[test]
    fn stencils_find_the_coefficients_of_polynomials() {
        for len in 1..=26 {
            for k in 0..len {
                let Stencil { weights, denominator } = Stencil::of_power(k, len);
                for power in 0..len.min(8) {
                    let value = |(j, w): (usize, &i128)| w * (j as i128).pow(power as u32);
                    let sum: i128 = weights.iter().enumerate().map(value).sum();
                    assert_eq!(sum, if power == k { denominator } else { 0 }, "{len} {k} {power}");
                }
            }
        }
    }

    #[test]
    fn the_remainder_of_the_polynomial_itself_is_zero() {
        let coefficients = [Stencil::of_power(0, 1), Stencil::of_power(1, 5)];
        let Stencil { weights, denominator } = Stencil::of_remainder(&[-2, 1], &coefficients);
        // f_1 - 2 f_0 less that of c_0 + c_1 n: f_1 - f_0 - c_1, c_1 = -25/12 f_0 + 4 f_1 - ..
        assert_eq!((weights, denominator), (vec![13, -36, 36, -16, 3], 12));
    }
}
