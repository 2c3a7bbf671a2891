//! The serialised form of a recurrence: every number as its bits.

use super::{Before, Recurrence, Start};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Recurrence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Bits::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recurrence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Bits::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bits {
    dt: u64,
    longest: u64,
    relative_error: u64,
    differences: usize,
    held: bool,
    near: Vec<u64>,
    rates: Vec<u64>,
    coefficients: Vec<u64>,
    start: Option<(Vec<u64>, Vec<u64>)>,
}

fn to_bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

fn of_bits(bits: Vec<u64>) -> Vec<f64> {
    bits.into_iter().map(f64::from_bits).collect()
}

impl From<Recurrence> for Bits {
    fn from(of: Recurrence) -> Self {
        Self {
            dt: of.dt.to_bits(),
            longest: of.longest,
            relative_error: of.relative_error.to_bits(),
            differences: of.differences,
            held: of.before == Before::Held,
            near: to_bits(&of.near),
            rates: to_bits(&of.rates),
            coefficients: to_bits(&of.coefficients),
            start: of.start.map(|s| (to_bits(&s.outputs), to_bits(&s.states))),
        }
    }
}

impl TryFrom<Bits> for Recurrence {
    type Error = &'static str;

    fn try_from(bits: Bits) -> Result<Self, &'static str> {
        let start = bits
            .start
            .map(|(outputs, states)| Start { outputs: of_bits(outputs), states: of_bits(states) });
        let of = Self {
            dt: f64::from_bits(bits.dt),
            longest: bits.longest,
            relative_error: f64::from_bits(bits.relative_error),
            differences: bits.differences,
            before: if bits.held { Before::Held } else { Before::Zero },
            near: of_bits(bits.near),
            rates: of_bits(bits.rates),
            coefficients: of_bits(bits.coefficients),
            start,
        };
        let (j, k) = (of.near.len(), of.rates.len());
        let start_fits =
            of.start.as_ref().is_none_or(|s| s.outputs.len() == j && s.states.len() == k);
        let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        let starts = of.start.iter().flat_map(|s| [&s.outputs, &s.states]);
        let numbers = [&of.near, &of.rates, &of.coefficients];
        if j == 0 || k == 0 || of.coefficients.len() != k || !start_fits {
            Err("a recurrence whose parts differ in length")
        } else if !numbers.into_iter().chain(starts).all(|numbers| finite(numbers)) {
            Err("a recurrence with numbers that are not finite")
        } else if !(of.dt.is_finite() && of.dt > 0.0 && of.relative_error >= 0.0) {
            Err("a recurrence with a step that is not positive, or an error below zero")
        } else if of.rates.iter().any(|r| !(0.0..=1.0).contains(r)) || of.differences > 2 {
            Err("a recurrence with a rate outside [0, 1] or with more than two differences")
        } else {
            Ok(of)
        }
    }
}
