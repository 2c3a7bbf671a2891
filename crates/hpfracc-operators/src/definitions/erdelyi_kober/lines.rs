//! Lines in u that replace `u^gamma` times the samples, which are linear in `t = u^(1/beta)`.
//!
//! On each cell the line has the integral and the first moment of that function: against a kernel
//! that is smooth there, the error is a second difference of the kernel. The powers of u may be
//! singular at zero; their moments are not.

use crate::CellLine;

/// Nodes in (0, 1) and weights of Gauss's rule with five points.
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_0, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_24),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_24),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

/// Over parts whose ends differ by this ratio, Gauss's rule has powers to rounding: 34^-10.
const RATIO: f64 = 1.125;

/// Integrals of `u^gamma phi du` and `u^gamma phi v du` over a cell, over its length; v rises from
/// 0 to 1.
type Moments = [f64; 2];

/// The line of the cell between the times t and t + d.
pub(super) fn line(gamma: f64, beta: f64, (t, d): (f64, f64)) -> CellLine {
    let [of_left, of_difference] =
        if t == 0.0 { from_zero(gamma, beta, d) } else { behind(gamma, beta, (t, d)) };
    let [left, rise] = [0, 1].map(|which| [of_left, of_difference].map(|m| matched(m)[which]));
    CellLine { left, rise }
}

/// Left value and rise of the line with these moments.
fn matched([whole, first]: Moments) -> [f64; 2] {
    [4.0 * whole - 6.0 * first, 12.0 * first - 6.0 * whole]
}

/// For phi = 1 and phi = t/d on the cell from zero.
fn from_zero(gamma: f64, beta: f64, d: f64) -> [Moments; 2] {
    let scale = d.powf(beta * gamma);
    [0.0, 1.0 / beta].map(|power| [1.0, 2.0].map(|shift| scale / (gamma + power + shift)))
}

/// For phi = 1 and the phi that is linear in t from 0 to 1, in units of the left end.
fn behind(gamma: f64, beta: f64, (t, d): (f64, f64)) -> [Moments; 2] {
    let length = d / t;
    let whole = length.ln_1p();
    let parts = (whole / RATIO.ln()).ceil().max(1.0);
    let width = (beta * whole).exp_m1();
    let scale = t.powf(beta * gamma) * beta / width;
    let mut moments = [[0.0; 2]; 2];
    let end = |i: f64| if i == parts { length } else { (i / parts * whole).exp_m1() };
    for i in 0..parts as usize {
        let (from, to) = (end(i as f64), end((i + 1) as f64));
        for (node, weight) in GAUSS {
            let beyond = from + node * (to - from);
            let ln = beyond.ln_1p();
            let density = scale * weight * (to - from) * ((beta * (gamma + 1.0) - 1.0) * ln).exp();
            let v = (beta * ln).exp_m1() / width;
            for (moments, phi) in moments.iter_mut().zip([1.0, beyond / length]) {
                moments[0] += density * phi;
                moments[1] += density * phi * v;
            }
        }
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By midpoints, graded towards zero.
    fn quadrature(gamma: f64, beta: f64, (t, d): (f64, f64)) -> [Moments; 2] {
        let (parts, grading) = (200_000, 4.0);
        let (u0, u1) = (t.powf(beta), (t + d).powf(beta));
        let mut moments = [[0.0; 2]; 2];
        for i in 0..parts {
            let y = (f64::from(i) + 0.5) / f64::from(parts);
            let v = y.powf(grading);
            let u = u0 + (u1 - u0) * v;
            let density = u.powf(gamma) * grading * y.powf(grading - 1.0) / f64::from(parts);
            for (moments, phi) in moments.iter_mut().zip([1.0, (u.powf(1.0 / beta) - t) / d]) {
                moments[0] += density * phi;
                moments[1] += density * phi * v;
            }
        }
        moments
    }

    #[test]
    fn moments_are_integrals() {
        for (gamma, beta) in [(0.0, 1.0), (0.5, 2.0), (-0.4, 1.3), (2.3, 0.6)] {
            for time in [(0.0, 0.3), (0.3, 0.3), (0.3, 5.0), (1.0, 0.01)] {
                let expected = quadrature(gamma, beta, time);
                let found = if time.0 == 0.0 {
                    from_zero(gamma, beta, time.1)
                } else {
                    behind(gamma, beta, time)
                };
                for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                    let error = (found / expected - 1.0).abs();
                    assert!(error < 1e-8, "{gamma} {beta} {time:?}: {found} {expected}");
                }
            }
        }
    }

    /// Without a weight, and with samples linear in u, the line is the samples' own.
    #[test]
    fn lines_are_kept() {
        for time in [(0.0, 0.3), (0.3, 0.3), (2.0, 0.01)] {
            let CellLine { left, rise } = line(0.0, 1.0, time);
            let expected = CellLine::THROUGH_SAMPLES;
            let pairs =
                left.into_iter().chain(rise).zip(expected.left.into_iter().chain(expected.rise));
            for (found, expected) in pairs {
                assert!((found - expected).abs() < 1e-14, "{time:?}: {found} {expected}");
            }
        }
    }
}
