//! Two orders alpha and 2 alpha, by partial fractions.

use super::windows::CHUNK;
use crate::error::Result;
use hpfracc_spatial::{Complex64, LinearDatum, TimeDerivative};
use hpfracc_special::MittagLeffler;
use rayon::prelude::*;

/// Solution of `w_2 D^(2 alpha) u + w_1 D^alpha u + lambda u = s`, 0 < alpha <= 1, from the
/// roots of `w_2 z^2 + w_1 z + lambda`, z = s^alpha. With Z = z t^alpha:
///
/// ```text
/// u(0) (Z1 E_alpha(Z2) - Z2 E_alpha(Z1)) / (Z1 - Z2)
/// + t u'(0) (Z1 E_(alpha, 2)(Z1) - Z2 E_(alpha, 2)(Z2)) / (Z1 - Z2)
/// + s t^(2 alpha) / w_2 (E_(alpha, alpha + 1)(Z1) - E_(alpha, alpha + 1)(Z2)) / (Z1 - Z2)
/// ```
pub(super) struct TwoOrders {
    alpha: f64,
    w1: f64,
    w2: f64,
    /// E_alpha, E_(alpha, 2), E_(alpha, alpha + 1).
    functions: [MittagLeffler; 3],
}

/// Half the distance of roots below which divided differences are Taylor polynomials.
const CLOSE: f64 = 3e-3;

/// Roots Z1 and Z2.
enum Roots {
    Real(f64, f64),
    /// `mean + i distance` and its conjugate.
    Complex(f64, f64),
    /// Square of half their difference, which is negative for complex ones.
    Close(f64, f64),
}

impl TwoOrders {
    /// None for other orders.
    pub(super) fn of(derivative: &TimeDerivative) -> Option<Result<Self>> {
        let [(w1, alpha), (w2, twice)] = derivative.terms()[..] else { return None };
        if (twice - 2.0 * alpha).abs() > 4.0 * f64::EPSILON * twice || alpha > 1.0 {
            return None;
        }
        let functions = || -> Result<[MittagLeffler; 3]> {
            let of = |beta: f64| MittagLeffler::new(alpha, beta);
            Ok([of(1.0)?, of(2.0)?, of(alpha + 1.0)?])
        };
        Some(functions().map(|functions| Self { alpha, w1, w2, functions }))
    }

    fn roots(&self, lambda: f64, scale: f64) -> Roots {
        let mean = -0.5 * self.w1 / self.w2;
        let square = mean * mean - lambda / self.w2;
        let half = square.abs().sqrt();
        if half * scale < CLOSE {
            Roots::Close(mean * scale, square * scale * scale)
        } else if square > 0.0 {
            let far = mean - half;
            Roots::Real(lambda / (self.w2 * far) * scale, far * scale)
        } else {
            Roots::Complex(mean * scale, half * scale)
        }
    }

    /// Adds the solutions for coefficients of eigenvectors.
    pub(super) fn add(
        &self,
        t: f64,
        c: f64,
        eigenvalues: &[f64],
        data: &[(LinearDatum, &[f64])],
        out: &mut [f64],
    ) {
        let scale = t.powf(self.alpha);
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, out) in out.iter_mut().enumerate() {
                let i = CHUNK * chunk + i;
                let roots = self.roots(c * eigenvalues[i], scale);
                for (datum, x) in data {
                    if x[i] != 0.0 {
                        *out += x[i] * self.value(*datum, &roots, t, scale);
                    }
                }
            }
        });
    }

    fn value(&self, datum: LinearDatum, roots: &Roots, t: f64, scale: f64) -> f64 {
        let [start, velocity, source] = &self.functions;
        match datum {
            LinearDatum::Start => match *roots {
                Roots::Real(z1, z2) => (z1 * start.eval(z2) - z2 * start.eval(z1)) / (z1 - z2),
                Roots::Complex(mean, half) => {
                    let e = start.eval_complex(Complex64::new(mean, half));
                    e.re - mean * e.im / half
                }
                Roots::Close(mean, square) => {
                    let e = |k: usize| start.derivative(mean, k);
                    let average = e(0) + square * (e(2) / 2.0 + square * e(4) / 24.0);
                    average - mean * taylor(square, e)
                }
            },
            LinearDatum::Velocity => {
                let times_z = |z: Complex64| z * velocity.eval_complex(z);
                let derivative = |z: f64, k: usize| {
                    z * velocity.derivative(z, k) + k as f64 * velocity.derivative(z, k - 1)
                };
                t * divided_difference(roots, times_z, derivative)
            }
            LinearDatum::Source => {
                let value = |z: Complex64| source.eval_complex(z);
                let derivative = |z: f64, k: usize| source.derivative(z, k);
                scale * scale / self.w2 * divided_difference(roots, value, derivative)
            }
        }
    }
}

/// `(f(Z1) - f(Z2)) / (Z1 - Z2)` from f and its derivatives of odd order.
fn divided_difference(
    roots: &Roots,
    f: impl Fn(Complex64) -> Complex64,
    derivative: impl Fn(f64, usize) -> f64,
) -> f64 {
    match *roots {
        Roots::Real(z1, z2) => (f(z1.into()) - f(z2.into())).re / (z1 - z2),
        Roots::Complex(mean, half) => f(Complex64::new(mean, half)).im / half,
        Roots::Close(mean, square) => taylor(square, |k| derivative(mean, k)),
    }
}

/// Divided difference around the mean, from the square of half the distance.
fn taylor(square: f64, derivative: impl Fn(usize) -> f64) -> f64 {
    derivative(1) + square * (derivative(3) / 6.0 + square * derivative(5) / 120.0)
}
