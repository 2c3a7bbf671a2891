use crate::bound::{Call, Direction, SignalMap, bind, rounding};
use crate::error::same_shape;
use crate::{Operator, Result};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Real};
use ndarray::ArrayView1;
use std::sync::Arc;

/// How accurate a derivative or integral of one time series is, estimated without an exact solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Bound for what the rounding of samples alone does; see
    /// [`Bound::rounding_estimate`](crate::Bound::rounding_estimate).
    pub rounding: f64,
    /// The largest difference to the result from every second sample, over the last half of the
    /// series: for a scheme of order p some 2^p - 1 times its error, where rounding is less.
    pub step_doubling: f64,
    /// The largest absolute value of the result there.
    pub largest: f64,
}

impl Accuracy {
    /// Smaller bounds for rounding, relative to the result, are no cause for a warning.
    pub const WORTH_A_WARNING: f64 = 1e-6;

    /// Estimates the accuracy of an operator on a grid for these samples. If rounding
    /// [dominates](Self::rounding_dominates), a warning goes to `tracing`.
    ///
    /// Cost: two applications and three transposed ones.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{Accuracy, Caputo};
    /// use hpfracc_types::{Grid, Order};
    /// use ndarray::Array1;
    ///
    /// let accuracy = |n: usize| {
    ///     let grid = Grid::uniform(n + 1, 1.0 / n as f64)?;
    ///     let f: Array1<f64> = grid.points().map(f64::exp).collect();
    ///     Accuracy::estimate(&Caputo::bdf(Order::new(2.5)?, 4)?, grid, f.view(), &Reference)
    /// };
    /// assert!(!accuracy(40)?.rounding_dominates());
    /// // Steps that are too small for this order: 1e-16 h^-2.5 counts.
    /// assert!(accuracy(4000)?.rounding_dominates());
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Operator::on`], and as that on half the samples;
    /// [`OperatorError::Shape`](crate::OperatorError::Shape) unless there is one sample for each
    /// point of the grid.
    pub fn estimate<T, B>(
        operator: &dyn Operator,
        grid: Grid,
        samples: ArrayView1<'_, T>,
        backend: &B,
    ) -> Result<Self>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        let n = grid.n();
        same_shape("samples", samples.shape(), &[n])?;
        let backend: Arc<dyn Backend<T>> = Arc::new(backend.clone());
        let fine = samples.to_vec();
        let coarse: Vec<T> = fine.iter().step_by(2).copied().collect();
        let coarse_grid = Grid::uniform(coarse.len(), 2.0 * grid.dt())?;
        let map = bind(operator.weights(grid)?, &backend)?;
        let result = applied(map.as_ref(), &fine)?;
        let from_half = applied(bind(operator.weights(coarse_grid)?, &backend)?.as_ref(), &coarse)?;
        let pairs = result.iter().step_by(2).zip(&from_half).skip(coarse.len() / 2);
        let differences = pairs.map(|(fine, coarse)| (fine.widen() - coarse.widen()).abs());
        let found = Self {
            rounding: rounding(map.as_ref(), &fine)?,
            step_doubling: differences.fold(0.0, f64::max),
            largest: result[n / 2..].iter().fold(0.0, |most, y| y.widen().abs().max(most)),
        };
        if found.rounding_dominates() {
            let Self { rounding, step_doubling, .. } = found;
            let (operator, scheme) = operator.name();
            tracing::warn!(
                operator,
                scheme,
                rounding,
                step_doubling,
                "rounding of the samples exceeds the error of the scheme"
            );
        }
        Ok(found)
    }

    /// Whether rounding of the samples exceeds the error of the scheme, and 1e-6 of the result:
    /// then larger steps, or a lower order of the scheme, are more accurate. Not where both results
    /// are the same, as that of a constant.
    pub fn rounding_dominates(&self) -> bool {
        let Self { rounding, step_doubling, largest } = *self;
        step_doubling > 0.0 && rounding > step_doubling.max(Self::WORTH_A_WARNING * largest)
    }
}

fn applied<T: Real>(map: &dyn SignalMap<T>, f: &[T]) -> Result<Vec<T>> {
    let mut y = vec![T::zero(); f.len()];
    map.run(Call::new(Direction::Forward, f, &mut y, 1))?;
    Ok(y)
}
