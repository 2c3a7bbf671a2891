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

    /// Weights of `f(t) = Im sum_k weight_k F(z_k)` with the transform F of a real f: those of
    /// the nodes times the value of a factor of the transform at each node.
    pub(super) fn weights(&self, t: f64, factors: &[Complex64]) -> Vec<Complex64> {
        let weight = |(&(z, slope), factor): (&(Complex64, Complex64), &Complex64)| {
            self.spacing / PI * (z * t).exp() * factor * slope
        };
        self.nodes.iter().zip(factors).map(weight).collect()
    }

    /// Values of a function at the nodes.
    pub(super) fn values(&self, f: impl Fn(Complex64) -> Complex64) -> Vec<Complex64> {
        self.nodes.iter().map(|(z, _)| f(*z)).collect()
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}
