use super::linear_part::LinearPart;
use super::mode::Mode;
use crate::history::{History, Kernel, Row, Rule};
use crate::problem::distinct;
use crate::{Node, OdeError, Problem, Setup, System, UniformGrid};

/// A number for each component.
pub(super) struct Diagonal {
    history: Box<dyn History>,
    modes: Vec<Mode>,
    /// By component.
    mode_of: Vec<usize>,
    /// By mode, the trapezoidal rule's weight of the newest sample.
    newest: Vec<f64>,
    /// By component.
    lambda: Vec<f64>,
    /// F at t0.
    first: Vec<f64>,
    /// The sum of the history.
    sum: Vec<f64>,
}

impl Diagonal {
    /// With a lambda for each component.
    pub(super) fn new(
        lambda: &[f64],
        setup: &Setup<'_>,
        grid: UniformGrid,
        rule: Rule,
    ) -> Result<Self, OdeError> {
        let (problem, dim) = (setup.problem, setup.problem.dim());
        let keys = lambda.iter().enumerate();
        let (modes, mode_of) = distinct(keys.map(|(i, &lambda)| (problem.order(i), lambda)));
        let modes = modes.into_iter().map(|(alpha, lambda)| Mode::new(alpha, lambda, grid, rule));
        let mut modes = modes.collect::<Result<Vec<_>, _>>()?;
        let newest = modes.iter().map(|m| m.trapezoids.first().copied().unwrap_or(0.0)).collect();
        let mut kernel = |row: fn(&mut Mode) -> &mut Vec<f64>| {
            let rows = modes.iter_mut().map(|mode| Row::Table(std::mem::take(row(mode))));
            Kernel::of_rows(rows.collect(), mode_of.clone())
        };
        let mut kernels = vec![kernel(|mode| &mut mode.cells)];
        if rule == Rule::Trapezoid {
            kernels.push(kernel(|mode| &mut mode.trapezoids));
        }
        Ok(Self {
            history: setup.history(&kernels, grid.n())?,
            modes,
            mode_of,
            newest,
            lambda: lambda.to_vec(),
            first: vec![0.0; dim],
            sum: vec![0.0; dim],
        })
    }

    fn add_sum(&mut self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        self.history.sum_into(kernel, &mut self.sum)?;
        out.iter_mut().zip(&self.sum).for_each(|(out, sum)| *out += sum);
        Ok(())
    }
}

impl LinearPart for Diagonal {
    fn split(&self, node: &Node, forcing: &mut [f64]) {
        let both = node.f.iter().zip(&node.y).zip(&self.lambda);
        forcing.iter_mut().zip(both).for_each(|(out, ((f, y), lambda))| *out = f - lambda * y);
    }

    fn free(&self, problem: &Problem<dyn System + '_>, node: usize, out: &mut [f64]) {
        out.fill(0.0);
        for (derivative, row) in problem.initial().enumerate() {
            for ((out, y), &mode) in out.iter_mut().zip(row).zip(&self.mode_of) {
                // An order that takes no such derivative has no table for it.
                let table = self.modes[mode].homogeneous.get(derivative);
                *out += table.map_or(0.0, |table| table[node] * y);
            }
        }
    }

    fn push(&mut self, forcing: &[f64]) -> Result<(), OdeError> {
        if self.history.pushed() == 0 {
            self.first.copy_from_slice(forcing);
        }
        self.history.push(forcing)
    }

    fn add_constant(&mut self, out: &mut [f64]) -> Result<(), OdeError> {
        self.add_sum(0, out)
    }

    fn add_linear(&mut self, out: &mut [f64]) -> Result<(), OdeError> {
        self.add_sum(1, out)?;
        let next = self.history.pushed();
        for ((out, first), &mode) in out.iter_mut().zip(&self.first).zip(&self.mode_of) {
            *out += self.modes[mode].starts[next] * first;
        }
        Ok(())
    }

    fn add_newest(&self, forcing: &[f64], out: &mut [f64]) {
        for ((out, forcing), &mode) in out.iter_mut().zip(forcing).zip(&self.mode_of) {
            *out += self.newest[mode] * forcing;
        }
    }
}
