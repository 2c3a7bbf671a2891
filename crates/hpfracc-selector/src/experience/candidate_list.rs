//! A selector's candidates without their backends: all that choosing among them needs.

use super::health::Health;
use crate::candidate::Place;
use crate::task::Scalar;
use hpfracc_backend::{Kind, Workload};
use std::sync::Arc;

/// The candidates of one selector, or the methods of one kind of work.
pub(crate) struct CandidateList {
    pub(crate) members: Vec<Member>,
    pub(crate) scalar: Scalar,
}

/// Properties of a candidate that do not depend on the workload.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) health: Arc<Health>,
    /// Its number in the experience.
    pub(crate) id: usize,
    /// The kinds of workload that it has algorithms for; none if that is not known.
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

/// A set of candidates by index: a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CandidateSet(pub(crate) u64);

impl CandidateSet {
    /// Largest number of candidates.
    pub(crate) const CAPACITY: usize = 64;

    pub(crate) fn with(self, i: usize) -> Self {
        Self(self.0 | 1 << i)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// This set, or another one if it is empty.
    pub(crate) fn or_if_empty(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }

    pub(crate) fn has(self, i: usize) -> bool {
        self.0 & (1 << i) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let i = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            Some(i)
        })
    }
}

impl FromIterator<usize> for CandidateSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        indices.into_iter().fold(Self::default(), Self::with)
    }
}

impl CandidateList {
    pub(crate) fn all(&self) -> CandidateSet {
        (0..self.members.len()).collect()
    }

    /// Candidates whose devices may run at this time.
    pub(crate) fn awake(&self, now: u64) -> CandidateSet {
        (0..self.members.len()).filter(|&i| self.members[i].health.may_run(now)).collect()
    }

    /// Candidates that may be chosen for speed: software adapters only if there is nothing else.
    pub(crate) fn hardware(&self, of: CandidateSet) -> CandidateSet {
        let hardware: CandidateSet =
            of.iter().filter(|&i| !self.members[i].is_software()).collect();
        hardware.or_if_empty(of)
    }

    /// The candidate of least cost, software adapters only if there is nothing else.
    pub(crate) fn fastest(&self, of: CandidateSet, cost: impl Fn(usize) -> f64) -> Option<usize> {
        let costs = self.hardware(of).iter().map(|i| (i, cost(i)));
        costs.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(i, _)| i)
    }
}
