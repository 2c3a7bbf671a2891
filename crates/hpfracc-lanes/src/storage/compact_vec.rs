use super::float16::{from_bfloat16, from_float16, to_bfloat16, to_float16};
use super::{Storage, StorageOverflow};
use crate::vectorised;
use hpfracc_types::Real;
use pulp::Arch;

/// Vector of numbers stored in a [`Storage`], read and written in parts.
///
/// ```
/// use hpfracc_lanes::{CompactVec, Storage};
///
/// let mut store = CompactVec::new(Storage::BFloat16, 4);
/// store.write(1, &[1.0f32, std::f32::consts::PI]);
/// let mut numbers = [0.0; 3];
/// store.read(0, &mut numbers);
/// assert_eq!(numbers, [0.0, 1.0, 3.140625]);
/// assert_eq!(store.bytes(), 8);
///
/// let mut store = CompactVec::new(Storage::Float16, 2);
/// store.write(0, &[1.0, 70000.0]);
/// let overflow = store.overflow().unwrap();
/// assert_eq!((overflow.index, overflow.value), (1, 70000.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CompactVec<T> {
    /// Numbers in full precision; empty in other formats.
    full: Vec<T>,
    /// Bits of the numbers in 16-bit formats.
    bits: Vec<u16>,
    storage: Storage,
    overflow: Option<StorageOverflow>,
}

impl<T> Default for CompactVec<T> {
    fn default() -> Self {
        Self { full: Vec::new(), bits: Vec::new(), storage: Storage::Full, overflow: None }
    }
}

impl<T: Real> CompactVec<T> {
    /// A vector of these numbers; in full precision it takes their memory.
    pub fn of(storage: Storage, numbers: Vec<T>) -> Self {
        if storage == Storage::Full {
            return Self { full: numbers, ..Self::default() };
        }
        let mut store = Self::new(storage, numbers.len());
        store.write(0, &numbers);
        store
    }

    /// A vector of `len` zeros.
    pub fn new(storage: Storage, len: usize) -> Self {
        let mut store = Self::default();
        store.reset(storage, len);
        store
    }

    /// Makes this a vector of `len` numbers, in its own memory: zeros, or any that it had. Clears
    /// the [overflow](Self::overflow).
    pub fn reset(&mut self, storage: Storage, len: usize) {
        let full = storage == Storage::Full;
        self.full.resize(if full { len } else { 0 }, T::zero());
        self.bits.resize(if full { 0 } else { len }, 0);
        (self.storage, self.overflow) = (storage, None);
    }

    /// Makes this an empty vector with memory for `len` numbers.
    pub fn clear(&mut self, storage: Storage, len: usize) {
        self.full.clear();
        self.bits.clear();
        (self.storage, self.overflow) = (storage, None);
        match storage {
            Storage::Full => self.full.reserve(len),
            _ => self.bits.reserve(len),
        }
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.full.len() + self.bits.len()
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The format of the elements.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// Memory of the elements in bytes.
    pub fn bytes(&self) -> usize {
        self.len() * self.storage.bytes::<T>()
    }

    /// The first finite number that was written since the last [`reset`](Self::reset) and is beyond
    /// the largest number of the format; it is stored as infinite.
    pub fn overflow(&self) -> Option<StorageOverflow> {
        self.overflow
    }

    /// Overwrites elements from `at` on.
    pub fn write(&mut self, at: usize, numbers: &[T]) {
        if self.storage == Storage::Full {
            self.full[at..][..numbers.len()].copy_from_slice(numbers);
            return;
        }
        let (storage, bits) = (self.storage, &mut self.bits[at..][..numbers.len()]);
        let beyond = vectorised(
            Arch::new(),
            #[inline(always)]
            || round(storage, numbers, bits),
        );
        if beyond && self.overflow.is_none() {
            let infinite = |x: &T| x.widen().abs() > storage.largest() && x.widen().is_finite();
            // The last numbers that round down to the largest one are beyond it, but no overflow.
            let found = numbers.iter().zip(&*bits).position(|(x, bits)| {
                infinite(x) && !widen::<T>(storage, *bits).widen().is_finite()
            });
            self.overflow = found.map(|index| {
                let value = numbers[index].widen();
                StorageOverflow { index: at + index, value, storage }
            });
        }
    }

    /// Reads elements from `at` on.
    pub fn read(&self, at: usize, numbers: &mut [T]) {
        if self.storage == Storage::Full {
            numbers.copy_from_slice(&self.full[at..][..numbers.len()]);
            return;
        }
        vectorised(
            Arch::new(),
            #[inline(always)]
            || self.read_lanes(at, numbers),
        );
    }

    /// All elements: the stored ones in full precision, others widened into `buffer`.
    pub fn widened<'a>(&'a self, buffer: &'a mut Vec<T>) -> &'a [T] {
        if self.storage == Storage::Full {
            return &self.full;
        }
        buffer.resize(self.len(), T::zero());
        self.read(0, buffer);
        buffer
    }

    /// Appends numbers; those beyond the largest number of the format become infinite. To be called
    /// in code compiled for an instruction set.
    #[inline(always)]
    pub(crate) fn append(&mut self, numbers: &[T]) {
        if self.storage == Storage::Full {
            self.full.extend_from_slice(numbers);
            return;
        }
        let len = self.bits.len();
        self.bits.resize(len + numbers.len(), 0);
        round(self.storage, numbers, &mut self.bits[len..]);
    }

    /// [`read`](Self::read) in code compiled for an instruction set.
    #[inline(always)]
    pub(crate) fn read_lanes(&self, at: usize, numbers: &mut [T]) {
        let len = numbers.len();
        match self.storage {
            Storage::Full => numbers.copy_from_slice(&self.full[at..][..len]),
            Storage::BFloat16 => {
                let pairs = numbers.iter_mut().zip(&self.bits[at..][..len]);
                pairs.for_each(|(x, bits)| *x = from_bfloat16(*bits));
            }
            Storage::Float16 => {
                let pairs = numbers.iter_mut().zip(&self.bits[at..][..len]);
                pairs.for_each(|(x, bits)| *x = from_float16(*bits));
            }
        }
    }
}

/// Writes the bits of numbers in a 16-bit format; true if a finite one became infinite.
#[inline(always)]
fn round<T: Real>(storage: Storage, numbers: &[T], bits: &mut [u16]) -> bool {
    if storage == Storage::Float16 {
        round_all(numbers, bits, 0x7c00, to_float16)
    } else {
        round_all(numbers, bits, 0x7f80, to_bfloat16)
    }
}

#[inline(always)]
fn round_all<T: Real>(
    numbers: &[T],
    bits: &mut [u16],
    infinite: u16,
    to_bits: impl Fn(T) -> u16,
) -> bool {
    let mut beyond = false;
    for (bits, x) in bits.iter_mut().zip(numbers) {
        *bits = to_bits(*x);
        beyond |= *bits & 0x7fff == infinite && x.widen().is_finite();
    }
    beyond
}

fn widen<T: Real>(storage: Storage, bits: u16) -> T {
    if storage == Storage::Float16 { from_float16(bits) } else { from_bfloat16(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let numbers: Vec<f64> = (0..100).map(|i| f64::from(i) - 50.0).collect();
        for storage in [Storage::Full, Storage::BFloat16, Storage::Float16] {
            let mut store = CompactVec::new(storage, 110);
            store.write(7, &numbers);
            let mut all = vec![1.0; 110];
            store.read(0, &mut all);
            assert_eq!(store.widened(&mut Vec::new()), all);
            assert_eq!(CompactVec::of(storage, all.clone()), store);
            assert_eq!(all[7..107], numbers);
            assert_eq!((all[6], all[107], store.len()), (0.0, 0.0, 110));
            assert_eq!(store.bytes(), 110 * storage.bytes::<f64>());
            assert_eq!(store.overflow(), None);
            store.clear(storage, 9);
            (0..3).for_each(|i| store.append(&numbers[i..i + 3]));
            let mut all = vec![1.0; 9];
            store.read(0, &mut all);
            assert_eq!((all[5], store.len()), (-47.0, 9));
        }
        assert_eq!(CompactVec::<f64>::new(Storage::Full, 3).bytes(), 24);
    }

    /// Finite numbers that become infinite are reported, the first one only; infinite ones are not.
    #[test]
    fn overflow() {
        let limits = [(Storage::Float16, 65519.996), (Storage::BFloat16, 3.3961e38)];
        for (storage, fits) in limits {
            let mut store = CompactVec::new(storage, 4);
            store.write(0, &[fits, -fits, f64::INFINITY, f64::NAN]);
            assert_eq!(store.overflow(), None, "{storage}");
            store.write(1, &[1.0, -1.001 * fits]);
            store.write(0, &[2.0 * fits]);
            let expected = StorageOverflow { index: 2, value: -1.001 * fits, storage };
            assert_eq!(store.overflow(), Some(expected));
            store.reset(storage, 4);
            assert_eq!(store.overflow(), None);
        }
        let error = StorageOverflow { index: 2, value: 7e4, storage: Storage::Float16 };
        let text = "7e4 is beyond 6.5504e4, the largest number of float16: store in bfloat16 or full \
                    precision";
        assert_eq!(error.to_string(), text);
    }
}
