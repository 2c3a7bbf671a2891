//! The two-parameter Mittag-Leffler function.

mod asymptotic;
mod contour;
mod contours;
mod derivative;
mod gradient;
mod loop_integrals;
#[cfg(feature = "matrix")]
mod matrix;
#[cfg(feature = "matrix")]
mod parlett;
mod poles;
mod prabhakar;
mod slices;
mod taylor;

use num_complex::Complex64;

pub use self::derivative::{mittag_leffler_derivative, mittag_leffler_derivative_complex};
pub use self::gradient::{MittagLefflerGradient, Partials};
#[cfg(feature = "matrix")]
pub use self::matrix::{mittag_leffler_matrix, mittag_leffler_matrix_complex};
pub use self::prabhakar::{prabhakar, prabhakar_beta_derivative, prabhakar_complex};

use self::asymptotic::Asymptotic;
use self::contour::Contour;
use self::contours::Contours;
use self::poles::Poles;
use self::taylor::Taylor;
use crate::SpecialError;
use crate::error::{finite, in_range, positive};
use crate::gamma::recip_gamma;

/// The largest order accepted.
const LARGEST_ALPHA: f64 = 20.0;
/// The smallest second parameter accepted.
const SMALLEST_BETA: f64 = -100.0;

/// E_{α,β} prepared for many arguments.
///
#[doc = formula!("mittag_leffler", r"E_{\alpha,\beta}(z) = \sum_{k \ge 0} \frac{z^k}{\Gamma(\alpha k+\beta)}")]
///
/// 0 < α <= 20, β >= -100, every real or complex z. NaN gives NaN; ∞ gives the limit, NaN where
/// there is none; overflow gives ∞.
///
/// Measured against mpmath (24 000 random points, 0.1 <= α <= 2.6, -1 <= β <= 3.5, z real to
/// -1.6e4 and complex, values to 1e300): error / max(1, |E|) at most 3e-14, median 5e-17;
/// relative error away from zeros at most 1e-13 also where the values decay. Outside this: for
/// complex z with |z|^{1/α} beyond 1e13 close to the line |arg z| = απ/2 (so α < 0.3) the
/// exponential loses digits; for β = -10 the parts of the sum are much larger than the value,
/// and up to 2e-12 is lost.
///
/// Three regimes: Taylor's series for |z| <= 0.9, the algebraic expansion with its exponentials
/// for large |z|, between them the trapezoidal rule on one fixed parabola with the poles
/// accounted for in closed form. The contour goes back to Weideman and Trefethen, Math. Comp. 76
/// (2007) 1341, doi:10.1090/S0025-5718-07-01945-X, and its use for this function to Garrappa,
/// SIAM J. Numer. Anal. 53 (2015) 1350, doi:10.1137/140971191; here it does not move with z, so
/// that it is prepared once, when first needed. Preparing costs about 10 microseconds, a value 0.01
/// to 0.13 (negative reals, α <= 1), 0.3 to 0.9 (other reals) or 0.4 to 1.6 microseconds (complex);
/// slices take a sixth to a tenth of that ([`MittagLeffler::eval_slice`]).
///
/// ```
/// use hpfracc_special::MittagLeffler;
/// let e = MittagLeffler::new(2.0, 1.0)?;
/// assert!((e.eval(-9.0) - 3f64.cos()).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MittagLeffler {
    alpha: f64,
    beta: f64,
    taylor: Taylor,
    asymptotic: Asymptotic,
    contours: Contours,
    poles: Poles,
    /// n where E_{1,1-n}(z) = z^n e^z.
    exponential: Option<i32>,
}

impl MittagLeffler {
    /// Checks the parameters; the larger tables are made when an evaluation first needs them.
    ///
    /// # Errors
    /// [`SpecialError::NotPositive`] for `alpha` not positive or not finite,
    /// [`SpecialError::OutOfRange`] for `alpha > 20` and `beta < -100`,
    /// [`SpecialError::NotFinite`] for `beta`.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, SpecialError> {
        check_parameters(alpha, beta)?;
        let taylor = Taylor::new(alpha, beta);
        let asymptotic = if alpha > taylor::LARGEST_ALPHA {
            Asymptotic::nothing(taylor.radius)
        } else {
            Asymptotic::new(alpha, beta)
        };
        let exponential = (alpha == 1.0 && beta <= 1.0 && beta.fract() == 0.0 && beta > -1e6)
            .then_some(1 - beta as i32);
        Ok(Self {
            alpha,
            beta,
            taylor,
            asymptotic,
            contours: Contours::new(alpha, beta),
            poles: Poles::new(alpha, beta),
            exponential,
        })
    }

    /// The order α.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The second parameter β.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// E_{α,β}(x).
    #[must_use]
    pub fn eval(&self, x: f64) -> f64 {
        if !x.is_finite() {
            return self.limit(x);
        }
        if let Some(n) = self.exponential {
            // The algebraic part vanishes, and with it all that could cover rounding errors.
            return exponential(x.into(), n).re;
        }
        if x == 0.0 {
            recip_gamma(self.beta)
        } else if x.abs() <= self.taylor.radius {
            self.taylor.eval(x)
        } else {
            self.eval_far(x.into()).re
        }
    }

    /// E_{α,β}(z).
    ///
    /// ```
    /// use hpfracc_special::{Complex64, MittagLeffler};
    /// let z = Complex64::new(-3.0, 4.0);
    /// let e = MittagLeffler::new(1.0, 2.0)?.eval_complex(z);
    /// assert!((e - (z.exp() - 1.0) / z).norm() < 1e-15);
    /// # Ok::<(), hpfracc_special::SpecialError>(())
    /// ```
    #[must_use]
    pub fn eval_complex(&self, z: Complex64) -> Complex64 {
        if z.im == 0.0 {
            return Complex64::new(self.eval(z.re), 0.0);
        }
        if !z.is_finite() {
            let decays = z.arg().abs() > 0.5 * self.alpha * std::f64::consts::PI;
            return if decays { Complex64::ZERO } else { Complex64::new(f64::NAN, f64::NAN) };
        }
        if let Some(n) = self.exponential {
            return exponential(z, n);
        }
        if z.norm() <= self.taylor.radius {
            return self.taylor.eval_complex(z);
        }
        self.eval_far(z)
    }

    /// The value at ±∞ or NaN.
    fn limit(&self, x: f64) -> f64 {
        if x.is_nan() || x > 0.0 {
            return x;
        }
        if self.alpha < 2.0 || (self.alpha == 2.0 && self.beta > 1.0) {
            return 0.0;
        }
        // cos √-x and its growing relatives.
        f64::NAN
    }

    /// Beyond Taylor's circle.
    fn eval_far(&self, z: Complex64) -> Complex64 {
        let size = z.norm();
        let real = z.im == 0.0;
        if size >= self.asymptotic.radius {
            let terms = self.asymptotic.terms(size);
            let mut total = if real {
                self.asymptotic.eval(z.re, terms, 0.0).into()
            } else {
                self.asymptotic.eval_complex(z, terms, Complex64::ZERO)
            };
            self.poles.visit(z, |pole, mirrored| {
                total += if mirrored { (2.0 * pole.residue.re).into() } else { pole.residue };
            });
            return total;
        }
        let contour = self.contours.clear_of(&self.poles, z, 0.2);
        let Contour { vertex, step, .. } = *contour;
        // e^{2π(1-σ)/h} for each pole, to choose the offset before it is applied. Orders up to
        // 10 have at most 11 poles.
        let mut near = [(Complex64::ZERO, Complex64::ZERO, false); 12];
        let mut count = 0;
        self.poles.visit(z, |pole, mirrored| {
            let sigma = (pole.s / vertex).sqrt();
            let log = (1.0 - sigma) * (2.0 * std::f64::consts::PI / step);
            // Beyond this the correction would not be seen.
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
        let shifts = contour.shifts(size);
        let mut total = if real {
            let sum = contour.sum(z.re, shifts, offset);
            self.asymptotic.eval(z.re, shifts, sum).into()
        } else {
            let sum = contour.sum_complex(z, shifts, offset);
            self.asymptotic.eval_complex(z, shifts, sum)
        };
        for &(residue, w, mirrored) in near {
            let part = residue / (1.0 - sign * w);
            total += if mirrored { (2.0 * part.re).into() } else { part };
        }
        total
    }
}

/// E_{α,β}(x) for one real argument; see [`MittagLeffler`] for formula, accuracy and sources.
///
/// Prepares anew at every call (about 10 microseconds): for many
/// arguments keep a [`MittagLeffler`].
///
/// ```
/// use hpfracc_special::{erfcx, mittag_leffler};
/// assert!((mittag_leffler(0.5, 1.0, -3.0)? - erfcx(3.0)).abs() < 1e-15);
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// As [`MittagLeffler::new`].
pub fn mittag_leffler(alpha: f64, beta: f64, x: f64) -> Result<f64, SpecialError> {
    Ok(mittag_leffler_complex(alpha, beta, x.into())?.re)
}

/// E_{α,β}(z) for one complex argument; see [`mittag_leffler`].
///
/// ```
/// use hpfracc_special::{Complex64, mittag_leffler_complex};
/// let z = Complex64::new(0.0, 2.0);
/// let e = mittag_leffler_complex(2.0, 1.0, z * z)?;
/// assert!((e - 2f64.cos()).norm() < 2e-15); // cosh 2i = cos 2
/// # Ok::<(), hpfracc_special::SpecialError>(())
/// ```
///
/// # Errors
/// As [`MittagLeffler::new`].
pub fn mittag_leffler_complex(
    alpha: f64,
    beta: f64,
    z: Complex64,
) -> Result<Complex64, SpecialError> {
    Ok(MittagLeffler::new(alpha, beta)?.eval_complex(z))
}

fn check_parameters(alpha: f64, beta: f64) -> Result<(), SpecialError> {
    positive("alpha", alpha)?;
    in_range(alpha <= LARGEST_ALPHA, "alpha", alpha, "alpha <= 20")?;
    finite("beta", beta)?;
    // 1/Gamma(beta) overflows from beta = -170 on, and digits are lost long before.
    in_range(beta >= SMALLEST_BETA, "beta", beta, "beta >= -100")
}

/// z^n e^z, n >= 0.
fn exponential(z: Complex64, n: i32) -> Complex64 {
    let growth = if z.im == 0.0 { z.re.exp().into() } else { z.exp() };
    if growth == Complex64::ZERO { growth } else { z.powi(n) * growth }
}
