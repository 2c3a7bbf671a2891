use std::fmt;

/// Lengths of the axes of a signal, row-major, one to [`Shape::MAX_RANK`] axes.
///
/// An array of fixed size, so that a [`Workload`](crate::Workload) is a small `Copy` key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<usize>", into = "Vec<usize>"))]
pub struct Shape {
    /// Lengths, with 1 for the axes that do not exist.
    pub(crate) lens: [usize; Shape::MAX_RANK],
    pub(crate) rank: usize,
}

impl Shape {
    /// Largest number of axes.
    pub const MAX_RANK: usize = 4;

    /// One axis of length `n`.
    pub fn line(n: usize) -> Self {
        let mut lens = [1; Self::MAX_RANK];
        lens[0] = n;
        Self { lens, rank: 1 }
    }

    /// The lengths of the axes.
    pub fn lens(&self) -> &[usize] {
        &self.lens[..self.rank]
    }

    /// Length of the last axis, the one along which real transforms run.
    pub fn last(&self) -> usize {
        self.lens[self.rank - 1]
    }

    /// Number of elements, `None` if it overflows.
    pub fn len(&self) -> Option<usize> {
        self.lens().iter().try_fold(1usize, |product, &n| product.checked_mul(n))
    }

    /// Whether an axis has length zero.
    pub fn is_empty(&self) -> bool {
        self.lens().contains(&0)
    }

    /// Shape of the half spectrum of a real signal: the last axis keeps `n / 2 + 1` frequencies.
    pub fn half_spectrum(&self) -> Self {
        let mut half = *self;
        half.lens[self.rank - 1] = self.last() / 2 + 1;
        half
    }
}

impl From<Shape> for Vec<usize> {
    fn from(shape: Shape) -> Self {
        shape.lens().to_vec()
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (axis, n) in self.lens().iter().enumerate() {
            write!(f, "{}{n}", if axis == 0 { "" } else { "x" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lengths_are_equal_keys() {
        assert_eq!(Shape::new(&[7]).unwrap(), Shape::line(7));
        assert_ne!(Shape::new(&[7, 1]).unwrap(), Shape::line(7));
        assert_eq!(Shape::new(&[4, 6]).unwrap().half_spectrum().lens(), [4, 4]);
        assert_eq!(Shape::new(&[4, 7]).unwrap().to_string(), "4x7");
    }
}
