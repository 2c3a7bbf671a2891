//! An operator bound in either precision, when it is needed first.

use super::choice::Choice;
use hpfracc::Machine;
use hpfracc::operators::Bound;
use hpfracc::types::Real;
use pyo3::PyResult;
use std::sync::OnceLock;

pub(crate) struct Pair {
    pub(crate) choice: Choice,
    machine: Machine,
    single: OnceLock<Bound<f32>>,
    double: OnceLock<Bound<f64>>,
}

/// Scalar type in which an operator can be bound.
pub(crate) trait Scalar: Real + numpy::Element {
    fn bound(pair: &Pair) -> PyResult<&Bound<Self>>;
}

impl Pair {
    pub(crate) fn new(choice: Choice, machine: Machine) -> Self {
        Self { choice, machine, single: OnceLock::new(), double: OnceLock::new() }
    }
}

macro_rules! scalar {
    ($type:ty, $field:ident) => {
        impl Scalar for $type {
            fn bound(pair: &Pair) -> PyResult<&Bound<Self>> {
                if let Some(bound) = pair.$field.get() {
                    return Ok(bound);
                }
                let bound = pair.choice.bind(&pair.machine)?;
                Ok(pair.$field.get_or_init(|| bound))
            }
        }
    };
}

scalar!(f32, single);
scalar!(f64, double);
