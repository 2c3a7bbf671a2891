//! Heat kernel of the lattice: scaled Bessel functions `B_m(x) = exp(-x) I_m(x)`.

use std::f64::consts::PI;

/// Writes B_0 .. B_{len-1} at x > 0. Relative accuracy about 1e-15, of each as long as it is not
/// subnormal.
pub(crate) fn write_scaled_bessel(x: f64, values: &mut [f64]) {
    let highest = values.len() as f64;
    if x >= large(highest) {
        for (m, value) in values.iter_mut().enumerate() {
            *value = asymptotic(m as f64, x);
        }
    } else {
        by_recurrence(x, values);
    }
}

/// Argument from which the asymptotic series has full accuracy for all m up to `highest`.
pub(crate) fn large(highest: f64) -> f64 {
    (highest * highest).max(40.0)
}

/// Hankel's expansion. Source: DLMF 10.40.1.
fn asymptotic(m: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0_f64, 1.0, 1.0);
    while term.abs() > 1e-18 && k < 60.0 {
        let odd = 2.0 * k - 1.0;
        let next = term * (odd - 2.0 * m) * (odd + 2.0 * m) / (8.0 * k * x);
        if next.abs() >= term.abs() && k > m {
            break;
        }
        term = next;
        sum += term;
        k += 1.0;
    }
    sum / (2.0 * PI * x).sqrt()
}

/// Miller's backward recurrence `B_{m-1} = B_{m+1} + (2m/x) B_m`, normalised by
/// `B_0 + 2 sum_m B_m = 1`; all terms are positive.
fn by_recurrence(x: f64, values: &mut [f64]) {
    // B_m falls like exp(-m^2 / 2x) and, above x, like x^m / (2^m m!).
    let above = (90.0 * x).sqrt() + 40.0;
    let start = values.len().max(8) + above.ceil() as usize;
    let (mut next, mut here, mut sum) = (0.0, f64::MIN_POSITIVE / f64::EPSILON, 0.0);
    values.fill(0.0);
    for m in (0..=start).rev() {
        if m < values.len() {
            values[m] = here;
        }
        sum += if m == 0 { here } else { 2.0 * here };
        if m > 0 {
            let before = next + 2.0 * m as f64 / x * here;
            (next, here) = (here, before);
        }
        if here > 1e250 {
            let shrink = 1e-250;
            (next, here, sum) = (next * shrink, here * shrink, sum * shrink);
            values.iter_mut().for_each(|value| *value *= shrink);
        }
    }
    values.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Power series of I_m, all terms positive.
    fn series(m: usize, x: f64) -> f64 {
        let mut term = (1..=m).fold((-x).exp(), |term, k| term * 0.5 * x / k as f64);
        let (mut sum, mut k) = (0.0, 0.0);
        while term > 1e-18 * sum {
            sum += term;
            k += 1.0;
            term *= 0.25 * x * x / (k * (k + m as f64));
        }
        sum
    }

    #[test]
    fn recurrence_and_expansion_are_the_series() {
        for x in [1e-3, 0.3, 5.0, 41.0, 300.0] {
            for len in [1, 3, 20] {
                let mut values = vec![0.0; len];
                write_scaled_bessel(x, &mut values);
                for (m, value) in values.iter().enumerate() {
                    let exact = series(m, x);
                    assert!((value / exact - 1.0).abs() < 3e-14, "{m} {x}: {value} {exact}");
                }
            }
        }
    }

    #[test]
    fn recurrence_and_expansion_agree_where_they_meet() {
        let mut values = [0.0; 100];
        by_recurrence(1e4, &mut values);
        for (m, value) in values.iter().enumerate() {
            assert!((value / asymptotic(m as f64, 1e4) - 1.0).abs() < 1e-13, "{m}");
        }
    }
}
