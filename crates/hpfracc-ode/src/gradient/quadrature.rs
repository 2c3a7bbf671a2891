//! Quadratures of the Volterra equation, with corrector passes or an implicit solve of each step, and their adjoint.

use super::forward_solution::ForwardSolution;
use super::linear_block::LinearBlock;
use super::order_terms::OrderTerms;
use super::rules::Rules;
use super::sums::KnownSums;
use super::variation::Variation;
use crate::error::all_finite;
use crate::{Corrector, OdeError, Options, Statistics};

/// A solution with the rules that made it.
pub(super) struct Quadrature<'a> {
    pub(super) solved: &'a ForwardSolution<'a>,
    pub(super) corrector: Corrector,
    pub(super) rules: Rules,
    /// History of the sums.
    pub(super) options: Options<'static>,
}

impl Quadrature<'_> {
    pub(super) fn dim(&self) -> usize {
        self.solved.problem.dim()
    }

    /// Adds the solution for F = 0 and these rows of initial values.
    pub(super) fn add_free(&self, rows: &[f64], node: usize, out: &mut [f64]) {
        let x = self.solved.times()[node] - self.solved.times()[0];
        let mut factor = 1.0;
        for (j, row) in rows.chunks_exact(out.len()).enumerate() {
            for (i, (out, y)) in out.iter_mut().zip(row).enumerate() {
                *out += y * match &self.rules.linear {
                    None => factor,
                    Some(linear) => linear.free(j, (node, i)).value,
                };
            }
            factor *= x / (j + 1) as f64;
        }
    }

    /// The transpose of [`add_free`](Self::add_free).
    pub(super) fn add_to_rows(&self, node: usize, cotangent: &[f64], bar: &mut Variation) {
        let Some(linear) = &self.rules.linear else {
            bar.add_free_term(self.solved.times()[node] - self.solved.times()[0], cotangent);
            return;
        };
        for ((j, i), bar) in bar.initial.indexed_iter_mut() {
            *bar += linear.free(j, (node, i)).value * cotangent[i];
        }
    }

    /// Sums of F over earlier nodes: those of the solve that corrector passes take, and those with the
    /// derivatives of the weights.
    pub(super) fn known(&self) -> Result<KnownSums, OdeError> {
        // The corrector's sums are part of the second pass.
        let first_rule = match self.corrector {
            Corrector::Passes(1) => 1,
            Corrector::Passes(2..) => 0,
            Corrector::Passes(0) | Corrector::Newton => self.rules.count,
        };
        self.rules.known(first_rule, &self.rules.forcing(self.solved.trajectory), &self.options)
    }

    /// Arguments of f in the corrector passes, node by node from the first after t0, from the sums.
    pub(super) fn iterates(&self, sums: &[f64]) -> Result<Vec<f64>, OdeError> {
        let ForwardSolution { problem, .. } = *self.solved;
        let (dim, times) = (self.dim(), self.solved.times());
        let Corrector::Passes(passes @ 1..) = self.corrector else { return Ok(Vec::new()) };
        let mut statistics = Statistics::default();
        let (mut slope, mut newest, mut free) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
        let mut iterates = vec![0.0; (times.len() - 1) * passes * dim];
        let sums = sums.chunks_exact(2 * dim).skip(1);
        for ((node, states), sums) in (1..).zip(iterates.chunks_exact_mut(passes * dim)).zip(sums) {
            let (corrected, predicted) = sums.split_at(dim);
            free.fill(0.0);
            self.add_free(problem.initial_values(), node, &mut free);
            let first = states.iter_mut().zip(predicted.iter().zip(&free));
            first.for_each(|(state, (sum, free))| *state = sum + free);
            if passes > 1 {
                self.rules.newest_into(node, &mut newest);
            }
            for pass in 1..passes {
                let (before, here) = states[(pass - 1) * dim..].split_at_mut(dim);
                problem.rhs(times[node], before, &mut slope, &mut statistics)?;
                self.rules.subtract_linear(before, &mut slope);
                for i in 0..dim {
                    here[i] = corrected[i] + free[i] + newest[i] * slope[i];
                }
            }
        }
        Ok(iterates)
    }

    /// The first states after t0, which are solved as one system.
    pub(super) fn coupled_block(&self) -> LinearBlock<'_> {
        let states = self.rules.coupled();
        let mut block = LinearBlock::new(self.solved.problem, states);
        block.couple(|component, to, from| self.rules.coupling(component, to + 1, from + 1).0);
        block
    }

    pub(super) fn adjoint(&self, cotangents: &[f64]) -> Result<Variation, OdeError> {
        self.solved.check_coupled(self.rules.coupled())?;
        let ForwardSolution { problem, trajectory, .. } = *self.solved;
        let (dim, times, system) = (self.dim(), self.solved.times(), problem.system());
        let KnownSums { values, by_order } = self.known()?;
        let terms = OrderTerms::new(self.solved, &self.rules, by_order);
        let mut node = NodeAdjoint {
            of: self,
            iterates: self.iterates(&values)?,
            step: LinearBlock::new(problem, 1),
            newest: vec![0.0; dim],
            newest_by_order: vec![0.0; dim],
            slope: vec![0.0; dim],
            moved: vec![0.0; dim],
        };
        let mut later = self.rules.later(&self.options)?;
        let mut bar = Variation::zeros(problem);
        let mut orders = terms.gradient();
        let (mut fbar, mut ybar, mut total) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
        // Cotangents of the corrector's sums, if it has any, and of the predictor's, if there is one.
        let mut sources = vec![0.0; dim * self.rules.count];
        let coupled = self.rules.coupled();
        for index in (coupled + 1..times.len()).rev() {
            later.sum_into(&mut fbar)?;
            ybar.copy_from_slice(&cotangents[index * dim..][..dim]);
            self.solved.add_lagged_cotangent(index, &mut ybar);
            node.close(
                index,
                &fbar,
                (&mut ybar, &mut sources),
                &mut bar.parameters,
                &mut orders.own,
            )?;
            sources.chunks_exact(dim).try_for_each(|part| all_finite(part, times[index]))?;
            later.push(&sources)?;
            terms.add(index, &sources, &mut orders);
            total.fill(0.0);
            for part in sources.chunks_exact(dim) {
                total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
            }
            self.add_to_rows(index, &total, &mut bar);
        }
        let mut first = vec![0.0; dim];
        if coupled > 0 {
            // The sums for each node of the block; then the block as one system.
            let mut slopes = vec![0.0; coupled * dim];
            sources.fill(0.0);
            for fbar in slopes.chunks_exact_mut(dim).rev() {
                later.sum_into(fbar)?;
                later.push(&sources)?;
            }
            let mut u = cotangents[dim..(coupled + 1) * dim].to_vec();
            for (node, u) in (1..).zip(u.chunks_exact_mut(dim)) {
                self.solved.add_lagged_cotangent(node, u);
            }
            let block = &mut self.coupled_block();
            let points: Vec<_> =
                (1..=coupled).map(|node| (times[node], trajectory.state(node))).collect();
            block.adjoint(&points, &mut slopes, &mut u, &mut bar.parameters)?;
            for (node, u) in (1..).zip(u.chunks_exact(dim)) {
                for i in 0..dim {
                    first[i] += self.rules.coupling(i, node, 0).0 * u[i];
                }
                terms.add(node, u, &mut orders);
                self.add_to_rows(node, u, &mut bar);
            }
        }
        later.sum_into(&mut fbar)?;
        fbar.iter_mut().zip(&first).for_each(|(fbar, first)| *fbar += first);
        ybar.copy_from_slice(&cotangents[..dim]);
        system.vjp(times[0], trajectory.state(0), &fbar, &mut ybar, &mut bar.parameters);
        self.rules.subtract_linear(&fbar, &mut ybar);
        self.solved.add_lagged_cotangent(0, &mut ybar);
        all_finite(&ybar, times[0])?;
        bar.add_free_term(0.0, &ybar);
        terms.complete(bar, problem, orders)
    }
}

/// Transposed derivative of a step.
struct NodeAdjoint<'a> {
    of: &'a Quadrature<'a>,
    iterates: Vec<f64>,
    step: LinearBlock<'a>,
    newest: Vec<f64>,
    newest_by_order: Vec<f64>,
    slope: Vec<f64>,
    moved: Vec<f64>,
}

impl NodeAdjoint<'_> {
    /// From the cotangents of F and y at a node to those of its sums. Adds the derivatives of the
    /// newest weight to `orders`.
    pub(super) fn close(
        &mut self,
        index: usize,
        fbar: &[f64],
        (ybar, sources): (&mut [f64], &mut [f64]),
        thetabar: &mut [f64],
        orders: &mut [f64],
    ) -> Result<(), OdeError> {
        let ForwardSolution { problem, trajectory, .. } = *self.of.solved;
        let (dim, t, system) = (ybar.len(), self.of.solved.times()[index], problem.system());
        let (y, f) = (trajectory.state(index), trajectory.slope(index));
        self.of.rules.newest_into(index, &mut self.newest);
        self.of.rules.newest_by_order_into(index, &mut self.newest_by_order);
        match self.of.corrector {
            Corrector::Newton => {
                self.step.couple(|component, _, _| self.newest[component]);
                self.moved.copy_from_slice(fbar);
                self.step.adjoint(&[(t, y)], &mut self.moved, ybar, thetabar)?;
                for i in 0..dim {
                    orders[i] += self.newest_by_order[i] * ybar[i] * f[i];
                }
                sources.copy_from_slice(ybar);
            }
            Corrector::Passes(passes) => {
                system.vjp(t, y, fbar, ybar, thetabar);
                self.of.rules.subtract_linear(fbar, ybar);
                let last = sources.len() - dim;
                sources.fill(0.0);
                for pass in (0..passes).rev() {
                    let state = &self.iterates[((index - 1) * passes + pass) * dim..][..dim];
                    let mut statistics = Statistics::default();
                    problem.rhs(t, state, &mut self.slope, &mut statistics)?;
                    self.of.rules.subtract_linear(state, &mut self.slope);
                    for i in 0..dim {
                        sources[i] += ybar[i];
                        orders[i] += self.newest_by_order[i] * ybar[i] * self.slope[i];
                        self.moved[i] = self.newest[i] * ybar[i];
                    }
                    ybar.fill(0.0);
                    system.vjp(t, state, &self.moved, ybar, thetabar);
                    self.of.rules.subtract_linear(&self.moved, ybar);
                }
                sources[last..].copy_from_slice(ybar);
            }
        }
        Ok(())
    }
}
