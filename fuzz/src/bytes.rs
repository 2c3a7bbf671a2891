//! Numbers out of bytes: any bytes are some numbers, and those that make trouble are short to write.

/// Bytes that are taken from the front; after the end there are zeros.
#[derive(Debug, Clone)]
pub struct Bytes<'a>(&'a [u8]);

/// Numbers at which formulas change, end or fail.
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
    /// All of these.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all have been taken.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    /// Eight bytes.
    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// True for every second byte.
    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// A number below `end`, at most 65 536 of them, from two bytes; 0 if there are none below.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(u16::from_le_bytes(self.take())).checked_rem(end).unwrap_or(0)
    }

    /// One of these.
    pub fn one_of<'v, V>(&mut self, values: &'v [V]) -> &'v V {
        &values[self.below(values.len())]
    }

    /// A number of samples or steps: nearly always below `usual`, now and then more than can be addressed.
    /// Numbers between, which are only large, get what they ask for.
    pub fn count(&mut self, usual: usize) -> usize {
        match self.byte() {
            255 => usize::MAX - self.below(3),
            254 => usize::MAX >> (1 + self.byte() % 3),
            _ => self.below(usual),
        }
    }

    /// A number of any kind: one of the awkward ones, a plain one, one of any size, or any bits.
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

    /// So many of them.
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
