use crate::GridError;

/// `n >= 2` points t_j = j dt, j = 0 .. n-1, with a positive step.
///
/// The origin is not part of the grid: the operators know only distances from the start of the
/// record.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unchecked"))]
pub struct Grid {
    n: usize,
    dt: f64,
}

/// Largest number of points: arrays of that many real or complex numbers can be addressed.
pub(crate) const MOST: usize = isize::MAX as usize / 16;

impl Grid {
    /// Checks the number of points and the step.
    ///
    /// # Errors
    /// [`GridError`] if `n < 2` or at least 2^59 (2^27 with 32 bits), or if `dt` is not positive
    /// and finite.
    pub fn uniform(n: usize, dt: f64) -> Result<Self, GridError> {
        if n < 2 {
            Err(GridError::TooFewPoints { n })
        } else if n > MOST {
            Err(GridError::TooManyPoints { n, most: MOST })
        } else if !(dt.is_finite() && dt > 0.0) {
            Err(GridError::BadStep { dt })
        } else {
            Ok(Self { n, dt })
        }
    }

    /// Number of points.
    pub fn n(self) -> usize {
        self.n
    }

    /// Distance of neighbouring points, in the unit of time.
    pub fn dt(self) -> f64 {
        self.dt
    }

    /// The j-th point, j dt.
    pub fn t(self, j: usize) -> f64 {
        j as f64 * self.dt
    }

    /// The points in order.
    pub fn points(self) -> impl ExactSizeIterator<Item = f64> {
        (0..self.n).map(move |j| self.t(j))
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    n: usize,
    dt: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Grid {
    type Error = GridError;
    fn try_from(raw: Unchecked) -> Result<Self, GridError> {
        Self::uniform(raw.n, raw.dt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_multiples_of_the_step() {
        let grid = Grid::uniform(4, 0.1).unwrap();
        let points: Vec<f64> = grid.points().collect();
        assert_eq!(points, [0.0, 0.1, 0.2, 3.0 * 0.1]);
    }

    #[test]
    fn refuses_what_is_no_grid() {
        for n in [0, 1] {
            assert_eq!(Grid::uniform(n, 1.0), Err(GridError::TooFewPoints { n }));
        }
        for n in [MOST + 1, usize::MAX] {
            assert_eq!(Grid::uniform(n, 1.0), Err(GridError::TooManyPoints { n, most: MOST }));
        }
        for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Grid::uniform(8, dt), Err(GridError::BadStep { .. })));
        }
    }
}
