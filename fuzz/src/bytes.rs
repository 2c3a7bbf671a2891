//! Conversion of arbitrary bytes to numbers, with short encodings of special values.

/// Reader of bytes; after the end it returns zeros.
#[derive(Debug, Clone)]
pub struct Bytes<'a>(&'a [u8]);

/// Special values: limits of formulas and of the number format.
const SPECIAL: [f64; 32] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    1.0 + f64::EPSILON,
    2.0 - f64::EPSILON,
    2.0 + 2.0 * f64::EPSILON,
    1e-300,
    1e300,
    1e-20,
    1e20,
    1e15,
    9_007_199_254_740_993.0,
    std::f64::consts::PI,
    -std::f64::consts::E,
    0.999_999,
    20.0,
    170.7,
    -0.5,
];

impl<'a> Bytes<'a> {
    /// Reader of a slice.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads all remaining bytes.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// Reads a byte.
    pub fn byte(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    /// Reads eight bytes.
    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// Reads a flag from the parity of a byte.
    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// Reads a number below `end` and 65 536 from two bytes; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(u16::from_le_bytes(self.take())).checked_rem(end).unwrap_or(0)
    }

    /// Reads a choice among values.
    pub fn one_of<'v, V>(&mut self, values: &'v [V]) -> &'v V {
        &values[self.below(values.len())]
    }

    /// Reads a number of samples or steps: nearly always below `end`, rarely more than can be
    /// addressed. Large numbers between would be valid, and too slow.
    pub fn count(&mut self, end: usize) -> usize {
        match self.byte() {
            255 => usize::MAX - self.below(3),
            254 => usize::MAX >> (1 + self.byte() % 3),
            _ => self.below(end),
        }
    }

    /// Reads a number: a special value, a number of moderate size, one of any magnitude, or any bits.
    pub fn real(&mut self) -> f64 {
        match self.byte() {
            kind @ 0..32 => SPECIAL[usize::from(kind)],
            32..96 => f64::from(i16::from_le_bytes(self.take())) / 256.0,
            96..176 => f64::from(u16::from_le_bytes(self.take())) / 65_536.0,
            176..216 => {
                let [digits, exponent] = self.take();
                (1.0 + f64::from(digits) / 256.0) * 10f64.powi(i32::from(exponent.cast_signed()))
            }
            _ => f64::from_bits(self.word()),
        }
    }

    /// Reads `count` numbers.
    pub fn reals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.real()).collect()
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_at(N.min(self.0.len()));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_numbers_and_no_bytes_are_zeros() {
        let mut bytes = Bytes::new(&[7, 32, 0, 1, 96, 0, 128, 255]);
        assert!(bytes.real().is_nan());
        assert_eq!((bytes.real(), bytes.real()), (1.0, 0.5));
        assert_eq!(bytes.real().to_bits(), 0);
        assert!(bytes.is_empty());
        assert_eq!((bytes.real(), bytes.word(), bytes.below(7), bytes.below(0)), (0.0, 0, 0, 0));
        assert_eq!(Bytes::new(&[255]).count(10), usize::MAX);
        assert_eq!(Bytes::new(&[0, 23, 0]).count(10), 3);
    }
}
