//! Adjoint and tangent of quadratures of the Volterra equation: product trapezoids, with corrector
//! passes or an implicit solve.

use super::forward_solution::ForwardSolution;
use super::linear_step::LinearStep;
use super::variation::Variation;
use crate::error::all_finite;
use crate::history::{History, Kernel, Rule};
use crate::problem::taylor;
use crate::schemes::{TrapezoidWeights, rectangle_order_derivative};
use crate::{Corrector, OdeError, Options, Statistics};

impl Corrector {
    /// The rules over which f is summed: that of the corrector before that of the predictor.
    fn rules(self) -> &'static [Rule] {
        match self {
            Self::Passes(0) => &[Rule::Rectangle],
            Self::Passes(_) => &[Rule::Trapezoid, Rule::Rectangle],
            Self::Newton => &[Rule::Trapezoid],
        }
    }
}

/// Weights of a scheme on a grid.
struct Weights<'a> {
    solved: &'a ForwardSolution<'a>,
    corrector: Corrector,
    trapezoid: TrapezoidWeights,
    /// d/d alpha of it.
    trapezoid_by_order: TrapezoidWeights,
    /// d/d alpha of the kernel of each rule.
    kernels_by_order: Vec<Kernel>,
}

impl<'a> Weights<'a> {
    fn new(solved: &'a ForwardSolution<'a>, corrector: Corrector) -> Result<Self, OdeError> {
        let (orders, grid) = (solved.problem.orders(), solved.grid);
        let (trapezoid_by_order, of_trapezoid) = TrapezoidWeights::order_derivative(orders, grid)?;
        let by_order = corrector.rules().iter().map(|rule| match rule {
            Rule::Rectangle => rectangle_order_derivative(orders, grid),
            Rule::Trapezoid => Ok(of_trapezoid.clone()),
        });
        let kernels_by_order = by_order.collect::<Result<_, _>>()?;
        let trapezoid = TrapezoidWeights::new(orders, grid)?;
        Ok(Self { solved, corrector, trapezoid, trapezoid_by_order, kernels_by_order })
    }

    /// Kernels of rules.
    fn kernels(&self, rules: &[Rule]) -> Vec<Kernel> {
        let (orders, h) = (self.solved.problem.orders(), self.solved.grid.h());
        rules.iter().map(|&rule| Kernel::product(rule, orders, h)).collect()
    }

    /// Arguments of f in the corrector passes, node by node from the first after t0: the same sums
    /// as in the solve, in the same order.
    fn iterates(&self, options: &Options<'_>) -> Result<Vec<f64>, OdeError> {
        let ForwardSolution { problem, trajectory, grid } = *self.solved;
        let dim = problem.dim();
        let Corrector::Passes(passes @ 1..) = self.corrector else { return Ok(Vec::new()) };
        let rules: &[Rule] =
            if passes == 1 { &[Rule::Rectangle] } else { &[Rule::Rectangle, Rule::Trapezoid] };
        let mut history = options.build_history(&self.kernels(rules), dim, grid.n())?;
        let mut statistics = Statistics::default();
        let (mut free, mut memory, mut slope) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
        let mut iterates = vec![0.0; grid.n() * passes * dim];
        for (node, states) in (1..).zip(iterates.chunks_exact_mut(passes * dim)) {
            history.push(trajectory.slope(node - 1))?;
            let t = grid.t(node);
            problem.free_term(t, &mut free);
            history.sum_into(0, &mut states[..dim])?;
            states.iter_mut().zip(&free).for_each(|(state, free)| *state += free);
            if passes > 1 {
                history.sum_into(1, &mut memory)?;
                for i in 0..dim {
                    let start = self.trapezoid.start(i, node);
                    memory[i] += free[i] + start * trajectory.slope(0)[i];
                }
            }
            for pass in 1..passes {
                let (before, here) = states[(pass - 1) * dim..].split_at_mut(dim);
                problem.rhs(t, before, &mut slope, &mut statistics)?;
                for i in 0..dim {
                    here[i] = memory[i] + self.trapezoid.newest(i) * slope[i];
                }
            }
        }
        Ok(iterates)
    }

    fn linear_step(&self) -> LinearStep<'a> {
        let newest = (0..self.solved.problem.dim()).map(|i| self.trapezoid.newest(i)).collect();
        LinearStep::new(self.solved.problem.system(), newest)
    }
}

pub(super) fn adjoint(
    solved: &ForwardSolution<'_>,
    corrector: Corrector,
    cotangents: &[f64],
    options: &Options<'_>,
) -> Result<Variation, OdeError> {
    let weights = Weights::new(solved, corrector)?;
    let ForwardSolution { problem, trajectory, grid } = *solved;
    let (dim, n, rules) = (problem.dim(), grid.n(), corrector.rules());
    let system = problem.system();
    let side_by_side = |kernels: &[Kernel]| {
        let row = |at: usize| &kernels[at / dim].rows()[kernels[at / dim].row_of(at % dim)];
        Kernel::per_component((0..dim * rules.len()).map(|at| row(at).clone()))
    };
    let kernels = [&weights.kernels(rules), &weights.kernels_by_order].map(|k| side_by_side(k));
    let mut later = ReversedHistory::new(&kernels, dim * rules.len(), n, options)?;
    let mut node = NodeAdjoint {
        weights: &weights,
        iterates: weights.iterates(options)?,
        step: weights.linear_step(),
        newest: vec![0.0; dim],
        slope: vec![0.0; dim],
        moved: vec![0.0; dim],
    };
    let mut bar = Variation::zeros(problem);
    let mut orders = vec![0.0; dim];
    let (mut fbar, mut ybar) = (vec![0.0; dim], vec![0.0; dim]);
    let (mut first, mut total) = (vec![0.0; dim], vec![0.0; dim]);
    // Cotangents of the corrector's sums, if it has any, and of the predictor's, if there is one.
    let mut sources = vec![0.0; dim * rules.len()];
    for index in (1..=n).rev() {
        let t = grid.t(index);
        later.sum_into(trajectory.slope(index), &mut fbar, &mut orders)?;
        ybar.copy_from_slice(&cotangents[index * dim..][..dim]);
        node.close(index, &fbar, &mut ybar, &mut sources, &mut bar.parameters)?;
        sources.chunks_exact(dim).try_for_each(|part| all_finite(part, t))?;
        later.push(&sources)?;
        total.fill(0.0);
        for part in sources.chunks_exact(dim) {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        bar.add_free_term(t - grid.t(0), &total);
        if rules[0] == Rule::Trapezoid {
            for i in 0..dim {
                first[i] += weights.trapezoid.start(i, index) * sources[i];
                let by_order = weights.trapezoid_by_order.start(i, index) * sources[i];
                orders[i] += by_order * trajectory.slope(0)[i];
            }
        }
    }
    later.sum_into(trajectory.slope(0), &mut fbar, &mut orders)?;
    fbar.iter_mut().zip(&first).for_each(|(fbar, first)| *fbar += first);
    ybar.copy_from_slice(&cotangents[..dim]);
    system.vjp(grid.t(0), trajectory.state(0), &fbar, &mut ybar, &mut bar.parameters);
    bar.add_free_term(0.0, &ybar);
    for (i, order) in orders.iter_mut().enumerate() {
        *order += weights.trapezoid_by_order.newest(i) * node.newest[i];
    }
    all_finite(&ybar, grid.t(0))?;
    bar.complete(problem, &orders)
}

/// Sums over later nodes: histories in reversed time.
struct ReversedHistory {
    history: Box<dyn History>,
    /// The second kernel, if the first has a history without it.
    by_order: Option<Box<dyn History>>,
    sums: Vec<f64>,
}

impl ReversedHistory {
    /// For the weights of all rules side by side, and for their derivatives in the order.
    fn new(
        kernels: &[Kernel; 2],
        width: usize,
        n: usize,
        options: &Options<'_>,
    ) -> Result<Self, OdeError> {
        let together = options.history.exact() == options.history;
        let first = if together { &kernels[..] } else { &kernels[..1] };
        let history = options.build_history(first, width, n)?;
        let by_order = (!together)
            .then(|| options.exact().build_history(&kernels[1..], width, n))
            .transpose()?;
        Ok(Self { history, by_order, sums: vec![0.0; width] })
    }

    fn push(&mut self, sources: &[f64]) -> Result<(), OdeError> {
        self.history.push(sources)?;
        self.by_order.as_mut().map_or(Ok(()), |history| history.push(sources))
    }

    /// Writes the cotangent of f at the previous node, whose f is `slope`, and adds the derivatives
    /// with respect to the order of each component.
    fn sum_into(
        &mut self,
        slope: &[f64],
        fbar: &mut [f64],
        orders: &mut [f64],
    ) -> Result<(), OdeError> {
        let dim = slope.len();
        fbar.fill(0.0);
        self.history.sum_into(0, &mut self.sums)?;
        for sums in self.sums.chunks_exact(dim) {
            fbar.iter_mut().zip(sums).for_each(|(fbar, sum)| *fbar += sum);
        }
        match &self.by_order {
            Some(history) => history.sum_into(0, &mut self.sums)?,
            None => self.history.sum_into(1, &mut self.sums)?,
        }
        for sums in self.sums.chunks_exact(dim) {
            for ((order, sum), f) in orders.iter_mut().zip(sums).zip(slope) {
                *order += sum * f;
            }
        }
        Ok(())
    }
}

/// Transposed derivative of a step.
struct NodeAdjoint<'a> {
    weights: &'a Weights<'a>,
    iterates: Vec<f64>,
    step: LinearStep<'a>,
    /// Factor of the newest weight of each component, summed over all nodes.
    newest: Vec<f64>,
    slope: Vec<f64>,
    moved: Vec<f64>,
}

impl NodeAdjoint<'_> {
    /// From the cotangents of f and y at a node to those of its sums.
    fn close(
        &mut self,
        index: usize,
        fbar: &[f64],
        ybar: &mut [f64],
        sources: &mut [f64],
        thetabar: &mut [f64],
    ) -> Result<(), OdeError> {
        let ForwardSolution { problem, trajectory, grid } = *self.weights.solved;
        let (dim, t, system) = (ybar.len(), grid.t(index), problem.system());
        let (y, f) = (trajectory.state(index), trajectory.slope(index));
        match self.weights.corrector {
            Corrector::Newton => {
                self.step.linearise(t, y);
                self.step.add_transposed(fbar, ybar);
                self.step.factor(t, true)?;
                self.step.solve(ybar);
                for i in 0..dim {
                    self.newest[i] += ybar[i] * f[i];
                    self.moved[i] = fbar[i] + self.weights.trapezoid.newest(i) * ybar[i];
                }
                sources.copy_from_slice(ybar);
                // Only for the parameters: y has been solved for.
                system.vjp(t, y, &self.moved, &mut self.slope, thetabar);
            }
            Corrector::Passes(passes) => {
                system.vjp(t, y, fbar, ybar, thetabar);
                let last = sources.len() - dim;
                sources.fill(0.0);
                for pass in (0..passes).rev() {
                    let state = &self.iterates[((index - 1) * passes + pass) * dim..][..dim];
                    let mut statistics = Statistics::default();
                    problem.rhs(t, state, &mut self.slope, &mut statistics)?;
                    for i in 0..dim {
                        sources[i] += ybar[i];
                        self.newest[i] += ybar[i] * self.slope[i];
                        self.moved[i] = self.weights.trapezoid.newest(i) * ybar[i];
                    }
                    ybar.fill(0.0);
                    system.vjp(t, state, &self.moved, ybar, thetabar);
                }
                sources[last..].copy_from_slice(ybar);
            }
        }
        Ok(())
    }
}

pub(super) fn tangent(
    solved: &ForwardSolution<'_>,
    corrector: Corrector,
    direction: &Variation,
    options: &Options<'_>,
) -> Result<Vec<f64>, OdeError> {
    let weights = Weights::new(solved, corrector)?;
    let ForwardSolution { problem, trajectory, grid } = *solved;
    let (dim, n, rules) = (problem.dim(), grid.n(), corrector.rules());
    let system = problem.system();
    let mut history = options.build_history(&weights.kernels(rules), dim, n)?;
    let mut by_order = options.exact().build_history(&weights.kernels_by_order, dim, n)?;
    let iterates = weights.iterates(options)?;
    let mut step = weights.linear_step();
    let rows: Vec<f64> = direction.initial.iter().copied().collect();
    let theta = &direction.parameters;
    let zeros = vec![0.0; dim];
    let mut moved = vec![0.0; (n + 1) * dim];
    moved[..dim].copy_from_slice(&rows[..dim]);
    let (mut df, mut slope) = (vec![0.0; dim], vec![0.0; dim]);
    let (mut sum, mut free, mut memory) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
    system.jvp(grid.t(0), trajectory.state(0), &rows[..dim], theta, &mut df);
    let df0 = df.clone();
    for index in 1..=n {
        history.push(&df)?;
        by_order.push(trajectory.slope(index - 1))?;
        let (t, y, f) = (grid.t(index), trajectory.state(index), trajectory.slope(index));
        let dy = &mut moved[index * dim..][..dim];
        taylor(&rows, t - grid.t(0), &mut free);
        for (kernel, rule) in rules.iter().enumerate() {
            let into = if *rule == Rule::Trapezoid { &mut memory } else { &mut *dy };
            history.sum_into(kernel, into)?;
            by_order.sum_into(kernel, &mut sum)?;
            for i in 0..dim {
                into[i] += free[i] + direction.order(i) * sum[i];
            }
        }
        for i in 0..dim {
            let by_order = weights.trapezoid_by_order.start(i, index) * trajectory.slope(0)[i];
            memory[i] += weights.trapezoid.start(i, index) * df0[i] + direction.order(i) * by_order;
        }
        let newest = |i: usize, slope: &[f64]| {
            direction.order(i) * weights.trapezoid_by_order.newest(i) * slope[i]
        };
        match corrector {
            Corrector::Newton => {
                system.jvp(t, y, &zeros, theta, &mut df);
                for i in 0..dim {
                    dy[i] = memory[i] + newest(i, f) + weights.trapezoid.newest(i) * df[i];
                }
                step.linearise(t, y);
                step.factor(t, false)?;
                step.solve(dy);
            }
            Corrector::Passes(passes) => {
                for pass in 0..passes {
                    let state = &iterates[((index - 1) * passes + pass) * dim..][..dim];
                    problem.rhs(t, state, &mut slope, &mut Statistics::default())?;
                    system.jvp(t, state, dy, theta, &mut df);
                    for i in 0..dim {
                        dy[i] = memory[i] + newest(i, &slope) + weights.trapezoid.newest(i) * df[i];
                    }
                }
            }
        }
        all_finite(dy, t)?;
        system.jvp(t, y, dy, theta, &mut df);
    }
    Ok(moved)
}
