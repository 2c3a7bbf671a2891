//! The Jacobian of a semi-discretisation, which solves the linear systems of implicit steps.

use super::inverse::{Base, FieldInverse, Fluxes};
use crate::Equation;
use hpfracc_ode::ShiftedJacobian;
use hpfracc_spatial::reductions::{sum, update};
use hpfracc_spatial::{Gmres, SpatialError, Stopping};

/// Largest number of iterations of a linear solve.
const ITERATIONS: usize = 400;
/// Tolerance above which solves are [inexact](Gmres::inexact): Newton's iteration computes its own
/// residuals.
const LOOSE: f64 = 1e-8;

/// Jacobian `J = -c A + N'(u)` at a state. A step `(I - diag(c) J) x = r` is solved as
/// `(1/c - J) x = r/c`.
pub(crate) struct Linearised<'a> {
    equation: &'a Equation<'a>,
    tolerance: f64,
    t: f64,
    /// State of the terms that couple points; empty if there are none.
    u: Vec<f64>,
    /// Jacobian of pointwise terms, `i * fields + j` row by row; empty if there are no terms.
    pointwise: Vec<f64>,
    /// Terms that couple points, found by the first linearisation.
    coupling: Vec<usize>,
    with_terms: bool,
    /// c A of each field, if tridiagonal.
    bases: Vec<Option<Base>>,
    /// 1/c of the steps.
    recip: Vec<f64>,
    inverses: Vec<FieldInverse<'a>>,
    /// Whether the inverses are exact.
    exact: bool,
    /// Whether the transposed inverses are exact: not those of shifted solves for operators that
    /// are not self-adjoint.
    exact_transposed: bool,
    gmres: Gmres,
    scratch: Scratch,
}

/// Scratch of iterative solves.
#[derive(Default)]
struct Scratch {
    solution: Vec<f64>,
    product: Vec<f64>,
    parameters: Vec<f64>,
}

impl<'a> Linearised<'a> {
    /// Jacobian of the whole right-hand side, or of its linear part alone.
    pub(crate) fn new(equation: &'a Equation<'a>, tolerance: f64, with_terms: bool) -> Self {
        let base = |field: usize| Base::new(equation.operator(field), equation.parameters()[field]);
        Self {
            equation,
            tolerance,
            t: 0.0,
            u: Vec::new(),
            pointwise: Vec::new(),
            coupling: Vec::new(),
            with_terms: with_terms && !equation.terms.is_empty(),
            bases: (0..equation.field_count()).map(base).collect(),
            recip: vec![0.0; equation.len()],
            inverses: Vec::new(),
            exact: false,
            exact_transposed: false,
            gmres: if tolerance > LOOSE { Gmres::inexact() } else { Gmres::default() },
            scratch: Scratch::default(),
        }
    }

    /// Diagonal of `1/c - N'(u)` of pointwise terms in a field.
    fn diagonal<'s>(
        equation: &Equation<'_>,
        (pointwise, recip): (&'s [f64], &'s [f64]),
        field: usize,
    ) -> impl Fn(usize) -> f64 + use<'s> {
        let (fields, n) = (equation.field_count(), equation.n());
        let slopes = pointwise.get(field * (fields + 1) * n..).unwrap_or(&[]);
        let recip = &recip[field * n..];
        move |i| recip[i] - slopes.get(i).unwrap_or(&0.0)
    }

    /// Factors or prepares the inverse of each field.
    fn prepare(&mut self) -> bool {
        let (equation, n) = (self.equation, self.equation.n());
        // Old factors are dropped before the new ones are made.
        self.inverses.clear();
        let mut exact = self.coupling.is_empty();
        let mut transposable = true;
        for field in 0..equation.field_count() {
            let d = Self::diagonal(equation, (&self.pointwise, &self.recip), field);
            let constant = constant(n, &d);
            let all = constant.unwrap_or_else(|| sum(n, &d) / n as f64);
            let shift = sum(n, |i| self.recip[field * n + i]) / n as f64;
            // Reactions that grow faster than the step resolves.
            let mean = if all > 0.1 * shift { all } else { 0.1 * shift };
            let fluxes: Fluxes<'_> = (self.coupling.iter())
                .filter_map(|k| {
                    let (term, theta) = &equation.terms[*k];
                    term.preconditioner(&equation.state(self.t, &self.u, theta), field)
                })
                .collect();
            let operator = (equation.operator(field) as _, equation.parameters()[field]);
            let base = self.bases[field].as_mut();
            let Ok(inverse) = FieldInverse::new(operator, base, &d, mean, &fluxes) else {
                return false;
            };
            exact &= inverse.takes_variable_diagonals() || constant == Some(mean);
            transposable &=
                inverse.takes_variable_diagonals() || equation.operator(field).is_self_adjoint();
            self.inverses.push(inverse);
        }
        self.exact = exact && (self.inverses.len() == 1 || self.pointwise.is_empty());
        self.exact_transposed = self.exact && transposable;
        true
    }

    fn invert(&mut self, x: &mut [f64], transpose: bool) -> bool {
        let (n, tolerance) = (self.equation.n(), self.tolerance);
        let mut inverses = std::mem::take(&mut self.inverses);
        let mut gmres = std::mem::take(&mut self.gmres);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut solved = true;
        let mut precondition = |x: &mut [f64]| {
            let fields = inverses.iter_mut().zip(&self.bases).zip(x.chunks_exact_mut(n));
            for ((inverse, base), x) in fields {
                solved &= inverse.apply(base.as_ref(), x, transpose);
            }
        };
        let exact = if transpose { self.exact_transposed } else { self.exact };
        if exact {
            precondition(x);
        } else {
            let mut solution = std::mem::take(&mut scratch.solution);
            solution.resize(x.len(), 0.0);
            let apply = |x: &[f64], y: &mut [f64]| self.apply(x, y, &mut scratch, transpose);
            let precondition = |x: &[f64], y: &mut [f64]| {
                y.copy_from_slice(x);
                precondition(y);
            };
            let stopping = Stopping { tolerance, iterations: ITERATIONS };
            let done = gmres.solve(apply, precondition, x, &mut solution, stopping);
            x.copy_from_slice(&solution);
            scratch.solution = solution;
            // Rounding may end GMRES above the tolerance.
            solved &= match done {
                Ok(_) => true,
                Err(SpatialError::NotConverged { residual, .. }) => residual <= tolerance.sqrt(),
                Err(_) => false,
            };
        }
        (self.inverses, self.gmres, self.scratch) = (inverses, gmres, scratch);
        solved && x.iter().all(|x| x.is_finite())
    }

    /// Writes `y = (1/c - J) x`, or its transpose.
    fn apply(&self, x: &[f64], y: &mut [f64], scratch: &mut Scratch, transpose: bool) {
        let (equation, fields, n) = (self.equation, self.equation.field_count(), self.equation.n());
        for field in 0..fields {
            let range = equation.range(field);
            let (a, c) = (equation.operator(field), equation.parameters()[field]);
            let out = &mut y[range.clone()];
            let own = &x[range.clone()];
            if transpose {
                a.apply_transpose(own, out);
            } else {
                a.apply(own, out);
            }
            let recip = &self.recip[range];
            update(out, |i, y| *y = c * *y + recip[i] * own[i]);
            if self.pointwise.is_empty() {
                continue;
            }
            for other in 0..fields {
                let row = if transpose { other * fields + field } else { field * fields + other };
                let (slopes, x) = (&self.pointwise[row * n..][..n], &x[equation.range(other)]);
                update(out, |i, y| *y -= slopes[i] * x[i]);
            }
        }
        if self.coupling.is_empty() {
            return;
        }
        let Scratch { product, parameters, .. } = scratch;
        product.clear();
        product.resize(x.len(), 0.0);
        for k in &self.coupling {
            let (term, theta) = &equation.terms[*k];
            let at = equation.state(self.t, &self.u, theta);
            parameters.clear();
            parameters.resize(theta.len(), 0.0);
            if transpose {
                term.add_vjp(&at, x, product, parameters);
            } else {
                term.add_jvp(&at, x, parameters, product);
            }
        }
        update(y, |i, y| *y -= product[i]);
    }

    /// Logarithmic norm of J in the max norm in a field, `max_i (J_ii + sum_j |J_ij|)`. None unless
    /// A is tridiagonal.
    fn logarithmic_norm(&self, field: usize) -> Option<f64> {
        let (fields, n) = (self.equation.field_count(), self.equation.n());
        let base = self.bases[field].as_ref()?;
        let slope = |i: usize, other: usize| {
            let slope = self.pointwise.get((field * fields + other) * n + i).unwrap_or(&0.0);
            if other == field { *slope } else { slope.abs() }
        };
        let row = |i: usize| base.row_norm(i) + (0..fields).map(|k| slope(i, k)).sum::<f64>();
        Some((0..n).map(row).fold(f64::NEG_INFINITY, f64::max))
    }
}

/// Common value of n numbers; None if they differ.
fn constant(n: usize, d: impl Fn(usize) -> f64) -> Option<f64> {
    let first = (n > 0).then(|| d(0))?;
    (1..n).all(|i| d(i) == first).then_some(first)
}

impl ShiftedJacobian for Linearised<'_> {
    fn linearise(&mut self, t: f64, u: &[f64]) {
        self.t = t;
        if !self.with_terms {
            return;
        }
        let equation = self.equation;
        let fields = equation.field_count();
        if self.coupling.len() < equation.terms.len() {
            self.pointwise.clear();
            self.pointwise.resize(fields * fields * equation.n(), 0.0);
        }
        for (k, (term, theta)) in equation.terms.iter().enumerate() {
            if self.coupling.contains(&k) {
                continue;
            }
            let at = equation.state(t, u, theta);
            if !term.add_pointwise_jacobian(&at, &mut self.pointwise) {
                self.coupling.push(k);
            }
        }
        if self.coupling.len() == equation.terms.len() {
            self.pointwise = Vec::new();
        }
        if !self.coupling.is_empty() {
            self.u.clear();
            self.u.extend_from_slice(u);
        }
    }

    fn shift(&mut self, c: &[f64]) -> bool {
        self.recip.iter_mut().zip(c).for_each(|(recip, c)| *recip = 1.0 / c);
        self.prepare()
    }

    fn solve(&mut self, x: &mut [f64]) -> bool {
        let recip = &self.recip;
        update(x, |i, x| *x *= recip[i]);
        self.invert(x, false)
    }

    fn solve_transposed(&mut self, x: &mut [f64]) -> bool {
        let solved = self.invert(x, true);
        let recip = &self.recip;
        update(x, |i, x| *x *= recip[i]);
        solved
    }

    fn is_affine(&self) -> bool {
        !self.with_terms && self.exact && self.inverses.iter().all(FieldInverse::is_direct)
    }

    /// Exact for tridiagonal operators and pointwise terms; 0, unknown, for others.
    fn dissipativity(&self) -> f64 {
        if !self.coupling.is_empty() {
            return 0.0;
        }
        let norms = (0..self.equation.field_count()).map(|field| self.logarithmic_norm(field));
        let largest = norms.reduce(|one, other| Some(one?.max(other?)));
        largest.flatten().map_or(0.0, |norm| (-norm).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reaction, Term};
    use hpfracc_spatial::{Axis, BoxGrid, Laplacian};
    use std::sync::Arc;

    /// Whether a step on a plane needs no iteration.
    fn is_exact(term: impl Term, u: &[f64]) -> bool {
        let axes = [5, 7].map(|n| Axis::periodic(0.0, 1.0, n).unwrap());
        let grid = BoxGrid::new(axes.to_vec()).unwrap();
        let laplacian = Arc::new(Laplacian::new(grid, &[1.0, 1.0]).unwrap());
        let equation = Equation::new(laplacian).term(term, &[]).unwrap();
        let mut jacobian = Linearised::new(&equation, 1e-13, true);
        jacobian.linearise(0.0, u);
        // 35 times 1/0.3 has a rounded sum.
        assert!(jacobian.shift(&[0.3; 35]));
        jacobian.exact
    }

    #[test]
    fn constant_diagonals_are_solved_without_iteration() {
        let decay =
            Reaction::new(|_, [u]: &[f64; 1], _: &[f64; 0]| [-0.1 * u], |_, _, _| ([[-0.1]], [[]]));
        let square = Reaction::new(
            |_, [u]: &[f64; 1], _: &[f64; 0]| [u * u],
            |_, [u], _| ([[2.0 * u]], [[]]),
        );
        let u: Vec<f64> = (0..35).map(|i| (f64::from(i)).sin()).collect();
        assert!(is_exact(decay, &u));
        assert!(is_exact(square, &[0.4; 35]));
        assert!(!is_exact(square, &u));
    }
}
