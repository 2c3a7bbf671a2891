use super::moments::{Kernel, recip_gamma_derivative};
use super::{Cells, In};
use crate::memory::exponentials::Exponentials;
use crate::{OperatorError, SumOfExponentials};
use hpfracc_special::recip_gamma;

/// Beyond mu = 1 the kernel `u^(mu-1)` does not decay: it is u times a power that does, up to mu = 2.
const LARGEST_MU: f64 = 2.0;

/// The integral with the last cell exact and all others through exponentials.
pub(super) fn exponentials(
    Cells { steps, lines }: Cells,
    mu: f64,
    kernel: &Kernel,
    what: In,
    tolerance: f64,
) -> Result<Exponentials, OperatorError> {
    if mu > LARGEST_MU {
        let (operand, expected) = ("the order of a kernel by exponentials", "at most 2");
        return Err(OperatorError::Parameter { what: operand, value: mu, expected });
    }
    let power = if mu > 1.0 { 1 } else { 0 };
    let b = 1.0 - mu + power as f64;
    // No earlier cell is nearer than the last one is long. The first is never between.
    let shortest = steps.iter().skip(1).fold(f64::INFINITY, |least, h| least.min(*h));
    let longest: f64 = steps.iter().sum();
    let (mut rates, mut weights) = (Vec::new(), Vec::new());
    if steps.len() > 1 {
        let interval = (shortest, longest);
        match what {
            In::Value => {
                let sum =
                    SumOfExponentials::of_power(b, interval, tolerance)?.with_slow_ones_merged();
                rates.extend_from_slice(sum.rates());
                weights.extend(sum.weights().iter().map(|w| w * recip_gamma(mu)));
            }
            In::OrderDerivative => {
                // d/dmu (u^-b/Gamma(mu)), where b falls as mu rises.
                let pair = SumOfExponentials::with_derivative(b, interval, tolerance)?;
                let (scale, slope) = (recip_gamma(mu), recip_gamma_derivative(mu));
                for (p, w, dw) in pair {
                    rates.push(p);
                    weights.push(slope * w - scale * dw);
                }
            }
        }
    }
    let near = steps.iter().map(|h| match what {
        In::Value => kernel.near(*h),
        In::OrderDerivative => kernel.near_derivative(*h),
    });
    let near = near.collect();
    Ok(Exponentials { steps, lines, near, power, rates, weights, starts: Vec::new() })
}
