use super::step::Step;
use super::{Optimiser, OptimiserError, finite};
use crate::checks::{in_range, not_negative, same_size};
use crate::kernels::first_not_finite;
use crate::{OutOfRange, Scalar};
use serde::{Deserialize, Serialize};

impl Optimiser {
    /// The initial state for this number of parameters.
    ///
    /// # Errors
    /// [`OptimiserError::OutOfRange`] for a setting outside its range, also after rounding to `T`.
    pub fn state<T: Scalar>(&self, parameters: usize) -> Result<OptimiserState<T>, OptimiserError> {
        self.check_in::<T>()?;
        let values = vec![T::zero(); self.remembered(parameters)];
        Ok(OptimiserState { optimiser: *self, parameters, steps: 0, values })
    }
}

/// An optimiser with its state.
///
/// Serialised with every number as the bits of its value in `f64`: a restored state continues with
/// the same bits, in every format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored", bound = "T: Scalar")]
pub struct OptimiserState<T> {
    optimiser: Optimiser,
    parameters: usize,
    steps: u64,
    values: Vec<T>,
}

impl<T: Scalar> OptimiserState<T> {
    /// Restores a state from its [`steps`](Self::steps) and [`values`](Self::values).
    ///
    /// # Errors
    /// As [`Optimiser::state`]; [`OptimiserError::Size`] if the number of values does not fit the
    /// number of parameters; [`OptimiserError::OutOfRange`] for a value that is NaN or infinite, or a
    /// negative mean square.
    pub fn restore(
        optimiser: Optimiser,
        parameters: usize,
        steps: u64,
        values: Vec<T>,
    ) -> Result<Self, OptimiserError> {
        optimiser.check_in::<T>()?;
        let expected = optimiser.remembered(parameters);
        same_size("values", values.len(), expected)?;
        let number = |index| format!("number {index} of the state");
        if let Some((index, value)) = first_not_finite(&values) {
            return Err(OutOfRange::new(number(index), value, "finite").into());
        }
        let squares = if optimiser.has_squares() { expected / 2 } else { expected };
        let negative = values[squares..].iter().position(|square| *square < T::zero());
        if let Some(index) = negative.map(|index| squares + index) {
            return Err(
                OutOfRange::new(number(index), values[index], "finite and not negative").into()
            );
        }
        Ok(Self { optimiser, parameters, steps, values })
    }

    /// Takes one step with the learning rate `rate`. Allocates nothing.
    ///
    /// Reads the gradient once to check that it is finite; then reads and writes everything once.
    ///
    /// # Errors
    /// [`OptimiserError::OutOfRange`] unless `rate` is finite and not negative,
    /// [`OptimiserError::Size`] for slices of another length, [`OptimiserError::NotFinite`] for a
    /// gradient that is NaN or infinite, and [`OptimiserError::Square`] if the state has mean
    /// squares and the square of a gradient overflows. Nothing is changed then.
    pub fn step(
        &mut self,
        rate: f64,
        theta: &mut [T],
        gradient: &[T],
    ) -> Result<(), OptimiserError> {
        not_negative("the learning rate", rate)?;
        same_size("theta", theta.len(), self.parameters)?;
        same_size("gradient", gradient.len(), self.parameters)?;
        if self.optimiser.has_squares() {
            finite::check_squares(gradient)?;
        } else {
            finite::check(gradient)?;
        }
        let (steps, values) = (self.steps, &mut self.values[..]);
        self.optimiser.step(Step { rate, steps, theta, gradient, values });
        self.steps += 1;
        Ok(())
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The state, [`Optimiser::remembered`] numbers.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// Serde form of an [`OptimiserState`]: every number as the bits of its value in `f64`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    optimiser: Optimiser,
    parameters: usize,
    steps: u64,
    values: Vec<u64>,
}

impl<T: Scalar> From<OptimiserState<T>> for Stored {
    fn from(state: OptimiserState<T>) -> Self {
        Self {
            optimiser: state.optimiser,
            parameters: state.parameters,
            steps: state.steps,
            values: state.values.iter().map(|x| x.widen().to_bits()).collect(),
        }
    }
}

impl<T: Scalar> TryFrom<Stored> for OptimiserState<T> {
    type Error = OptimiserError;

    fn try_from(stored: Stored) -> Result<Self, OptimiserError> {
        let Stored { optimiser, parameters, steps, values } = stored;
        let numbers = values.into_iter().enumerate().map(|(index, bits)| {
            let value = f64::from_bits(bits);
            let narrow = T::narrow(value);
            let same = narrow.widen().to_bits() == bits;
            let what = format_args!("number {index} of the state");
            in_range(same, what, format_args!("{value:e}"), format_args!("a number of {}", T::NAME))
                .map(|()| narrow)
        });
        let values = numbers.collect::<Result<_, OutOfRange>>()?;
        Self::restore(optimiser, parameters, steps, values)
    }
}
