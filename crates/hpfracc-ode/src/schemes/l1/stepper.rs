use crate::schemes::newton::{Equations, Newton};
use crate::{DenseOutput, Node, OdeError, Problem, Statistics, Stepper, System, Trajectory};
use std::sync::Arc;

/// With the newest slope separated, the scheme is `y_n = known + newest f(t_n, y_n)`.
pub(super) struct Implicit<'a> {
    problem: &'a Problem<dyn System + 'a>,
    memory: Box<dyn Memory>,
    newton: Newton<'a>,
    index: usize,
    /// Whether the last change is stored already, after a jump.
    stored: bool,
    last: Vec<f64>,
    /// `y_n - y_{n-1}`.
    change: Vec<f64>,
    known: Vec<f64>,
    newest: Vec<f64>,
    /// Whether dense output is linear in each step; else it is that of the Volterra equation.
    is_linear: bool,
}

impl Stepper for Implicit<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        if !self.stored {
            self.store_change(&node.y)?;
        }
        self.stored = false;
        self.last.copy_from_slice(&node.y);
        let t = self.memory.ahead(self.index + 1, &mut self.known, &mut self.newest)?;
        self.known.iter_mut().zip(&node.y).for_each(|(known, y)| *known += y);
        let Self { problem, known, newest, .. } = self;
        let equations = Equations { problem, times: &[t], known, coupling: newest };
        self.newton.step(&equations, (node, self.index == 0), statistics)?;
        self.index += 1;
        Ok(())
    }

    fn dense(&self) -> Option<Arc<dyn DenseOutput>> {
        if self.is_linear { Some(Arc::new(Linear)) } else { None }
    }

    fn last_step(&self) -> Option<&dyn DenseOutput> {
        if self.is_linear { Some(&Linear) } else { None }
    }

    /// The derivative is that of y without its jumps.
    fn jump(&mut self, before: &Node, _after: &Node) -> Result<bool, OdeError> {
        if !self.memory.end_step(self.index, before.t) {
            return Ok(false);
        }
        if !self.stored {
            self.store_change(&before.y)?;
        }
        self.stored = true;
        Ok(true)
    }
}

impl<'a> Implicit<'a> {
    pub(super) fn new(
        problem: &'a Problem<dyn System + 'a>,
        memory: Box<dyn Memory>,
    ) -> Result<Self, OdeError> {
        let dim = problem.dim();
        Ok(Self {
            problem,
            memory,
            newton: Newton::new(problem, 1)?,
            index: 0,
            stored: true,
            last: vec![0.0; dim],
            change: vec![0.0; dim],
            known: vec![0.0; dim],
            newest: vec![0.0; dim],
            is_linear: false,
        })
    }

    /// With dense output that is linear in each step, as the scheme has y.
    pub(super) fn with_linear_output(self) -> Self {
        Self { is_linear: true, ..self }
    }

    fn store_change(&mut self, y: &[f64]) -> Result<(), OdeError> {
        for (change, (y, last)) in self.change.iter_mut().zip(y.iter().zip(&self.last)) {
            *change = y - last;
        }
        self.memory.push(&self.change)
    }
}

/// Linear interpolation between nodes.
struct Linear;

impl DenseOutput for Linear {
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]) {
        let times = &trajectory.times()[node..node + 2];
        let share = (t - times[0]) / (times[1] - times[0]);
        let ends = trajectory.state(node).iter().zip(trajectory.state(node + 1));
        y.iter_mut().zip(ends).for_each(|(y, (left, right))| *y = left + share * (right - left));
    }
}

/// Sum over earlier changes of y.
pub(super) trait Memory {
    /// Ends the step to a node at an earlier time; false on equal steps.
    fn end_step(&mut self, node: usize, t: f64) -> bool {
        let _ = (node, t);
        false
    }

    /// Appends the change of y over a step.
    fn push(&mut self, change: &[f64]) -> Result<(), OdeError>;

    /// Returns the time of the next node; writes, by component, the factor of f at that node and
    /// the contribution of earlier changes to y.
    fn ahead(&mut self, next: usize, sum: &mut [f64], newest: &mut [f64]) -> Result<f64, OdeError>;
}
