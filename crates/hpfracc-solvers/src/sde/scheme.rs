use super::StochasticSystem;
use crate::noise::{Gaussian, Rows, RowsMut};

/// What an integral over noise means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calculus {
    /// The integrand is taken at the left of each step.
    Ito,
    /// The integrand is taken in the middle of each step.
    Stratonovich,
}

/// A step of a scheme for equations without memory.
pub trait StochasticScheme<T: Gaussian>: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The calculus in which its limit solves the equation.
    fn calculus(&self) -> Calculus;

    /// Rows of scratch that a step needs for a system of so many components and rows of diffusion.
    fn scratch_rows(&self, dim: usize, diffusion_rows: usize) -> usize;

    /// Takes `x` from t to t + h, given the increments of the noise.
    fn step<S: StochasticSystem<T>>(
        &self,
        system: &S,
        step: Step,
        x: RowsMut<'_, T>,
        dz: Rows<'_, T>,
        scratch: &mut [T],
    );
}

/// Where a step is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its start.
    pub t: f64,
    /// Its length.
    pub h: f64,
}
