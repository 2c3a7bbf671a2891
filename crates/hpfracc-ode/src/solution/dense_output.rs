use super::Trajectory;
use std::any::Any;

/// Dense output: the solution between nodes.
pub trait DenseOutput: Any + Send + Sync {
    /// Writes y(t) for `t` strictly between the times of `node` and the next node of `trajectory`.
    /// Continuous up to both.
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]);

    /// The same for increasing times, each with the node before it; `out` has the states one after
    /// the other.
    fn between_many(&self, trajectory: &Trajectory, at: &[(usize, f64)], out: &mut [f64]) {
        for (&(node, t), y) in at.iter().zip(out.chunks_exact_mut(trajectory.dim())) {
            self.between(trajectory, node, t, y);
        }
    }
}
