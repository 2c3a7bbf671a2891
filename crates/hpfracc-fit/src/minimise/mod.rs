//! Damped least squares in a box: steps of Levenberg and Marquardt with geodesic acceleration, linear unknowns projected
//! out before, and a last phase below the rounding of the cost; the search for starts.

mod checkpoints;
mod grid;
mod linear;
mod loss_scale;
mod outcome;
mod polish;
mod projection;
mod rounds;
mod search;

pub(crate) use checkpoints::{CheckpointSettings, Checkpoints, FitFacts, Keeper, Session};
pub(crate) use loss_scale::{LossScale, by_median};
pub use outcome::Outcome;
pub(crate) use rounds::{Round, Rounds};
pub use search::StartSearch;
pub(crate) use search::{Further, find_starts};

use crate::FitError;
use crate::factor::{Factor, Part};
use crate::parameters::Separated;
use crate::pass::{Loss, Objective};
use linear::{Linearised, clamped};
use projection::Projected;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Damping at the start, relative to the squared norms of the columns.
const FIRST_DAMPING: f64 = 1e-3;
/// Damping at which a step is below the rounding of the unknowns.
const LARGEST_DAMPING: f64 = 1e60;
/// Predicted relative decrease of the cost at which the last phase begins.
const CALM: f64 = 1e-12;
/// Predicted relative decrease at which a minimisation with linear unknowns projected out ends; one of all unknowns follows.
const HANDOVER: f64 = 1e-9;
/// Relative offset of convergence.
const CONVERGED: f64 = 1e-8;
/// Residuals below this share of the data are rounding.
const ZERO: f64 = 1e-13;
/// Step of the second directional derivative, and the largest share of the acceleration in a step.
const DIRECTIONAL: f64 = 0.1;
const LARGEST_ACCELERATION: f64 = 0.75;
/// Predicted relative decrease of the cost below which steps are too short to need the acceleration.
const SHORT: f64 = 1e-6;
/// Smallest factor of the damping after a step, and after one that is accelerated or of the projected problem.
const LEAST_DAMPING_FACTORS: [f64; 2] = [0.1, 1.0 / 3.0];
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
    /// Unknowns, but those that are projected out.
    unknowns: Vec<f64>,
    /// Unknowns that are projected out, at their minimum.
    linear: Vec<f64>,
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

/// Minimisation in progress.
pub(crate) struct Minimiser<'o, 'h, 'c> {
    objective: &'o Objective<'o>,
    /// Unknowns that are projected out; None for all unknowns alike.
    separated: Option<&'o Separated>,
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
        Ok((Self::new(unknowns, &part.factor), part))
    }

    /// State whose unknowns are those that are not projected out. None where the projection does not exist.
    pub(crate) fn projected(
        objective: &Objective<'_>,
        separated: &Separated,
        unknowns: &[f64],
    ) -> Result<Option<(Self, Part)>, FitError> {
        let others = separated.others(unknowns);
        let Some(Projected { part, linear }) = Projected::at(objective, separated, &others)? else {
            return Ok(None);
        };
        Ok(Some((Self { linear, ..Self::new(others, &part.factor) }, part)))
    }

    fn new(unknowns: Vec<f64>, factor: &Factor) -> Self {
        let scale = norms(factor, unknowns.len())
            .into_iter()
            .map(|norm| if norm > 0.0 { norm } else { 1.0 })
            .collect();
        let (damping, growth, calm, round) = (FIRST_DAMPING, 2.0, CALM, Round::ONLY);
        let (linear, rejected, accelerates, passes) = (vec![], 0, false, 1);
        Self {
            unknowns,
            linear,
            scale,
            damping,
            growth,
            rejected,
            accelerates,
            passes,
            calm,
            round,
        }
    }

    /// The same with accelerated steps from the beginning: for starts that may be far from a minimum.
    pub(crate) fn accelerated(self) -> Self {
        Self { accelerates: true, ..self }
    }

    /// State at the minimum of a round of another loss.
    pub(crate) fn next(
        objective: &Objective<'_>,
        before: Minimum,
        round: Round,
    ) -> Result<(Self, Part), FitError> {
        let (state, part) = Self::start(objective, before.unknowns)?;
        Ok((Self { passes: before.passes + 1, round, ..state }, part))
    }

    /// State of all unknowns after a minimisation without those that were projected out.
    pub(crate) fn after_projection(before: Minimum, round: Round) -> (Self, Part) {
        let state = Self::new(before.unknowns, &before.part.factor);
        // The steps were nearly undamped.
        let damping = CALM;
        (Self { passes: before.passes, round, damping, ..state }, before.part)
    }

    /// The factor where the minimisation goes on.
    pub(crate) fn part(
        &self,
        objective: &Objective<'_>,
        separated: Option<&Separated>,
    ) -> Result<Part, FitError> {
        let (part, unknowns) = match separated {
            None => (objective.part(&self.unknowns, None)?, self.unknowns.clone()),
            Some(separated) => {
                let projected = Projected::at(objective, separated, &self.unknowns)?;
                let linear = vec![0.0; separated.linear.len()];
                (projected.map(|found| found.part), separated.join(&linear, &self.unknowns))
            }
        };
        part.map_or_else(|| Err(not_finite(objective, &unknowns)?), Ok)
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
    let separated = None;
    let mut minimiser = Minimiser { objective, separated, rows, bounds, limits, part, state };
    let outcome = minimiser.run()?;
    let Minimiser { part, state: State { unknowns, passes, .. }, .. } = minimiser;
    Ok(Minimum { unknowns, part, outcome, passes })
}

/// Minimises over the unknowns that are not projected out, to a cost that is nearly least, and returns all unknowns with the
/// factor of [J r] there.
///
/// # Errors
/// As [`minimise`].
pub(crate) fn minimise_projected<'o>(
    objective: &'o Objective<'o>,
    separated: &'o Separated,
    rows: u64,
    (state, part): (State, Part),
    limits: Limits<'_, '_>,
) -> Result<Minimum, FitError> {
    let bounds = separated.others(&objective.layout.bounds());
    let rows = rows.saturating_sub(separated.linear.len() as u64);
    let some = Some(separated);
    let mut minimiser = Minimiser { objective, separated: some, rows, bounds, limits, part, state };
    let outcome = minimiser.run()?;
    minimiser.all_unknowns(separated, outcome)
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
            let stopped = self.stopped()?;
            if let Some(checkpoints) = &mut self.limits.checkpoints {
                match stopped {
                    Some(_) => checkpoints.save_now(self.state.passes, &self.state),
                    None => checkpoints.save(self.state.passes, &self.state),
                }
            }
            if let Some(outcome) = stopped {
                return Ok(outcome);
            }
            if self.separated.is_some() && self.part.cost.sqrt() <= ZERO * data {
                return Ok(Outcome::ZeroResidual);
            }
            if self.part.cost.sqrt() <= ZERO * data {
                let (_, stopped) = self.polish()?;
                return Ok(stopped.unwrap_or(Outcome::ZeroResidual));
            }
            let linearised = self.linearised();
            let Some(step) = linearised.step(self.state.damping, &self.state.scale) else {
                if self.state.damping > LARGEST_DAMPING {
                    // Columns beyond all numbers: there is no step, however short.
                    return Ok(Outcome::Rounding { offset: f64::INFINITY });
                }
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
            let handover =
                predicted <= HANDOVER * self.part.cost || self.state.damping > LARGEST_DAMPING;
            if self.separated.is_some() && handover {
                return Ok(Outcome::Rounding { offset: linearised.offset(self.rows) });
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

    /// Factor and cost at some unknowns, and those that are projected out there.
    fn part_at(&self, unknowns: &[f64]) -> Result<Option<(Part, Vec<f64>)>, FitError> {
        let Some(separated) = self.separated else {
            return Ok(self.objective.part(unknowns, None)?.map(|part| (part, vec![])));
        };
        let projected = Projected::at(self.objective, separated, unknowns)?;
        Ok(projected.map(|Projected { part, linear }| (part, linear)))
    }

    /// The end of a minimisation without unknowns that are projected out.
    fn all_unknowns(self, separated: &Separated, outcome: Outcome) -> Result<Minimum, FitError> {
        let unknowns = separated.join(&self.state.linear, &self.state.unknowns);
        let passes = self.state.passes + 1;
        match self.objective.part(&unknowns, None)? {
            Some(part) => Ok(Minimum { unknowns, part, outcome, passes }),
            None => Err(not_finite(self.objective, &unknowns)?),
        }
    }

    fn linearised(&self) -> Linearised<'_> {
        Linearised::new(&self.part.factor, &self.state.unknowns, &self.bounds)
    }

    /// Tests of the user.
    fn stopped(&mut self) -> Result<Option<Outcome>, FitError> {
        if let Some(progress) = &mut self.limits.progress {
            progress(Progress { passes: self.state.passes, cost: self.part.cost });
        }
        let cancelled = self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        if self.objective.ranks.any(cancelled)? {
            return Ok(Some(Outcome::Cancelled));
        }
        Ok((self.state.passes >= self.limits.max_passes).then_some(Outcome::Passes))
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
            && self.separated.is_none()
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
        match self.part_at(&moved)? {
            Some((part, linear)) if part.cost < self.part.cost => {
                let gain = (self.part.cost - part.cost) / predicted;
                (self.state.unknowns, self.state.linear, self.part) = (moved, linear, part);
                for (scale, norm) in
                    self.state.scale.iter_mut().zip(norms(&self.part.factor, step.len()))
                {
                    *scale = scale.max(norm);
                }
                let factor = 1.0 - (2.0 * gain - 1.0).powi(3);
                let curved = self.separated.is_some() || self.state.accelerates;
                let least = LEAST_DAMPING_FACTORS[usize::from(curved)];
                self.state.damping *= factor.clamp(least, 1.0);
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
