//! Piecewise solution of a collocation: f as a polynomial on each element, and y from it.

use super::element_tree::{Element, ElementTree};
use super::first_span::{FirstSpan, integral_of_early_power, integral_of_power};
use super::legendre_moments::{inside, outside};
use super::mesh::{Mesh, MeshPoint};
use crate::problem::{distinct, taylor};
use crate::{DenseOutput, Problem, System, Trajectory};
use hpfracc_special::recip_gamma;
use std::sync::{PoisonError, RwLock};

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
    /// The span from t0 on.
    start: Option<FirstSpan>,
    elements: ElementTree,
    /// 1/Gamma(alpha) of the distinct orders.
    recip_gammas: Vec<f64>,
}

impl PiecewiseSolution {
    pub(super) fn new(problem: &Problem<dyn System + '_>, origins: Vec<f64>) -> Self {
        let (orders, order_of) = distinct((0..problem.dim()).map(|c| problem.order(c)));
        let recip_gammas = orders.iter().map(|alpha| recip_gamma(*alpha)).collect();
        Self {
            mesh: Mesh { origins },
            orders,
            order_of,
            initial: problem.initial_values().to_vec(),
            start: None,
            elements: ElementTree::default(),
            recip_gammas,
        }
    }

    /// Appends the first span of a segment. After a break f is finite, and the span is an element
    /// with a constant.
    pub(super) fn push_start(&mut self, start: FirstSpan) {
        if start.span.segment == 0 {
            self.start = Some(start);
        } else {
            self.push(Element { span: start.span, coefficients: start.coefficients });
        }
    }

    pub(super) fn push(&mut self, element: Element) {
        self.elements.push(&self.mesh, self.order_of.len(), element);
    }

    /// Writes `g + I^alpha f` at a place, with f zero from where it is not known.
    pub(super) fn value(&self, place: MeshPoint, moments: &mut Vec<f64>, out: &mut [f64]) {
        taylor(&self.initial, self.mesh.elapsed(place), out);
        self.add_start(place, out);
        self.add_elements(place, moments, out);
    }

    fn add_start(&self, place: MeshPoint, out: &mut [f64]) {
        let Some(start) = self.start.as_ref().filter(|start| !start.span.is_after(place)) else {
            return;
        };
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

    fn add_elements(&self, place: MeshPoint, moments: &mut Vec<f64>, out: &mut [f64]) {
        self.elements.visit(&self.mesh, place, &mut |element: &Element| {
            let points = element.coefficients.len() / out.len();
            moments.resize(points, 0.0);
            let half = 0.5 * element.span.length();
            for (k, &alpha) in self.orders.iter().enumerate() {
                let kept = if element.span.contains(place) {
                    let from_left = (place.past_origin() - element.span.left) / half;
                    inside(alpha, from_left.min(2.0), moments);
                    points
                } else {
                    outside(alpha, self.mesh.distance(&element.span, place) / half, moments)
                };
                let scale = half.powf(alpha) * self.recip_gammas[k];
                for (c, out) in out.iter_mut().enumerate().filter(|(c, _)| self.order_of[*c] == k) {
                    let coefficients = &element.coefficients[c * points..][..kept];
                    let sum: f64 = coefficients.iter().zip(&*moments).map(|(c, m)| c * m).sum();
                    *out += scale * sum;
                }
            }
        });
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
