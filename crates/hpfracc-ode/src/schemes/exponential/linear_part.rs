use crate::{Node, OdeError, Problem, System};

/// Linear part of an exponential integrator, and the history of the nonlinear part F.
pub(super) trait LinearPart {
    /// Writes F = f - lambda y.
    fn split(&self, node: &Node, forcing: &mut [f64]);

    /// Writes the solution at a node for F = 0.
    fn free(&self, problem: &Problem<dyn System + '_>, node: usize, out: &mut [f64]);

    /// Appends F at the next node.
    fn push(&mut self, forcing: &[f64]) -> Result<(), OdeError>;

    /// Adds the response to the stored F, constant in each step.
    fn add_constant(&mut self, out: &mut [f64]) -> Result<(), OdeError>;

    /// Adds the response to the stored F, linear in each step and 0 at the next node.
    fn add_linear(&mut self, out: &mut [f64]) -> Result<(), OdeError>;

    /// Adds the response to F at the next node.
    fn add_newest(&self, forcing: &[f64], out: &mut [f64]);
}
