use super::TrainerError;
use crate::{Adam, LossScale, Optimiser, Schedule};
use serde::{Deserialize, Serialize};

/// How an objective is made small.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Training {
    /// By which rule parameters follow gradients.
    pub optimiser: Optimiser,
    /// The learning rate of each step.
    pub schedule: Schedule,
    /// Times that all samples are gone through.
    pub epochs: u64,
    /// Steps at most, whatever the epochs. Where they end within an epoch, it is not judged any more.
    pub steps: Option<u64>,
    /// Samples of a step; the last one of an epoch may have fewer.
    pub batch: usize,
    /// What starting values, orders of samples and noise are drawn with.
    pub seed: u64,
    /// What the norm of a gradient may be; a larger one is made so long.
    pub clip: Option<f64>,
    /// Whether losses are scaled so that small cotangents are not lost, where to begin; see [`LossScale`].
    pub loss_scale: Option<LossScale>,
    /// Epochs from one validation to the next; the last one is judged in any case. Without an objective to judge
    /// by there is none.
    pub validate_every: u64,
    /// Validations in a row without a smaller loss, after which training ends; only with an objective to judge
    /// by.
    pub patience: Option<u64>,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            optimiser: Optimiser::Adam(Adam::default()),
            schedule: Schedule::Constant(1e-3),
            epochs: 100,
            steps: None,
            batch: 32,
            seed: 0,
            clip: None,
            loss_scale: None,
            validate_every: 1,
            patience: None,
        }
    }
}

impl Training {
    /// Whether all numbers are within their ranges.
    ///
    /// # Errors
    /// [`TrainerError::Optimiser`] or [`TrainerError::Setting`] for the first that is not.
    pub fn check(&self) -> Result<(), TrainerError> {
        self.optimiser.check()?;
        self.schedule.check()?;
        let none = |what: &str, value: u64| match value {
            0 => Err(TrainerError::setting(what, 0.0, "at least 1")),
            _ => Ok(()),
        };
        none("epochs", self.epochs)?;
        none("steps", self.steps.unwrap_or(1))?;
        none("batch", self.batch as u64)?;
        none("validate-every", self.validate_every)?;
        none("patience", self.patience.unwrap_or(1))?;
        match self.clip {
            Some(clip) if !(clip > 0.0 && clip.is_finite()) => {
                Err(TrainerError::setting("clip", clip, "positive and finite"))
            }
            _ => Ok(()),
        }
    }

    /// What a checkpoint of other settings may not differ in: not when to stop or to judge.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let Self { optimiser, schedule, batch, seed, clip, loss_scale, .. } = self;
        let clip = clip.map_or("none".to_owned(), |clip| clip.to_string());
        let facts = [
            ("optimiser", format!("{optimiser:?}")),
            ("schedule", format!("{schedule:?}")),
            ("batch", batch.to_string()),
            ("seed", seed.to_string()),
            ("clip", clip),
            ("loss scale", loss_scale.map_or("none".to_owned(), |scale| format!("{scale:?}"))),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }
}
