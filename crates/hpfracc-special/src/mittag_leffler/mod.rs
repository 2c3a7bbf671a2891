//! The two-parameter Mittag-Leffler function.

mod asymptotic;
mod contour;
mod poles;
mod taylor;

use num_complex::Complex64;

use self::asymptotic::Asymptotic;
use self::contour::Contour;
use self::poles::Poles;
use self::taylor::Taylor;
use crate::SpecialError;
use crate::gamma::recip_gamma;

/// E_{α,β} prepared for many arguments.
#[derive(Debug, Clone)]
pub struct MittagLeffler {
    alpha: f64,
    beta: f64,
    taylor: Taylor,
    asymptotic: Asymptotic,
    contour: Contour,
    poles: Poles,
}

impl MittagLeffler {
    /// .
    ///
    /// # Errors
    /// .
    pub fn new(alpha: f64, beta: f64) -> Result<Self, SpecialError> {
        if !(alpha > 0.0 && alpha.is_finite()) {
            return Err(SpecialError::NotPositive { name: "alpha", value: alpha });
        }
        if !beta.is_finite() {
            return Err(SpecialError::NotFinite { name: "beta", value: beta });
        }
        Ok(Self {
            alpha,
            beta,
            taylor: Taylor::new(alpha, beta),
            asymptotic: Asymptotic::new(alpha, beta),
            contour: Contour::new(alpha, beta),
            poles: Poles::new(alpha, beta),
        })
    }

    /// E(x).
    #[must_use]
    pub fn eval(&self, x: f64) -> f64 {
        let size = x.abs();
        if x == 0.0 {
            recip_gamma(self.beta)
        } else if size <= self.taylor.radius {
            self.taylor.eval(x)
        } else {
            self.eval_far(Complex64::new(x, 0.0)).re
        }
    }

    /// E(z).
    #[must_use]
    pub fn eval_complex(&self, z: Complex64) -> Complex64 {
        if z.im == 0.0 {
            return Complex64::new(self.eval(z.re), z.im);
        }
        if z.norm() <= self.taylor.radius {
            return self.taylor.eval_complex(z);
        }
        self.eval_far(z)
    }

    fn eval_far(&self, z: Complex64) -> Complex64 {
        let size = z.norm();
        let real = z.im == 0.0;
        if size >= self.asymptotic.radius {
            let terms = self.asymptotic.terms(size);
            let mut total = if real {
                self.asymptotic.eval(z.re, terms).into()
            } else {
                self.asymptotic.eval_complex(z, terms)
            };
            self.poles.visit(z, |pole, mirrored| {
                total += if mirrored { (2.0 * pole.residue.re).into() } else { pole.residue };
            });
            return total;
        }
        let Contour { vertex, step, .. } = self.contour;
        // e^{2π(1-σ)/h} for each pole, to choose the offset before it is applied.
        let mut near = [(Complex64::ZERO, Complex64::ZERO, false); 16];
        let mut count = 0;
        self.poles.visit(z, |pole, mirrored| {
            let sigma = (pole.s / vertex).sqrt();
            let log = (1.0 - sigma) * (2.0 * std::f64::consts::PI / step);
            // The correction would not be seen.
            if log.re - pole.s.re < 60.0 && count < near.len() {
                near[count] = (pole.residue, log.exp(), mirrored);
                count += 1;
            }
        });
        let near = &near[..count];
        let distance = |sign: f64| {
            near.iter().map(|(_, w, _)| (1.0 - sign * w).norm()).fold(f64::INFINITY, f64::min)
        };
        let offset = distance(-1.0) > distance(1.0);
        let sign = if offset { -1.0 } else { 1.0 };
        let shifts = self.contour.shifts(size);
        let mut total = if real {
            let sum = self.contour.sum(z.re, shifts, offset);
            (sum / z.re.powi(shifts as i32) + self.asymptotic.eval(z.re, shifts)).into()
        } else {
            let sum = self.contour.sum_complex(z, shifts, offset);
            sum / z.powi(shifts as i32) + self.asymptotic.eval_complex(z, shifts)
        };
        for &(residue, w, mirrored) in near {
            let part = residue / (1.0 - sign * w);
            total += if mirrored { (2.0 * part.re).into() } else { part };
        }
        total
    }
}

/// E.
///
/// # Errors
/// .
pub fn mittag_leffler(alpha: f64, beta: f64, x: f64) -> Result<f64, SpecialError> {
    Ok(MittagLeffler::new(alpha, beta)?.eval(x))
}

/// E.
///
/// # Errors
/// .
pub fn mittag_leffler_complex(
    alpha: f64,
    beta: f64,
    z: Complex64,
) -> Result<Complex64, SpecialError> {
    Ok(MittagLeffler::new(alpha, beta)?.eval_complex(z))
}
