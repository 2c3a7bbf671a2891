//! Tangents of quadratures of the Volterra equation in several directions at once, which share the weights, their
//! derivatives in the orders, the sums over earlier nodes and the matrices of implicit steps.

use super::forward_solution::ForwardSolution;
use super::linear_block::LinearBlock;
use super::order_terms::OrderTerms;
use super::quadrature::Quadrature;
use super::sums::KnownSums;
use super::variation::Variation;
use crate::error::all_finite;
use crate::{Corrector, OdeError, Statistics};

/// Derivative of the solution in a direction.
struct Change<'a> {
    direction: &'a Variation,
    /// Rows of initial values.
    rows: Vec<f64>,
    /// Changes of the states, node by node.
    moved: Vec<f64>,
}

/// Derivatives of a step.
struct NodeTangent<'a> {
    of: &'a Quadrature<'a>,
    terms: OrderTerms<'a>,
    iterates: Vec<f64>,
    step: LinearBlock<'a>,
    newest: Vec<f64>,
    newest_by_order: Vec<f64>,
    /// Zeros, f of an iterate, the free term, a sum and a change of f.
    zeros: Vec<f64>,
    slope: Vec<f64>,
    free: Vec<f64>,
    corrected: Vec<f64>,
    df: Vec<f64>,
}

impl Quadrature<'_> {
    /// The changes of the states in each direction, node by node.
    pub(super) fn tangents(&self, directions: &[Variation]) -> Result<Vec<Vec<f64>>, OdeError> {
        self.solved.check_coupled(self.rules.coupled())?;
        let (times, system) = (self.solved.times(), self.solved.problem.system());
        let (dim, width) = (self.dim(), self.dim() * directions.len());
        let mut node = NodeTangent::new(self)?;
        let mut changes: Vec<Change<'_>> =
            directions.iter().map(|d| Change::new(self, d)).collect();
        let (mut df, mut sums) = (vec![0.0; width], vec![0.0; width * self.rules.count]);
        let y = self.solved.trajectory.state(0);
        for (change, df) in changes.iter().zip(df.chunks_exact_mut(dim)) {
            let rows = &change.rows[..dim];
            self.solved.set_change(0, rows);
            system.jvp(times[0], y, rows, &change.direction.parameters, df);
            self.rules.subtract_linear(rows, df);
        }
        let coupled = self.rules.coupled();
        if coupled > 0 {
            for (change, df) in changes.iter_mut().zip(df.chunks_exact(dim)) {
                node.first_states(change, df)?;
            }
        }
        let mut earlier = self.rules.earlier((0, directions.len()), &self.options)?;
        for index in 1..times.len() {
            earlier.push(&df)?;
            if index > coupled {
                for (rule, sums) in sums.chunks_exact_mut(width).enumerate() {
                    earlier.sum_into(rule, sums)?;
                }
                node.prepare(index)?;
            }
            let (t, y) = (times[index], self.solved.trajectory.state(index));
            for (k, (change, df)) in changes.iter_mut().zip(df.chunks_exact_mut(dim)).enumerate() {
                if index > coupled {
                    let sums = sums.chunks_exact(width).map(|sums| &sums[k * dim..][..dim]);
                    node.advance(index, sums, change)?;
                }
                let dy = &change.moved[index * dim..][..dim];
                all_finite(dy, t)?;
                self.solved.set_change(index, dy);
                system.jvp(t, y, dy, &change.direction.parameters, df);
                self.rules.subtract_linear(dy, df);
            }
        }
        Ok(changes.into_iter().map(|change| change.moved).collect())
    }
}

impl<'a> Change<'a> {
    fn new(of: &Quadrature<'_>, direction: &'a Variation) -> Self {
        let rows: Vec<f64> = direction.initial.iter().copied().collect();
        let mut moved = vec![0.0; of.solved.times().len() * of.dim()];
        moved[..of.dim()].copy_from_slice(&rows[..of.dim()]);
        Self { direction, rows, moved }
    }
}

impl<'a> NodeTangent<'a> {
    fn new(of: &'a Quadrature<'a>) -> Result<Self, OdeError> {
        let KnownSums { values, by_order } = of.known()?;
        let zeros = vec![0.0; of.dim()];
        Ok(Self {
            of,
            terms: OrderTerms::new(of.solved, &of.rules, by_order),
            iterates: of.iterates(&values)?,
            step: LinearBlock::new(of.solved.problem, 1),
            newest: zeros.clone(),
            newest_by_order: zeros.clone(),
            slope: zeros.clone(),
            free: zeros.clone(),
            corrected: zeros.clone(),
            df: zeros.clone(),
            zeros,
        })
    }

    /// The states that are solved as one system, from the change of f at t0.
    fn first_states(&self, change: &mut Change<'_>, df: &[f64]) -> Result<(), OdeError> {
        let (of, dim, coupled) = (self.of, df.len(), self.of.rules.coupled());
        let ForwardSolution { trajectory, .. } = *of.solved;
        let states = (1..=coupled).map(|node| (of.solved.times()[node], trajectory.state(node)));
        let points: Vec<_> = states.collect();
        let Change { direction, rows, moved } = change;
        let known = &mut moved[dim..(coupled + 1) * dim];
        for (node, known) in (1..).zip(known.chunks_exact_mut(dim)) {
            of.add_free(rows, node, known);
            self.terms.add_direction(node, 0, direction, known);
            for i in 0..dim {
                known[i] += of.rules.coupling(i, node, 0).0 * df[i];
            }
        }
        of.coupled_block().tangent(&points, &direction.parameters, known)
    }

    /// Weights and matrix of a step.
    fn prepare(&mut self, index: usize) -> Result<(), OdeError> {
        self.of.rules.newest_into(index, &mut self.newest);
        self.of.rules.newest_by_order_into(index, &mut self.newest_by_order);
        if self.of.corrector == Corrector::Newton {
            let t = self.of.solved.times()[index];
            self.step.couple(|component, _, _| self.newest[component]);
            self.step.linearise(&[(t, self.of.solved.trajectory.state(index))]);
            self.step.factor(t, false)?;
        }
        Ok(())
    }

    /// The change of a state from the sums over earlier nodes, rule by rule.
    fn advance<'s>(
        &mut self,
        index: usize,
        sums: impl Iterator<Item = &'s [f64]>,
        change: &mut Change<'_>,
    ) -> Result<(), OdeError> {
        let Self { of, free, corrected, newest, newest_by_order, slope, df, .. } = self;
        let ForwardSolution { problem, trajectory, .. } = *of.solved;
        let (dim, t, system) = (free.len(), of.solved.times()[index], problem.system());
        let Change { direction, rows, moved } = change;
        let (theta, dy) = (&direction.parameters, &mut moved[index * dim..][..dim]);
        free.fill(0.0);
        of.add_free(rows, index, free);
        for (rule, sum) in sums.enumerate() {
            let into = if rule + 1 == of.rules.count { &mut *dy } else { &mut corrected[..] };
            into.iter_mut().zip(sum.iter().zip(&*free)).for_each(|(into, (s, g))| *into = s + g);
            self.terms.add_direction(index, rule, direction, into);
        }
        match of.corrector {
            Corrector::Newton => {
                let (y, f) = (trajectory.state(index), trajectory.slope(index));
                system.jvp(t, y, &self.zeros, theta, df);
                for i in 0..dim {
                    let by_order = direction.order(i) * newest_by_order[i] * f[i];
                    dy[i] += by_order + newest[i] * df[i];
                }
                self.step.solve_factored(t, dy)?;
            }
            Corrector::Passes(passes) => {
                for pass in 0..passes {
                    let state = &self.iterates[((index - 1) * passes + pass) * dim..][..dim];
                    problem.rhs(t, state, slope, &mut Statistics::default())?;
                    of.rules.subtract_linear(state, slope);
                    system.jvp(t, state, dy, theta, df);
                    of.rules.subtract_linear(dy, df);
                    for i in 0..dim {
                        let by_order = direction.order(i) * newest_by_order[i] * slope[i];
                        dy[i] = corrected[i] + by_order + newest[i] * df[i];
                    }
                }
            }
        }
        Ok(())
    }
}
