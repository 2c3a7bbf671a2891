//! Piecewise solution of a collocation: f as a polynomial on each element, and y from it.

use super::first_span::{FirstSpan, integral_of_early_power, integral_of_power};
use super::legendre_moments::{inside, outside};
use super::mesh::{Mesh, MeshPoint, Span};
use crate::problem::{distinct, taylor};
use crate::{DenseOutput, Problem, System, Trajectory};
use hpfracc_special::recip_gamma;
use std::sync::{PoisonError, RwLock};

/// f on a span, as a polynomial for each component.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) span: Span,
    /// Legendre coefficients, component by component.
    pub(super) coefficients: Vec<f64>,
}

/// `y = g + I^alpha f` for the pieces of f computed so far.
#[derive(Debug)]
pub(super) struct PiecewiseSolution {
    pub(super) mesh: Mesh,
    /// Distinct orders.
    pub(super) orders: Vec<f64>,
    /// Index of the order of each component.
    pub(super) order_of: Vec<usize>,
    /// The rows y, y', ... at t0.
    initial: Vec<f64>,
    pub(super) starts: Vec<FirstSpan>,
    elements: Vec<Element>,
    /// For each element and order, `(h/2)^alpha / Gamma(alpha)`.
    scales: Vec<f64>,
}

impl PiecewiseSolution {
    pub(super) fn new(problem: &Problem<dyn System + '_>, origins: Vec<f64>) -> Self {
        let (orders, order_of) = distinct((0..problem.dim()).map(|c| problem.order(c)));
        Self {
            mesh: Mesh { origins },
            orders,
            order_of,
            initial: problem.initial_values().to_vec(),
            starts: Vec::new(),
            elements: Vec::new(),
            scales: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, element: Element) {
        for &alpha in &self.orders {
            self.scales.push((0.5 * element.span.length()).powf(alpha) * recip_gamma(alpha));
        }
        self.elements.push(element);
    }

    /// Writes `g + I^alpha f` at a place, with f zero from where it is not known.
    pub(super) fn value(&self, place: MeshPoint, moments: &mut Vec<f64>, out: &mut [f64]) {
        taylor(&self.initial, self.mesh.elapsed(place), out);
        self.add_starts(place, out);
        self.add_elements(place, moments, out);
    }

    fn add_starts(&self, place: MeshPoint, out: &mut [f64]) {
        for start in self.starts.iter().take_while(|start| !start.span.is_after(place)) {
            let inside = start.span.contains(place);
            let (h, distance) = (start.span.right, self.mesh.distance(&start.span, place));
            for (c, out) in out.iter_mut().enumerate() {
                let (alpha, exponent) = (self.orders[self.order_of[c]], start.exponents[c]);
                let integral = if inside {
                    integral_of_power(alpha, exponent, place.past_origin())
                } else {
                    integral_of_early_power(alpha, exponent, h, distance)
                };
                *out += start.coefficients[c] * integral;
            }
        }
    }

    fn add_elements(&self, place: MeshPoint, moments: &mut Vec<f64>, out: &mut [f64]) {
        let scales = self.scales.chunks_exact(self.orders.len());
        let elements = self.elements.iter().zip(scales);
        for (element, scales) in elements.take_while(|(element, _)| !element.span.is_after(place)) {
            let points = element.coefficients.len() / out.len();
            moments.resize(points, 0.0);
            let half = 0.5 * element.span.length();
            for (k, (&alpha, scale)) in self.orders.iter().zip(scales).enumerate() {
                let kept = if element.span.contains(place) {
                    let from_left = (place.past_origin() - element.span.left) / half;
                    inside(alpha, from_left.min(2.0), moments);
                    points
                } else {
                    outside(alpha, self.mesh.distance(&element.span, place) / half, moments)
                };
                for (c, out) in out.iter_mut().enumerate().filter(|(c, _)| self.order_of[*c] == k) {
                    let coefficients = &element.coefficients[c * points..][..kept];
                    let sum: f64 = coefficients.iter().zip(&*moments).map(|(c, m)| c * m).sum();
                    *out += scale * sum;
                }
            }
        }
    }
}

/// The equation between the nodes, to the accuracy of the nodes.
impl DenseOutput for RwLock<PiecewiseSolution> {
    fn between(&self, _trajectory: &Trajectory, _node: usize, t: f64, y: &mut [f64]) {
        // A write only appends, after all that can panic.
        let memory = self.read().unwrap_or_else(PoisonError::into_inner);
        memory.value(memory.mesh.place(t), &mut Vec::new(), y);
    }
}
