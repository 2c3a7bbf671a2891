//! The Jacobian of a semi-discretisation, which solves the linear systems of implicit steps.

use super::gmres::Gmres;
use super::inverse::{FieldInverse, Fluxes};
use crate::Equation;
use crate::blocks::{sum, update};
use hpfracc_ode::ShiftedJacobian;
use hpfracc_spatial::Tridiagonal;

/// Relative residual above which an iterative solve has failed.
const FAILED: f64 = 1e-2;

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
    /// Terms that couple points.
    coupling: Vec<usize>,
    with_terms: bool,
    /// c A of each field, if tridiagonal.
    bases: Vec<Option<Tridiagonal>>,
    /// 1/c of the steps.
    recip: Vec<f64>,
    inverses: Vec<FieldInverse<'a>>,
    /// Whether the inverses are exact.
    exact: bool,
    gmres: Gmres,
    scratch: Vec<f64>,
}

impl<'a> Linearised<'a> {
    /// Jacobian of the whole right-hand side, or of its linear part alone.
    pub(crate) fn new(equation: &'a Equation<'a>, tolerance: f64, with_terms: bool) -> Self {
        let base = |field: usize| {
            let c = equation.parameters()[field];
            let mut matrix = equation.operator(field).tridiagonal()?;
            let entries = [&mut matrix.lower, &mut matrix.diagonal, &mut matrix.upper];
            entries.into_iter().flatten().for_each(|entry| *entry *= c);
            Some(matrix)
        };
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
            gmres: Gmres::default(),
            scratch: Vec::new(),
        }
    }

    /// Diagonal of `1/c - N'(u)` of pointwise terms in a field.
    fn diagonal(&self, field: usize) -> impl Fn(usize) -> f64 + '_ {
        let (fields, n) = (self.equation.field_count(), self.equation.n());
        let slopes = self.pointwise.get(field * (fields + 1) * n..).unwrap_or(&[]);
        let recip = &self.recip[field * n..];
        move |i| recip[i] - slopes.get(i).unwrap_or(&0.0)
    }

    /// Factors or prepares the inverse of each field.
    fn prepare(&mut self) -> bool {
        let (equation, n) = (self.equation, self.equation.n());
        let mut inverses = Vec::with_capacity(equation.field_count());
        let mut exact = self.coupling.is_empty();
        for field in 0..equation.field_count() {
            let d = self.diagonal(field);
            let all = sum(n, &d) / n as f64;
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
            let base = self.bases[field].as_ref();
            let Ok(inverse) = FieldInverse::new(operator, base, &d, mean, &fluxes) else {
                return false;
            };
            let constant = (self.pointwise.is_empty() && all == self.recip[field * n])
                || (0..n).all(|i| d(i) == mean);
            exact &= inverse.takes_variable_diagonals() || constant;
            inverses.push(inverse);
        }
        self.exact = exact && (inverses.len() == 1 || self.pointwise.is_empty());
        self.inverses = inverses;
        true
    }

    fn invert(&mut self, x: &mut [f64], transpose: bool) -> bool {
        let (n, tolerance) = (self.equation.n(), self.tolerance);
        let mut inverses = std::mem::take(&mut self.inverses);
        let mut solved = true;
        let mut precondition = |x: &mut [f64]| {
            for (inverse, x) in inverses.iter_mut().zip(x.chunks_exact_mut(n)) {
                solved &= inverse.apply(x, transpose);
            }
        };
        let residual = if self.exact {
            precondition(x);
            0.0
        } else {
            let mut gmres = std::mem::take(&mut self.gmres);
            let mut scratch = std::mem::take(&mut self.scratch);
            let apply = |x: &[f64], y: &mut [f64]| self.apply(x, y, &mut scratch, transpose);
            let residual = gmres.solve(apply, precondition, x, tolerance);
            (self.gmres, self.scratch) = (gmres, scratch);
            residual
        };
        self.inverses = inverses;
        solved && residual <= FAILED.max(tolerance) && x.iter().all(|x| x.is_finite())
    }

    /// Writes `y = (1/c - J) x`, or its transpose.
    fn apply(&self, x: &[f64], y: &mut [f64], scratch: &mut Vec<f64>, transpose: bool) {
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
            update(out, |i, y| c * y + recip[i] * own[i]);
            if self.pointwise.is_empty() {
                continue;
            }
            for other in 0..fields {
                let row = if transpose { other * fields + field } else { field * fields + other };
                let (slopes, x) = (&self.pointwise[row * n..][..n], &x[equation.range(other)]);
                update(out, |i, y| y - slopes[i] * x[i]);
            }
        }
        if self.coupling.is_empty() {
            return;
        }
        scratch.clear();
        scratch.resize(x.len(), 0.0);
        for k in &self.coupling {
            let (term, theta) = &equation.terms[*k];
            let at = equation.state(self.t, &self.u, theta);
            let mut parameters = vec![0.0; theta.len()];
            if transpose {
                term.add_vjp(&at, x, scratch, &mut parameters);
            } else {
                term.add_jvp(&at, x, &parameters, scratch);
            }
        }
        update(y, |i, y| y - scratch[i]);
    }
}

impl ShiftedJacobian for Linearised<'_> {
    fn linearise(&mut self, t: f64, u: &[f64]) {
        self.t = t;
        if !self.with_terms {
            return;
        }
        let equation = self.equation;
        let fields = equation.field_count();
        self.pointwise.clear();
        self.pointwise.resize(fields * fields * equation.n(), 0.0);
        self.coupling.clear();
        for (k, (term, theta)) in equation.terms.iter().enumerate() {
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
        update(x, |i, x| x * recip[i]);
        self.invert(x, false)
    }

    fn solve_transposed(&mut self, x: &mut [f64]) -> bool {
        let solved = self.invert(x, true);
        let recip = &self.recip;
        update(x, |i, x| x * recip[i]);
        solved
    }
}
