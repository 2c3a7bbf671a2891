//! What the cells of the kernel `t^(alpha-1)/Gamma(alpha)` are to drift and noise.

use crate::SdeError;
use crate::error::in_range;
use crate::noise::NoiseProcess;
use crate::schemes::scheme::Equation;
use hpfracc_special::{forward_differences_of_powers, recip_gamma};

/// `b_m = h^alpha/Gamma(alpha+1) ((m+1)^alpha - m^alpha)`, the integrals of the kernel, for
/// m = 0 .. n - 1.
pub(crate) fn cells(alpha: f64, h: f64, n: usize) -> Vec<f64> {
    let mut cells = vec![0.0; n];
    forward_differences_of_powers(alpha, &mut cells);
    let scale = h.powf(alpha) * recip_gamma(alpha + 1.0);
    cells.iter_mut().for_each(|cell| *cell *= scale);
    cells
}

/// `s_m = (1/h int of the kernel^p over the cell m)^(1/p)
///      = h^(alpha-1)/Gamma(alpha) (((m+1)^q - m^q)/q)^(1/p)`, q = p (alpha-1) + 1, m = 0 .. n - 1.
///
/// An increment times s_m has the scale of the integral of the kernel over the cell: the standard
/// deviation of white noise, p = 2, the scale of stable noise of index p.
pub(crate) fn cell_scales(alpha: f64, p: f64, h: f64, n: usize) -> Vec<f64> {
    let q = exponent(alpha, p);
    let mut powers = vec![0.0; n];
    forward_differences_of_powers(q, &mut powers);
    let scale = h.powf(alpha - 1.0) * recip_gamma(alpha);
    powers.iter().map(|power| scale * (power / q).powf(1.0 / p)).collect()
}

/// The integral of the kernel^p is proportional to t^q.
fn exponent(alpha: f64, p: f64) -> f64 {
    p * (alpha - 1.0) + 1.0
}

/// The order below which, and at which, an equation has no solution under such noise.
///
/// The integral of the kernel over it is infinite there. Where fractional noise multiplies X,
/// integrals over paths are limits of sums as long as the exponents of both add up to more than 1,
/// and that of X is alpha + H - 1 (Young, Acta Math. 67 (1936) 251, DOI 10.1007/BF02401743).
fn least_order(process: NoiseProcess, additive: bool) -> f64 {
    match process {
        NoiseProcess::Brownian | NoiseProcess::CorrelatedBrownian { .. } | NoiseProcess::Jumps => {
            0.5
        }
        NoiseProcess::Fractional { hurst } if additive => 1.0 - hurst,
        NoiseProcess::Fractional { hurst } => 2.0 - 2.0 * hurst,
        NoiseProcess::Stable { index } => (1.0 - 1.0 / index).max(0.0),
        NoiseProcess::Smooth => 0.0,
    }
}

/// The index of noise whose increments times one weight have the distribution of an integral over
/// the cell.
pub(crate) fn index(process: NoiseProcess) -> Option<f64> {
    match process {
        NoiseProcess::Brownian | NoiseProcess::CorrelatedBrownian { .. } => Some(2.0),
        NoiseProcess::Stable { index } => Some(index),
        // Jumps are what they are, whatever the variance; other increments depend on each other.
        NoiseProcess::Jumps | NoiseProcess::Fractional { .. } | NoiseProcess::Smooth => None,
    }
}

/// Refuses orders at which the solution is not finite.
pub(super) fn check_orders(equation: &Equation<'_>) -> Result<(), SdeError> {
    for (component, &alpha) in equation.orders.iter().enumerate() {
        let inside = 0.0 < alpha && alpha <= 1.0;
        let what = "the order of a component without noise";
        let holds = inside || equation.noise_kind.acts_on(component);
        in_range(holds, what, alpha, "0 < alpha <= 1")?;
        for (noise, _) in equation.noise_kind.acting(component) {
            let least = least_order(equation.processes[noise], equation.additive_in[noise]);
            // Rounding decides at the limit: as in the weight of the nearest cell.
            let infinite =
                index(equation.processes[noise]).is_some_and(|p| exponent(alpha, p) <= 0.0);
            if infinite || !(least < alpha && alpha <= 1.0) {
                return Err(SdeError::OrderUnderNoise { component, alpha, noise, least });
            }
        }
    }
    Ok(())
}
