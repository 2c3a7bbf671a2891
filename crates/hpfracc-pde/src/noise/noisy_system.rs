use super::SpaceTimeNoise;
use crate::MethodOfLines;
use crate::error::{PdeError, Result};
use crate::linear::Linearised;
use hpfracc_ode::{ShiftedJacobian, System};
use hpfracc_sde::noise::STEPS;
use std::cell::RefCell;

/// Right-hand side of the equation plus the mean of the noise over the time step that ends at t.
pub(super) struct NoisySystem<'a> {
    system: &'a MethodOfLines<'a>,
    noise: &'a SpaceTimeNoise<'a>,
    path: u64,
    h: f64,
    block: RefCell<Block>,
}

/// Noise of four time steps.
#[derive(Default)]
struct Block {
    number: Option<u32>,
    means: Vec<f64>,
    error: Option<PdeError>,
}

impl<'a> NoisySystem<'a> {
    pub(super) fn new(
        system: &'a MethodOfLines<'a>,
        noise: &'a SpaceTimeNoise<'a>,
        path: u64,
        h: f64,
    ) -> Self {
        Self { system, noise, path, h, block: RefCell::default() }
    }

    /// The error of the noise, after a solve that has met values that are not finite.
    pub(super) fn error(&self) -> Option<PdeError> {
        self.block.borrow_mut().error.take()
    }

    fn means(&self, number: u32) -> Result<Vec<f64>> {
        let equation = self.system.equation();
        self.noise.block(self.path, number, (equation.field_count(), equation.n()), self.h)
    }
}

impl System for NoisySystem<'_> {
    fn rhs(&self, t: f64, u: &[f64], f: &mut [f64]) {
        self.system.rhs(t, u, f);
        let step = (t / self.h).round() as u32;
        // The value at the start has no weight in the scheme.
        let Some(index) = step.checked_sub(1) else { return };
        let number = index / STEPS as u32;
        let mut block = self.block.borrow_mut();
        if block.number != Some(number) {
            match self.means(number) {
                Ok(means) => (block.number, block.means) = (Some(number), means),
                Err(error) => {
                    block.error = Some(error);
                    return f.fill(f64::NAN);
                }
            }
        }
        let means = &block.means[(index as usize % STEPS) * u.len()..][..u.len()];
        f.iter_mut().zip(means).for_each(|(f, mean)| *f += mean);
    }

    fn dim(&self) -> Option<usize> {
        Some(self.system.equation().len())
    }

    fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
        Some(Box::new(Linearised::new(self.system.equation(), 1e-13, true)))
    }
}
