use super::OptimiserError;
use crate::Scalar;
use crate::checked::checked;
use crate::kernels::{Scale, first_not_finite};
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// What a loss is multiplied by before its gradient is taken, so that the small cotangents of bf16
/// storage are not rounded to zero.
///
/// A power of two, 2^16 at first: doubled after 2000 steps in a row without overflow, halved at a step
/// with one, which is skipped; at least 1 and at most 2^64. Multiplying with it and dividing by it are
/// exact, but for numbers out of range.
///
/// Source: Micikevicius et al., ICLR (2018), arXiv:1710.03740, section 3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LossScale {
    /// The scale is 2 to this power.
    exponent: u32,
    /// Steps without overflow since the scale has last changed.
    good: u32,
}

checked!(LossScale);

/// Steps without overflow that double the scale.
const INTERVAL: u32 = 2000;
/// Power of two at which it begins.
const FIRST: u32 = 16;
/// A loss whose gradient is zero would double it for ever.
const LARGEST: u32 = 64;

/// Whether a step can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a step with overflow is not to be taken"]
pub enum Scaled {
    /// The gradient is that of the loss.
    Take,
    /// The gradient overflowed: the scale has been halved, the gradient means nothing.
    Skip,
}

impl Default for LossScale {
    fn default() -> Self {
        Self { exponent: FIRST, good: 0 }
    }
}

impl LossScale {
    fn check(&self) -> Result<(), OptimiserError> {
        let (exponent, good) = (f64::from(self.exponent), f64::from(self.good));
        let within = self.exponent <= LARGEST;
        OptimiserError::unless(within, "exponent of a loss scale", exponent, "0 to 64")?;
        let within = self.good < INTERVAL;
        OptimiserError::unless(within, "good steps of a loss scale", good, "0 to 1999")
    }

    /// The scale, before any step.
    pub fn new() -> Self {
        Self::default()
    }

    /// What to multiply the loss's cotangent with.
    pub fn scale(&self) -> f64 {
        2f64.powi(self.exponent as i32)
    }

    /// Divides a gradient by the scale it was computed with, or finds that it overflowed, and adapts the
    /// scale. A gradient with an overflow is left as it is.
    ///
    /// # Errors
    /// [`OptimiserError::Overflow`] for a gradient that is NaN or infinite at scale 1: it is the loss
    /// itself that overflows. Nothing is changed.
    pub fn unscale<T: Scalar>(&mut self, gradient: &mut [T]) -> Result<Scaled, OptimiserError> {
        let arch = Arch::new();
        if let Some((index, value)) = first_not_finite(arch, gradient) {
            if self.exponent == 0 {
                return Err(OptimiserError::Overflow { index, value, scale: self.scale() });
            }
            *self = Self { exponent: self.exponent - 1, good: 0 };
            return Ok(Scaled::Skip);
        }
        arch.dispatch(Scale(gradient, T::narrow(1.0 / self.scale())));
        self.good += 1;
        if self.good == INTERVAL {
            *self = Self { exponent: LARGEST.min(self.exponent + 1), good: 0 };
        }
        Ok(Scaled::Take)
    }
}
