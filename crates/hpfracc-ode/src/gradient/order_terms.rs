//! Derivatives of the sums of a quadrature with respect to the orders, at fixed values of F.

use super::differentiable::Differentiable;
use super::forward_solution::ForwardSolution;
use super::rules::Rules;
use super::variation::Variation;
use crate::{OdeError, Problem};

/// `sum_j dW_r[n, j] F_j + dg(t_n)` for all nodes and rules.
pub(super) struct OrderTerms<'a> {
    solved: &'a ForwardSolution<'a>,
    rules: &'a Rules,
    dim: usize,
    /// Derivatives with respect to the order of each component, node by node and rule by rule.
    own: Vec<f64>,
}

/// Derivatives of a loss: with respect to the order of each component, and to each exponent of
/// starting weights.
pub(super) struct OrderGradient {
    pub(super) own: Vec<f64>,
    exponents: Vec<f64>,
}

impl<'a> OrderTerms<'a> {
    /// From the sums of F with the derivatives of the weights.
    pub(super) fn new(
        solved: &'a ForwardSolution<'a>,
        rules: &'a Rules,
        mut own: Vec<f64>,
    ) -> Self {
        let (dim, coupled) = (solved.problem.dim(), rules.coupled());
        own[..(coupled + 1) * rules.count * dim].fill(0.0);
        if let Some(linear) = &rules.linear {
            for (node, terms) in own.chunks_exact_mut(rules.count * dim).enumerate().skip(1) {
                for term in terms.chunks_exact_mut(dim) {
                    for (j, row) in solved.problem.initial().enumerate() {
                        for (i, (term, y)) in term.iter_mut().zip(row).enumerate() {
                            *term += y * linear.free(j, (node, i)).derivative;
                        }
                    }
                }
            }
        }
        // States that are solved as one system.
        for node in 1..=coupled {
            for i in 0..dim {
                let slopes = (0..=coupled)
                    .map(|from| rules.coupling(i, node, from).1 * solved.trajectory.slope(from)[i]);
                own[node * dim + i] = slopes.sum();
            }
        }
        Self { solved, rules, dim, own }
    }

    pub(super) fn gradient(&self) -> OrderGradient {
        let exponents = self.rules.starts.as_ref().map_or(0, |s| s.exponents.values.len());
        OrderGradient { own: vec![0.0; self.dim], exponents: vec![0.0; exponents] }
    }

    /// Derivative with respect to an exponent, of a component at a node.
    fn by_exponent(&self, exponent: usize, node: usize, i: usize) -> f64 {
        let slope = |j: usize| self.solved.trajectory.slope(j)[i];
        let starts = self.rules.starts.as_ref();
        starts.map_or(0.0, |starts| starts.term(exponent, (node, i), slope))
    }

    /// Adds the contribution of the cotangents of a node's sums, rule by rule.
    pub(super) fn add(&self, node: usize, sources: &[f64], bar: &mut OrderGradient) {
        let terms = &self.own[node * self.rules.count * self.dim..];
        for (at, (source, term)) in sources.iter().zip(terms).enumerate() {
            bar.own[at % self.dim] += source * term;
        }
        for (exponent, bar) in bar.exponents.iter_mut().enumerate() {
            let each = sources.iter().enumerate();
            *bar += each.map(|(i, u)| u * self.by_exponent(exponent, node, i)).sum::<f64>();
        }
    }

    /// Adds the derivative of a sum in a direction.
    pub(super) fn add_direction(
        &self,
        node: usize,
        rule: usize,
        direction: &Variation,
        out: &mut [f64],
    ) {
        let terms = &self.own[(node * self.rules.count + rule) * self.dim..];
        for (i, (out, term)) in out.iter_mut().zip(terms).enumerate() {
            *out += direction.order(i) * term;
        }
        let Some(starts) = &self.rules.starts else { return };
        for (exponent, multiples) in starts.exponents.multiples.iter().enumerate() {
            let pairs = multiples.iter().zip(&direction.orders);
            let change: f64 = pairs.map(|(multiple, order)| multiple * order).sum();
            if change != 0.0 {
                for (i, out) in out.iter_mut().enumerate() {
                    *out += change * self.by_exponent(exponent, node, i);
                }
            }
        }
    }

    /// The gradient with the derivatives with respect to the orders.
    pub(super) fn complete(
        &self,
        mut bar: Variation,
        problem: &Problem<dyn Differentiable + '_>,
        orders: OrderGradient,
    ) -> Result<Variation, OdeError> {
        if let Some(starts) = &self.rules.starts {
            for (multiples, change) in starts.exponents.multiples.iter().zip(&orders.exponents) {
                for (order, multiple) in bar.orders.iter_mut().zip(multiples) {
                    *order += multiple * change;
                }
            }
        }
        bar.complete(problem, &orders.own)
    }
}
