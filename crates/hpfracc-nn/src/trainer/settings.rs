use super::TrainerError;
use crate::checks::{at_least_one, not_negative, positive};
use crate::{Adam, LossScale, Optimiser, Schedule};
use serde::{Deserialize, Serialize};

/// Settings of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Training {
    /// Update rule of the parameters.
    pub optimiser: Optimiser,
    /// The learning rate of each step.
    pub schedule: Schedule,
    /// Number of passes over all samples.
    pub epochs: u64,
    /// Largest number of steps, independent of the epochs. An epoch that it cuts short is not
    /// validated.
    pub steps: Option<u64>,
    /// Samples of a step; the last step of an epoch may have fewer.
    pub batch: usize,
    /// Seed of initial values, shuffling and noise.
    pub seed: u64,
    /// Largest norm of a gradient; a larger gradient is scaled to it.
    pub clip: Option<f64>,
    /// Initial loss scale, if losses are scaled against underflow of cotangents, as
    /// [`Storage::Float16`](crate::Storage) needs; see [`LossScale`].
    pub loss_scale: Option<LossScale>,
    /// Start and learning rate of the learned orders of an equation.
    pub orders: OrderTraining,
    /// Epochs between validations; the last epoch is always validated. Without a validation
    /// objective there is no validation.
    pub validate_every: u64,
    /// Early stopping: number of consecutive validations without a smaller loss that ends the
    /// training; only with a validation objective.
    pub patience: Option<u64>,
}

/// Training of the learned orders of an equation.
///
/// A network and an order that learn together from the start mislead: at nearly every order some
/// drift fits a part of the data, the network learns that drift first, and the order then follows it
/// slowly, to where the optimiser stops. So the orders are estimated first where that is possible
/// ([`Objective::estimate_orders`](crate::Objective::estimate_orders)), and a network learns the
/// drift that belongs to them; the training then begins there, with a smaller rate for the orders.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OrderTraining {
    /// Whether the orders are estimated from the data before the first step.
    pub estimate: bool,
    /// Factor of the learning rate for the orders: by default 0.1 after an estimate, otherwise 1.
    /// With 0 the orders remain as they are.
    pub rate: Option<f64>,
}

impl Default for OrderTraining {
    fn default() -> Self {
        Self { estimate: true, rate: None }
    }
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
            orders: OrderTraining::default(),
            validate_every: 1,
            patience: None,
        }
    }
}

impl Training {
    /// Checks the ranges of all numbers.
    ///
    /// # Errors
    /// [`TrainerError::OutOfRange`] for the first number outside its range.
    pub fn check(&self) -> Result<(), TrainerError> {
        self.optimiser.check()?;
        self.schedule.check()?;
        let counts = [
            ("epochs", self.epochs),
            ("steps", self.steps.unwrap_or(1)),
            ("batch", self.batch as u64),
            ("validate-every", self.validate_every),
            ("patience", self.patience.unwrap_or(1)),
        ];
        counts.into_iter().try_for_each(|(what, count)| at_least_one(what, count))?;
        self.orders.rate.map_or(Ok(()), |rate| not_negative("the rate of orders", rate))?;
        Ok(self.clip.map_or(Ok(()), |clip| positive("clip", clip))?)
    }

    /// Settings in which a checkpoint must agree: all but those of stopping and validation.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let Self { optimiser, schedule, batch, seed, clip, loss_scale, orders, .. } = self;
        let clip = clip.map_or("none".to_owned(), |clip| clip.to_string());
        let facts = [
            ("optimiser", format!("{optimiser:?}")),
            ("schedule", format!("{schedule:?}")),
            ("batch", batch.to_string()),
            ("seed", seed.to_string()),
            ("clip", clip),
            ("training of orders", format!("{orders:?}")),
            ("loss scale", loss_scale.map_or("none".to_owned(), |scale| format!("{scale:?}"))),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }
}
