//! Who may be chosen, in either precision.

use crate::backends::Backends;
use crate::names::{Host, Named};
use hpfracc_selector::{Candidate, Experience, Prior, Selector};
use hpfracc_types::Real;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The selectors of single and of double precision, which learn together.
#[derive(Clone)]
pub(crate) struct Selectors {
    single: Selector<f32>,
    double: Selector<f64>,
}

impl Selectors {
    pub(crate) fn of<T: Real>(&self) -> &Selector<T> {
        let wanted: &dyn Any = if T::NAME == f32::NAME { &self.single } else { &self.double };
        wanted.downcast_ref().expect("`Real` is f32 or f64 and nothing else")
    }

    /// One backend alone.
    pub(crate) fn only(named: &Named, backends: &Backends, experience: &Arc<Experience>) -> Self {
        let (single, double) = match named {
            Named::Host(host) => (backends.host_candidate(*host), backends.host_candidate(*host)),
            #[cfg(feature = "gpu")]
            Named::Gpu { adapter, .. } => {
                let place = devices::unopened(*adapter, &backends.gpus);
                let (pair, prior) = (backends.pair(named), Prior::device(1e10));
                let single = Candidate::new(pair.single, prior).on(place.clone());
                (single, Candidate::new(pair.double, prior).on(place))
            }
            _ => {
                let (pair, prior) = (backends.pair(named), Prior::LOOPS);
                (Candidate::new(pair.single, prior), Candidate::new(pair.double, prior))
            }
        };
        Self::new(vec![single], vec![double], experience)
    }

    fn new(
        single: Vec<Candidate<f32>>,
        double: Vec<Candidate<f64>>,
        experience: &Arc<Experience>,
    ) -> Self {
        let names = "no two backends of a machine have one name, and there are less than 64";
        Self {
            single: Selector::new(single, Arc::clone(experience)).expect(names),
            double: Selector::new(double, Arc::clone(experience)).expect(names),
        }
    }
}

impl fmt::Debug for Selectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selectors").field("f32", &self.single).field("f64", &self.double).finish()
    }
}

/// Candidates before the selectors are made.
pub(crate) struct Candidates {
    single: Vec<Candidate<f32>>,
    double: Vec<Candidate<f64>>,
    /// Names of those that the user does not want.
    off: Vec<String>,
}

impl Candidates {
    /// Those of the processor.
    pub(crate) fn of_host(backends: &Backends, disabled: &[Named]) -> Self {
        let off = Host::ALL.into_iter().filter(|host| disabled.contains(&Named::Host(*host)));
        Self {
            single: Host::ALL.map(|host| backends.host_candidate(host)).into(),
            double: Host::ALL.map(|host| backends.host_candidate(host)).into(),
            off: off.map(|host| host.name().to_owned()).collect(),
        }
    }

    /// The selectors of those wanted. The experience gets to know all of them, so that what is
    /// remembered stays of use when the list of unwanted ones changes.
    pub(crate) fn selectors(self, experience: &Arc<Experience>) -> Selectors {
        let Self { single, double, off } = self;
        if !off.is_empty() {
            drop(Selectors::new(single.clone(), double.clone(), experience));
        }
        let wanted = |name: &str| !off.iter().any(|known| known == name);
        let single = single.into_iter().filter(|candidate| wanted(candidate.name())).collect();
        let double = double.into_iter().filter(|candidate| wanted(candidate.name())).collect();
        Selectors::new(single, double, experience)
    }
}

#[cfg(feature = "gpu")]
mod devices {
    use super::*;
    use crate::gpu::{AdapterDescription, AdapterKind};
    use crate::gpus::{Gpus, OnGpu};
    use crate::names::Shaders;
    use hpfracc_backend::Backend;
    use hpfracc_selector::Place;

    /// Adapters that take part at most: with four backends each, far from the 64 candidates that a
    /// selector takes.
    const ADAPTERS: usize = 12;

    /// Seconds to open a device, which its first plan does: a driver's usual 0.1 to 0.3.
    const OPENING: f64 = 0.15;

    impl Candidates {
        /// The same with the backends of all adapters.
        pub(crate) fn and_gpus(mut self, gpus: &Gpus, disabled: &[Named]) -> Self {
            for (adapter, position) in gpus.listed().into_iter().take(ADAPTERS) {
                for shaders in Shaders::ALL {
                    let backend = OnGpu::new(shaders, false, position, gpus);
                    let name = Backend::<f32>::name(&backend).to_owned();
                    if is_off(shaders, adapter.index, disabled) {
                        self.off.push(name);
                    }
                    let place = place(&adapter, position, gpus);
                    let prior = |per_second| prior(shaders, per_second);
                    let rate = rate(adapter.kind);
                    if adapter.f64 {
                        // Half the rate where double precision is at home; for games, far less.
                        let candidate = Candidate::new(backend.clone(), prior(rate / 8.0));
                        let candidate = candidate.for_kinds(backend.kinds()).on(place.clone());
                        self.double.push(candidate);
                    }
                    let kinds = backend.kinds();
                    self.single
                        .push(Candidate::new(backend, prior(rate)).for_kinds(kinds).on(place));
                }
            }
            self
        }
    }

    /// Whether a name without a position, for all adapters, or the one at this position is listed.
    fn is_off(shaders: Shaders, index: usize, disabled: &[Named]) -> bool {
        [None, Some(index)]
            .into_iter()
            .any(|adapter| disabled.contains(&Named::Gpu { shaders, pairs: false, adapter }))
    }

    /// Products or levels of transforms in a second, by the kind of adapter, once data is there.
    fn rate(kind: AdapterKind) -> f64 {
        match kind {
            AdapterKind::Discrete => 1e11,
            AdapterKind::Software => 3e8,
            _ => 1e10,
        }
    }

    fn prior(shaders: Shaders, per_second: f64) -> Prior {
        let mut prior = match shaders {
            Shaders::Fft => Prior::device_transforms(per_second),
            Shaders::Direct | Shaders::Gemm => Prior::device_sums(per_second),
            Shaders::Recurrence => Prior::device_recurrences(per_second),
        };
        prior.plan.call += OPENING;
        prior
    }

    fn place(adapter: &AdapterDescription, position: Option<usize>, gpus: &Gpus) -> Place {
        let (device, total) = (gpus.device(position), adapter.memory_bytes);
        Place::Device {
            // The position tells apart what drivers name alike.
            name: format!("{} ({})", adapter.name, adapter.index),
            driver: adapter.driver.clone(),
            software: adapter.kind == AdapterKind::Software,
            free: Arc::new(move || device.free_bytes().or(total)),
        }
    }

    /// The place of an adapter whose name nobody has asked for yet.
    pub(super) fn unopened(adapter: Option<usize>, gpus: &Gpus) -> Place {
        let device = gpus.device(adapter);
        Place::Device {
            name: adapter.map_or("best adapter".to_owned(), |index| format!("adapter {index}")),
            driver: "opened when first planned on".to_owned(),
            software: false,
            free: Arc::new(move || device.free_bytes()),
        }
    }
}
