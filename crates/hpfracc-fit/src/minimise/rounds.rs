//! Minimisations of one fit, one after the other: with linear unknowns projected out, of least squares, and of a loss whose
//! scale comes from the residuals.

use super::loss_scale::scale_of;
use super::{Limits, LossScale, Minimum, Outcome, State, minimise, minimise_projected};
use crate::factor::Part;
use crate::parameters::Separated;
use crate::pass::Objective;
use crate::{FitError, Loss};
use serde::{Deserialize, Serialize};

/// Largest number of medians of a loss.
const ITERATIONS: usize = 10;
/// Relative change of the scale that is none.
const SETTLED: f64 = 1e-6;

/// What a minimisation of a fit minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    /// Least squares, with linear unknowns projected out.
    Projected,
    /// Least squares.
    Squares,
    /// [`Loss::SoftL1`], whose minimum is the start of a loss that is not convex.
    SoftL1,
    /// The loss of the fit.
    Loss,
}

/// Minimisation among those of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    stage: Stage,
    /// Number of medians that the scale took.
    medians: usize,
    /// Scale of the loss.
    scale: f64,
}

impl Round {
    /// The only minimisation of an objective.
    pub(crate) const ONLY: Self = Self { stage: Stage::Loss, medians: 0, scale: 1.0 };
}

/// The minimisations of a fit.
#[derive(Debug)]
pub(crate) struct Rounds {
    pub(crate) loss: Loss,
    /// Scale of the loss; None for one from the residuals: fits and medians by turns, after a fit of least squares.
    pub(crate) scale: Option<f64>,
    /// Unknowns that are projected out.
    pub(crate) separated: Option<Separated>,
}

impl Rounds {
    /// State of the first round at some unknowns, and the factor there.
    ///
    /// # Errors
    /// [`FitError::ModelNotFinite`].
    pub(crate) fn begin(
        &self,
        objective: &mut Objective<'_>,
        unknowns: Vec<f64>,
    ) -> Result<(State, Part), FitError> {
        let scale = self.scale.unwrap_or(1.0);
        let round = |stage| Round { stage, medians: 0, scale };
        let squares = self.loss == Loss::Squares || self.scale.is_none();
        if let Some(separated) = self.separated.as_ref().filter(|_| squares) {
            self.enter(objective, round(Stage::Projected));
            if let Some((state, part)) = State::projected(objective, separated, &unknowns)? {
                return Ok((State { round: round(Stage::Projected), ..state }, part));
            }
        }
        let round = round(match self.loss {
            _ if squares => Stage::Squares,
            Loss::Tukey => Stage::SoftL1,
            _ => Stage::Loss,
        });
        self.enter(objective, round);
        let (state, part) = State::start(objective, unknowns)?;
        Ok((State { round, ..state }, part))
    }

    /// The factor at a state that was kept.
    pub(crate) fn resume(
        &self,
        objective: &mut Objective<'_>,
        state: &State,
    ) -> Result<Part, FitError> {
        self.enter(objective, state.round);
        let projected = state.round.stage == Stage::Projected;
        state.part(objective, self.separated.as_ref().filter(|_| projected))
    }

    /// All rounds from a state and the factor there. Returns the last minimum and the scale of the loss there.
    pub(crate) fn run(
        &self,
        objective: &mut Objective<'_>,
        rows: u64,
        mut begin: (State, Part),
        mut limits: Limits<'_, '_>,
    ) -> Result<(Minimum, LossScale), FitError> {
        loop {
            let round = begin.0.round;
            let limits = limits.reborrow();
            let minimum = match &self.separated {
                Some(separated) if round.stage == Stage::Projected => {
                    minimise_projected(objective, separated, rows, begin, limits)?
                }
                _ => minimise(objective, rows, begin, limits)?,
            };
            let stopped = matches!(minimum.outcome, Outcome::Passes | Outcome::Cancelled);
            if round.stage == Stage::Projected && !stopped {
                let round = Round { stage: Stage::Squares, ..round };
                begin = State::after_projection(minimum, round);
                continue;
            }
            let (scale, settled) = match self.scale {
                _ if self.loss == Loss::Squares || stopped => (round.scale, false),
                Some(scale) => (scale, true),
                None => {
                    let scale = scale_of(objective, &minimum.unknowns)?;
                    let change = (scale - round.scale).abs();
                    (scale, round.medians > 0 && change <= SETTLED * round.scale)
                }
            };
            let medians = round.medians + usize::from(self.scale.is_none());
            let next = match round.stage {
                _ if stopped || self.loss == Loss::Squares => None,
                Stage::Projected | Stage::Squares if self.loss == Loss::Tukey => {
                    Some(Stage::SoftL1)
                }
                Stage::Projected | Stage::Squares => Some(Stage::Loss),
                Stage::SoftL1 if settled || round.medians >= ITERATIONS => Some(Stage::Loss),
                Stage::SoftL1 => Some(Stage::SoftL1),
                Stage::Loss if settled || round.medians >= self.most_medians() => None,
                Stage::Loss => Some(Stage::Loss),
            };
            let Some(stage) = next else {
                let iterations = Some((round.medians, settled));
                let iterations = iterations.filter(|_| self.scale.is_none());
                return Ok((minimum, LossScale { value: round.scale, iterations }));
            };
            let round = Round { stage, medians, scale };
            self.enter(objective, round);
            begin = State::next(objective, minimum, round)?;
        }
    }

    fn most_medians(&self) -> usize {
        if self.loss == Loss::Tukey { 2 * ITERATIONS } else { ITERATIONS }
    }

    /// Gives the objective the loss of a round.
    fn enter(&self, objective: &mut Objective<'_>, round: Round) {
        objective.scale = round.scale;
        objective.loss = match round.stage {
            Stage::Projected | Stage::Squares => Loss::Squares,
            Stage::SoftL1 => Loss::SoftL1,
            Stage::Loss => self.loss,
        };
    }
}
