//! The serialised form of a state: every number as its bits.

use super::{Optimiser, OptimiserError, OptimiserState};
use crate::Scalar;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    optimiser: Optimiser,
    parameters: usize,
    steps: u64,
    values: Vec<u64>,
}

impl<T: Scalar> From<OptimiserState<T>> for Stored {
    fn from(state: OptimiserState<T>) -> Self {
        Self {
            optimiser: state.optimiser(),
            parameters: state.parameters(),
            steps: state.steps(),
            values: state.values().iter().map(|x| x.widen().to_bits()).collect(),
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
            let scalar = T::NAME;
            if same { Ok(narrow) } else { Err(OptimiserError::Precision { index, value, scalar }) }
        });
        let values = numbers.collect::<Result<_, _>>()?;
        Self::restore(optimiser, parameters, steps, values)
    }
}
