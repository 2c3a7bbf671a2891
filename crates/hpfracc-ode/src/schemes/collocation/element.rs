//! Matrices on the reference interval [-1, 1] with p Radau points, for all elements of degree p -
//! 1.

use super::element_tree::Element;
use super::legendre::{legendre, radau};
use super::legendre_moments::inside;
use hpfracc_special::recip_gamma;
use nalgebra::DMatrix;
use std::collections::HashMap;
use std::rc::Rc;

/// Interpolation in p Radau points, and fractional integrals of it.
#[derive(Debug)]
pub(super) struct ReferenceElement {
    /// `1 + x` of the points.
    pub(super) from_left: Vec<f64>,
    /// Values at the points to Legendre coefficients, row by row.
    transform: Vec<f64>,
    /// For each order: values to values of `I^alpha` from -1, row by row.
    pub(super) integrals: Vec<Vec<f64>>,
    /// For each order: `I^alpha P_{p-1}` at the points.
    pub(super) highest: Vec<Vec<f64>>,
}

impl ReferenceElement {
    fn new(p: usize, orders: &[f64]) -> Self {
        let from_left = radau(p);
        let transform = transform(&from_left);
        let mut values = vec![0.0; p];
        let (mut integrals, mut highest) = (Vec::new(), Vec::new());
        for &alpha in orders {
            let (mut integral, mut last) = (vec![0.0; p * p], vec![0.0; p]);
            let factor = recip_gamma(alpha);
            for i in 0..p {
                inside(alpha, from_left[i], &mut values);
                for j in 0..p {
                    let row = (0..p).map(|l| values[l] * transform[l * p + j]);
                    integral[i * p + j] = factor * row.sum::<f64>();
                }
                last[i] = factor * values[p - 1];
            }
            integrals.push(integral);
            highest.push(last);
        }
        Self { from_left, transform, integrals, highest }
    }

    /// Number of points.
    pub(super) fn points(&self) -> usize {
        self.from_left.len()
    }

    /// The transpose of [`coefficients`](Self::coefficients).
    pub(super) fn transposed(&self, dim: usize, coefficients: &[f64]) -> Vec<f64> {
        let p = self.points();
        let mut out = vec![0.0; p * dim];
        for (c, bars) in coefficients.chunks_exact(p).enumerate() {
            for (row, bar) in self.transform.chunks_exact(p).zip(bars) {
                (0..p).for_each(|j| out[j * dim + c] += row[j] * bar);
            }
        }
        out
    }

    /// Legendre coefficients, component by component, of values given point by point.
    pub(super) fn coefficients(&self, dim: usize, values: &[f64]) -> Vec<f64> {
        let p = self.points();
        let mut out = Vec::with_capacity(p * dim);
        for c in 0..dim {
            for row in self.transform.chunks_exact(p) {
                out.push((0..p).map(|j| row[j] * values[j * dim + c]).sum());
            }
        }
        out
    }
}

/// The inverse of `P_l(x_j)`. The weights of the quadrature give it too, `(2l+1)/2 w_j P_l(x_j)`,
/// but the rounding of a point next to an end counts p^2 times in them, and in all coefficients
/// alike.
fn transform(from_left: &[f64]) -> Vec<f64> {
    let p = from_left.len();
    let mut values = DMatrix::zeros(p, p);
    let mut row = vec![0.0; p];
    for (j, point) in from_left.iter().enumerate() {
        legendre(point - 1.0, &mut row);
        (0..p).for_each(|l| values[(j, l)] = row[l]);
    }
    let inverse = values.lu().try_inverse().expect("different points");
    // Column by column in memory, so the transpose is row by row.
    inverse.transpose().as_slice().to_vec()
}

/// The reference elements used so far, for the orders of a problem.
#[derive(Debug)]
pub(super) struct ReferenceElements {
    orders: Vec<f64>,
    made: HashMap<usize, Rc<ReferenceElement>>,
}

impl ReferenceElements {
    pub(super) fn new(orders: &[f64]) -> Self {
        Self { orders: orders.to_vec(), made: HashMap::new() }
    }

    /// Coefficients of an element on the part of its span up to `right`.
    pub(super) fn restricted(&mut self, dim: usize, element: &Element, right: f64) -> Vec<f64> {
        let points = element.coefficients.len() / dim;
        if right == element.span.right || points < 2 {
            return element.coefficients.clone();
        }
        let share = (right - element.span.left) / element.span.length();
        let reference = self.with_points(points);
        let mut polynomials = vec![0.0; points];
        let mut values = Vec::with_capacity(points * dim);
        for from_left in &reference.from_left {
            legendre(share * from_left - 1.0, &mut polynomials);
            values.extend(element.coefficients.chunks_exact(points).map(|coefficients| {
                coefficients.iter().zip(&polynomials).map(|(c, p)| c * p).sum::<f64>()
            }));
        }
        reference.coefficients(dim, &values)
    }

    pub(super) fn with_points(&mut self, p: usize) -> Rc<ReferenceElement> {
        let make = || Rc::new(ReferenceElement::new(p, &self.orders));
        Rc::clone(self.made.entry(p).or_insert_with(make))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_special::gamma;

    #[test]
    fn integrals_of_powers() {
        let orders = [0.3, 1.0, 1.8];
        let element = ReferenceElements::new(&orders).with_points(9);
        for (k, alpha) in orders.into_iter().enumerate() {
            for q in [0.0, 1.0, 4.0, 8.0] {
                let factor = gamma(q + 1.0) / gamma(q + 1.0 + alpha);
                for (row, x) in element.integrals[k].chunks_exact(9).zip(&element.from_left) {
                    let powers = element.from_left.iter().map(|x| x.powf(q));
                    let value: f64 = powers.zip(row).map(|(f, a)| f * a).sum();
                    let exact = factor * x.powf(q + alpha);
                    let largest = factor * 2f64.powf(q + alpha);
                    assert!((value - exact).abs() < 1e-14 * largest, "{alpha} {q} {x}");
                }
            }
        }
    }

    /// A constant is one at the left end too, where roundings of all coefficients would add up.
    #[test]
    fn coefficients_of_a_constant() {
        for p in [2, 5, 20, 28, 40] {
            let element = ReferenceElements::new(&[0.5]).with_points(p);
            let coefficients = element.coefficients(1, &vec![1.0; p]);
            let at_left = coefficients.iter().rev().fold(0.0, |sum, c| c - sum);
            assert!((at_left - 1.0).abs() < 2e-14, "{p}: {at_left}");
        }
    }

    #[test]
    fn coefficients_of_a_legendre_polynomial() {
        let element = ReferenceElements::new(&[0.5]).with_points(6);
        let mut p = [0.0; 6];
        let values: Vec<f64> = (element.from_left.iter())
            .flat_map(|x| {
                legendre(x - 1.0, &mut p);
                [p[5], 2.0 * p[2]]
            })
            .collect();
        let coefficients = element.coefficients(2, &values);
        let exact = [0., 0., 0., 0., 0., 1., 0., 0., 2., 0., 0., 0.];
        for (value, exact) in coefficients.iter().zip(exact) {
            assert!((value - exact).abs() < 1e-14);
        }
    }
}
