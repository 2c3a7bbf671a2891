use crate::candidate::Place;
use crate::experience::Experience;
use crate::health::Health;
use crate::model::Forecast;
use crate::task::{Scalar, Stage};
use hpfracc_backend::{Kind, Workload};
use std::sync::Arc;

/// A selector's candidates without their backends: what choosing among them needs.
pub(crate) struct Roster {
    pub(crate) members: Vec<Member>,
    pub(crate) scalar: Scalar,
    pub(crate) experience: Arc<Experience>,
}

/// What is known of a candidate apart from any workload.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) health: Arc<Health>,
    /// Its number in the experience.
    pub(crate) id: usize,
    /// The kinds of workload that it has algorithms for; all that are known if none are told.
    pub(crate) kinds: Option<Vec<Kind>>,
}

impl Member {
    pub(crate) fn may_take(&self, workload: Workload) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&workload.kind()))
    }

    pub(crate) fn is_software(&self) -> bool {
        matches!(self.place, Place::Device { software: true, .. })
    }
}

/// A set of candidates, by their places in the roster: a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Set(pub(crate) u64);

impl Set {
    /// Candidates at most.
    pub(crate) const CAPACITY: usize = 64;

    pub(crate) fn with(self, i: usize) -> Self {
        Self(self.0 | 1 << i)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn has(self, i: usize) -> bool {
        self.0 & (1 << i) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..Self::CAPACITY).filter(move |&i| self.has(i))
    }
}

impl Roster {
    pub(crate) fn all(&self) -> Set {
        (0..self.members.len()).fold(Set::default(), Set::with)
    }

    /// Those whose devices may run at this time.
    pub(crate) fn awake(&self, now: u64) -> Set {
        let awake = |i: &usize| self.members[*i].health.may_run(now);
        (0..self.members.len()).filter(awake).fold(Set::default(), Set::with)
    }

    /// Those that may be chosen for speed: a processor that plays a device only if nothing else is
    /// left.
    pub(crate) fn hardware(&self, of: Set) -> Set {
        let software = of.iter().filter(|&i| self.members[i].is_software());
        let hardware = of.without(software.fold(Set::default(), Set::with));
        if hardware.is_empty() { of } else { hardware }
    }

    /// What the models say of a candidate, by stage.
    pub(crate) fn forecasts(&self, i: usize, workload: Workload) -> [Forecast; Stage::COUNT] {
        self.experience.forecasts(self.members[i].id, self.scalar, workload)
    }

    /// Bytes that a plan of this candidate may take now, if there is a limit.
    pub(crate) fn memory_limit(&self, i: usize) -> Option<u64> {
        let limits = self.experience.settings().limits;
        match &self.members[i].place {
            Place::Host | Place::Threads(_) => limits.host_bytes,
            Place::Device { free, .. } => {
                free().map(|bytes| (bytes as f64 * limits.device_fraction.clamp(0.0, 1.0)) as u64)
            }
        }
    }
}
