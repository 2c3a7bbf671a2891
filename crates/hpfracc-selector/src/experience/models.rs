//! The cost models of all candidates: the timings stored for each size.

use crate::cost::features::Features;
use crate::cost::model::{CostModel, Forecast, Reading, Sample};
use crate::cost::prior::Coefficients;
use crate::task::{Scalar, Stage, Subject};
use hpfracc_backend::Kind;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

/// Candidate, kind of workload, scalar and stage; both directions share a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ModelKey {
    pub(crate) candidate: usize,
    /// None for a method, whose candidate does one kind of work.
    kind: Option<Kind>,
    pub(crate) scalar: Scalar,
    stage: Stage,
}

impl ModelKey {
    pub(crate) fn new(candidate: usize, scalar: Scalar, subject: &Subject, stage: Stage) -> Self {
        let stage = if stage.is_application() { Stage::Forward } else { stage };
        let kind = match subject {
            Subject::Map(workload) => Some(workload.kind()),
            Subject::Work(_) => None,
        };
        Self { candidate, kind, scalar, stage }
    }

    pub(crate) fn stage(&self) -> Stage {
        self.stage
    }
}

/// All models, with the number of readings that they were given.
#[derive(Default)]
pub(crate) struct CostModels {
    models: RwLock<HashMap<ModelKey, CostModel>>,
    readings: AtomicU64,
}

impl CostModels {
    /// Number of readings so far.
    pub(crate) fn readings(&self) -> u64 {
        self.readings.load(Relaxed)
    }

    pub(super) fn clear(&self) {
        self.models.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Expected time of work with these features. `prior` gives the coefficients of a model that
    /// has no timings yet.
    pub(super) fn forecast(
        &self,
        key: ModelKey,
        features: &Features,
        prior: impl FnOnce() -> Coefficients,
    ) -> Forecast {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        match models.get(&key) {
            Some(model) if !model.is_stale() => model.forecast(features),
            Some(_) => {
                drop(models);
                self.change(key, prior, |model| {
                    model.fit();
                    model.forecast(features)
                })
            }
            None => CostModel::new(prior()).forecast(features),
        }
    }

    /// The time stored for exactly this size.
    pub(crate) fn reading(
        &self,
        key: ModelKey,
        subject: &Subject,
        stage: Stage,
    ) -> Option<Reading> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models.get(&key)?.reading(subject, stage)
    }

    /// Stores the time of a size.
    pub(super) fn record(
        &self,
        key: ModelKey,
        sample: Sample,
        prior: impl FnOnce() -> Coefficients,
    ) {
        self.change(key, prior, |model| model.record(sample));
        self.readings.fetch_add(1, Relaxed);
    }

    /// Sets the prior of the models of a candidate, if it has any.
    pub(super) fn set_prior(&self, candidate: usize, scalar: Scalar, prior: Coefficients) {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let own = models.iter_mut().filter(|(key, _)| {
            key.candidate == candidate && key.scalar == scalar && key.stage == Stage::Forward
        });
        own.for_each(|(_, model)| model.set_prior(prior));
    }

    fn change<R>(
        &self,
        key: ModelKey,
        prior: impl FnOnce() -> Coefficients,
        change: impl FnOnce(&mut CostModel) -> R,
    ) -> R {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        change(models.entry(key).or_insert_with(|| CostModel::new(prior())))
    }

    /// Calls `visit` with every stored time. Nothing is recorded meanwhile.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&ModelKey, &Sample)) {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        for (key, model) in models.iter() {
            model.samples().iter().for_each(|sample| visit(key, sample));
        }
    }
}
