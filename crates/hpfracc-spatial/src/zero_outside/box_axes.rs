//! Axes `(a, b, n)` of a box: n nodes inside (a, b), at distances (b-a)/(n+1) from each other and
//! from the ends.

use super::interval::check_interval;
use crate::Result;
use crate::error::{require, require_memory};
use std::f64::consts::PI;

/// Numbers of an operator and of a solve for each node of the box: entries and their derivatives 2,
/// the indices of the domain 1, transforms 6, eigenvalues 1, vectors of conjugate gradients 5.
const PER_NODE: f64 = 15.0;

/// Shape and steps with missing axes of one node and infinite steps. The two axes of a plane are the
/// first and the last of three: transforms of planes are then those of single lines.
pub(crate) fn three_axes(axes: &[(f64, f64, usize)]) -> ([usize; 3], [f64; 3]) {
    let (mut shape, mut steps) = ([1; 3], [f64::INFINITY; 3]);
    let places: &[usize] = match axes.len() {
        1 => &[2],
        2 => &[0, 2],
        _ => &[0, 1, 2],
    };
    for (place, (a, b, n)) in places.iter().zip(axes) {
        shape[*place] = *n;
        steps[*place] = (b - a) / (*n as f64 + 1.0);
    }
    (shape, steps)
}

/// Powers of the eigenvalues of the Laplacian of the box, in the order of the sine modes.
pub(crate) fn eigenvalues(alpha: f64, shape: [usize; 3], steps: [f64; 3]) -> Vec<f64> {
    let axis = |i: usize| -> Vec<f64> {
        let at = |k: usize| {
            let root = 2.0 / steps[i] * (0.5 * PI * k as f64 / (shape[i] + 1) as f64).sin();
            root * root
        };
        (1..=shape[i]).map(at).collect()
    };
    let axes = [axis(0), axis(1), axis(2)];
    let mut eigenvalues = Vec::with_capacity(shape.iter().product());
    for third in &axes[2] {
        for second in &axes[1] {
            let power = |first: &f64| (first + second + third).powf(0.5 * alpha);
            eigenvalues.extend(axes[0].iter().map(power));
        }
    }
    eigenvalues
}

/// Coordinates of a node of the box.
pub(crate) fn node(axes: &[(f64, f64, usize)], index: usize) -> Vec<f64> {
    let mut rest = index;
    let mut x = vec![0.0; axes.len()];
    for (x, (a, b, n)) in x.iter_mut().zip(axes).rev() {
        let j = rest % n + 1;
        rest /= n;
        // Nodes that mirror each other are the same numbers but for the sign.
        *x = (a * (n + 1 - j) as f64 + b * j as f64) / (n + 1) as f64;
    }
    x
}

/// Refuses numbers of axes and nodes, intervals, unequal steps, and boxes beyond the memory.
pub(crate) fn check_axes(axes: &[(f64, f64, usize)]) -> Result<()> {
    require((1..=3).contains(&axes.len()), "number of axes", axes.len() as f64, "1 to 3")?;
    axes.iter().try_for_each(|(a, b, n)| check_interval((*a, *b), *n))?;
    let count: f64 = axes.iter().map(|(_, _, n)| *n as f64).product();
    require(count <= (1_u64 << 28) as f64, "number of nodes of the box", count, "at most 2^28")?;
    require_memory("an integral Laplacian", PER_NODE * count)?;
    let (_, steps) = three_axes(axes);
    let finite = || steps.iter().filter(|h| h.is_finite());
    let largest = finite().fold(0.0, |most: f64, h| most.max(*h));
    let ratio = largest / finite().fold(f64::INFINITY, |least: f64, h| least.min(*h));
    require(ratio <= 100.0, "ratio of the steps of two axes", ratio, "at most 100")
}
