//! Values of parameters at which a search for a start begins.

use crate::FitError;
use crate::data::{Reader, ReaderColumns};
use crate::model::{Declared, Grid};
use crate::{Set, parameters::Parameters};
use std::ops::Range;

/// Values in a decade of a scale, the fewest and the most of a scale, and those between two bounds.
const PER_DECADE: f64 = 1.5;
const COUNTS: Range<usize> = 3..13;
const BETWEEN_BOUNDS: usize = 5;
/// Ratio of positive bounds from which values between them have equal ratios.
const WIDE: f64 = 100.0;

/// Values of a parameter, ascending.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    pub(super) values: Vec<f64>,
    /// Whether relative sizes matter.
    ratios: bool,
}

impl Values {
    /// These values.
    pub(super) fn of(values: Vec<f64>) -> Self {
        Self { values, ratios: false }
    }

    /// Value at a share of the range.
    pub(super) fn at(&self, share: f64) -> f64 {
        let (low, high) = (self.values[0], self.values[self.values.len() - 1]);
        if self.ratios { low * (high / low).powf(share) } else { low + (high - low) * share }
    }
}

/// Values of a parameter for these data: those of the grid of its model within its bounds, or values between finite
/// bounds. None if it has neither, or if its grid has no values for the data.
pub(super) fn values(
    sets: &[Set<'_>],
    parameters: &Parameters,
    k: usize,
) -> Result<Option<Values>, FitError> {
    let declared = &parameters.all[k].declared;
    let (lower, upper) = (declared.lower, declared.upper);
    let Some(grid) = &declared.grid else { return Ok(between(declared)) };
    let found = match grid {
        Grid::Values(values) => Some(Values::of(values.clone())),
        Grid::Like { input } => of_range(sets, parameters, k, |x, _| x[*input])?,
        Grid::Inverse { input } => of_range(sets, parameters, k, |x, _| 1.0 / x[*input])?,
        Grid::Powers { factor, input, power, response_power } => {
            let of = |x: &[f64], size: f64| {
                let of_input = if *power == 0.0 { 1.0 } else { x[*input].powf(*power) };
                let of_size = if *response_power == 0.0 { 1.0 } else { size.powf(*response_power) };
                factor * of_input * of_size
            };
            of_range(sets, parameters, k, of)?
        }
    };
    Ok(found.map(|Values { mut values, ratios }| {
        values.sort_by(f64::total_cmp);
        let inside = |value: &&f64| lower <= **value && **value <= upper;
        let kept: Vec<f64> = values.iter().filter(inside).copied().collect();
        // A grid outside of the bounds: the bound next to it.
        let nearest = || vec![values[0].max(lower).min(upper)];
        Values { values: if kept.is_empty() { nearest() } else { kept }, ratios }
    }))
}

/// Values between two finite bounds.
fn between(declared: &Declared) -> Option<Values> {
    let (lower, upper) = (declared.lower, declared.upper);
    if !(lower.is_finite() && upper.is_finite()) {
        return None;
    }
    let ratios = lower >= f64::MIN_POSITIVE && upper >= WIDE * lower;
    let range = Values { values: vec![lower, upper], ratios };
    let share = |k: usize| (k as f64 + 0.5) / BETWEEN_BOUNDS as f64;
    let values = (0..BETWEEN_BOUNDS).map(|k| range.at(share(k))).collect();
    Some(Values { values, ratios })
}

/// Equal ratios over the range of a function of the inputs and of the norm of the responses, where it is positive and finite, in
/// all sets with the parameter.
fn of_range(
    sets: &[Set<'_>],
    parameters: &Parameters,
    k: usize,
    of: impl Fn(&[f64], f64) -> f64,
) -> Result<Option<Values>, FitError> {
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for (set, _) in sets.iter().zip(&parameters.of_sets).filter(|(_, of)| of.contains(&k)) {
        let rows = set.rows();
        let mut columns = ReaderColumns::default();
        let mut reader = Reader::new(set, rows, &mut columns);
        reader.read(0..rows)?;
        let mut x = vec![0.0; set.inputs.len()];
        for row in 0..rows {
            let column = |values| <[f64]>::iter(values).skip(row).step_by(rows);
            x.iter_mut().zip(column(reader.inputs())).for_each(|(x, input)| *x = *input);
            let size = column(reader.responses()).map(|y| y * y).sum::<f64>().sqrt();
            let value = of(&x, size);
            if value > 0.0 && value.is_finite() {
                (low, high) = (low.min(value), high.max(value));
            }
        }
    }
    if high == 0.0 {
        return Ok(None);
    }
    let range = Values { values: vec![low, high], ratios: true };
    let count = (PER_DECADE * (high / low).log10()).ceil() as usize + 1;
    let count = count.clamp(COUNTS.start, COUNTS.end);
    let values = (0..count).map(|k| range.at(k as f64 / (count - 1) as f64)).collect();
    Ok(Some(Values { values: if low == high { vec![low] } else { values }, ratios: true }))
}
