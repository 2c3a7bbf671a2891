//! What becomes of samples that are not there.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What to do with missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Refuse the record and name the first one.
    #[default]
    Error,
    /// Fill gaps linearly between their neighbours.
    Interpolate,
    /// Drop rows at the start and at the end.
    Drop,
}

/// A run of missing samples that cannot be settled.
#[derive(Debug, PartialEq)]
pub(crate) enum Unsettled {
    /// The first of them, and how many there are.
    Refused { point: usize, count: usize },
    /// No neighbour on this side.
    AtEnd { point: usize, end: &'static str },
    /// Neither at the start nor at the end.
    Inside { point: usize },
}

/// Samples without holes.
#[derive(Debug, PartialEq)]
pub(crate) struct Settled {
    /// The grid points kept.
    pub(crate) kept: Range<usize>,
    /// The sample at each of them.
    pub(crate) values: Vec<f64>,
    /// Runs of grid points that were filled, counted from the first one kept.
    pub(crate) filled: Vec<Range<usize>>,
}

impl Missing {
    /// Settles the holes of a record on a grid.
    pub(crate) fn settle(self, samples: &[Option<f64>]) -> Result<Settled, Unsettled> {
        let Some(first_hole) = samples.iter().position(Option::is_none) else {
            let values = samples.iter().flatten().copied().collect();
            return Ok(Settled { kept: 0..samples.len(), values, filled: Vec::new() });
        };
        match self {
            Self::Error => {
                let count = samples.iter().filter(|s| s.is_none()).count();
                Err(Unsettled::Refused { point: first_hole, count })
            }
            Self::Interpolate => interpolate(samples),
            Self::Drop => drop_ends(samples),
        }
    }
}

fn interpolate(samples: &[Option<f64>]) -> Result<Settled, Unsettled> {
    let (mut values, mut filled) = (Vec::with_capacity(samples.len()), Vec::new());
    for (point, sample) in samples.iter().enumerate() {
        let Some(here) = *sample else { continue };
        let hole = values.len()..point;
        if !hole.is_empty() {
            let Some(&before) = values.last() else {
                return Err(Unsettled::AtEnd { point: 0, end: "start" });
            };
            let steps = (hole.len() + 1) as f64;
            // Weights that sum to one, so that two equal neighbours give their own value.
            values.extend((1..=hole.len()).map(|k| {
                let part = k as f64 / steps;
                (1.0 - part) * before + part * here
            }));
            filled.push(hole);
        }
        values.push(here);
    }
    if values.len() < samples.len() {
        let end = if values.is_empty() { "start" } else { "end" };
        return Err(Unsettled::AtEnd { point: values.len(), end });
    }
    Ok(Settled { kept: 0..samples.len(), values, filled })
}

fn drop_ends(samples: &[Option<f64>]) -> Result<Settled, Unsettled> {
    let start = samples.iter().position(Option::is_some).unwrap_or(0);
    let end = samples.iter().rposition(Option::is_some).map_or(start, |last| last + 1);
    if let Some(hole) = samples[start..end].iter().position(Option::is_none) {
        return Err(Unsettled::Inside { point: start + hole });
    }
    let values = samples[start..end].iter().flatten().copied().collect();
    Ok(Settled { kept: start..end, values, filled: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLE: Option<f64> = None;

    #[test]
    fn whole_records_pass_unchanged() {
        for policy in [Missing::Error, Missing::Interpolate, Missing::Drop] {
            let settled = policy.settle(&[Some(1.0), Some(4.0)]).unwrap();
            assert_eq!(settled, Settled { kept: 0..2, values: vec![1.0, 4.0], filled: vec![] });
        }
    }

    #[test]
    fn interpolates_between_neighbours() {
        let samples = [Some(1.0), HOLE, Some(3.0), HOLE, HOLE, HOLE, Some(-1.0)];
        let settled = Missing::Interpolate.settle(&samples).unwrap();
        assert_eq!(settled.values, [1.0, 2.0, 3.0, 2.0, 1.0, 0.0, -1.0]);
        assert_eq!(settled.filled, [1..2, 3..6]);
    }

    #[test]
    fn does_not_extrapolate() {
        let at = |point, end| Err(Unsettled::AtEnd { point, end });
        let settle = |samples: &[_]| Missing::Interpolate.settle(samples);
        assert_eq!(settle(&[HOLE, Some(1.0)]), at(0, "start"));
        assert_eq!(settle(&[Some(1.0), HOLE, HOLE]), at(1, "end"));
        assert_eq!(settle(&[HOLE, HOLE]), at(0, "start"));
    }

    #[test]
    fn drops_at_the_ends_only() {
        let settled = Missing::Drop.settle(&[HOLE, Some(1.0), Some(2.0), HOLE]).unwrap();
        assert_eq!(settled, Settled { kept: 1..3, values: vec![1.0, 2.0], filled: vec![] });
        let inside = Missing::Drop.settle(&[HOLE, Some(1.0), HOLE, Some(2.0)]);
        assert_eq!(inside, Err(Unsettled::Inside { point: 2 }));
        assert_eq!(Missing::Drop.settle(&[HOLE, HOLE]).unwrap().kept, 0..0);
    }

    #[test]
    fn refuses_and_counts() {
        let refused = Missing::Error.settle(&[Some(1.0), HOLE, HOLE]);
        assert_eq!(refused, Err(Unsettled::Refused { point: 1, count: 2 }));
    }
}
