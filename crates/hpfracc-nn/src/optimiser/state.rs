use super::adam::below_one;
use super::stored::Stored;
use super::{Adam, AdamW, FractionalAdam, FractionalDescent, OptimiserError, Sgd, finite};
use crate::Scalar;
use crate::kernels::first_not_finite;
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// A rule by which parameters follow their gradients.
///
/// In a configuration: `optimiser.adam = {}` is [`Adam`] with its defaults, written in full
/// `optimiser.adam = { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 }`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Optimiser {
    /// Gradient descent, with momentum or without.
    Sgd(Sgd),
    /// Adaptive moments.
    Adam(Adam),
    /// Adaptive moments with a decay of the parameters beside them.
    #[serde(rename = "adamw")]
    AdamW(AdamW),
    /// Caputo gradients with the step before as their memory.
    FractionalDescent(FractionalDescent),
    /// Adaptive moments with power-law memory.
    FractionalAdam(FractionalAdam),
}

impl Default for Optimiser {
    fn default() -> Self {
        Self::Adam(Adam::default())
    }
}

/// One step of a rule over all parameters.
pub(super) struct Step<'a, T> {
    pub(super) rate: f64,
    /// Steps before this one.
    pub(super) steps: u64,
    pub(super) theta: &'a mut [T],
    pub(super) gradient: &'a [T],
    pub(super) values: &'a mut [T],
}

impl Optimiser {
    /// A state before the first step of so many parameters.
    ///
    /// # Errors
    /// [`OptimiserError::Setting`] for a setting outside its range, or one that `T` has too few digits for.
    pub fn state<T: Scalar>(&self, parameters: usize) -> Result<OptimiserState<T>, OptimiserError> {
        self.check_in::<T>()?;
        let values = vec![T::zero(); self.remembered(parameters)];
        Ok(OptimiserState { optimiser: *self, parameters, steps: 0, values })
    }

    /// Whether all settings are within their ranges.
    ///
    /// # Errors
    /// [`OptimiserError::Setting`] for the first that is not.
    pub fn check(&self) -> Result<(), OptimiserError> {
        match self {
            Self::Sgd(of) => of.check(),
            Self::Adam(of) => of.check(),
            Self::AdamW(of) => of.check(),
            Self::FractionalDescent(of) => of.check(),
            Self::FractionalAdam(of) => of.check(),
        }
    }

    /// As [`check`](Self::check), and whether they still are in this scalar.
    fn check_in<T: Scalar>(&self) -> Result<(), OptimiserError> {
        self.check()?;
        match self {
            Self::Sgd(of) => below_one::<T>("momentum", of.momentum),
            Self::Adam(of) => of.check_in::<T>(),
            Self::AdamW(of) => of.moments().check_in::<T>(),
            Self::FractionalDescent(_) => Ok(()),
            Self::FractionalAdam(of) => of.moments().check_in::<T>(),
        }
    }

    /// Whether the second half of what is remembered are means of squares.
    fn has_squares(&self) -> bool {
        matches!(self, Self::Adam(_) | Self::AdamW(_) | Self::FractionalAdam(_))
    }

    /// Numbers remembered of so many parameters.
    pub fn remembered(&self, parameters: usize) -> usize {
        match self {
            Self::Sgd(of) => of.remembered(parameters),
            Self::Adam(_) | Self::AdamW(_) => parameters.saturating_mul(2),
            Self::FractionalDescent(_) => parameters,
            Self::FractionalAdam(of) => of.remembered(parameters),
        }
    }

    fn step<T: Scalar>(&self, arch: Arch, step: Step<'_, T>) {
        match self {
            Self::Sgd(of) => of.step(arch, step),
            Self::Adam(of) => of.step(arch, step),
            Self::AdamW(of) => of.step(arch, step),
            Self::FractionalDescent(of) => of.step(step),
            Self::FractionalAdam(of) => of.step(arch, step),
        }
    }
}

/// An optimiser with what it remembers of the steps before.
///
/// Serialised with every number as its bits, of the same value in double precision: a state that is
/// read goes on with the same bits, whatever it was written in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored", bound = "T: Scalar")]
pub struct OptimiserState<T> {
    optimiser: Optimiser,
    parameters: usize,
    steps: u64,
    values: Vec<T>,
}

impl<T: Scalar> OptimiserState<T> {
    /// A state that was taken apart into its [`steps`](Self::steps) and [`values`](Self::values).
    ///
    /// # Errors
    /// As [`Optimiser::state`]; [`OptimiserError::Length`] if the values are not those of so many
    /// parameters; [`OptimiserError::State`] for one that is NaN or infinite, or for a mean of squares that is
    /// negative.
    pub fn restore(
        optimiser: Optimiser,
        parameters: usize,
        steps: u64,
        values: Vec<T>,
    ) -> Result<Self, OptimiserError> {
        optimiser.check_in::<T>()?;
        let expected = optimiser.remembered(parameters);
        OptimiserError::unless_length("values", values.len(), expected)?;
        if let Some((index, value)) = first_not_finite(Arch::new(), &values) {
            return Err(OptimiserError::State { index, value, expected: "finite" });
        }
        let squares = if optimiser.has_squares() { expected / 2 } else { expected };
        let negative = values[squares..].iter().position(|square| *square < T::zero());
        if let Some(index) = negative.map(|index| squares + index) {
            let (value, expected) = (values[index].widen(), "finite and not negative");
            return Err(OptimiserError::State { index, value, expected });
        }
        Ok(Self { optimiser, parameters, steps, values })
    }

    /// Takes one step with the learning rate `rate`. Allocates nothing.
    ///
    /// Gradients are read once beforehand to see whether they are finite; then everything is read and
    /// written once.
    ///
    /// # Errors
    /// [`OptimiserError::Setting`] unless `rate` is finite and not negative, [`OptimiserError::Length`]
    /// for slices that are not the parameters', [`OptimiserError::NotFinite`] for a gradient that is NaN
    /// or infinite, and [`OptimiserError::Square`] where squares are remembered and one of them is. Nothing is
    /// changed then.
    pub fn step(
        &mut self,
        rate: f64,
        theta: &mut [T],
        gradient: &[T],
    ) -> Result<(), OptimiserError> {
        let arch = Arch::new();
        let usable = rate.is_finite() && rate >= 0.0;
        OptimiserError::unless(usable, "the learning rate", rate, "finite and not negative")?;
        OptimiserError::unless_length("theta", theta.len(), self.parameters)?;
        OptimiserError::unless_length("gradient", gradient.len(), self.parameters)?;
        if self.optimiser.has_squares() {
            finite::check_squares(arch, gradient)?;
        } else {
            finite::check(arch, gradient)?;
        }
        let (steps, values) = (self.steps, &mut self.values[..]);
        self.optimiser.step(arch, Step { rate, steps, theta, gradient, values });
        self.steps += 1;
        Ok(())
    }

    /// The rule.
    pub fn optimiser(&self) -> Optimiser {
        self.optimiser
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// All that is remembered, [`Optimiser::remembered`] numbers.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}
