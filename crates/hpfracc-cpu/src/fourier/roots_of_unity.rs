//! Roots of unity, each from its own angle: rounding errors do not accumulate.

use hpfracc_types::Real;
use num_complex::Complex;
use std::f64::consts::FRAC_PI_4;

/// `exp(2 pi i j / n)`, both parts accurate to about one unit in the last place of 1.
///
/// The angle is reduced to the first octant as a ratio of integers, so that the argument of sine
/// and cosine is at most pi/4: its rounding error is below 2e-16, that of an angle near 2 pi 1e-15.
pub(crate) fn root<T: Real>(j: u64, n: u64) -> Complex<T> {
    let eighths = 8 * u128::from(j % n);
    let (octant, rest) = (eighths / u128::from(n), (eighths % u128::from(n)) as u64);
    // Odd octants are measured from their upper end.
    let rest = if octant % 2 == 0 { rest } else { n - rest };
    let (sin, cos) = (FRAC_PI_4 * (rest as f64 / n as f64)).sin_cos();
    let (re, im) = match octant {
        0 => (cos, sin),
        1 => (sin, cos),
        2 => (-sin, cos),
        3 => (-cos, sin),
        4 => (-cos, -sin),
        5 => (-sin, -cos),
        6 => (sin, -cos),
        _ => (cos, -sin),
    };
    Complex::new(T::narrow(re), T::narrow(im))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octants_agree_with_the_plain_formula() {
        for n in [1, 2, 3, 8, 100, 257] {
            for j in 0..2 * n {
                let z = root::<f64>(j, n);
                let (sin, cos) = (std::f64::consts::TAU * j as f64 / n as f64).sin_cos();
                assert!((z.re - cos).abs() < 4e-15 && (z.im - sin).abs() < 4e-15, "{j}/{n}");
            }
        }
    }

    #[test]
    fn quarters_are_exact() {
        let quarters = [0, 1, 2, 3].map(|j| root::<f64>(j << 20, 4 << 20));
        assert_eq!(
            quarters.map(|z| (z.re, z.im)),
            [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
        );
    }
}
