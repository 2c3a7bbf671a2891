//! Motion of a particle in the potential -ln density, with a diagonal metric.

use super::{Coordinates, DensityError, LogDensity};
use serde::{Deserialize, Serialize};

/// The density in the coordinates of the sampler at a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) u: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) log_density: f64,
}

/// A position with a momentum.
#[derive(Debug, Clone)]
pub(super) struct PhasePoint {
    pub(super) at: Position,
    pub(super) p: Vec<f64>,
}

/// The density as a function of u, with its scratch.
pub(super) struct Target<'a, D> {
    density: &'a D,
    pub(super) coordinates: &'a Coordinates,
    /// Parameters, slopes, rates, gradient with respect to the parameters.
    scratch: [Vec<f64>; 4],
    /// The last value of the density.
    pub(super) value: f64,
    /// Evaluations so far.
    pub(super) gradients: u64,
}

impl<'a, D: LogDensity> Target<'a, D> {
    pub(super) fn new(density: &'a D, coordinates: &'a Coordinates) -> Self {
        let scratch = std::array::from_fn(|_| vec![0.0; coordinates.dim()]);
        Self { density, coordinates, scratch, value: 0.0, gradients: 0 }
    }

    /// Evaluates the density at `at.u`. One that is not finite, or whose gradient is not, becomes
    /// the logarithm of 0.
    pub(super) fn evaluate(&mut self, at: &mut Position) -> Result<(), DensityError> {
        let [theta, slopes, rates, gradient] = &mut self.scratch;
        let log_jacobian = self.coordinates.parameters(&at.u, theta, slopes, rates);
        self.gradients += 1;
        self.value = self.density.value_and_gradient(theta, gradient)?;
        self.coordinates.pull_back(gradient, slopes, rates, &mut at.gradient);
        at.log_density = self.value + log_jacobian;
        let finite = at.log_density.is_finite() && at.gradient.iter().all(|g| g.is_finite());
        if !finite {
            at.log_density = f64::NEG_INFINITY;
        }
        Ok(())
    }

    /// The last gradient with respect to the parameters.
    pub(super) fn last_gradient(&self) -> &[f64] {
        &self.scratch[3]
    }

    /// The parameters at a position.
    pub(super) fn parameters(&mut self, u: &[f64]) -> &[f64] {
        let [theta, slopes, rates, _] = &mut self.scratch;
        self.coordinates.parameters(u, theta, slopes, rates);
        theta
    }

    /// A leapfrog step, of second order and reversible; a negative step goes back in time.
    pub(super) fn leapfrog(
        &mut self,
        point: &mut PhasePoint,
        metric: &[f64],
        step: f64,
    ) -> Result<(), DensityError> {
        let PhasePoint { at, p } = point;
        kick(p, &at.gradient, step);
        for ((u, p), m) in at.u.iter_mut().zip(&*p).zip(metric) {
            *u += step * m * p;
        }
        self.evaluate(at)?;
        kick(p, &at.gradient, step);
        Ok(())
    }
}

fn kick(p: &mut [f64], gradient: &[f64], step: f64) {
    p.iter_mut().zip(gradient).for_each(|(p, g)| *p += 0.5 * step * g);
}

impl PhasePoint {
    /// Potential and kinetic energy. The metric is the diagonal of the inverse mass matrix, the
    /// variances of u.
    pub(super) fn energy(&self, metric: &[f64]) -> f64 {
        0.5 * product(metric, &self.p, &self.p) - self.at.log_density
    }
}

/// The inner product of two momenta.
pub(super) fn product(metric: &[f64], a: &[f64], b: &[f64]) -> f64 {
    metric.iter().zip(a).zip(b).map(|((m, a), b)| m * a * b).sum()
}
