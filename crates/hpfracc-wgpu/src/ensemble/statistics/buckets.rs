//! Buckets of the numbers of an observable.

use super::blocks::Extremes;
use super::request::NumberCounts;

/// Number of octaves with buckets, from that of the largest number on.
const OCTAVES: u32 = 64;

/// Digits of a mantissa in double precision.
const MANTISSA: u32 = 52;

/// Buckets of an observable among all counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    extremes: Extremes,
    /// Key of the first bucket.
    first: u32,
    /// Number of buckets of negative and of positive numbers.
    buckets: [u32; 2],
    /// Place of the count of tiny numbers.
    offset: u32,
}

impl Window {
    /// Whole octaves from the least magnitude to the largest one, 64 at most, with counts from `offset` on.
    pub(super) fn of(extremes: Extremes, digits: u32, offset: u32) -> Self {
        let last = octave(extremes.largest());
        let lowest = extremes.magnitude.map_or(last, octave);
        // A number in octave 0 is zero.
        let first = lowest.max((last + 1).saturating_sub(OCTAVES)).max(1);
        let buckets = (last + 1).saturating_sub(first) << digits;
        let has = [extremes.least >> 31 == 1, extremes.greatest >> 31 == 0];
        let buckets = has.map(|has| if has { buckets } else { 0 });
        Self { extremes, first: first << digits, buckets, offset }
    }

    /// Number of counts.
    pub(super) fn counts(&self) -> u32 {
        1 + self.buckets[0] + self.buckets[1]
    }

    /// Words for the shader.
    pub(super) fn words(&self) -> [u32; 4] {
        let [negative, positive] = self.buckets;
        [self.first, negative.max(positive), self.offset, self.offset + 1 + negative]
    }

    /// The counts of the observable among all.
    pub(super) fn counted(&self, counts: &[u32]) -> NumberCounts {
        let of = &counts[self.offset as usize..][..self.counts() as usize];
        let (negative, positive) = of[1..].split_at(self.buckets[0] as usize);
        NumberCounts {
            least: f32::from_bits(self.extremes.least),
            greatest: f32::from_bits(self.extremes.greatest),
            tiny: of[0],
            first: self.first,
            sides: [negative.to_vec(), positive.to_vec()],
        }
    }
}

/// Exponent in double precision of a magnitude in single precision.
fn octave(magnitude: u32) -> u32 {
    let wide = f64::from(f32::from_bits(magnitude)).to_bits();
    (wide >> MANTISSA) as u32
}
