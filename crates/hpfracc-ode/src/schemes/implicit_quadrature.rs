//! Implicit schemes that are convolution quadratures of the Volterra equation, with starting
//! weights.

use super::newton::{Equations, Iterate, Newton};
use crate::error::require;
use crate::history::{History, Kernel, Row};
use crate::problem::of_component;
use crate::{Node, OdeError, Problem, Setup, Statistics, Stepper, System, UniformGrid};

/// Weights of one order:
///
/// ```text
/// I^alpha f(t_n) ~ sum_{j<=n} w[n-j] f_j + sum_j starts[j][n] f_j
/// ```
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    /// Weights from lag 0, at least up to the number of starting weights.
    pub(crate) first: Vec<f64>,
    /// Weights up to lag N.
    pub(crate) row: Row,
    /// Starting weights: a column per initial sample.
    pub(crate) starts: Vec<Vec<f64>>,
}

/// `y_n = g(t_n) + (quadrature of f)(t_n)`, solved for y_n. With starting weights on s samples the
/// first s - 1 states are coupled and solved as one system.
struct Implicit<'a> {
    problem: &'a Problem<dyn System + 'a>,
    grid: UniformGrid,
    /// Index of the last node.
    index: usize,
    history: Box<dyn History>,
    /// One for all components, or one for each.
    weights: Vec<Weights>,
    newton: Newton<'a>,
    /// Weights of the newest sample, by component.
    newest: Vec<f64>,
    /// Sum without the newest sample.
    known: Vec<f64>,
    free: Vec<f64>,
    start: CoupledStart<'a>,
}

/// First states, solved as one system.
struct CoupledStart<'a> {
    /// After the first node.
    times: Vec<f64>,
    newton: Newton<'a>,
    known: Vec<f64>,
    /// Weights of f at the first node, by state and component.
    of_first: Vec<f64>,
    coupling: Vec<f64>,
    /// y and f at the first node and those after it.
    y: Vec<f64>,
    f: Vec<f64>,
}

impl<'a> CoupledStart<'a> {
    /// For `states` nodes after the first.
    fn new(
        problem: &'a Problem<dyn System + 'a>,
        grid: UniformGrid,
        states: usize,
        weights: &[Weights],
    ) -> Result<Self, OdeError> {
        let dim = problem.dim();
        let mut of_first = Vec::with_capacity(states * dim);
        let mut coupling = Vec::with_capacity(states * states * dim);
        // Weight of sample j in state n, by component.
        let weight = |n: usize, j: usize| {
            (0..dim).map(move |component| {
                let Weights { first, starts, .. } = of_component(weights, component);
                let start = starts.get(j).map_or(0.0, |column| column[n]);
                start + if j <= n { first[n - j] } else { 0.0 }
            })
        };
        for state in 1..=states {
            of_first.extend(weight(state, 0));
            (1..=states).for_each(|from| coupling.extend(weight(state, from)));
        }
        Ok(Self {
            times: (1..=states).map(|node| grid.t(node)).collect(),
            newton: Newton::new(problem, states)?,
            known: vec![0.0; states * dim],
            of_first,
            coupling,
            y: vec![0.0; (states + 1) * dim],
            f: vec![0.0; (states + 1) * dim],
        })
    }

    fn solve(
        &mut self,
        problem: &Problem<dyn System + '_>,
        node: &Node,
        statistics: &mut Statistics,
    ) -> Result<(), OdeError> {
        let dim = problem.dim();
        for (y, f) in self.y.chunks_exact_mut(dim).zip(self.f.chunks_exact_mut(dim)) {
            y.copy_from_slice(&node.y);
            f.copy_from_slice(&node.f);
        }
        if self.times.is_empty() {
            return Ok(());
        }
        for (&t, known) in self.times.iter().zip(self.known.chunks_exact_mut(dim)) {
            problem.free_term(t, known);
        }
        let firsts = self.of_first.iter().zip(node.f.iter().cycle());
        self.known.iter_mut().zip(firsts).for_each(|(known, (weight, f))| *known += weight * f);
        let Self { times, known, coupling, .. } = self;
        let equations = Equations { problem, times, known, coupling };
        let (y, f) = (&mut self.y[dim..], &mut self.f[dim..]);
        self.newton.solve(&equations, &mut Iterate { y, f, statistics })
    }
}

/// Stepper from the weights of each order.
pub(super) fn implicit<'a>(
    setup: &Setup<'a>,
    grid: UniformGrid,
    weights: impl Fn(f64) -> Result<Weights, OdeError>,
) -> Result<Box<dyn Stepper + 'a>, OdeError> {
    let (problem, dim) = (setup.problem, setup.problem.dim());
    let weights = problem.orders().iter().map(|&alpha| weights(alpha));
    let weights: Vec<Weights> = weights.collect::<Result<_, _>>()?;
    let starts = weights.iter().map(|w| w.starts.len()).max().unwrap_or(0);
    let expected = "at least the number of coupled states at the start";
    require(grid.n() + 1 >= starts, "the number of steps", grid.n() as f64, expected)?;
    let kernel = Kernel::per_component(weights.iter().map(|w| w.row.clone()));
    let newest = |component| of_component(&weights, component).first[0];
    Ok(Box::new(Implicit {
        problem,
        grid,
        index: 0,
        history: setup.history(&[kernel], grid.n())?,
        newton: Newton::new(problem, 1)?,
        newest: (0..dim).map(newest).collect(),
        start: CoupledStart::new(problem, grid, starts.saturating_sub(1), &weights)?,
        weights,
        known: vec![0.0; dim],
        free: vec![0.0; dim],
    }))
}

impl Stepper for Implicit<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        if self.index == 0 {
            self.start.solve(self.problem, node, statistics)?;
        }
        self.history.push(&node.f)?;
        let (dim, next, coupled) = (self.problem.dim(), self.index + 1, self.start.times.len());
        let t = self.grid.t(next);
        if next <= coupled {
            node.t = t;
            node.y.copy_from_slice(&self.start.y[next * dim..][..dim]);
            node.f.copy_from_slice(&self.start.f[next * dim..][..dim]);
        } else {
            self.problem.free_term(t, &mut self.free);
            self.history.sum_into(0, &mut self.known)?;
            for (component, known) in self.known.iter_mut().enumerate() {
                let starts = of_component(&self.weights, component).starts.iter();
                let firsts = self.start.f[component..].iter().step_by(dim);
                let start: f64 = starts.zip(firsts).map(|(column, f)| column[next] * f).sum();
                *known += self.free[component] + start;
            }
            let Self { problem, known, newest, .. } = self;
            let equations = Equations { problem, times: &[t], known, coupling: newest };
            self.newton.step(&equations, (node, next == coupled + 1), statistics)?;
        }
        self.index = next;
        Ok(())
    }
}
