//! The candidates of a machine, and its selectors in either precision.

#[cfg(feature = "gpu")]
use super::gpu::{Gpus, candidates_of, place_unopened};
use super::name::Name;
use super::set::Backends;
#[cfg(feature = "gpu")]
use super::table::Resources;
use super::table::{Pair, Row, TABLE};
use hpfracc_selector::{Candidate, Experience, Place, Prior, Selector};
use hpfracc_types::Real;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The selectors of single and of double precision, with one experience.
#[derive(Clone)]
pub(crate) struct Selectors {
    single: Selector<f32>,
    double: Selector<f64>,
}

impl Selectors {
    pub(crate) fn of<T: Real>(&self) -> &Selector<T> {
        let selector: &dyn Any = if T::NAME == f32::NAME { &self.single } else { &self.double };
        selector.downcast_ref().expect("`Real` is f32 or f64 and nothing else")
    }

    /// Selectors of one backend.
    pub(crate) fn only(name: &Name, backends: &Backends, experience: &Arc<Experience>) -> Self {
        let (single, double) = match name {
            Name::Host(row) => backends.host_candidates(row),
            #[cfg(feature = "gpu")]
            Name::Gpu { row, adapter, .. } => {
                let prior = (row.prior)(Resources { threads: 1, per_second: 1e10 });
                let place = place_unopened(*adapter, &backends.gpus);
                candidates(backends.named(name), prior, &place)
            }
            Name::Rounded(_) | Name::Split(_) => {
                candidates(backends.named(name), Prior::LOOPS, &Place::Host)
            }
        };
        Self::new(vec![single], vec![double], experience)
    }

    fn new(
        single: Vec<Candidate<f32>>,
        double: Vec<Candidate<f64>>,
        experience: &Arc<Experience>,
    ) -> Self {
        let names = "the backends of a machine have different names and are less than 64";
        Self {
            single: Selector::new(single, Arc::clone(experience)).expect(names),
            double: Selector::new(double, Arc::clone(experience)).expect(names),
        }
    }
}

fn candidates(pair: Pair, prior: Prior, place: &Place) -> (Candidate<f32>, Candidate<f64>) {
    let single = Candidate::new(pair.single, prior).on(place.clone());
    (single, Candidate::new(pair.double, prior).on(place.clone()))
}

impl fmt::Debug for Selectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selectors").field("f32", &self.single).field("f64", &self.double).finish()
    }
}

/// The rows of the backends on the processor that are chosen among others.
fn host_rows() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(|row| row.is_on_host())
}

/// Whether every backend on the processor is disabled.
pub(crate) fn no_host_left(disabled: &[Name]) -> bool {
    host_rows().all(|row| disabled.contains(&Name::of(row)))
}

/// Whether every backend on GPUs is disabled on all adapters.
pub(crate) fn no_gpu_left(disabled: &[Name]) -> bool {
    let mut rows = TABLE.iter().filter(|row| row.is_on_gpu());
    rows.all(|row| disabled.contains(&Name::of(row)))
}

/// Candidates before the selectors are made.
pub(crate) struct Candidates {
    single: Vec<Candidate<f32>>,
    double: Vec<Candidate<f64>>,
    /// Names of the disabled ones.
    disabled: Vec<String>,
}

impl Candidates {
    /// The candidates on the processor.
    pub(crate) fn on_host(backends: &Backends, disabled: &[Name]) -> Self {
        let (single, double) = host_rows().map(|row| backends.host_candidates(row)).unzip();
        let disabled = host_rows().filter(|row| disabled.contains(&Name::of(row)));
        let disabled = disabled.map(|row| row.name.to_owned()).collect();
        Self { single, double, disabled }
    }

    /// These candidates, and those on all adapters.
    #[cfg(feature = "gpu")]
    pub(crate) fn and_gpus(mut self, gpus: &Gpus, disabled: &[Name]) -> Self {
        for candidate in candidates_of(gpus, disabled) {
            if candidate.is_disabled {
                self.disabled.push(candidate.single.name().to_owned());
            }
            self.double.extend(candidate.double);
            self.single.push(candidate.single);
        }
        self
    }

    /// The selectors of the candidates that are not disabled. The experience registers all of them,
    /// so that a wisdom file stays valid when the list of disabled backends changes.
    pub(crate) fn selectors(self, experience: &Arc<Experience>) -> Selectors {
        let Self { single, double, disabled } = self;
        if !disabled.is_empty() {
            drop(Selectors::new(single.clone(), double.clone(), experience));
        }
        let enabled = |name: &str| !disabled.iter().any(|known| known == name);
        let single = single.into_iter().filter(|candidate| enabled(candidate.name())).collect();
        let double = double.into_iter().filter(|candidate| enabled(candidate.name())).collect();
        Selectors::new(single, double, experience)
    }
}
