//! All signals of an array, several at a time. Signals are independent: threads do not change the bits.

use crate::running::Cancel;
use hpfracc::transforms::{Transform, TransformError};
use hpfracc::types::Real;
use ndarray::{ArrayViewD, ArrayViewMutD, Axis};
use num_complex::Complex;

/// Transform of signals, or its adjoint.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Forward,
    Adjoint,
}

/// Signals of an array along an axis through a transform.
pub(super) struct Batch<'a, T> {
    pub(super) transform: &'a dyn Transform<T>,
    pub(super) direction: Direction,
    pub(super) axis: Axis,
    /// Signals of a task of a thread.
    pub(super) task: usize,
    pub(super) cancel: &'a Cancel,
}

impl<T: Real> Batch<'_, T> {
    /// Halves of a batch on two threads.
    pub(super) fn run(
        &self,
        from: ArrayViewD<'_, Complex<T>>,
        mut to: ArrayViewMutD<'_, Complex<T>>,
    ) -> Result<(), TransformError> {
        let signals =
            from.shape().iter().enumerate().filter(|(axis, _)| *axis != self.axis.index());
        let count: usize = signals.clone().map(|(_, n)| *n).product();
        let longest = signals.max_by_key(|(_, n)| **n);
        if let Some((axis, &n)) = longest
            && count > self.task
            && n > 1
        {
            let (from_left, from_right) = from.split_at(Axis(axis), n / 2);
            let (to_left, to_right) = to.split_at(Axis(axis), n / 2);
            let halves = (|| self.run(from_left, to_left), || self.run(from_right, to_right));
            let (left, right) = rayon::join(halves.0, halves.1);
            return left.and(right);
        }
        for (x, y) in from.lanes(self.axis).into_iter().zip(to.lanes_mut(self.axis)) {
            if self.cancel.requested() {
                break;
            }
            match self.direction {
                Direction::Forward => self.transform.forward(x, y)?,
                Direction::Adjoint => self.transform.adjoint(x, y)?,
            }
        }
        Ok(())
    }
}
