use super::OptimiserError;
use crate::checks::{checked, in_range};
use crate::kernels::{first_not_finite, scale};
use crate::{OutOfRange, Scalar};
use serde::{Deserialize, Serialize};

/// Dynamic loss scaling: a factor of the loss before its gradient is computed, so that small
/// cotangents do not underflow.
///
/// It serves equations with direct memory whose cotangents are stored in
/// [`Storage::Float16`](crate::Storage) ([`Solving::storage`](crate::models::Solving::storage)), and networks on
/// a GPU with values in that format: there cotangents below 6.1e-5 lose digits, and those below 3.0e-8 become 0. A scaled cotangent
/// above 65504 is infinite; the step is skipped and the scale halved.
///
/// All else is computed in the scalar of the training: in `f32` cotangents below 1.2e-38 lose
/// digits, and those below 1.4e-45 are 0. Trainings in other formats, and of
/// [`Supervised`](crate::Supervised) objectives in any on the CPU, need no scale; their steps are the same to
/// the bit with one, unless a scaled gradient overflows.
///
/// The scale is a power of two, initially 2^16: doubled after 2000 consecutive steps without
/// overflow, halved at a step with overflow, which is skipped; at least 1 and at most 2^64.
/// Multiplying by it and dividing by it are exact within the range of the scalar.
///
/// Source: Micikevicius et al., ICLR (2018), arXiv:1710.03740, section 3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LossScale {
    /// Exponent of the scale, a power of 2.
    exponent: u32,
    /// Steps without overflow since the scale last changed.
    good: u32,
}

checked!(LossScale);

/// Steps without overflow that double the scale.
const INTERVAL: u32 = 2000;
/// Initial exponent.
const FIRST: u32 = 16;
/// Largest exponent: a zero gradient would double the scale forever.
const LARGEST: u32 = 64;

/// Result of [`LossScale::unscale`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a step with overflow must be skipped"]
pub enum Scaled {
    /// The gradient is valid: take the step.
    Take,
    /// The gradient overflowed and is invalid: skip the step. The scale has been halved.
    Skip,
}

impl Default for LossScale {
    fn default() -> Self {
        Self { exponent: FIRST, good: 0 }
    }
}

impl LossScale {
    fn check(&self) -> Result<(), OutOfRange> {
        in_range(self.exponent <= LARGEST, "exponent of a loss scale", self.exponent, "0 to 64")?;
        in_range(self.good < INTERVAL, "good steps of a loss scale", self.good, "0 to 1999")
    }

    /// Factor of the cotangent of the loss.
    pub fn scale(&self) -> f64 {
        2f64.powi(self.exponent as i32)
    }

    /// Divides a gradient by the scale, or detects an overflow and leaves the gradient unchanged;
    /// adapts the scale.
    ///
    /// # Errors
    /// [`OptimiserError::Overflow`] for a gradient that is NaN or infinite at scale 1: the loss
    /// itself overflows. Nothing is changed.
    pub fn unscale<T: Scalar>(&mut self, gradient: &mut [T]) -> Result<Scaled, OptimiserError> {
        if let Some((index, value)) = first_not_finite(gradient) {
            if self.exponent == 0 {
                return Err(OptimiserError::Overflow { index, value, scale: self.scale() });
            }
            *self = Self { exponent: self.exponent - 1, good: 0 };
            return Ok(Scaled::Skip);
        }
        scale(gradient, T::narrow(1.0 / self.scale()));
        self.good += 1;
        if self.good == INTERVAL {
            *self = Self { exponent: LARGEST.min(self.exponent + 1), good: 0 };
        }
        Ok(Scaled::Take)
    }
}
