use super::exponential_dense::Semilinear;
use super::exponential_weights::Mode;
use super::{
    DenseOutput, Node, Problem, Scheme, Statistics, Stepper, Steps, System, UniformGrid, Volterra,
};
use crate::SolveError;
use crate::error::same_length;
use crate::history::{History, HistoryChoice, Kernel, Row, Rule};
use std::sync::Arc;

/// The exponential integrator for stiff problems whose stiffness is known and linear.
///
/// With numbers lambda_i chosen near the stiff part of the Jacobian, `F = f - lambda y` is all that is
/// approximated:
///
/// ```text
/// D^a y = lambda y + F(t, y),    e_b(t) = t^(b-1) E_{a,b}(lambda t^a)
/// y_n = sum_j e_{j+1}(t_n) y^(j)(t0) + sum_{j<n} (e_{a+1}(t_n - t_j) - e_{a+1}(t_n - t_{j+1})) F_j
/// ```
///
/// is [`rectangle`](Self::rectangle), order 1. [`trapezoid`](Self::trapezoid) corrects it by F linear in
/// each step, in 1/alpha passes (rounded up): a pass adds alpha to the order until it is 2, for smooth
/// F. A right-hand side with constant F is solved exactly, by both, with steps of any length;
/// lambda = 0 is [`AdamsBashforthMoulton`](super::AdamsBashforthMoulton).
///
/// Range: alpha > 0 (at most 19), another for each component if wanted; any finite lambda. For solutions
/// that behave as t^alpha at the start, F does too, and the orders are those of the product rules,
/// with the constants of F in place of f. Stable if `|dF/dy|` is below `|lambda|` or within the limit of
/// Adams-Bashforth-Moulton.
///
/// Cost: one sum over the history a step and one evaluation of f, or two and one more for each pass; set-up of about N values
/// of Mittag-Leffler functions (trapezoid: 11 N) for each different alpha and lambda. Weights from
/// tables: no history of exponentials.
///
/// Source: Garrappa and Popolizio, Comput. Math. Appl. 62 (2011) 876,
/// DOI 10.1016/j.camwa.2011.04.054.
#[derive(Debug, Clone, PartialEq)]
pub struct Exponential {
    linear: Vec<f64>,
    rule: Rule,
}

impl Exponential {
    /// Order 1: F constant in each step. `linear` has one lambda for all components, or one for each.
    pub fn rectangle(linear: &[f64]) -> Self {
        Self { linear: linear.to_vec(), rule: Rule::Rectangle }
    }

    /// Order 2: F linear in each step, its newest value predicted by the rectangle rule and corrected.
    pub fn trapezoid(linear: &[f64]) -> Self {
        Self { linear: linear.to_vec(), rule: Rule::Trapezoid }
    }
}

impl Exponential {
    /// Of a component; 0 where none is given, which [`Scheme::prepare`] refuses.
    fn lambda(&self, component: usize) -> f64 {
        let only = self.linear.len() == 1;
        self.linear.get(if only { 0 } else { component }).copied().unwrap_or(0.0)
    }
}

impl Scheme for Exponential {
    fn name(&self) -> &'static str {
        match self.rule {
            Rule::Rectangle => "exponential rectangle",
            Rule::Trapezoid => "exponential trapezoid",
        }
    }

    fn prepare<'a>(
        &self,
        problem: &'a Problem<dyn System + 'a>,
        steps: &Steps,
        history: HistoryChoice,
    ) -> Result<Box<dyn Stepper + 'a>, SolveError> {
        let grid = steps.uniform(self.name(), (problem.t0(), problem.t1()))?;
        let (dim, h, n) = (problem.dim(), grid.h(), grid.n());
        if self.linear.len() != 1 {
            same_length("the list of linear parts", self.linear.len(), dim)?;
        }
        if let Some(&value) = self.linear.iter().find(|lambda| !lambda.is_finite()) {
            let (what, expected) = ("a linear part", "a finite number");
            return Err(SolveError::OutOfRange { what, value, expected });
        }
        let mut modes: Vec<Mode> = Vec::new();
        let mut mode_of = Vec::with_capacity(dim);
        let mut linear = Vec::with_capacity(dim);
        for component in 0..dim {
            let (alpha, lambda) = (problem.order(component), self.lambda(component));
            let same = |mode: &Mode| mode.alpha == alpha && mode.lambda == lambda;
            let place = modes.iter().position(same);
            mode_of.push(place.unwrap_or(modes.len()));
            if place.is_none() {
                modes.push(Mode::new(alpha, lambda, h, n, self.rule)?);
            }
            linear.push(lambda);
        }
        let kernel = |row: fn(&mut Mode) -> &mut Vec<f64>, modes: &mut [Mode]| {
            // The same table may be that of several components.
            let rows: Vec<Row> =
                modes.iter_mut().map(|mode| Row::table(std::mem::take(row(mode)))).collect();
            Kernel::per_component(mode_of.iter().map(|&mode| rows[mode].clone()))
        };
        let newest = modes.iter().map(|m| m.trapezoids.first().copied().unwrap_or(0.0)).collect();
        let mut kernels = vec![kernel(|mode| &mut mode.cells, &mut modes)];
        let mut passes = 0;
        if self.rule == Rule::Trapezoid {
            let least = problem.orders().iter().copied().fold(1.0, f64::min);
            passes = (1.0 / least).ceil() as usize;
            kernels.push(kernel(|mode| &mut mode.trapezoids, &mut modes));
        }
        Ok(Box::new(Exponentials {
            problem,
            passes,
            grid,
            index: 0,
            history: history.build(&kernels, dim, n)?,
            modes,
            mode_of,
            newest,
            linear,
            forcing: vec![0.0; dim],
            first: vec![0.0; dim],
            free: vec![0.0; dim],
            memory: vec![0.0; dim],
        }))
    }

    fn dense(&self, problem: &Problem<dyn System + '_>) -> Arc<dyn DenseOutput> {
        let linear = |component: usize| self.lambda(component);
        match Semilinear::new(problem, linear) {
            Ok(dense) => Arc::new(dense),
            // Orders for which there is no dense output: no solve either.
            Err(_) => Arc::new(Volterra::new(problem)),
        }
    }
}

struct Exponentials<'a> {
    problem: &'a Problem<dyn System + 'a>,
    passes: usize,
    grid: UniformGrid,
    /// Index of the last node.
    index: usize,
    history: Box<dyn History>,
    modes: Vec<Mode>,
    /// By component.
    mode_of: Vec<usize>,
    /// By mode, the trapezoidal rule's weight of the newest sample.
    newest: Vec<f64>,
    /// By component.
    linear: Vec<f64>,
    /// F at the last node, or at the predicted one.
    forcing: Vec<f64>,
    /// F at t0.
    first: Vec<f64>,
    free: Vec<f64>,
    memory: Vec<f64>,
}

impl Exponentials<'_> {
    /// F = f - lambda y.
    fn split(&mut self, node: &Node) {
        let both = node.f.iter().zip(&node.y).zip(&self.linear);
        for (forcing, ((f, y), lambda)) in self.forcing.iter_mut().zip(both) {
            *forcing = f - lambda * y;
        }
    }
}

impl Stepper for Exponentials<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), SolveError> {
        self.split(node);
        if self.index == 0 {
            self.first.copy_from_slice(&self.forcing);
        }
        self.history.push(&self.forcing)?;
        let next = self.index + 1;
        node.t = self.grid.t(next);
        self.free.fill(0.0);
        for (derivative, row) in self.problem.initial().enumerate() {
            for ((free, y), &mode) in self.free.iter_mut().zip(row).zip(&self.mode_of) {
                // An order that takes no such derivative has no table for it.
                let table = self.modes[mode].homogeneous.get(derivative);
                *free += table.map_or(0.0, |table| table[next] * y);
            }
        }
        self.history.sum_into(0, &mut node.y)?;
        node.y.iter_mut().zip(&self.free).for_each(|(y, free)| *y += free);
        if self.passes > 0 {
            self.history.sum_into(1, &mut self.memory)?;
            for (i, memory) in self.memory.iter_mut().enumerate() {
                let start = self.modes[self.mode_of[i]].starts[next];
                *memory += self.free[i] + start * self.first[i];
            }
        }
        for _ in 0..self.passes {
            self.problem.rhs(node.t, &node.y, &mut node.f, statistics)?;
            self.split(node);
            for (i, y) in node.y.iter_mut().enumerate() {
                *y = self.memory[i] + self.newest[self.mode_of[i]] * self.forcing[i];
            }
        }
        if !node.y.iter().all(|y| y.is_finite()) {
            return Err(SolveError::NotFinite { t: node.t });
        }
        self.problem.rhs(node.t, &node.y, &mut node.f, statistics)?;
        self.index = next;
        Ok(())
    }
}
