use crate::grid::MOST;
use crate::{Grid, MeshError, check_memory};
use std::sync::Arc;

/// `n >= 2` points t_0 < t_1 < .. < t_(n-1), all finite, at any distances.
///
/// Unlike a [`Grid`] it has an origin: definitions that count from time zero, such as Hadamard's,
/// take the points as they are, and all others their distances from t_0. A clone shares the points.
///
/// ```
/// use hpfracc_types::Mesh;
///
/// let mesh = Mesh::graded(5, 2.0, 2.0)?;
/// assert_eq!(mesh.points(), [0.0, 0.125, 0.5, 1.125, 2.0]);
/// assert!(Mesh::new(vec![0.0, 1.0, 1.0]).unwrap_err().to_string().contains("t_2 = 1"));
/// # Ok::<(), hpfracc_types::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<f64>", into = "Vec<f64>"))]
pub struct Mesh {
    points: Arc<[f64]>,
}

impl Mesh {
    /// Checks the points.
    ///
    /// # Errors
    /// [`MeshError`] if there are fewer than two, if one is not finite, or if one does not exceed
    /// the one before it.
    pub fn new(points: Vec<f64>) -> Result<Self, MeshError> {
        if points.len() < 2 {
            return Err(MeshError::TooFewPoints { n: points.len() });
        }
        if let Some(index) = points.iter().position(|t| !t.is_finite()) {
            return Err(MeshError::NotFinite { index, t: points[index] });
        }
        if let Some(before) = points.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (index, t) = (before + 1, points[before + 1]);
            return Err(MeshError::NotIncreasing { index, t, before: points[before] });
        }
        Ok(Self { points: points.into() })
    }

    /// `t_j = t1 (j/(n-1))^r`, j = 0 .. n-1: graded towards zero for r > 1.
    ///
    /// For f ~ t^alpha at the start, r = (2 - alpha)/alpha gives the L1 scheme the order 2 - alpha
    /// that it has on smooth records.
    ///
    /// # Errors
    /// [`MeshError::Parameter`] unless t1 and r are positive and finite;
    /// [`MeshError::TooManyPoints`], [`MeshError::Memory`]; [`MeshError::NotIncreasing`] if the grading is so strong that
    /// first points underflow.
    pub fn graded(n: usize, t1: f64, r: f64) -> Result<Self, MeshError> {
        positive("the end t1", t1)?;
        positive("the grading r", r)?;
        count(n)?;
        let last = n.saturating_sub(1);
        Self::new((0..n).map(|j| t1 * (j as f64 / last as f64).powf(r)).collect())
    }

    /// `t_j = t0 (t1/t0)^(j/(n-1))`, j = 0 .. n-1: equally far apart in log t.
    ///
    /// # Errors
    /// [`MeshError::Parameter`] unless t0 and t1 are positive and finite;
    /// [`MeshError::TooManyPoints`], [`MeshError::Memory`]; [`MeshError::NotIncreasing`] unless t0 < t1.
    pub fn geometric(n: usize, t0: f64, t1: f64) -> Result<Self, MeshError> {
        positive("the start t0", t0)?;
        positive("the end t1", t1)?;
        count(n)?;
        let last = n.saturating_sub(1);
        // The ends are as given; a ratio formed first could overflow.
        let step = t1.ln() - t0.ln();
        let at = |j: usize| match j {
            0 => t0,
            _ if j == last => t1,
            _ => t0 * (step * (j as f64 / last as f64)).exp(),
        };
        Self::new((0..n).map(at).collect())
    }

    /// The points of a grid, counted from `start`.
    ///
    /// # Errors
    /// [`MeshError::Memory`]; [`MeshError::NotFinite`] if the start is not finite or the end overflows,
    /// [`MeshError::NotIncreasing`] if the step is lost in rounding so far from zero.
    pub fn uniform(grid: Grid, start: f64) -> Result<Self, MeshError> {
        count(grid.n())?;
        Self::new(grid.points().map(|t| start + t).collect())
    }

    /// Number of points.
    pub fn n(&self) -> usize {
        self.points.len()
    }

    /// The points in order.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// The first point.
    pub fn start(&self) -> f64 {
        self.points[0]
    }

    /// The last point.
    pub fn end(&self) -> f64 {
        self.points[self.points.len() - 1]
    }
}

/// Refuses numbers of points before memory for them is allocated.
fn count(n: usize) -> Result<(), MeshError> {
    if n > MOST {
        return Err(MeshError::TooManyPoints { n, most: MOST });
    }
    // The points, and their copy behind the shared pointer.
    check_memory(2.0 * n as f64).map_err(|memory| MeshError::Memory { n, memory })
}

fn positive(what: &'static str, value: f64) -> Result<(), MeshError> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(MeshError::Parameter { what, value })
    }
}

impl TryFrom<Vec<f64>> for Mesh {
    type Error = MeshError;
    fn try_from(points: Vec<f64>) -> Result<Self, MeshError> {
        Self::new(points)
    }
}

impl From<Mesh> for Vec<f64> {
    fn from(mesh: Mesh) -> Self {
        mesh.points.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_the_memory_are_refused_with_both_figures() {
        let n = 1 << 45;
        for refused in [Mesh::graded(n, 1.0, 2.0), Mesh::geometric(n, 1.0, 2.0)] {
            let Err(MeshError::Memory { n: found, memory }) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!((found, memory.needed), (n, 1 << 49));
            assert!(memory.available < memory.needed);
        }
    }

    #[test]
    fn points_are_those_of_the_formulas() {
        assert_eq!(Mesh::graded(3, 8.0, 3.0).unwrap().points(), [0.0, 1.0, 8.0]);
        let geometric = Mesh::geometric(4, 0.1, 100.0).unwrap();
        for (t, expected) in geometric.points().iter().zip([0.1, 1.0, 10.0, 100.0]) {
            assert!((t / expected - 1.0).abs() < 1e-15, "{t} {expected}");
        }
        assert_eq!((geometric.start(), geometric.end()), (0.1, 100.0));
        let grid = Grid::uniform(3, 0.5).unwrap();
        assert_eq!(Mesh::uniform(grid, -1.0).unwrap().points(), [-1.0, -0.5, 0.0]);
    }

    #[test]
    fn refuses_what_is_no_mesh_and_says_where() {
        for n in [MOST + 1, usize::MAX] {
            let expected = Err(MeshError::TooManyPoints { n, most: MOST });
            assert_eq!(Mesh::graded(n, 1.0, 1.0), expected);
            assert_eq!(Mesh::geometric(n, 1.0, 2.0), expected);
        }
        for n in [0, 1] {
            let expected = MeshError::TooFewPoints { n };
            assert_eq!(Mesh::new(vec![1.0; n]), Err(expected));
            assert_eq!(Mesh::graded(n, 1.0, 2.0), Err(expected));
            assert_eq!(Mesh::geometric(n, 1.0, 2.0), Err(expected));
        }
        let refused = Mesh::new(vec![0.0, 1.0, f64::NAN, 2.0]).unwrap_err();
        assert!(matches!(refused, MeshError::NotFinite { index: 2, t } if t.is_nan()));
        let expected = MeshError::NotIncreasing { index: 3, t: 1.5, before: 2.0 };
        assert_eq!(Mesh::new(vec![0.0, 1.0, 2.0, 1.5]), Err(expected));
        let expected = MeshError::NotIncreasing { index: 1, t: 2.0, before: 3.0 };
        assert_eq!(Mesh::geometric(2, 3.0, 2.0), Err(expected));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for refused in [
                Mesh::graded(8, bad, 2.0),
                Mesh::graded(8, 1.0, bad),
                Mesh::geometric(8, bad, 2.0),
                Mesh::geometric(8, 1.0, bad),
            ] {
                assert!(matches!(refused, Err(MeshError::Parameter { .. })));
            }
        }
        // So strong a grading that the second point is zero too.
        let refused = Mesh::graded(1000, 1.0, 200.0);
        assert!(matches!(refused, Err(MeshError::NotIncreasing { index: 1, .. })));
        let grid = Grid::uniform(3, 0.1).unwrap();
        assert!(matches!(Mesh::uniform(grid, 1e20), Err(MeshError::NotIncreasing { .. })));
    }
}
