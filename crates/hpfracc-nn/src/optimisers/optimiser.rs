use super::step::{Step, below_one};
use super::{Adam, FractionalAdam, FractionalDescent, Sgd};
use crate::{OutOfRange, Scalar};
use serde::{Deserialize, Serialize};

/// Update rule of the parameters.
///
/// In a configuration: `optimiser.adam = {}` is [`Adam`] with its defaults, written in full
/// `optimiser.adam = { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0 }`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Optimiser {
    /// Gradient descent, with momentum or without.
    Sgd(Sgd),
    /// Adaptive moments, with decoupled weight decay (AdamW) or without.
    Adam(Adam),
    /// Caputo gradient whose lower terminal is the previous step.
    FractionalDescent(FractionalDescent),
    /// Adaptive moments with power-law memory.
    FractionalAdam(FractionalAdam),
}

/// An expression of the settings of any rule.
macro_rules! each {
    ($optimiser:expr, $of:ident => $result:expr) => {
        match $optimiser {
            Optimiser::Sgd($of) => $result,
            Optimiser::Adam($of) => $result,
            Optimiser::FractionalDescent($of) => $result,
            Optimiser::FractionalAdam($of) => $result,
        }
    };
}

impl Default for Optimiser {
    fn default() -> Self {
        Self::Adam(Adam::default())
    }
}

impl Optimiser {
    /// Checks the ranges of all settings.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first setting outside its range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        each!(self, of => of.check())
    }

    /// As [`check`](Self::check), for the settings rounded to this scalar.
    pub(super) fn check_in<T: Scalar>(&self) -> Result<(), OutOfRange> {
        self.check()?;
        match self {
            Self::Sgd(of) => below_one::<T>("momentum", of.momentum),
            Self::Adam(of) => of.check_in::<T>(),
            Self::FractionalDescent(_) => Ok(()),
            Self::FractionalAdam(of) => of.moments().check_in::<T>(),
        }
    }

    /// True if the second half of the state are mean squares.
    pub(super) fn has_squares(&self) -> bool {
        matches!(self, Self::Adam(_) | Self::FractionalAdam(_))
    }

    /// Length of the state for this number of parameters.
    pub fn remembered(&self, parameters: usize) -> usize {
        each!(self, of => of.remembered(parameters))
    }

    pub(super) fn step<T: Scalar>(&self, step: Step<'_, T>) {
        each!(self, of => of.step(step));
    }
}
