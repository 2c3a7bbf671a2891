//! Parabola of the inverse Laplace transform, and its nodes.
//!
//! ```text
//! s = μ (1+iu)²,   u = (k+δ) h with δ = 1/2 or 0,   E = 2 Re Σ_k a_k/(p_k - z) + pole terms,
//! p = s^α,   a = h/(2πi) e^s s^{α-β} ds/du
//! ```
//!
//! The midpoint rule errs by e^{-2π/h}, because the cut of the integrand is the line Im u = 1, times
//! a power of 2π/h that grows with the singularity s^{-α-β} at the end of the cut. So 2π/h grows with
//! α and β.

use super::node_sums::Node;
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Elementary, vectorised};
use std::f64::consts::PI;

/// Offset δ of the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offset {
    Half,
    Zero,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Parabola {
    /// μ
    pub(super) vertex: f64,
    /// h
    pub(super) step: f64,
    /// Number of nodes with offset 1/2.
    pub(super) count: u32,
    /// Poles with |s| below are no poles to the rule: they melt into the singularity at 0, and the
    /// correction for them grows beyond the error that it corrects.
    pub(super) nearest_pole: f64,
}

impl Parabola {
    pub(super) fn new(alpha: f64, beta: f64) -> Self {
        // e^μ magnifies rounding errors, and e^{μ(1-u²)} is below them from u = 3 on.
        let vertex = 4.0 * PI / 3.0;
        // Found by experiment: the least for which errors of all derivatives are about 1e-14.
        let wanted = (33.5 + 4.0 * beta.max(0.0) + alpha).min(75.0);
        // Beyond u = 3 for numerators s^{α-β} that grow.
        let reach = (9.0 + 0.65 * (alpha - beta).max(0.0)).sqrt();
        let count = (reach * wanted / (2.0 * PI) - 0.5).ceil();
        let step = reach / (count + 0.5);
        // Where ρ^{1-α-β} e^{(2π/h) √(2ρ/μ)}, the error by a pole that is left out, is smallest.
        let root = 2.0 * (alpha + beta - 1.0).max(0.0) * step / (2.0 * PI);
        Self { vertex, step, count: count as u32, nearest_pole: 0.5 * vertex * root * root }
    }

    /// The offset that keeps the poles of z < 0 a quarter of a step away from all nodes. They cross
    /// the parabola at u = tan(π/(2α)), whatever z is.
    pub(super) fn offset_of_negative(&self, alpha: f64) -> Offset {
        if alpha <= 1.0 {
            return Offset::Half;
        }
        let (sin, cos) = Elementary::sin_cos(0.5 * PI / alpha);
        let crossing = sin / (cos * self.step);
        let apart = (crossing - crossing.floor() - 0.5).abs();
        if apart < 0.25 { Offset::Zero } else { Offset::Half }
    }
}

/// Nodes in the upper half plane, with the weights of their mirror images.
pub(super) fn nodes(
    arch: Arch,
    alpha: f64,
    beta: f64,
    parabola: &Parabola,
    offset: Offset,
) -> Vec<Node> {
    let Parabola { vertex, step, count, .. } = *parabola;
    let (shift, count) = match offset {
        Offset::Half => (0.5, count),
        Offset::Zero => (0.0, count + 1),
    };
    vectorised(
        arch,
        #[inline(always)]
        || {
            // A loop: the code of `collect` is not compiled for the instruction set.
            let mut all = Vec::with_capacity(count as usize);
            for k in 0..count {
                all.push(node(alpha, beta, (f64::from(k) + shift) * step, (vertex, step)));
            }
            all
        },
    )
}

/// Node at the parameter u of the parabola.
#[inline(always)]
fn node(alpha: f64, beta: f64, u: f64, (vertex, step): (f64, f64)) -> Node {
    let square = u.mul_add(u, 1.0);
    let ln = [Elementary::ln(vertex * square), 2.0 * Elementary::atan(u)];
    let pole = exp([alpha * ln[0], alpha * ln[1]]);
    let power = alpha - beta;
    let exponent =
        [power.mul_add(ln[0], vertex * (2.0 - square)), power.mul_add(ln[1], 2.0 * vertex * u)];
    // A node on the real axis is its own mirror image.
    let images = if u == 0.0 { 1.0 } else { 2.0 };
    let scale = images * vertex * step / PI;
    let weight = product(exp(exponent), [scale, scale * u]);
    let by_beta = product(weight, [-ln[0], -ln[1]]);
    Node::new(pole, weight, by_beta)
}

#[inline(always)]
fn exp([re, im]: [f64; 2]) -> [f64; 2] {
    let (size, (sin, cos)) = (Elementary::exp(re), Elementary::bounded_sin_cos(im));
    [size * cos, size * sin]
}

#[inline(always)]
fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].mul_add(b[0], -(a[1] * b[1])), a[0].mul_add(b[1], a[1] * b[0])]
}
