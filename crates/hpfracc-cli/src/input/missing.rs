//! Treatment of missing samples.

use std::ops::Range;

/// Treatment of missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "commands", derive(clap::ValueEnum, serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "commands", serde(rename_all = "kebab-case"))]
pub enum Missing {
    /// Report the first one as an error.
    #[default]
    Error,
    /// Fill gaps by linear interpolation.
    Interpolate,
    /// Drop rows at the start and the end.
    Drop,
}

/// Missing samples that the policy does not allow.
#[derive(Debug, PartialEq)]
pub(crate) enum Unfillable {
    /// First missing sample, and their number.
    Refused { point: usize, count: usize },
    /// Missing at an end, without a second neighbour.
    AtEnd { point: usize, end: &'static str },
    /// Missing between samples.
    Inside { point: usize },
}

/// Time series without gaps.
#[derive(Debug, PartialEq)]
pub(crate) struct Filled {
    /// Grid points of the series.
    pub(crate) range: Range<usize>,
    /// Sample at each grid point.
    pub(crate) values: Vec<f64>,
    /// Runs of filled grid points, relative to the start of `range`.
    pub(crate) filled: Vec<Range<usize>>,
}

impl Missing {
    /// Fills or drops missing samples on a grid.
    pub(crate) fn fill(self, samples: &[Option<f64>]) -> Result<Filled, Unfillable> {
        let Some(first_gap) = samples.iter().position(Option::is_none) else {
            let values = samples.iter().flatten().copied().collect();
            return Ok(Filled { range: 0..samples.len(), values, filled: Vec::new() });
        };
        match self {
            Self::Error => {
                let count = samples.iter().filter(|s| s.is_none()).count();
                Err(Unfillable::Refused { point: first_gap, count })
            }
            Self::Interpolate => interpolate(samples),
            Self::Drop => drop_ends(samples),
        }
    }
}

fn interpolate(samples: &[Option<f64>]) -> Result<Filled, Unfillable> {
    let (mut values, mut filled) = (Vec::with_capacity(samples.len()), Vec::new());
    for (point, sample) in samples.iter().enumerate() {
        let Some(here) = *sample else { continue };
        let gap = values.len()..point;
        if !gap.is_empty() {
            let Some(&before) = values.last() else {
                return Err(Unfillable::AtEnd { point: 0, end: "start" });
            };
            let steps = (gap.len() + 1) as f64;
            // Weights that sum to one reproduce equal neighbours exactly.
            values.extend((1..=gap.len()).map(|k| {
                let fraction = k as f64 / steps;
                (1.0 - fraction) * before + fraction * here
            }));
            filled.push(gap);
        }
        values.push(here);
    }
    if values.len() < samples.len() {
        let end = if values.is_empty() { "start" } else { "end" };
        return Err(Unfillable::AtEnd { point: values.len(), end });
    }
    Ok(Filled { range: 0..samples.len(), values, filled })
}

fn drop_ends(samples: &[Option<f64>]) -> Result<Filled, Unfillable> {
    let start = samples.iter().position(Option::is_some).unwrap_or(0);
    let end = samples.iter().rposition(Option::is_some).map_or(start, |last| last + 1);
    if let Some(gap) = samples[start..end].iter().position(Option::is_none) {
        return Err(Unfillable::Inside { point: start + gap });
    }
    let values = samples[start..end].iter().flatten().copied().collect();
    Ok(Filled { range: start..end, values, filled: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: Option<f64> = None;

    #[test]
    fn complete_series_pass_unchanged() {
        for policy in [Missing::Error, Missing::Interpolate, Missing::Drop] {
            let filled_series = policy.fill(&[Some(1.0), Some(4.0)]).unwrap();
            assert_eq!(
                filled_series,
                Filled { range: 0..2, values: vec![1.0, 4.0], filled: vec![] }
            );
        }
    }

    #[test]
    fn interpolates_between_neighbours() {
        let samples = [Some(1.0), GAP, Some(3.0), GAP, GAP, GAP, Some(-1.0)];
        let filled_series = Missing::Interpolate.fill(&samples).unwrap();
        assert_eq!(filled_series.values, [1.0, 2.0, 3.0, 2.0, 1.0, 0.0, -1.0]);
        assert_eq!(filled_series.filled, [1..2, 3..6]);
    }

    #[test]
    fn does_not_extrapolate() {
        let at = |point, end| Err(Unfillable::AtEnd { point, end });
        let fill = |samples: &[_]| Missing::Interpolate.fill(samples);
        assert_eq!(fill(&[GAP, Some(1.0)]), at(0, "start"));
        assert_eq!(fill(&[Some(1.0), GAP, GAP]), at(1, "end"));
        assert_eq!(fill(&[GAP, GAP]), at(0, "start"));
    }

    #[test]
    fn drops_at_the_ends_only() {
        let filled_series = Missing::Drop.fill(&[GAP, Some(1.0), Some(2.0), GAP]).unwrap();
        assert_eq!(filled_series, Filled { range: 1..3, values: vec![1.0, 2.0], filled: vec![] });
        let inside = Missing::Drop.fill(&[GAP, Some(1.0), GAP, Some(2.0)]);
        assert_eq!(inside, Err(Unfillable::Inside { point: 2 }));
        assert_eq!(Missing::Drop.fill(&[GAP, GAP]).unwrap().range, 0..0);
    }

    #[test]
    fn refuses_and_counts() {
        let refused = Missing::Error.fill(&[Some(1.0), GAP, GAP]);
        assert_eq!(refused, Err(Unfillable::Refused { point: 1, count: 2 }));
    }
}
