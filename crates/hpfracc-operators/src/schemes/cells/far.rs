use super::Cells;
use super::moments::Kernel;
use crate::error::demand;
use crate::weights::Exponentials;
use crate::{Number, Result, SumOfExponentials};

/// For mu > 1 the kernel `u^(mu-1)` does not decay: it is u times a power that does, up to mu = 2.
const LARGEST_MU: f64 = 2.0;

/// The integral with the last cell exact and all others through exponentials.
pub(super) fn exponentials<N: Number>(
    Cells { steps, lines }: Cells,
    mu: N,
    kernel: &Kernel<N>,
    tolerance: f64,
) -> Result<Exponentials<N>> {
    let what = "the order of a kernel by exponentials";
    demand((what, mu.value(), mu.value() <= LARGEST_MU, "at most 2"))?;
    let power = if mu.value() > 1.0 { 1 } else { 0 };
    let b = -mu + 1.0 + power as f64;
    // No earlier cell is nearer than the last one is long. The first is never between.
    let shortest = steps.iter().skip(1).fold(f64::INFINITY, |least, h| least.min(*h));
    let longest: f64 = steps.iter().sum();
    let (mut rates, mut weights) = (Vec::new(), Vec::new());
    if steps.len() > 1 {
        let nodes = nodes(b, (shortest, longest), tolerance)?;
        let scale = mu.recip_gamma();
        (rates, weights) = nodes.into_iter().map(|(p, w)| (p, w * scale)).unzip();
    }
    let near = steps.iter().map(|h| kernel.near(*h)).collect();
    Ok(Exponentials { steps, lines, near, power, rates, weights, starts: Vec::new() })
}

/// Rates and weights of `t^-b`. With a derivative the nodes are those that resolve it as well.
fn nodes<N: Number>(b: N, interval: (f64, f64), tolerance: f64) -> Result<Vec<(f64, N)>> {
    if N::HAS_DERIVATIVE {
        let nodes = SumOfExponentials::with_derivative(b.value(), interval, tolerance)?;
        let node = |(p, w, dw): (f64, f64, f64)| (p, N::new(w, dw * b.derivative()));
        return Ok(nodes.into_iter().map(node).collect());
    }
    let sum = SumOfExponentials::of_power(b.value(), interval, tolerance)?.with_slow_ones_merged();
    let nodes = sum.rates().iter().zip(sum.weights());
    Ok(nodes.map(|(p, w)| (*p, N::constant(*w))).collect())
}
