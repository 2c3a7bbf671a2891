use super::tables::{Tables, WeightKind, with_tables};
use super::{FractionalConv1d, FractionalDerivative};
use crate::Scalar;

/// Weights that a layer computes from its parameters, such as those of a fractional derivative from its order: for
/// executors outside of this crate, which sum on another device. The weights are then further parameters, and the
/// gradient with respect to them becomes the gradient of the layer's own ones.
///
/// ```
/// use hpfracc_nn::{ComputedWeights, FractionalDerivative, FractionalScheme, LayerOrder};
///
/// let scheme = FractionalScheme::GrunwaldLetnikov;
/// let layer = FractionalDerivative::new(1, 4, 1.0, scheme, LayerOrder::Fixed(0.5))?;
/// let mut weights = vec![0.0; ComputedWeights::<f64>::count(&layer)];
/// layer.compute(&[], &mut weights);
/// assert_eq!(weights[..4], [1.0, -0.5, -0.125, -0.0625]);
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
pub trait ComputedWeights<T: Scalar>: Send + Sync {
    /// Number of the weights.
    fn count(&self) -> usize;

    /// Writes the weights for the parameters of the layer.
    ///
    /// # Panics
    /// May panic if the slices do not have [`count`](Self::count) weights and the layer's number of parameters.
    fn compute(&self, theta: &[T], weights: &mut [T]);

    /// Adds the gradient with respect to the parameters, from that with respect to the weights.
    ///
    /// # Panics
    /// As [`compute`](Self::compute).
    fn pull_back(&self, theta: &[T], weightsbar: &[T], thetabar: &mut [T]);
}

/// For each table of [`tables`](FractionalDerivative::tables) three rows of `length`: weights w by lag, the results r
/// for the constant 1 by time, and what the first sample receives from each result, s:
///
/// ```text
/// y_n = sum_{j<=n} w_{n-j} (x_j - x_0) + r_n x_0,     s_n = r_n - sum_{k<=n} w_k
/// ```
///
/// Where weights act on samples, not on differences, r and s are 0 and x_0 is not subtracted. The gradient with respect
/// to s is not read.
impl<T: Scalar> ComputedWeights<T> for FractionalDerivative {
    fn count(&self) -> usize {
        3 * self.length * self.tables()
    }

    fn compute(&self, theta: &[T], weights: &mut [T]) {
        with_tables(|tables: &mut Tables<T>| {
            for (table, rows) in weights.chunks_exact_mut(3 * self.length).enumerate() {
                tables.set(self.spec(theta, table), WeightKind::Values);
                let (w, from_first) = rows.split_at_mut(self.length);
                w.copy_from_slice(tables.table(0, self.length));
                match tables.of_constants() {
                    Some(of_constants) => {
                        let rows = from_first.chunks_exact_mut(self.length);
                        rows.zip(of_constants).for_each(|(row, of)| row.copy_from_slice(of));
                    }
                    None => from_first.fill(T::zero()),
                }
            }
        });
    }

    fn pull_back(&self, theta: &[T], weightsbar: &[T], thetabar: &mut [T]) {
        with_tables(|tables: &mut Tables<T>| {
            for (table, rows) in weightsbar.chunks_exact(3 * self.length).enumerate() {
                let order = self.order_of(theta, table);
                if !order.is_learned() {
                    return;
                }
                tables.set(self.spec(theta, table), WeightKind::Slopes);
                let mut alphabar = inner(rows, tables.table(0, self.length));
                if let Some([of_one, _]) = tables.of_constants() {
                    alphabar += inner(&rows[self.length..], of_one);
                }
                order.pull_back(alphabar, thetabar);
            }
        });
    }
}

/// The kernels times their gains, outputs by inputs by taps, from the earliest sample on, as those of
/// [`Conv1d`](crate::Conv1d).
impl<T: Scalar> ComputedWeights<T> for FractionalConv1d {
    fn count(&self) -> usize {
        self.kernels() * self.taps
    }

    fn compute(&self, theta: &[T], weights: &mut [T]) {
        let gains = &theta[self.orders()..];
        with_tables(|tables: &mut Tables<T>| {
            for (pair, row) in weights.chunks_exact_mut(self.taps).enumerate() {
                tables.set(self.spec(theta, pair), WeightKind::Values);
                let gain = gains[pair];
                let by_lag = tables.table(0, self.taps).iter().rev();
                row.iter_mut().zip(by_lag).for_each(|(weight, w)| *weight = gain * *w);
            }
        });
    }

    fn pull_back(&self, theta: &[T], weightsbar: &[T], thetabar: &mut [T]) {
        let gains = &theta[self.orders()..];
        let (orderbar, gainbar) = thetabar.split_at_mut(self.orders());
        let mut by_lag = vec![T::zero(); self.taps];
        with_tables(|tables: &mut Tables<T>| {
            for (pair, row) in weightsbar.chunks_exact(self.taps).enumerate() {
                by_lag.iter_mut().zip(row.iter().rev()).for_each(|(to, bar)| *to = *bar);
                let spec = self.spec(theta, pair);
                tables.set(spec, WeightKind::Values);
                gainbar[pair] += T::narrow(inner(&by_lag, tables.table(0, self.taps)));
                let order = self.order_of(theta, pair);
                if order.is_learned() {
                    tables.set(spec, WeightKind::Slopes);
                    let alphabar = inner(&by_lag, tables.table(0, self.taps));
                    order.pull_back(gains[pair].widen() * alphabar, orderbar);
                }
            }
        });
    }
}

fn inner<T: Scalar>(x: &[T], y: &[T]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x.widen() * y.widen()).sum()
}
