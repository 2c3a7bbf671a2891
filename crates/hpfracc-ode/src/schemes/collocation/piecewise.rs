//! Piecewise solution of a collocation: f as a polynomial on each element, and y from it.

use super::element_tree::{Element, ElementTree, Piece};
use super::first_span::{FirstSpan, integral_of_early_power, integral_of_power};
use super::legendre_moments::{inside, outside};
use super::mesh::{Mesh, MeshPoint, Span};
use crate::problem::{distinct, taylor};
use crate::{DenseOutput, Problem, System, Trajectory};
use hpfracc_operators::Number;
use std::sync::{PoisonError, RwLock};

/// `y = g + I^alpha f` for the pieces of f computed so far.
#[derive(Debug)]
pub(crate) struct PiecewiseSolution {
    pub(super) mesh: Mesh,
    /// Distinct orders.
    pub(super) orders: Vec<f64>,
    /// Index of the order of each component.
    pub(super) order_of: Vec<usize>,
    /// The rows y, y', ... at t0.
    pub(super) initial: Vec<f64>,
    /// The span from t0 on.
    pub(super) start: Option<FirstSpan>,
    pub(super) elements: ElementTree,
    /// Jumps of y at the origins of segments.
    jumps: Vec<(usize, Vec<f64>)>,
    /// Kernels of the distinct orders.
    kernels: Vec<PowerKernel<f64>>,
}

/// The kernel `x^(alpha-1)/Gamma(alpha)`; with `Dual` numbers its derivative in alpha too.
#[derive(Debug, Clone, Copy)]
pub(super) struct PowerKernel<T> {
    alpha: T,
    recip_gamma: T,
}

impl<T: Number> PowerKernel<T> {
    pub(super) fn new(alpha: T) -> Self {
        Self { alpha, recip_gamma: alpha.recip_gamma() }
    }
}

impl PiecewiseSolution {
    pub(super) fn new(problem: &Problem<dyn System + '_>, origins: Vec<f64>) -> Self {
        let (orders, order_of) = distinct((0..problem.dim()).map(|c| problem.order(c)));
        let initial = problem.initial_values().to_vec();
        Self::from_parts(Mesh { origins }, orders, order_of, initial)
    }

    /// Without pieces.
    pub(super) fn from_parts(
        mesh: Mesh,
        orders: Vec<f64>,
        order_of: Vec<usize>,
        initial: Vec<f64>,
    ) -> Self {
        Self {
            mesh,
            kernels: orders.iter().map(|&alpha| PowerKernel::new(alpha)).collect(),
            orders,
            order_of,
            initial,
            start: None,
            elements: ElementTree::default(),
            jumps: Vec::new(),
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

    /// A jump of y before the first piece.
    pub(super) fn jump_at_start(&mut self, jump: Vec<f64>) {
        self.jumps.push((0, jump));
    }

    /// Ends the last piece, which lies in this segment, at a time where y jumps and the next segment
    /// begins. `restricted` has the coefficients of an element on the part up to there.
    pub(super) fn break_at(
        &mut self,
        (segment, t): (usize, f64),
        jump: Vec<f64>,
        restricted: impl FnOnce(&Element, f64) -> Vec<f64>,
    ) {
        if t < self.mesh.origins[segment + 1] {
            self.mesh.origins.insert(segment + 1, t);
        }
        let right = self.mesh.length(segment);
        match self.elements.pop() {
            Some(element) if element.span.segment == segment => {
                let coefficients = restricted(&element, right);
                self.push(Element { span: Span { right, ..element.span }, coefficients });
            }
            other => {
                other.into_iter().for_each(|element| self.push(element));
                if let Some(start) = self.start.as_mut().filter(|_| segment == 0) {
                    start.span.right = right;
                }
            }
        }
        self.jumps.push((segment + 1, jump));
    }

    /// Writes `g + I^alpha f` at a place, with f zero from where it is not known.
    pub(super) fn value(&self, place: MeshPoint, moments: &mut Vec<f64>, out: &mut [f64]) {
        taylor(&self.initial, self.mesh.elapsed(place), out);
        for (_, jump) in self.jumps.iter().filter(|(segment, _)| *segment <= place.segment) {
            out.iter_mut().zip(jump).for_each(|(out, jump)| *out += jump);
        }
        self.add_integrals(&self.kernels, place, moments, out);
    }

    /// Adds `I^alpha f` at a place.
    pub(super) fn add_integrals<T: Number>(
        &self,
        kernels: &[PowerKernel<T>],
        place: MeshPoint,
        moments: &mut Vec<T>,
        out: &mut [T],
    ) {
        for (c, out) in out.iter_mut().enumerate() {
            let alpha = kernels[self.order_of[c]].alpha;
            if let Some((coefficients, integral)) = self.start_integral(alpha, (place, c)) {
                *out = *out + integral * coefficients[c];
            }
        }
        self.visit(kernels, place, moments, |_, element, k, scale, moments| {
            let points = element.coefficients.len() / self.order_of.len();
            for (c, out) in out.iter_mut().enumerate().filter(|(c, _)| self.order_of[*c] == k) {
                let coefficients = &element.coefficients[c * points..];
                let terms = coefficients.iter().zip(moments);
                let sum = terms.fold(T::constant(0.0), |sum, (c, m)| sum + *m * *c);
                *out = *out + scale * sum;
            }
        });
    }

    /// The first span's coefficients, and the integral of its power in a component at a place.
    pub(super) fn start_integral<T: Number>(
        &self,
        alpha: T,
        (place, component): (MeshPoint, usize),
    ) -> Option<(&[f64], T)> {
        let start = self.start.as_ref().filter(|start| !start.span.is_after(place))?;
        let (h, distance) = (start.span.right, self.mesh.distance(&start.span, place));
        let exponent = start.exponents[component];
        let integral = if start.span.contains(place) {
            integral_of_power(alpha, exponent, place.past_origin())
        } else {
            integral_of_early_power(alpha, exponent, h, distance)
        };
        Some((&start.coefficients, integral))
    }

    /// Calls `with` for elements and unions that together are all before a place, and each distinct
    /// order: piece, element, index of the order, a factor, and the moments of the kernel.
    pub(super) fn visit<T: Number>(
        &self,
        kernels: &[PowerKernel<T>],
        place: MeshPoint,
        moments: &mut Vec<T>,
        mut with: impl FnMut(Piece, &Element, usize, T, &[T]),
    ) {
        let dim = self.order_of.len();
        self.elements.visit(&self.mesh, place, &mut |piece, element: &Element| {
            let points = element.coefficients.len() / dim;
            moments.resize(points, T::constant(0.0));
            let half = 0.5 * element.span.length();
            for (k, &PowerKernel { alpha, recip_gamma }) in kernels.iter().enumerate() {
                let kept = if element.span.contains(place) {
                    let from_left = (place.past_origin() - element.span.left) / half;
                    inside(alpha, from_left.min(2.0), moments);
                    points
                } else {
                    outside(alpha, self.mesh.distance(&element.span, place) / half, moments)
                };
                let scale = T::constant(half).powf(alpha) * recip_gamma;
                with(piece, element, k, scale, &moments[..kept]);
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
