use crate::{BucketCounts, SavedWords};
use hpfracc_types::Real;

/// How often numbers fall into buckets whose width is a given share of the numbers in them.
///
/// A bucket is a sign, an exponent and the leading digits of a mantissa: the number's own bits,
/// shifted. No logarithm is taken, so that every machine counts alike; and counts are whole
/// numbers, so that sketches may be merged in any order. 64 octaves are stored, that of the largest
/// number and those next below it: smaller numbers share a bucket with zero, which bounds the
/// memory, and so do subnormal numbers.
///
/// The idea of buckets of equal relative width: Masson, Rim and Lee, "DDSketch", Proc. VLDB Endow.
/// 12 (2019) 2195, DOI 10.14778/3352063.3352135.
#[derive(Debug, Clone)]
pub struct Sketch {
    /// Digits of the mantissa that tell buckets apart: 2^digits buckets between a number and its
    /// double.
    digits: u32,
    count: u64,
    /// The least and the greatest number, exactly.
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    /// Number of zeros and of numbers below the stored octaves.
    tiny: u64,
    /// Of negative and of positive numbers.
    sides: [Buckets; 2],
}

/// Whole octaves of buckets by magnitude.
#[derive(Debug, Clone, Default)]
struct Buckets {
    /// The key of the first bucket: the bits of a number without its sign, shifted.
    first: u32,
    counts: Vec<u64>,
}

/// Number of stored octaves, from that of the largest number on.
const SPAN: u32 = 64;

/// Digits of a mantissa in double precision.
const MANTISSA: u32 = 52;

impl Sketch {
    /// Of nothing, in buckets of a relative width of 2^-digits; at most 2^-20.
    pub(crate) fn new(digits: u32) -> Self {
        let (least, greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { digits, count: 0, least, greatest, tiny: 0, sides: Default::default() }
    }

    /// Counts numbers, which have to be finite.
    pub(crate) fn record<T: Real>(&mut self, values: &[T]) {
        let Some(&first) = values.first() else { return };
        let (mut least, mut greatest) = (first, first);
        for &x in values {
            least = if x < least { x } else { least };
            greatest = if x > greatest { x } else { greatest };
        }
        self.least = self.least.min(least.widen());
        self.greatest = self.greatest.max(greatest.widen());
        self.count += values.len() as u64;
        for x in values {
            let x = x.widen();
            let side = usize::from(x > 0.0);
            self.add(side, (x.to_bits() << 1 >> (1 + MANTISSA - self.digits)) as u32);
        }
    }

    /// Of numbers that were counted elsewhere, in whole octaves of buckets of this width.
    pub(crate) fn of_counts(digits: u32, counted: &BucketCounts) -> Self {
        let BucketCounts { least, greatest, tiny, first, sides } = counted;
        let all = sides.iter().flatten().sum::<u64>() + tiny;
        let mut sketch = Self {
            count: all,
            least: *least,
            greatest: *greatest,
            tiny: *tiny,
            ..Self::new(digits)
        };
        for (side, counts) in sides.iter().enumerate() {
            let octaves = (first >> digits..).zip(counts.chunks_exact(1 << digits));
            for (octave, counts) in octaves.filter(|(_, counts)| counts.iter().any(|n| *n > 0)) {
                sketch.add_octave(side, octave, counts);
            }
        }
        sketch
    }

    /// Adds the counts of another sketch with buckets of the same width.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.count += other.count;
        self.tiny += other.tiny;
        for (side, buckets) in other.sides.iter().enumerate() {
            let octaves = buckets.counts.chunks_exact(1 << self.digits);
            for (octave, counts) in (buckets.first >> self.digits..).zip(octaves) {
                if counts.iter().any(|count| *count > 0) {
                    self.add_octave(side, octave, counts);
                }
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, side: usize, key: u32) {
        let buckets = &mut self.sides[side];
        match buckets.counts.get_mut(key.wrapping_sub(buckets.first) as usize) {
            Some(count) => *count += 1,
            None => self.add_outside(side, key),
        }
    }

    /// A number of an octave not met before.
    #[cold]
    #[inline(never)]
    fn add_outside(&mut self, side: usize, key: u32) {
        let mut counts = vec![0; 1 << self.digits];
        counts[(key & ((1 << self.digits) - 1)) as usize] = 1;
        self.add_octave(side, key >> self.digits, &counts);
    }

    /// Adds the counts of an octave, with room made for it; to the tiny ones if it is too far down.
    fn add_octave(&mut self, side: usize, octave: u32, counts: &[u64]) {
        let ends = self.sides.iter().map(|b| b.end() >> self.digits);
        let floor = ends.fold(octave + 1, u32::max).saturating_sub(SPAN);
        // The octave 0 has zero, and numbers that have lost digits.
        if octave == 0 || octave < floor {
            self.tiny += counts.iter().sum::<u64>();
            return;
        }
        // Before there is room for the octave, so that there never is room for more than the span.
        self.tiny += self.sides.iter_mut().map(|b| b.cut_below(floor, self.digits)).sum::<u64>();
        let buckets = &mut self.sides[side];
        buckets.widen_to(octave, floor, self.digits);
        let place = ((octave << self.digits) - buckets.first) as usize;
        let counters = buckets.counts[place..].iter_mut();
        counters.zip(counts).for_each(|(counter, count)| *counter += count);
    }

    /// The number below which a share `p` of them lies: between neighbours in order, a line.
    pub(crate) fn quantile(&self, p: f64) -> f64 {
        let rank = p * self.count.saturating_sub(1) as f64;
        let below = self.in_order(rank.floor() as u64);
        let share = rank.fract();
        if share == 0.0 {
            return below;
        }
        let above = self.in_order(rank.floor() as u64 + 1);
        (1.0 - share) * below + share * above
    }

    /// The number at this place in order, from 0, as if those of a bucket were evenly spread.
    fn in_order(&self, place: u64) -> f64 {
        if place == 0 {
            return self.least;
        }
        if place + 1 >= self.count {
            return self.greatest;
        }
        let mut before = 0;
        let [negative, positive] = &self.sides;
        let width = self.digits;
        let negative =
            negative.keyed().rev().map(|(key, n)| (n, -edge(key + 1, width), -edge(key, width)));
        let positive = positive.keyed().map(|(key, n)| (n, edge(key, width), edge(key + 1, width)));
        for (count, from, to) in negative.chain([(self.tiny, 0.0, 0.0)]).chain(positive) {
            if place < before + count {
                let share = ((place - before) as f64 + 0.5) / count as f64;
                return (from + share * (to - from)).clamp(self.least, self.greatest);
            }
            before += count;
        }
        self.greatest
    }

    /// All that it knows, as numbers; [`Sketch::of_words`] reads them.
    pub(crate) fn words(&self, words: &mut Vec<u64>) {
        words.extend([self.count, self.least.to_bits(), self.greatest.to_bits(), self.tiny]);
        for Buckets { first, counts } in &self.sides {
            words.extend([u64::from(*first), counts.len() as u64]);
            words.extend(counts);
        }
    }

    /// `None` for numbers that no sketch has written.
    pub(crate) fn of_words(digits: u32, words: &mut SavedWords<'_>) -> Option<Self> {
        let mut next = || words.next().copied();
        let (count, least, greatest) = (next()?, next()?, next()?);
        let (least, greatest) = (f64::from_bits(least), f64::from_bits(greatest));
        let tiny = next()?;
        let mut sides: [Buckets; 2] = Default::default();
        let mut sum = tiny;
        for side in &mut sides {
            let (first, len) = (u32::try_from(next()?).ok()?, usize::try_from(next()?).ok()?);
            let whole = (first as usize | len).trailing_zeros() >= digits;
            if !whole || first >> digits > 2047 || len >> digits > SPAN as usize {
                return None;
            }
            let counts = (0..len).map(|_| next()).collect::<Option<Vec<_>>>()?;
            sum = counts.iter().try_fold(sum, |sum, count| sum.checked_add(*count))?;
            *side = Buckets { first, counts };
        }
        let ordered = count == 0 || least <= greatest;
        (sum == count && ordered).then_some(Self { digits, count, least, greatest, tiny, sides })
    }
}

impl Buckets {
    /// The key behind the last bucket; 0 if there is none.
    fn end(&self) -> u32 {
        self.first + self.counts.len() as u32
    }

    fn keyed(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        self.counts.iter().enumerate().map(|(i, count)| (self.first + i as u32, *count))
    }

    /// Adds the octaves up or down to this one; downward two more, but none below `floor`.
    fn widen_to(&mut self, octave: u32, floor: u32, digits: u32) {
        let (key, end) = (octave << digits, self.end());
        if self.counts.is_empty() {
            self.first = key;
        }
        if key < self.first {
            let first = octave.saturating_sub(2).max(floor).max(1) << digits;
            let more = (self.first - first) as usize;
            self.counts.reserve_exact(more);
            self.counts.splice(..0, std::iter::repeat_n(0, more));
            self.first = first;
        } else if key >= end {
            let len = (key - self.first) as usize + (1 << digits);
            self.counts.reserve_exact(len - self.counts.len());
            self.counts.resize(len, 0);
        }
    }

    /// Drops the octaves below this one; returns their counts.
    fn cut_below(&mut self, octave: u32, digits: u32) -> u64 {
        let cut = (octave << digits).saturating_sub(self.first) as usize;
        if cut == 0 {
            return 0;
        }
        let counts: u64 = self.counts.drain(..cut.min(self.counts.len())).sum();
        self.first = if self.counts.is_empty() { 0 } else { octave << digits };
        counts
    }
}

/// The least magnitude in a bucket; behind the last one the largest that there is.
fn edge(key: u32, digits: u32) -> f64 {
    f64::from_bits(u64::from(key) << (MANTISSA - digits)).min(f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Normals, Purpose, Stream};

    /// Samples of difficult distributions: of one sign and of two, with zeros, over hundreds of
    /// octaves.
    fn samples() -> Vec<Vec<f64>> {
        let mut z = vec![0.0f64; 20_000];
        let stream = Stream::new(Purpose::Brownian, 0).unwrap();
        Normals::new(3).fill_path(stream, 0, &mut z);
        let of = |f: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
            z.iter().enumerate().map(|(i, z)| f(i, *z)).collect()
        };
        vec![
            of(&|_, z| z),
            of(&|_, z| (0.2 * z).exp()),
            of(&|_, z| -(3.0 * z).exp()),
            of(&|i, z| if i % 3 == 0 { 0.0 } else { z }),
            of(&|_, z| z / (z * z * z).abs().max(1e-9)),
            of(&|_, z| (150.0 * z).exp() * z.signum()),
            of(&|i, _| (i % 7) as f64 - 3.0),
            of(&|_, _| -0.25),
            of(&|_, z| z.signum() * f64::MAX),
            of(&|i, z| if i % 2 == 0 { -f64::MAX * z.abs().min(1.0) } else { f64::MIN_POSITIVE }),
        ]
    }

    /// The exact quantile, and the larger of its neighbours in magnitude.
    fn exact(sorted: &[f64], p: f64) -> (f64, f64) {
        let rank = p * (sorted.len() - 1) as f64;
        let (a, b) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
        let share = rank.fract();
        ((1.0 - share) * a + share * b, a.abs().max(b.abs()))
    }

    #[test]
    fn quantiles_are_those_of_the_sample_within_the_bound() {
        for (distribution, mut sample) in samples().into_iter().enumerate() {
            for digits in [1, 7, 12] {
                let mut sketch = Sketch::new(digits);
                sample.chunks(256).for_each(|chunk| sketch.record(chunk));
                sample.sort_by(f64::total_cmp);
                let largest = sample[0].abs().max(sample[sample.len() - 1].abs());
                for p in [0.0, 1e-4, 0.01, 0.1, 0.333, 0.5, 0.77, 0.9, 0.999, 1.0] {
                    let (exact, magnitude) = exact(&sample, p);
                    let bound = 0.5f64.powi(digits as i32) * magnitude + 0.5f64.powi(63) * largest;
                    let found = sketch.quantile(p);
                    let inside = (found - exact).abs() <= bound;
                    assert!(
                        inside,
                        "distribution {distribution}, {digits} digits, p = {p}: {found} {exact}"
                    );
                }
                assert_eq!((sketch.least, sketch.greatest), (sample[0], sample[sample.len() - 1]));
            }
        }
    }

    /// Merged in either order, in parts of any size, in single precision or double, through words.
    #[test]
    fn how_a_sample_is_divided_makes_no_difference() {
        for sample in samples() {
            let sample: Vec<f32> = sample.iter().map(|x| (*x as f32).clamp(-1e38, 1e38)).collect();
            let all = |sketch: &Sketch| [0.0, 0.02, 0.4, 0.5, 0.7, 1.0].map(|p| sketch.quantile(p));
            let of = |sample: &[f32]| {
                let mut sketch = Sketch::new(7);
                sketch.record(sample);
                sketch
            };
            let whole = of(&sample);
            let wide: Vec<f64> = sample.iter().map(|x| f64::from(*x)).collect();
            let mut in_double = Sketch::new(7);
            in_double.record(&wide);
            let (mut forward, mut backward) = (Sketch::new(7), Sketch::new(7));
            sample.chunks(777).for_each(|part| forward.merge(&of(part)));
            sample.rchunks(1001).for_each(|part| backward.merge(&of(part)));
            let mut words = Vec::new();
            backward.words(&mut words);
            let mut left = words.iter();
            let read = Sketch::of_words(7, &mut left).unwrap();
            assert_eq!(left.len(), 0);
            for sketch in [in_double, forward, backward, read] {
                assert_eq!(all(&sketch), all(&whole));
                assert_eq!(sketch.count, whole.count);
            }
            for cut in [0, 3, words.len() - 1] {
                assert!(Sketch::of_words(7, &mut words[..cut].iter()).is_none());
            }
            words[0] += 1;
            assert!(Sketch::of_words(7, &mut words.iter()).is_none());
        }
    }

    /// However far the numbers reach.
    #[test]
    fn its_size_is_bounded() {
        let mut sketch = Sketch::new(7);
        for exponent in (-300..300).chain((-300..300).rev()) {
            sketch.record(&[10f64.powi(exponent), -(10f64.powi(exponent))]);
        }
        for side in &sketch.sides {
            assert!(side.counts.len() <= 64 << 7, "{}", side.counts.len());
        }
        let kept: u64 = sketch.sides.iter().flat_map(|side| &side.counts).sum();
        assert_eq!(kept + sketch.tiny, 2400);
        assert!(sketch.quantile(0.5).abs() <= 1e299 * 0.5f64.powi(63));

        let mut sketch = Sketch::new(7);
        [1e-300, 1e300, -1e-300, -1e300].iter().for_each(|x| sketch.record(&[*x]));
        for side in &sketch.sides {
            assert!(side.counts.capacity() <= 64 << 7, "{}", side.counts.capacity());
        }
    }
}
