//! The timings of a wisdom file: of backends, and of methods.

use crate::cost::features::Counts;
use crate::cost::model::Reading;
use crate::error::WisdomError;
use crate::task::{Scalar, Stage, WorkSizes};
use hpfracc_backend::Workload;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

/// A timing of a backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry<'a> {
    #[serde(borrow)]
    pub(super) candidate: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) place: Cow<'a, str>,
    pub(super) scalar: Scalar,
    pub(super) workload: Workload,
    pub(super) stage: Stage,
    pub(super) seconds: f64,
    pub(super) executions: u64,
    /// Date, in seconds since 1970.
    pub(super) at: u64,
}

/// A timing of a method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodEntry<'a> {
    #[serde(borrow)]
    pub(super) method: Cow<'a, str>,
    pub(super) scalar: Scalar,
    pub(super) work: WorkSizes,
    /// Counts of the terms of its cost.
    pub(super) counts: Counts,
    pub(super) seconds: f64,
    pub(super) executions: u64,
    /// Date, in seconds since 1970.
    pub(super) at: u64,
}

/// A timing with its keys.
pub(super) trait Timing {
    /// What was timed.
    fn key(&self) -> impl Hash + Eq;
    /// The model that learns from it.
    fn model(&self) -> impl Hash + Eq;
    fn reading(&self) -> Reading;
}

impl Timing for Entry<'_> {
    fn key(&self) -> impl Hash + Eq {
        (&self.candidate, &self.place, self.scalar, self.workload, self.stage)
    }

    fn model(&self) -> impl Hash + Eq {
        // Both directions share a model.
        let stage = (!self.stage.is_application()).then_some(self.stage);
        (&self.candidate, &self.place, self.scalar, self.workload.kind(), stage)
    }

    fn reading(&self) -> Reading {
        Reading { log: self.seconds.ln(), executions: self.executions, at: self.at }
    }
}

impl Timing for MethodEntry<'_> {
    fn key(&self) -> impl Hash + Eq {
        (&self.method, self.scalar, &self.work)
    }

    fn model(&self) -> impl Hash + Eq {
        (&self.method, self.scalar, &self.work.name)
    }

    fn reading(&self) -> Reading {
        Reading { log: self.seconds.ln(), executions: self.executions, at: self.at }
    }
}

/// Tolerance for a clock that is wrong, in seconds.
const DAY: u64 = 86_400;

impl Entry<'_> {
    /// Refuses a timing that no execution can have.
    pub(super) fn check(&self, index: usize, now: u64) -> Result<(), WisdomError> {
        if let Err(error) = self.workload.check() {
            return Err(WisdomError::Entry { index, reason: error.to_string() });
        }
        check(self.seconds, &self.reading(), (index, now))
    }
}

impl MethodEntry<'_> {
    /// Refuses a timing that no execution can have.
    pub(super) fn check(&self, index: usize, now: u64) -> Result<(), WisdomError> {
        if let Some(count) = self.counts.iter().find(|count| !(0.0..=1e300).contains(*count)) {
            let reason = format!("a count of {count}");
            return Err(WisdomError::Entry { index, reason });
        }
        check(self.seconds, &self.reading(), (index, now))
    }
}

fn check(seconds: f64, reading: &Reading, (index, now): (usize, u64)) -> Result<(), WisdomError> {
    let refuse = |reason: String| Err(WisdomError::Entry { index, reason });
    if !(1e-12..1e9).contains(&seconds) {
        return refuse(format!("a time of {seconds} s"));
    }
    if reading.executions == 0 {
        return refuse("it has no executions".to_owned());
    }
    if reading.at > now.saturating_add(DAY) {
        return refuse(format!("its date is {} s in the future", reading.at - now));
    }
    Ok(())
}

/// Removes all but the newest `each` timings of each model.
pub(super) fn keep_newest<E: Timing>(entries: &mut Vec<E>, each: usize) {
    let mut newest: Vec<usize> = (0..entries.len()).collect();
    newest.sort_by_key(|&i| Reverse(entries[i].reading().at));
    let mut counts = HashMap::new();
    let mut keep = vec![false; newest.len()];
    for i in newest {
        let count = counts.entry(entries[i].model()).or_insert(0);
        *count += 1;
        keep[i] = *count <= each;
    }
    drop(counts);
    let mut keep = keep.into_iter();
    entries.retain(|_| keep.next() == Some(true));
}

/// Adds the timings of another file for the same machine that are later or the only ones.
pub(super) fn merge<E: Timing>(entries: &mut Vec<E>, others: Vec<E>) {
    let both = || entries.iter().chain(&others).enumerate();
    let mut latest = HashMap::new();
    for (i, entry) in both() {
        let at = entry.reading().at;
        let known = latest.entry(entry.key()).or_insert((at, i));
        if known.0 < at {
            *known = (at, i);
        }
    }
    let mut keep = vec![false; both().count()];
    latest.into_values().for_each(|(_, i)| keep[i] = true);
    let mut keep = keep.into_iter();
    let mut keep = |_: &E| keep.next() == Some(true);
    entries.retain(&mut keep);
    entries.extend(others.into_iter().filter(keep));
}
