//! Damped least squares in a box: steps of Levenberg and Marquardt with geodesic acceleration, and a last phase below
//! the rounding of the cost.

mod checkpoints;
mod linear;
mod loss_scale;
mod outcome;
mod polish;

pub(crate) use checkpoints::{CheckpointSettings, Checkpoints};
pub(crate) use loss_scale::{LossScale, by_median, first_round, minimise_with_scale, set_round};
pub use outcome::Outcome;

use crate::FitError;
use crate::factor::{Factor, Part};
use crate::pass::{Loss, Objective};
use linear::{Linearised, clamped};
use serde::{Deserialize, Serialize};
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
/// Predicted relative decrease of the cost below which steps are too short to need the acceleration.
const SHORT: f64 = 1e-6;
/// Smallest factor of the damping after a step.
const LEAST_DAMPING_FACTOR: f64 = 0.1;
/// Consecutive rejected steps after which steps are accelerated. Most fits never need it, and take half of the passes
/// without it; those along curved valleys (MGH10, BoxBOD of NIST) need it from then on.
const CURVED: usize = 2;

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
pub(crate) struct Limits<'h, 'c> {
    pub(crate) max_passes: usize,
    pub(crate) progress: Option<Hook<'h>>,
    pub(crate) cancel: Option<&'h AtomicBool>,
    pub(crate) checkpoints: Option<&'c mut Checkpoints>,
}

impl Limits<'_, '_> {
    /// A largest number of passes alone.
    pub(crate) fn passes(max_passes: usize) -> Self {
        Self { max_passes, progress: None, cancel: None, checkpoints: None }
    }

    /// The same limits for one of several minimisations.
    pub(crate) fn reborrow(&mut self) -> Limits<'_, '_> {
        Limits {
            max_passes: self.max_passes,
            progress: match &mut self.progress {
                Some(hook) => Some(&mut **hook),
                None => None,
            },
            cancel: self.cancel,
            checkpoints: self.checkpoints.as_deref_mut(),
        }
    }
}

/// Where a minimisation ended.
#[derive(Debug, Clone)]
pub(crate) struct Minimum {
    pub(crate) unknowns: Vec<f64>,
    pub(crate) part: Part,
    pub(crate) outcome: Outcome,
    pub(crate) passes: usize,
}

/// All that a minimisation needs to go on, but for the factor at the unknowns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    unknowns: Vec<f64>,
    /// Largest norm of each column so far: the scale of the damping (More 1978).
    scale: Vec<f64>,
    damping: f64,
    /// Factor of the damping after a rejected step (Nielsen 1999).
    growth: f64,
    rejected: usize,
    /// Whether steps are accelerated.
    accelerates: bool,
    passes: usize,
    /// Predicted relative decrease of the cost at which the last phase begins.
    calm: f64,
    pub(crate) round: Round,
}

/// Minimisation among those of a fit, which has several where the scale of its loss comes from the residuals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) number: usize,
    /// Scale of the loss.
    pub(crate) scale: f64,
}

impl Round {
    /// The only minimisation of an objective.
    pub(crate) const ONLY: Self = Self { number: 0, scale: 1.0 };
}

/// Minimisation in progress.
pub(crate) struct Minimiser<'o, 'h, 'c> {
    objective: &'o Objective<'o>,
    rows: u64,
    bounds: Vec<(f64, f64)>,
    limits: Limits<'h, 'c>,
    part: Part,
    state: State,
}

impl State {
    /// State at the starts, and the factor there.
    ///
    /// # Errors
    /// [`FitError::ModelNotFinite`].
    pub(crate) fn start(
        objective: &Objective<'_>,
        unknowns: Vec<f64>,
    ) -> Result<(Self, Part), FitError> {
        let Some(part) = objective.part(&unknowns, None)? else {
            return Err(not_finite(objective, &unknowns)?);
        };
        let scale = norms(&part.factor, unknowns.len())
            .into_iter()
            .map(|norm| if norm > 0.0 { norm } else { 1.0 })
            .collect();
        let (damping, growth, calm, round) = (FIRST_DAMPING, 2.0, CALM, Round::ONLY);
        let (rejected, accelerates, passes) = (0, false, 1);
        let state =
            Self { unknowns, scale, damping, growth, rejected, accelerates, passes, calm, round };
        Ok((state, part))
    }

    /// State at the minimum of the round before.
    pub(crate) fn next(
        objective: &Objective<'_>,
        before: Minimum,
        round: Round,
    ) -> Result<(Self, Part), FitError> {
        let (state, part) = Self::start(objective, before.unknowns)?;
        Ok((Self { passes: before.passes + 1, round, ..state }, part))
    }

    /// The factor where the minimisation goes on.
    pub(crate) fn part(&self, objective: &Objective<'_>) -> Result<Part, FitError> {
        let part = objective.part(&self.unknowns, None)?;
        part.map_or_else(|| Err(not_finite(objective, &self.unknowns)?), Ok)
    }
}

/// Minimises an objective of `rows` residuals from a state and the factor there.
///
/// # Errors
/// [`FitError::Source`] for data that cannot be read.
pub(crate) fn minimise<'o>(
    objective: &'o Objective<'o>,
    rows: u64,
    (state, part): (State, Part),
    limits: Limits<'_, '_>,
) -> Result<Minimum, FitError> {
    let bounds = objective.layout.bounds();
    let mut minimiser = Minimiser { objective, rows, bounds, limits, part, state };
    let outcome = minimiser.run()?;
    let Minimiser { part, state: State { unknowns, passes, .. }, .. } = minimiser;
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

/// Length of a step in the scale of the damping.
fn scaled_norm(step: &[f64], scale: &[f64]) -> f64 {
    step.iter().zip(scale).map(|(s, scale)| (s * scale).powi(2)).sum::<f64>().sqrt()
}

/// Norms of the columns of the Jacobian matrix.
fn norms(factor: &Factor, unknowns: usize) -> Vec<f64> {
    (0..unknowns).map(|k| factor.norm(k)).collect()
}

impl Minimiser<'_, '_, '_> {
    fn run(&mut self) -> Result<Outcome, FitError> {
        let data = self.objective.data_norm;
        loop {
            let stopped = self.stopped();
            if let Some(checkpoints) = &mut self.limits.checkpoints {
                match stopped {
                    Some(_) => checkpoints.save_now(self.state.passes, &self.state),
                    None => checkpoints.save(self.state.passes, &self.state),
                }
            }
            if let Some(outcome) = stopped {
                return Ok(outcome);
            }
            if self.part.cost.sqrt() <= ZERO * data {
                let (_, stopped) = self.polish()?;
                return Ok(stopped.unwrap_or(Outcome::ZeroResidual));
            }
            let linearised = self.linearised();
            let Some(step) = linearised.step(self.state.damping, &self.state.scale) else {
                self.reject();
                continue;
            };
            let predicted = linearised.decrease(&step);
            // Bounds met on the way can make a step useless; a shorter one is not.
            let shorter = self.state.damping <= LARGEST_DAMPING && linearised.meets_a_bound(&step);
            if predicted <= self.state.calm * self.part.cost && shorter {
                self.reject();
                continue;
            }
            if predicted <= self.state.calm * self.part.cost || self.state.damping > LARGEST_DAMPING
            {
                // A minimisation that is stopped here goes on before the polish: its state is not changed.
                let (offset, stopped) = self.polish()?;
                if let Some(outcome) = stopped {
                    return Ok(outcome);
                }
                if offset <= CONVERGED {
                    return Ok(Outcome::Converged { offset });
                }
                if self.state.calm == 0.0 || self.state.damping > LARGEST_DAMPING {
                    return Ok(Outcome::Rounding { offset });
                }
                // A minimum that undamped steps do not reach: on with damped ones, to rounding.
                self.state.calm = 0.0;
                continue;
            }
            let trial = match predicted <= SHORT * self.part.cost {
                true => Some(step.clone()),
                false => self.accelerated(&linearised, &step)?,
            };
            match trial {
                Some(trial) => self.attempt(&trial, predicted)?,
                None => self.shorten(&step),
            }
        }
    }

    /// Raises the damping until the step has at most half of its length: a smaller change would not make its
    /// acceleration small, and costs a pass.
    fn shorten(&mut self, step: &[f64]) {
        let half = 0.5 * scaled_norm(step, &self.state.scale);
        loop {
            self.reject();
            let step = self.linearised().step(self.state.damping, &self.state.scale);
            let is_short = step.is_some_and(|step| scaled_norm(&step, &self.state.scale) <= half);
            if is_short || self.state.damping > LARGEST_DAMPING {
                return;
            }
        }
    }

    fn linearised(&self) -> Linearised<'_> {
        Linearised::new(&self.part.factor, &self.state.unknowns, &self.bounds)
    }

    /// Tests of the user.
    fn stopped(&mut self) -> Option<Outcome> {
        if let Some(progress) = &mut self.limits.progress {
            progress(Progress { passes: self.state.passes, cost: self.part.cost });
        }
        if self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Outcome::Cancelled);
        }
        (self.state.passes >= self.limits.max_passes).then_some(Outcome::Passes)
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
            && self.state.accelerates
            && step.iter().any(|s| *s != 0.0);
        let shifted: Vec<f64> =
            self.state.unknowns.iter().zip(step).map(|(x, s)| x + DIRECTIONAL * s).collect();
        let inside = clamped(&shifted, &self.bounds) == shifted;
        if !wanted || !inside {
            return Ok(Some(step.to_vec()));
        }
        let Some(part) = self.objective.part(&self.state.unknowns, Some(&shifted))? else {
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
        let acceleration = linearised.solve(factor, &second, self.state.damping, &self.state.scale);
        let Some(acceleration) = acceleration else { return Ok(Some(step.to_vec())) };
        let length = |v: &[f64]| scaled_norm(v, &self.state.scale);
        let small = 2.0 * length(&acceleration) <= LARGEST_ACCELERATION * length(step);
        let sum = || step.iter().zip(&acceleration).map(|(s, a)| s + 0.5 * a).collect();
        Ok(small.then(sum))
    }

    /// Accepts a step if the cost falls.
    fn attempt(&mut self, step: &[f64], predicted: f64) -> Result<(), FitError> {
        let moved: Vec<f64> = self.state.unknowns.iter().zip(step).map(|(x, s)| x + s).collect();
        let moved = clamped(&moved, &self.bounds);
        self.state.passes += 1;
        match self.objective.part(&moved, None)? {
            Some(part) if part.cost < self.part.cost => {
                let gain = (self.part.cost - part.cost) / predicted;
                (self.state.unknowns, self.part) = (moved, part);
                for (scale, norm) in
                    self.state.scale.iter_mut().zip(norms(&self.part.factor, step.len()))
                {
                    *scale = scale.max(norm);
                }
                let factor = 1.0 - (2.0 * gain - 1.0).powi(3);
                self.state.damping *= factor.clamp(LEAST_DAMPING_FACTOR, 1.0);
                (self.state.growth, self.state.rejected) = (2.0, 0);
            }
            _ => self.reject(),
        }
        Ok(())
    }

    fn reject(&mut self) {
        self.state.damping *= self.state.growth;
        self.state.growth *= 2.0;
        self.state.rejected += 1;
        self.state.accelerates |= self.state.rejected >= CURVED;
    }
}
