//! Numbers stored in fewer bits than they are computed with.

mod compact_vec;
mod float16;

pub use compact_vec::CompactVec;

use std::fmt;

/// Storage format of numbers that a forward pass stores for the backward pass (mixed precision):
/// activations, states, cotangents. Arithmetic is in the scalar that the numbers are read into.
///
/// Numbers are rounded to nearest, ties to even, once, from `f32` and from `f64`. A number beyond
/// the largest one becomes infinite, which [`CompactVec::overflow`] reports; NaN stays NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Storage {
    /// The scalar itself.
    #[default]
    Full,
    /// bfloat16: 8 significant bits, a relative error of at most 2^-8 between 1.2e-38 and 3.4e38,
    /// the range of `f32`.
    BFloat16,
    /// IEEE 754 binary16 (half precision): 11 significant bits, a relative error of at most 2^-11
    /// between 6.1e-5 and 65504. Below that numbers are multiples of 6.0e-8, and those below 3.0e-8
    /// become 0: gradients need a loss scale.
    Float16,
}

impl Storage {
    /// Bytes of a stored number.
    pub fn bytes<T>(self) -> usize {
        if self == Self::Full { size_of::<T>() } else { size_of::<u16>() }
    }

    /// Largest number of the format; infinite for [`Full`](Self::Full).
    pub fn largest(self) -> f64 {
        match self {
            Self::Full => f64::INFINITY,
            Self::BFloat16 => f64::from(f32::from_bits(0x7f7f_0000)),
            Self::Float16 => 65504.0,
        }
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full precision",
            Self::BFloat16 => "bfloat16",
            Self::Float16 => "float16",
        })
    }
}

/// Error of a finite number beyond the largest one of a [`Storage`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StorageOverflow {
    /// Index of the number among those stored.
    pub index: usize,
    /// The number.
    pub value: f64,
    /// The format.
    pub storage: Storage,
}

impl fmt::Display for StorageOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, storage, .. } = self;
        let wider = if *storage == Storage::Float16 { "bfloat16 or " } else { "" };
        let largest = storage.largest();
        write!(f, "{value:e} is beyond {largest:e}, the largest number of {storage}: ")?;
        write!(f, "store in {wider}full precision")
    }
}

impl std::error::Error for StorageOverflow {}
