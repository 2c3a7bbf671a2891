use crate::real_transform::RealTransform;
use crate::shape::Shape;
use std::fmt;

/// Axes of a signal with a [`RealTransform`] along each, row-major, one to [`Shape::MAX_RANK`].
///
/// ```
/// use hpfracc_backend::{RealTransform, TransformAxes};
///
/// let axes = TransformAxes::new(&[(64, RealTransform::Dst2), (32, RealTransform::Hartley)])?;
/// assert_eq!(axes.shape().lens(), [64, 32]);
/// assert_eq!(axes.to_string(), "64 dst2 x 32 hartley");
/// # Ok::<(), hpfracc_backend::BackendError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "Vec<(usize, RealTransform)>", into = "Vec<(usize, RealTransform)>")
)]
pub struct TransformAxes {
    pub(crate) shape: Shape,
    /// Transforms, with [`RealTransform::Dct2`] for the axes that do not exist.
    pub(crate) transforms: [RealTransform; Shape::MAX_RANK],
}

impl TransformAxes {
    /// Lengths of the axes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Length and transform of each axis.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, RealTransform)> + '_ {
        self.shape.lens().iter().copied().zip(self.transforms)
    }
}

impl From<TransformAxes> for Vec<(usize, RealTransform)> {
    fn from(axes: TransformAxes) -> Self {
        axes.iter().collect()
    }
}

impl fmt::Display for TransformAxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (axis, (len, transform)) in self.iter().enumerate() {
            write!(f, "{}{len} {transform}", if axis == 0 { "" } else { " x " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BackendError;

    #[test]
    fn equal_axes_are_equal_keys() {
        let line = |transform| TransformAxes::new(&[(7, transform)]).unwrap();
        assert_eq!(line(RealTransform::Dst2), line(RealTransform::Dst2));
        assert_ne!(line(RealTransform::Dst2), line(RealTransform::Dct2));
        let listed: Vec<_> = line(RealTransform::Dct4).into();
        assert_eq!(TransformAxes::try_from(listed).unwrap(), line(RealTransform::Dct4));
        let too_many = [(2, RealTransform::Dct2); 5];
        assert!(matches!(TransformAxes::new(&too_many), Err(BackendError::Rank { rank: 5 })));
    }
}
