//! The memory of a component as a recurrence, for executors outside of this crate.

use super::drift::Corrector;
use super::stepper::{FractionalEulerMaruyamaStepper, WithMemory};
use crate::noise::Gaussian;
use crate::schemes::memory::{CorrectorRecurrence, MemoryRecurrence, NearNoises};
use hpfracc_lanes::causal::Online;

impl<T: Gaussian> FractionalEulerMaruyamaStepper<T> {
    /// Memories of all components, if exponentials are all that they are.
    pub(super) fn recurrences(&self) -> Option<Vec<Option<MemoryRecurrence<T>>>> {
        if self.forced || !self.integrals.is_empty() {
            return None;
        }
        let memory = |component: &Option<WithMemory<T>>| match component {
            None => Some(None),
            Some(component) => recurrence(component).map(Some),
        };
        self.components.iter().map(memory).collect()
    }
}

fn recurrence<T: Gaussian>(component: &WithMemory<T>) -> Option<MemoryRecurrence<T>> {
    let Online::Exponentials(exponentials) = &component.weights else { return None };
    let near = component.near.iter().map(|near| {
        let sources = near.sources.iter().map(|source| (source.dz, source.g));
        NearNoises { sources: sources.collect(), weights: near.weights.clone() }
    });
    let corrector = match &component.corrector {
        Some(corrector) => Some(correction(corrector)?),
        None => None,
    };
    Some(MemoryRecurrence {
        nearest: component.nearest,
        exponentials: exponentials.losses_and_factors().collect(),
        near: near.collect(),
        corrector,
    })
}

fn correction<T: Gaussian>(corrector: &Corrector<T>) -> Option<CorrectorRecurrence<T>> {
    let Online::Exponentials(exponentials) = &corrector.weights else { return None };
    Some(CorrectorRecurrence {
        newest: corrector.newest,
        nearest: corrector.nearest,
        exponentials: exponentials.losses_and_factors().collect(),
        starts: corrector.starts.clone(),
    })
}
