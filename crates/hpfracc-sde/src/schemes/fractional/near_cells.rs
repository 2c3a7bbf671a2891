//! What the noise of the nearest cells adds to what their means weigh.

use super::joint_weights::{JointWeights, Kernel};
use super::weights::index;
use crate::noise::{CellIntegral, NoiseProcess};
use crate::schemes::scheme::Equation;
use hpfracc_types::Real;

/// What the nearest cells add to what the means of all cells do: noise of a step, times a weight
/// for each of the lags 0, 1, ...
#[derive(Debug, Clone)]
pub(crate) struct Near<T> {
    pub(crate) sources: Vec<Source>,
    pub(crate) weights: Vec<T>,
}

/// `g dZ`, by rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    pub(crate) g: usize,
    pub(crate) dz: usize,
}

/// How many cells are near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearCells {
    /// The nearest, whose integrals are drawn together with the increment.
    pub(crate) joint: usize,
    /// Those of Brownian noise to which these integrals contribute.
    pub(crate) estimated: usize,
    /// All whose noise has its own scale.
    pub(crate) scaled: usize,
}

/// The weights of the cells of a component, or their derivatives with respect to its order.
pub(crate) struct CellWeights<'a> {
    /// `b_m`
    pub(crate) cells: &'a [f64],
    /// `s_m` for the first cells, by index of the noise and number of cells.
    pub(crate) scales: &'a dyn Fn(f64, usize) -> Vec<f64>,
    /// Of increment and integrals, by the number of joint and of estimated cells and the kernels of
    /// all integrals that are known of a noise.
    pub(crate) joint: &'a dyn Fn(usize, usize, &[Kernel]) -> JointWeights,
}

/// The near cells of a component. The integrals that they need are appended to `integrals`, unless
/// they are there.
pub(crate) fn near<T: Real>(
    equation: &Equation<'_>,
    component: usize,
    of: &CellWeights<'_>,
    count: NearCells,
    integrals: &mut Vec<CellIntegral>,
) -> Vec<Near<T>> {
    let (alpha, h) = (equation.orders[component], equation.h);
    let acting =
        || equation.noise_kind.acting(component).map(|(j, g)| (j, g, equation.processes[j]));
    let joint = count.joint.min(of.cells.len());
    let mut near = Vec::new();
    let brownian = || acting().filter(|(_, _, process)| process.is_brownian());
    let first = brownian().next().filter(|_| joint > 0);
    if let Some((first, _, _)) = first {
        for (noise, _, _) in brownian() {
            for lag in 0..joint {
                add(CellIntegral { noise, exponent: alpha - 1.0, lag }, integrals);
            }
        }
        // All noises of the component act on the same components.
        let known = integrals.iter().filter(|integral| integral.noise == first);
        let known: Vec<Kernel> = known.map(|known| (known.exponent, known.lag)).collect();
        let cells = count.estimated.clamp(joint, of.cells.len());
        let JointWeights { increment, integrals: drawn } = (of.joint)(joint, cells, &known);
        let sources = brownian().map(|(dz, g, _)| Source { g, dz }).collect();
        let weights = increment.iter().zip(of.cells).map(|(w, b)| T::narrow(w - b / h));
        near.push(Near { sources, weights: weights.collect() });
        for ((exponent, lag), weights) in drawn {
            let row = |noise| {
                let integral = CellIntegral { noise, exponent, lag };
                integrals.iter().position(|other| *other == integral)
            };
            let sources = brownian().filter_map(|(noise, g, _)| {
                row(noise).map(|row| Source { g, dz: equation.processes.len() + row })
            });
            let weights = weights.into_iter().map(T::narrow).collect();
            near.push(Near { sources: sources.collect(), weights });
        }
    }
    let mut processes: Vec<NoiseProcess> = Vec::new();
    for (_, _, process) in acting() {
        let drawn = process.is_brownian() && joint > 0;
        if !drawn && !processes.contains(&process) {
            processes.push(process);
        }
    }
    for process in processes {
        let Some(p) = index(process) else { continue };
        let sources = acting().filter(|(_, _, other)| *other == process);
        let sources = sources.map(|(dz, g, _)| Source { g, dz }).collect();
        let own = (of.scales)(p, count.scaled.min(of.cells.len()));
        let weights = own.iter().zip(of.cells).map(|(s, b)| T::narrow(s - b / h));
        near.push(Near { sources, weights: weights.collect() });
    }
    near.retain(|near| !near.sources.is_empty() && !near.weights.is_empty());
    near
}

/// Appends an integral that is not in the list.
fn add(integral: CellIntegral, integrals: &mut Vec<CellIntegral>) {
    if !integrals.contains(&integral) {
        integrals.push(integral);
    }
}
