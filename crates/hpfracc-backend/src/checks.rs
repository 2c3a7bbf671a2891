//! Checks of shapes, workloads, kernels and signals.

use crate::error::BackendError;
use crate::real_transform::RealTransform;
use crate::shape::Shape;
use crate::spectrum;
use crate::transform_axes::TransformAxes;
use crate::workload::Workload;
use hpfracc_types::Real;

impl Shape {
    /// A shape with these lengths.
    ///
    /// # Errors
    /// [`BackendError::Rank`] if there are no axes or more than [`Shape::MAX_RANK`].
    pub fn new(lens: &[usize]) -> Result<Self, BackendError> {
        let rank = lens.len();
        if rank == 0 || rank > Self::MAX_RANK {
            return Err(BackendError::Rank { rank });
        }
        let mut padded = [1; Self::MAX_RANK];
        padded[..rank].copy_from_slice(lens);
        Ok(Self { lens: padded, rank })
    }
}

impl TryFrom<Vec<usize>> for Shape {
    type Error = BackendError;
    fn try_from(lens: Vec<usize>) -> Result<Self, BackendError> {
        Self::new(&lens)
    }
}

impl TransformAxes {
    /// Axes with these lengths and transforms.
    ///
    /// # Errors
    /// [`BackendError::Rank`] if there are no axes or more than [`Shape::MAX_RANK`].
    pub fn new(axes: &[(usize, RealTransform)]) -> Result<Self, BackendError> {
        let lens: Vec<usize> = axes.iter().map(|(len, _)| *len).collect();
        let shape = Shape::new(&lens)?;
        let mut transforms = [RealTransform::Dct2; Shape::MAX_RANK];
        for (place, (_, transform)) in transforms.iter_mut().zip(axes) {
            *place = *transform;
        }
        Ok(Self { shape, transforms })
    }
}

impl TryFrom<Vec<(usize, RealTransform)>> for TransformAxes {
    type Error = BackendError;

    fn try_from(axes: Vec<(usize, RealTransform)>) -> Result<Self, BackendError> {
        Self::new(&axes)
    }
}

impl Workload {
    /// Refuses sizes of zero, and arrays beyond the address space. Every plan calls it first.
    ///
    /// # Errors
    /// [`BackendError::Size`].
    pub fn check(self) -> Result<(), BackendError> {
        let addressable = |n: usize| n > 0 && n <= isize::MAX as usize / 16;
        // A signal of a recurrence has two parts, and neither may be empty.
        let parts = match self {
            Self::Recurrence { nodes, len, .. } => nodes.min(len),
            _ => 1,
        };
        let all = [
            self.signal_len().saturating_mul(self.batch()),
            self.output_len().saturating_mul(self.batch()),
            self.kernel_len(),
            parts,
        ];
        if all.into_iter().all(addressable) {
            Ok(())
        } else {
            Err(BackendError::Size { workload: self })
        }
    }

    /// Checks the kernel given to [`Plan::bind`](crate::Plan::bind): its length, and that a
    /// symbol is the conjugate of its mirror image.
    ///
    /// # Errors
    /// [`BackendError::Length`], [`BackendError::NotHermitian`].
    pub fn check_kernel<T: Real>(self, kernel: &[T]) -> Result<(), BackendError> {
        self.check_len("kernel", kernel.len(), self.kernel_len())?;
        match self {
            Self::SpectralMultiplier { shape, .. } => spectrum::check_hermitian(kernel, shape),
            _ => Ok(()),
        }
    }

    /// Checks the slices of [`LinearMap::apply`](crate::LinearMap::apply) and of `apply_transpose`,
    /// both of which call the input space `x`.
    ///
    /// # Errors
    /// [`BackendError::Length`].
    pub fn check_signals<T>(self, x: &[T], y: &[T]) -> Result<(), BackendError> {
        self.check_len("x", x.len(), self.signal_len() * self.batch())?;
        self.check_len("y", y.len(), self.output_len() * self.batch())
    }

    #[inline]
    fn check_len(
        self,
        argument: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), BackendError> {
        if found == expected {
            Ok(())
        } else {
            Err(BackendError::Length { argument, found, expected, workload: self })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trigonometric(rows: usize, columns: usize) -> Workload {
        let axes = [(rows, RealTransform::Dct2), (columns, RealTransform::Dst4)];
        Workload::TrigonometricMultiplier { axes: TransformAxes::new(&axes).unwrap(), batch: 1 }
    }

    #[test]
    fn refuses_zero_and_overflowing_sizes() {
        let huge = usize::MAX / 2;
        for workload in [
            Workload::CausalConvolution { len: 0, batch: 1 },
            Workload::CausalConvolution { len: 8, batch: 0 },
            Workload::CausalConvolution { len: huge, batch: 3 },
            Workload::SpectralMultiplier { shape: Shape::new(&[4, 0]).unwrap(), batch: 1 },
            Workload::SpectralMultiplier { shape: Shape::new(&[huge, 8]).unwrap(), batch: 1 },
            trigonometric(0, 3),
            trigonometric(huge, 8),
            Workload::Dense { rows: huge, cols: 8, batch: 1 },
            Workload::Recurrence { nodes: 0, len: 8, batch: 1 },
            Workload::Recurrence { nodes: 8, len: 0, batch: 1 },
            Workload::Recurrence { nodes: 8, len: 8, batch: 0 },
            Workload::Recurrence { nodes: huge, len: huge, batch: 1 },
        ] {
            assert!(matches!(workload.check(), Err(BackendError::Size { .. })), "{workload}");
        }
    }

    #[test]
    fn refuses_no_axes_and_too_many() {
        for lens in [&[][..], &[1; 5]] {
            assert!(matches!(Shape::new(lens), Err(BackendError::Rank { .. })));
        }
    }
}
