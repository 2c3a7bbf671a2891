//! Derivatives of the fractional scheme's weights in the order.
//!
//! ```text
//! db_m/da    = b_m (ln h - psi(a+1)) + h^a/Gamma(a+1) ((m+1)^a ln(m+1) - m^a ln m)
//! d ln s_m/da = ln h - psi(a) - 1/q + ((m+1)^q ln(m+1) - m^q ln m) / ((m+1)^q - m^q)
//! ```
//!
//! with q = p (a - 1) + 1, where p is the index of the noise, 2 for white noise: q = 2a - 1.
//! Towards a = 1/2 the variance of the nearest cell, and with it `-1/q`, grows without limit.

use crate::noise::{CellIntegral, Gaussian};
use crate::schemes::PathMemory;
use crate::schemes::fractional::drift::Corrector;
use crate::schemes::fractional::joint_weights::JointWeights;
use crate::schemes::fractional::near_cells::{CellWeights, Near, near};
use crate::schemes::fractional::stepper::WithMemory;
use crate::schemes::fractional::weights::cells;
use crate::schemes::memory::{PowerKernel, power_law_memory};
use crate::{Equation, FractionalEulerMaruyama, SdeError};
use hpfracc_lanes::causal::{ExponentialRows, Online};
use hpfracc_operators::SumOfExponentials;
use hpfracc_special::{
    digamma, forward_differences_of_powers, forward_differences_of_powers_derivative, recip_gamma,
};

/// The derivatives of the near cells of component i with respect to its order, with the `integrals`
/// of the forward pass.
pub(super) fn near_by_order<T: Gaussian>(
    equation: &Equation<'_>,
    scheme: &FractionalEulerMaruyama,
    i: usize,
    integrals: &[CellIntegral],
) -> Vec<Near<T>> {
    let (alpha, h) = (equation.orders[i], equation.h);
    let changes = cell_changes(alpha, h, &cells(alpha, h, equation.steps));
    let of = CellWeights {
        cells: &changes,
        scales: &|p, count| scale_changes((alpha, p), h, count),
        joint: &|joint, cells, all| JointWeights::by_order(alpha, h, (joint, cells), all),
    };
    near(equation, i, &of, scheme.near(alpha), &mut integrals.to_vec())
}

/// The derivatives of the weights of a component of order alpha with respect to it, with those of
/// its near cells. What belongs to the order alone takes a search for exponentials: it is that of
/// the component `known`, which has the same order, if there is one.
pub(super) fn by_order<T: Gaussian>(
    equation: &Equation<'_>,
    memory: PathMemory,
    (alpha, component): (f64, Option<&WithMemory<T>>),
    near: Vec<Near<T>>,
    known: Option<&WithMemory<T>>,
) -> Result<WithMemory<T>, SdeError> {
    if let Some(known) = known {
        return Ok(WithMemory { near, ..known.clone() });
    }
    let (h, steps) = (equation.h, equation.steps);
    let changes = cell_changes(alpha, h, &cells(alpha, h, steps));
    let kernel = PowerKernel { alpha, h };
    let memory = |weights: &[f64], steps, share: fn(f64) -> f64| match memory {
        PathMemory::Exponentials { tolerance } => {
            exponentials(alpha, (h, steps), (tolerance, share))
        }
        tables => power_law_memory(tables, weights, kernel, 0.0, |_| Vec::new()),
    };
    let corrector = component.and_then(|component| component.corrector.as_ref()).map(|_| {
        Corrector::by_order(kernel, &changes, |weights| {
            // A hat less a cell.
            memory(weights, steps + 1, |mean| mean * (mean - 1.0))
        })
    });
    Ok(WithMemory {
        nearest: T::narrow(changes[0]),
        weights: memory(&changes[1..], steps, |mean| mean)?,
        near,
        corrector: corrector.transpose()?,
    })
}

/// What the near cells of another component, `k`, become by a change of the order of component i:
/// integrals over a noise that both have are made of the same normals. Nothing where there are none,
/// and where the components share their integrals.
pub(super) fn by_other_order<T: Gaussian>(
    equation: &Equation<'_>,
    scheme: &FractionalEulerMaruyama,
    (i, k): (usize, usize),
    integrals: &[CellIntegral],
) -> Vec<Near<T>> {
    let (orders, h) = (equation.orders, equation.h);
    let first = orders.iter().position(|order| *order == orders[i]) == Some(i);
    if orders[k] == orders[i] || orders[k] == 1.0 || !first {
        return Vec::new();
    }
    let of = CellWeights {
        cells: &vec![0.0; equation.steps],
        scales: &|_, _| Vec::new(),
        joint: &|joint, cells, all| {
            JointWeights::by_other_order((orders[k], orders[i]), h, (joint, cells), all)
        },
    };
    let mut near = near(equation, k, &of, scheme.near(orders[k]), &mut integrals.to_vec());
    near.retain(|near| near.weights.iter().any(|weight| *weight != T::zero()));
    near
}

/// `db_m/da`
fn cell_changes(alpha: f64, h: f64, cells: &[f64]) -> Vec<f64> {
    let mut changes = vec![0.0; cells.len()];
    forward_differences_of_powers_derivative(alpha, &mut changes);
    let (scale, ln) = (h.powf(alpha) * recip_gamma(alpha + 1.0), h.ln() - digamma(alpha + 1.0));
    changes.iter_mut().zip(cells).for_each(|(change, b)| *change = scale * *change + ln * b);
    changes
}

/// `ds_m/da` for the first cells.
fn scale_changes((alpha, p): (f64, f64), h: f64, count: usize) -> Vec<f64> {
    let q = p * (alpha - 1.0) + 1.0;
    let (mut powers, mut changes) = (vec![0.0; count], vec![0.0; count]);
    forward_differences_of_powers(q, &mut powers);
    forward_differences_of_powers_derivative(q, &mut changes);
    let scale = h.powf(alpha - 1.0) * recip_gamma(alpha);
    let ln = h.ln() - digamma(alpha) - 1.0 / q;
    let each = powers.iter().zip(changes);
    each.map(|(power, change)| scale * (power / q).powf(1.0 / p) * (ln + change / power)).collect()
}

/// `db_m/da` from m = 1 on as exponentials, with nodes of their own: the nodes of b_m are as few as
/// its tolerance permits, and the derivative of their weights misses db_m by more, near alpha = 1
/// by `1/(1-alpha)` times more. These are within some times the tolerance of `(1 + |ln(m/n)|) b_m`,
/// at alpha = 1 too. `share` takes the mean of an exponential over a cell, seen from where it is
/// largest, to what the weights take of a cell: the mean itself for b_m.
fn exponentials<T: Gaussian>(
    alpha: f64,
    (h, steps): (f64, usize),
    (tolerance, share): (f64, fn(f64) -> f64),
) -> Result<Online<T>, SdeError> {
    let longest = h * steps.max(2) as f64;
    let nodes = SumOfExponentials::with_derivative(1.0 - alpha, (h, longest), tolerance)?;
    let (scale, psi) = (recip_gamma(alpha), digamma(alpha));
    let losses = nodes.iter().map(|(p, _, _)| -(-p * h).exp_m1());
    // The integral of t^(alpha-1)/Gamma(alpha) over the cell, by node: d/da = -d/db - psi(a).
    let factors = nodes.iter().map(|&(p, w, change)| {
        let x = p * h;
        let mean = if x == 0.0 { 1.0 } else { -(-x).exp_m1() / x };
        -scale * (change + psi * w) * h * share(mean) * (-x).exp()
    });
    Ok(Online::Exponentials(ExponentialRows::new(losses, factors)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against differences of the weights, and exponentials against the weights, also at alpha = 1.
    #[test]
    fn of_the_weights() {
        let (h, n, d) = (0.02, 400, 1e-3);
        for alpha in [0.51, 0.6, 0.75, 0.95, 1.0 - 3.0 * d, 1.0] {
            let changes = cell_changes(alpha, h, &cells(alpha, h, n));
            let sixth = |at: &dyn Fn(f64) -> f64| {
                let pair = |k: f64| at(alpha + k * d) - at(alpha - k * d);
                (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * d)
            };
            for m in [0, 1, 7, n - 1] {
                let expected = sixth(&|a| cells(a, h, n)[m]);
                assert!((changes[m] - expected).abs() < 1e-9 * expected.abs(), "{alpha}, {m}");
            }
            let Online::Exponentials(sum) =
                exponentials::<f64>(alpha, (h, n), (1e-10, |mean| mean)).unwrap()
            else {
                panic!("expected exponentials")
            };
            // The response to a single one.
            let weights = Online::Exponentials(sum);
            let (mut past, mut found) = (weights.start(1), [0.0]);
            for m in 0..n {
                weights.step(&mut past, &[if m == 0 { 1.0 } else { 0.0 }], &mut found);
                let b = cells(alpha, h, n)[m];
                let scale = b * (1.0 + (n as f64 / (m as f64 + 1.0)).ln());
                let error = (found[0] - if m == 0 { 0.0 } else { changes[m] }).abs();
                assert!(error < 1e-9 * scale, "{alpha}, {m}: {error:e}, {scale:e}");
            }
        }
        for (alpha, p) in [(0.55, 2.0), (0.8, 2.0), (0.7, 1.6)] {
            let s = |a: f64, m: usize| {
                let q = p * (a - 1.0) + 1.0;
                let power = ((m + 1) as f64).powf(q) - (m as f64).powf(q);
                h.powf(a - 1.0) * recip_gamma(a) * (power / q).powf(1.0 / p)
            };
            for (m, found) in scale_changes((alpha, p), h, 5).into_iter().enumerate() {
                let expected = (s(alpha + 1e-5, m) - s(alpha - 1e-5, m)) / 2e-5;
                assert!((found - expected).abs() < 1e-5 * expected.abs(), "{alpha}, {p}, {m}");
            }
        }
    }
}
