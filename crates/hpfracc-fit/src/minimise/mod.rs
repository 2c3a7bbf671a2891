//! Damped least squares in a box: steps of Levenberg and Marquardt with geodesic acceleration, and a last phase below
//! the rounding of the cost.

mod linear;
mod outcome;
mod polish;

pub use outcome::Outcome;

use crate::FitError;
use crate::factor::{Factor, Part};
use crate::pass::{Loss, Objective};
use linear::{Linearised, clamped};
use std::sync::atomic::{AtomicBool, Ordering};

/// Damping at the start, relative to the squared norms of the columns.
const FIRST_DAMPING: f64 = 1e-3;
/// Damping at which a step is below the rounding of the unknowns.
const LARGEST_DAMPING: f64 = 1e60;
/// Predicted relative decrease of the cost at which the last phase begins.
const CALM: f64 = 1e-12;
/// Relative offset of convergence.
const CONVERGED: f64 = 1e-8;
/// Residuals below this share of the data are rounding.
const ZERO: f64 = 1e-13;
/// Step of the second directional derivative, and the largest share of the acceleration in a step.
const DIRECTIONAL: f64 = 0.1;
const LARGEST_ACCELERATION: f64 = 0.75;
/// Rows from which the acceleration, half of a pass more, begins after rejected steps only.
const MANY_ROWS: u64 = 1_000_000;

/// State of a minimisation, for a callback.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Passes over the data.
    pub passes: usize,
    /// Cost: the sum of the squares of the weighted residuals.
    pub cost: f64,
}

/// Callback.
pub(crate) type Hook<'h> = &'h mut dyn FnMut(Progress);

/// Limits of a minimisation.
pub(crate) struct Limits<'h> {
    pub(crate) max_passes: usize,
    pub(crate) progress: Option<Hook<'h>>,
    pub(crate) cancel: Option<&'h AtomicBool>,
}

/// Where a minimisation ended.
#[derive(Debug, Clone)]
pub(crate) struct Minimum {
    pub(crate) unknowns: Vec<f64>,
    pub(crate) part: Part,
    pub(crate) outcome: Outcome,
    pub(crate) passes: usize,
}

/// Minimisation in progress.
pub(crate) struct Minimiser<'o, 'h> {
    objective: &'o Objective<'o>,
    rows: u64,
    bounds: Vec<(f64, f64)>,
    limits: Limits<'h>,
    unknowns: Vec<f64>,
    part: Part,
    /// Largest norm of each column so far: the scale of the damping (More 1978).
    scale: Vec<f64>,
    damping: f64,
    /// Factor of the damping after a rejected step (Nielsen 1999).
    growth: f64,
    rejected: usize,
    passes: usize,
}

/// Minimises an objective of `rows` residuals from the starts of its parameters.
///
/// # Errors
/// [`FitError::ModelNotFinite`] at the start.
pub(crate) fn minimise<'o>(
    objective: &'o Objective<'o>,
    rows: u64,
    start: Vec<f64>,
    limits: Limits<'_>,
) -> Result<Minimum, FitError> {
    let Some(part) = objective.part(&start, None)? else {
        return Err(not_finite(objective, &start)?);
    };
    let scale = norms(&part.factor, start.len());
    let mut minimiser = Minimiser {
        objective,
        rows,
        bounds: objective.layout.bounds(),
        limits,
        unknowns: start,
        part,
        scale: scale.iter().map(|norm| if *norm > 0.0 { *norm } else { 1.0 }).collect(),
        damping: FIRST_DAMPING,
        growth: 2.0,
        rejected: 0,
        passes: 1,
    };
    let outcome = minimiser.run()?;
    let Minimiser { unknowns, part, passes, .. } = minimiser;
    Ok(Minimum { unknowns, part, outcome, passes })
}

fn not_finite(objective: &Objective<'_>, start: &[f64]) -> Result<FitError, FitError> {
    let (set, row) = objective.first_not_finite(start)?.unwrap_or(("", 0));
    let (values, parameters) = (objective.layout.values(start), objective.layout.parameters());
    let pairs = parameters.names().into_iter().zip(values);
    let text: Vec<String> =
        pairs.map(|(name, value)| format!("{name} = {}", hpfracc_types::shortest(value))).collect();
    Ok(FitError::ModelNotFinite { set: set.to_owned(), row, parameters: text.join(", ") })
}

/// Norms of the columns of the Jacobian matrix.
fn norms(factor: &Factor, unknowns: usize) -> Vec<f64> {
    (0..unknowns).map(|k| factor.norm(k)).collect()
}

impl Minimiser<'_, '_> {
    fn run(&mut self) -> Result<Outcome, FitError> {
        let data = self.objective.data_norm;
        let mut calm = CALM;
        loop {
            if let Some(outcome) = self.stopped() {
                return Ok(outcome);
            }
            if self.part.cost.sqrt() <= ZERO * data {
                self.polish()?;
                return Ok(Outcome::ZeroResidual);
            }
            let linearised = self.linearised();
            let Some(step) = linearised.step(self.damping, &self.scale) else {
                self.reject();
                continue;
            };
            let predicted = linearised.decrease(&step);
            // Bounds met on the way can make a step useless; a shorter one is not.
            let shorter = self.damping <= LARGEST_DAMPING && linearised.meets_a_bound(&step);
            if predicted <= calm * self.part.cost && shorter {
                self.reject();
                continue;
            }
            if predicted <= calm * self.part.cost || self.damping > LARGEST_DAMPING {
                let offset = self.polish()?;
                if offset <= CONVERGED {
                    return Ok(Outcome::Converged { offset });
                }
                if calm == 0.0 || self.damping > LARGEST_DAMPING {
                    return Ok(Outcome::Rounding { offset });
                }
                // A minimum that undamped steps do not reach: on with damped ones, to rounding.
                calm = 0.0;
                continue;
            }
            match self.accelerated(&linearised, &step)? {
                Some(trial) => self.attempt(&trial, predicted)?,
                None => self.reject(),
            }
        }
    }

    fn linearised(&self) -> Linearised<'_> {
        Linearised::new(&self.part.factor, &self.unknowns, &self.bounds)
    }

    /// Tests of the user.
    fn stopped(&mut self) -> Option<Outcome> {
        if let Some(progress) = &mut self.limits.progress {
            progress(Progress { passes: self.passes, cost: self.part.cost });
        }
        if self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Outcome::Cancelled);
        }
        (self.passes >= self.limits.max_passes).then_some(Outcome::Passes)
    }

    /// The step with half of its acceleration, or None where that is too large for the step to be trusted.
    ///
    /// The second derivative along the step comes from residuals at a tenth of it. Source: Transtrum and Sethna,
    /// arXiv:1201.5885 (2012).
    fn accelerated(
        &self,
        linearised: &Linearised<'_>,
        step: &[f64],
    ) -> Result<Option<Vec<f64>>, FitError> {
        let wanted = self.objective.loss == Loss::Squares
            && (self.rows < MANY_ROWS || self.rejected >= 2)
            && step.iter().any(|s| *s != 0.0);
        let shifted: Vec<f64> =
            self.unknowns.iter().zip(step).map(|(x, s)| x + DIRECTIONAL * s).collect();
        let inside = clamped(&shifted, &self.bounds) == shifted;
        if !wanted || !inside {
            return Ok(Some(step.to_vec()));
        }
        let Some(part) = self.objective.part(&self.unknowns, Some(&shifted))? else {
            return Ok(Some(step.to_vec()));
        };
        let (factor, p) = (&part.factor, step.len());
        let second: Vec<f64> = (0..factor.columns())
            .map(|row| {
                let along: f64 = (0..p).map(|k| factor.entry(row, k) * step[k]).sum();
                let change = factor.entry(row, p + 1) - factor.entry(row, p);
                2.0 / DIRECTIONAL * (change / DIRECTIONAL - along)
            })
            .collect();
        let acceleration = linearised.solve(factor, &second, self.damping, &self.scale);
        let Some(acceleration) = acceleration else { return Ok(Some(step.to_vec())) };
        let length = |v: &[f64]| -> f64 {
            v.iter().zip(&self.scale).map(|(v, scale)| (v * scale).powi(2)).sum::<f64>().sqrt()
        };
        let small = 2.0 * length(&acceleration) <= LARGEST_ACCELERATION * length(step);
        let sum = || step.iter().zip(&acceleration).map(|(s, a)| s + 0.5 * a).collect();
        Ok(small.then(sum))
    }

    /// Accepts a step if the cost falls.
    fn attempt(&mut self, step: &[f64], predicted: f64) -> Result<(), FitError> {
        let moved: Vec<f64> = self.unknowns.iter().zip(step).map(|(x, s)| x + s).collect();
        let moved = clamped(&moved, &self.bounds);
        self.passes += 1;
        match self.objective.part(&moved, None)? {
            Some(part) if part.cost < self.part.cost => {
                let gain = (self.part.cost - part.cost) / predicted;
                (self.unknowns, self.part) = (moved, part);
                for (scale, norm) in self.scale.iter_mut().zip(norms(&self.part.factor, step.len()))
                {
                    *scale = scale.max(norm);
                }
                self.damping *= (1.0 - (2.0 * gain - 1.0).powi(3)).clamp(1.0 / 3.0, 1.0);
                (self.growth, self.rejected) = (2.0, 0);
            }
            _ => self.reject(),
        }
        Ok(())
    }

    fn reject(&mut self) {
        self.damping *= self.growth;
        self.growth *= 2.0;
        self.rejected += 1;
    }
}
