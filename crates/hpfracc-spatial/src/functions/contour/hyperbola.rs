use super::shape::Shape;
use num_complex::Complex64;
use std::f64::consts::PI;

/// Nodes on the upper half of the hyperbola `z(u) = mu (1 + sin(i u - phi))`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hyperbola {
    /// Nodes z and derivatives z'(u), with u > 0.
    nodes: Vec<(Complex64, Complex64)>,
    spacing: f64,
}

impl Hyperbola {
    /// Nodes for times up to `last`.
    pub(super) fn new(shape: &Shape, count: usize, last: f64) -> Self {
        let (mu, spacing) = (shape.mu / last, shape.spacing);
        let node = |k: usize| {
            let u = Complex64::new(-shape.phi, (k as f64 + 0.5) * spacing);
            (mu * (1.0 + u.sin()), mu * Complex64::I * u.cos())
        };
        Self { nodes: (0..count).map(node).collect(), spacing }
    }

    /// Nodes z.
    pub(super) fn nodes(&self) -> impl ExactSizeIterator<Item = Complex64> {
        self.nodes.iter().map(|(z, _)| *z)
    }

    /// Weights of `f(t) = Im sum_k weight_k F(z_k)` with the transform F of a real f: those of
    /// the nodes times a factor of the transform.
    pub(super) fn weights(
        &self,
        t: f64,
        factor: impl Fn(Complex64) -> Complex64,
    ) -> Vec<Complex64> {
        let weight = |&(z, slope): &(Complex64, Complex64)| {
            self.spacing / PI * (z * t).exp() * factor(z) * slope
        };
        self.nodes.iter().map(weight).collect()
    }
}
