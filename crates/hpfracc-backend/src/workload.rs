use crate::shape::Shape;
use crate::transform_axes::TransformAxes;
use std::fmt;

/// The sizes of a linear map: its key in plans, selectors and benchmarks.
///
/// The signals of a batch are contiguous, one after the other; lengths are in scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Workload {
    /// `y[n] = sum_{k <= n} w[k] x[n-k]`, a lower-triangular Toeplitz matrix, for each signal of
    /// the batch. The kernel is `w`, of length `len`.
    CausalConvolution {
        /// Length of one signal.
        len: usize,
        /// Number of signals.
        batch: usize,
    },
    /// Discrete Fourier transform, product with a symbol, inverse transform, for each signal of
    /// the batch: the periodic convolutions.
    ///
    /// The kernel is the symbol on the half spectrum of a real signal, row-major over
    /// [`Shape::half_spectrum`], each value as two scalars: real part, imaginary part. It must be
    /// Hermitian, so that real signals stay real. The transform is
    /// `X[k] = sum_j x[j] exp(-2 pi i j k / n)`, its inverse carries the factor `1/n`.
    SpectralMultiplier {
        /// Shape of one signal.
        shape: Shape,
        /// Number of signals.
        batch: usize,
    },
    /// Real transform along each axis, product with a real multiplier for each mode, inverse
    /// transform, for each signal of the batch: functions of the Laplacian of a box.
    ///
    /// ```text
    /// y = S diag(m) S' x,   S = S_1 (x) .. (x) S_d
    /// ```
    ///
    /// with the orthonormal matrices S of [`RealTransform`](crate::RealTransform). The kernel is m,
    /// row-major over the modes, as long as a signal. The map is symmetric: its transpose is the
    /// map itself.
    TrigonometricMultiplier {
        /// Length and transform of each axis.
        axes: TransformAxes,
        /// Number of signals.
        batch: usize,
    },
    /// `y = W x` for each signal of the batch. The kernel is `W`, row-major, `rows * cols` long.
    Dense {
        /// Length of an output.
        rows: usize,
        /// Length of an input.
        cols: usize,
        /// Number of signals.
        batch: usize,
    },
    /// A causal convolution whose weights are a sum of exponentials, computed by a recurrence of
    /// its states, for each signal of the batch: constant memory for streams of any length.
    ///
    /// ```text
    /// y_n = d s_n + sum_k c_k z_k,   then   z_k <- z_k + (s_n - r_k z_k),   n = 0 .. len
    /// ```
    ///
    /// One signal is `[z_0 .. z_{nodes-1}, s_0 .. s_{len-1}]`, the states before its first sample
    /// and the samples; one result is `[z_0 .. , y_0 .. ]`, the states after the last sample and
    /// the outputs. A stream starts with `z = 0`; the states of a block are the input of the next
    /// one.
    ///
    /// The kernel is `[d, r_0 .. r_{nodes-1}, c_0 .. c_{nodes-1}]`, of length `1 + 2 nodes`. A
    /// state decays by `1 - r_k` a sample: from zero, the weight at lag j is `d` at j = 0 and
    /// `sum_k c_k (1 - r_k)^(j-1)` later. The rate `r_k` is stored because the decay `1 - r_k` of a
    /// slow exponential rounds to 1 in `f32`. For `p > 0`, `exp(-p)` has the rate `-expm1(-p)`.
    /// Rates of 0 to 2 are stable; they are not checked.
    ///
    /// The transpose runs backwards in time: from `l` after the last sample and `g_n` at the
    /// outputs,
    /// `s_n = d g_n + sum_k l_k`, then `l_k <- l_k - r_k l_k + c_k g_n`, down to n = 0.
    Recurrence {
        /// Number of exponentials, at least one.
        nodes: usize,
        /// Samples of one signal, at least one.
        len: usize,
        /// Number of signals.
        batch: usize,
    },
}

/// The kinds of workload, without their sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// [`Workload::CausalConvolution`].
    CausalConvolution,
    /// [`Workload::SpectralMultiplier`].
    SpectralMultiplier,
    /// [`Workload::TrigonometricMultiplier`].
    TrigonometricMultiplier,
    /// [`Workload::Dense`].
    Dense,
    /// [`Workload::Recurrence`].
    Recurrence,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::CausalConvolution,
        Self::SpectralMultiplier,
        Self::TrigonometricMultiplier,
        Self::Dense,
        Self::Recurrence,
    ];
}

impl Workload {
    /// The kind of map.
    pub fn kind(self) -> Kind {
        match self {
            Self::CausalConvolution { .. } => Kind::CausalConvolution,
            Self::SpectralMultiplier { .. } => Kind::SpectralMultiplier,
            Self::TrigonometricMultiplier { .. } => Kind::TrigonometricMultiplier,
            Self::Dense { .. } => Kind::Dense,
            Self::Recurrence { .. } => Kind::Recurrence,
        }
    }

    /// Number of signals in the batch.
    #[inline]
    pub fn batch(self) -> usize {
        match self {
            Self::CausalConvolution { batch, .. }
            | Self::SpectralMultiplier { batch, .. }
            | Self::TrigonometricMultiplier { batch, .. }
            | Self::Dense { batch, .. }
            | Self::Recurrence { batch, .. } => batch,
        }
    }

    /// The same map for another number of signals.
    pub(crate) fn with_batch(self, number: usize) -> Self {
        let mut changed = self;
        match &mut changed {
            Self::CausalConvolution { batch, .. }
            | Self::SpectralMultiplier { batch, .. }
            | Self::TrigonometricMultiplier { batch, .. }
            | Self::Dense { batch, .. }
            | Self::Recurrence { batch, .. } => *batch = number,
        }
        changed
    }

    /// Number of scalars in one input signal. Valid only for a workload that [`Workload::check`]
    /// accepts.
    #[inline]
    pub fn signal_len(self) -> usize {
        match self {
            Self::CausalConvolution { len, .. } => len,
            Self::SpectralMultiplier { shape, .. } => shape.len().unwrap_or(usize::MAX),
            Self::TrigonometricMultiplier { axes, .. } => axes.shape().len().unwrap_or(usize::MAX),
            Self::Dense { cols, .. } => cols,
            Self::Recurrence { nodes, len, .. } => nodes.saturating_add(len),
        }
    }

    /// Number of scalars in one output signal.
    #[inline]
    pub fn output_len(self) -> usize {
        match self {
            Self::Dense { rows, .. } => rows,
            square => square.signal_len(),
        }
    }

    /// Number of scalars in the kernel that a plan is bound to.
    #[inline]
    pub fn kernel_len(self) -> usize {
        match self {
            Self::CausalConvolution { len, .. } => len,
            Self::SpectralMultiplier { shape, .. } => {
                shape.half_spectrum().len().map_or(usize::MAX, |n| n.saturating_mul(2))
            }
            Self::TrigonometricMultiplier { .. } => self.signal_len(),
            Self::Dense { rows, cols, .. } => rows.saturating_mul(cols),
            Self::Recurrence { nodes, .. } => nodes.saturating_mul(2).saturating_add(1),
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CausalConvolution { len, batch } => {
                write!(f, "causal convolution, {batch} x {len}")
            }
            Self::SpectralMultiplier { shape, batch } => {
                write!(f, "spectral multiplier, {batch} x ({shape})")
            }
            Self::TrigonometricMultiplier { axes, batch } => {
                write!(f, "trigonometric multiplier, {batch} x ({axes})")
            }
            Self::Dense { rows, cols, batch } => {
                write!(f, "dense product, {rows} x {cols}, batch {batch}")
            }
            Self::Recurrence { nodes, len, batch } => {
                write!(f, "recurrence of {nodes} nodes, {batch} x {len}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RealTransform;

    #[test]
    fn counts_scalars() {
        let image = Shape::new(&[4, 7]).unwrap();
        let multiplier = Workload::SpectralMultiplier { shape: image, batch: 3 };
        assert_eq!((multiplier.signal_len(), multiplier.kernel_len()), (28, 2 * 4 * 4));
        let axes = [(3, RealTransform::Dst2), (5, RealTransform::Hartley)];
        let axes = TransformAxes::new(&axes).unwrap();
        let modes = Workload::TrigonometricMultiplier { axes, batch: 2 };
        assert_eq!((modes.signal_len(), modes.output_len(), modes.kernel_len()), (15, 15, 15));
        assert_eq!(modes.to_string(), "trigonometric multiplier, 2 x (3 dst2 x 5 hartley)");
        let dense = Workload::Dense { rows: 2, cols: 5, batch: 3 };
        assert_eq!((dense.signal_len(), dense.output_len(), dense.kernel_len()), (5, 2, 10));
        let states = Workload::Recurrence { nodes: 3, len: 5, batch: 2 };
        assert_eq!((states.signal_len(), states.output_len(), states.kernel_len()), (8, 8, 7));
    }
}
