use crate::Scalar;
use crate::kernels::vectorised;
use serde::{Deserialize, Serialize};

/// Storage precision. Computation is in the scalar that the numbers are read into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// The precision of the scalar.
    #[default]
    Full,
    /// bfloat16: the range of `f32` with 8 significant bits, a relative error of at most 2^-9. Half
    /// the memory of `f32`, a quarter of that of `f64`.
    ///
    /// Rounded to nearest, ties to even, from `f32`; numbers outside the range of `f32` become
    /// infinite, NaN stays NaN.
    Bf16,
}

/// Vector of numbers stored in a [`Precision`], read and written in parts.
///
/// [`Supervised`](crate::Supervised) stores its data in it. Rows that layers save for the backward
/// pass have full precision.
///
/// ```
/// use hpfracc_nn::{Precision, CompactVec};
///
/// let mut store = CompactVec::new(Precision::Bf16, 4);
/// store.write(1, &[1.0f32, std::f32::consts::PI]);
/// let mut numbers = [0.0; 3];
/// store.read(0, &mut numbers);
/// assert_eq!(numbers, [0.0, 1.0, 3.140625]);
/// assert_eq!(store.bytes(), 8);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CompactVec<T>(Held<T>);

#[derive(Debug, Clone, PartialEq)]
enum Held<T> {
    Full(Vec<T>),
    Bf16(Vec<u16>),
}

impl<T: Scalar> CompactVec<T> {
    /// A vector of `len` zeros.
    pub fn new(precision: Precision, len: usize) -> Self {
        Self(match precision {
            Precision::Full => Held::Full(vec![T::zero(); len]),
            Precision::Bf16 => Held::Bf16(vec![0; len]),
        })
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        match &self.0 {
            Held::Full(held) => held.len(),
            Held::Bf16(held) => held.len(),
        }
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory of the elements in bytes.
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Held::Full(held) => size_of_val(held.as_slice()),
            Held::Bf16(held) => size_of_val(held.as_slice()),
        }
    }

    /// Overwrites elements from `at` on.
    pub fn write(&mut self, at: usize, numbers: &[T]) {
        match &mut self.0 {
            Held::Full(held) => held[at..][..numbers.len()].copy_from_slice(numbers),
            Held::Bf16(held) => {
                round_all(numbers, &mut held[at..][..numbers.len()]);
            }
        }
    }

    /// Reads elements from `at` on.
    #[inline]
    pub fn read(&self, at: usize, numbers: &mut [T]) {
        match &self.0 {
            Held::Full(held) => numbers.copy_from_slice(&held[at..][..numbers.len()]),
            Held::Bf16(held) => {
                let held = &held[at..][..numbers.len()];
                numbers.iter_mut().zip(held).for_each(|(x, bits)| *x = widen(*bits));
            }
        }
    }
}

vectorised! {
    fn round_all<'a, T>(numbers: &'a [T], held: &'a mut [u16]) {
        held.iter_mut().zip(numbers).for_each(|(bits, x)| *bits = round(*x));
    }
}

#[inline(always)]
fn round<T: Scalar>(x: T) -> u16 {
    let bits = (x.widen() as f32).to_bits();
    // Half of the last remaining bit, less one if that bit is 0: ties to even.
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
    let nan = bits & 0x7fff_ffff > 0x7f80_0000;
    // NaN with all its bits in the discarded half would become infinite.
    ((if nan { bits | 0x0040_0000 } else { rounded }) >> 16) as u16
}

#[inline(always)]
fn widen<T: Scalar>(bits: u16) -> T {
    T::narrow(f64::from(f32::from_bits(u32::from(bits) << 16)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding to nearest for all exponents, ties to even, and special values.
    #[test]
    fn nearest() {
        for high in 0..=u16::MAX {
            let here: f64 = widen(high);
            for low in [0u32, 1, 0x7fff, 0x8000, 0x8001, 0xffff] {
                let x = f32::from_bits(u32::from(high) << 16 | low);
                let found = round(x);
                if x.is_nan() {
                    assert!(widen::<f32>(found).is_nan(), "{x:?}");
                    continue;
                }
                let up = low > 0x8000 || low == 0x8000 && high & 1 == 1;
                let expected = if up { high + 1 } else { high };
                assert_eq!(found, expected, "{x:e} {here:e}");
            }
        }
        assert_eq!(round(1e300f64), round(f32::INFINITY));
        assert_eq!(round(-0.0f32), 0x8000);
    }

    #[test]
    fn parts() {
        let numbers: Vec<f64> = (0..100).map(|i| f64::from(i) - 50.0).collect();
        for precision in [Precision::Full, Precision::Bf16] {
            let mut store = CompactVec::new(precision, 110);
            store.write(7, &numbers);
            let mut all = vec![1.0; 110];
            store.read(0, &mut all);
            assert_eq!(all[7..107], numbers);
            assert_eq!((all[6], all[107], store.len()), (0.0, 0.0, 110));
            let expected = if precision == Precision::Full { 8 } else { 2 };
            assert_eq!(store.bytes(), 110 * expected);
        }
        assert_eq!(CompactVec::<f64>::new(Precision::Full, 3).bytes(), 24);
    }
}
