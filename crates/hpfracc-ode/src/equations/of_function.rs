//! Integrals and derivatives of functions that can be evaluated anywhere, by collocation.

use crate::error::{finite, require};
use crate::{Collocation, OdeError, Options, Problem, Steps, solve};
use hpfracc_special::recip_gamma;

/// Tolerance relative to the size of the result.
const TOLERANCE: f64 = 1e-13;

/// Fractional integral `I^alpha f` from t0 of a function f, at given times.
///
/// Error: about 1e-13 of `max |f| (t - t0)^alpha / Gamma(alpha + 1)` where f is smooth except at
/// t0; f may start as any power `(t - t0)^beta`, beta >= 0. f is evaluated at a few hundred times of
/// collocation's choice, in every hundredth of the interval; it is never evaluated before t0.
///
/// ```
/// use hpfracc_ode::integral_of_function;
///
/// // I^1/2 of sqrt(t) is Gamma(3/2) t.
/// let values = integral_of_function(0.5, 0.0, &[0.25, 2.0], f64::sqrt)?;
/// assert!((values[0] - 0.886226925452758 * 0.25).abs() < 1e-13);
/// assert!((values[1] - 0.886226925452758 * 2.0).abs() < 1e-13);
/// # Ok::<(), hpfracc_ode::OdeError>(())
/// ```
///
/// # Errors
/// [`OdeError::Order`] for an order that is not positive, [`OdeError::OutOfRange`] for a time that
/// is not finite, [`OdeError::Outside`] for one before t0, [`OdeError::NotFinite`] where f is not
/// finite, [`OdeError::StepTooSmall`] at a singularity inside the interval.
pub fn integral_of_function(
    alpha: f64,
    t0: f64,
    times: &[f64],
    f: impl Fn(f64) -> f64,
) -> Result<Vec<f64>, OdeError> {
    finite("a time", times)?;
    let t1 = times.iter().copied().fold(t0, f64::max);
    if let Some(&t) = times.iter().find(|t| **t < t0) {
        return Err(OdeError::Outside { t, t0, t1 });
    }
    require(t0.is_finite(), "t0", t0, "a finite number")?;
    if t1 == t0 {
        return Ok(vec![0.0; times.len()]);
    }
    let zeros = vec![&[0.0][..]; alpha.clamp(0.0, 1e3).ceil() as usize];
    let rhs = |t: f64, _: &[f64], dydt: &mut [f64]| dydt[0] = f(t);
    let problem = Problem::new(&[alpha], (t0, t1), &zeros, rhs)?;
    let length = t1 - t0;
    let values = (1..=100).map(|j| f(t0 + length * f64::from(j) / 100.0).abs());
    let largest = values.fold(f64::MIN_POSITIVE, f64::max).min(f64::MAX);
    let size = largest * length.powf(alpha) * recip_gamma(alpha + 1.0);
    let steps = Steps::adaptive(TOLERANCE, TOLERANCE * size.min(f64::MAX));
    let solution = solve(&problem, &Collocation::default(), &steps, Options::default());
    let solution = solution.map_err(|failure| failure.error)?;
    times.iter().map(|&t| Ok(solution.at(t)?[0])).collect()
}

/// Caputo derivative of order alpha of a function, from its classical derivative `f^(m)`, m = alpha
/// rounded up, at given times: `I^(m - alpha) f^(m)`.
///
/// Error, evaluations and errors: those of [`integral_of_function`] for `f^(m)` and the order
/// m - alpha. At whole orders it is `f^(m)` itself.
///
/// ```
/// use hpfracc_ode::caputo_of_function;
///
/// // f = t^2, f' = 2t: D^1/2 f = 2/Gamma(5/2) t^(3/2)
/// let values = caputo_of_function(0.5, 0.0, &[1.0], |t| 2.0 * t)?;
/// assert!((values[0] - 1.504505556127350).abs() < 1e-13);
/// # Ok::<(), hpfracc_ode::OdeError>(())
/// ```
///
/// # Errors
/// Those of [`integral_of_function`].
pub fn caputo_of_function(
    alpha: f64,
    t0: f64,
    times: &[f64],
    derivative: impl Fn(f64) -> f64,
) -> Result<Vec<f64>, OdeError> {
    if !(alpha.is_finite() && alpha > 0.0) {
        return Err(OdeError::Order { component: 0, alpha });
    }
    if alpha.fract() > 0.0 {
        return integral_of_function(1.0 - alpha.fract(), t0, times, derivative);
    }
    let values: Vec<f64> = times.iter().map(|t| derivative(*t)).collect();
    finite("the derivative of whole order", &values)?;
    Ok(values)
}
