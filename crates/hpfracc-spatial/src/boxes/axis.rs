use super::Boundary;
use super::legendre::Legendre;
use crate::Result;
use crate::SpatialError;
use crate::error::{require, require_memory};

/// Discretisation of the second derivative along an [`Axis`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discretisation {
    /// Three-point differences between the centres of n cells, error of order h^2.
    #[default]
    Second,
    /// Five-point differences between the centres of n cells, not for Robin boundaries.
    ///
    /// The error is of order h^4 if u, continued across a boundary by reflection (odd for
    /// Dirichlet, even for Neumann), has six bounded derivatives; in particular the second
    /// derivative vanishes on a Dirichlet boundary, the third on a Neumann boundary. Otherwise, and
    /// with boundary values other than 0, the error is of order h^2.
    Fourth,
    /// Galerkin method with Lagrange polynomials on Gauss-Lobatto-Legendre points, not for periodic
    /// axes.
    ///
    /// The error decreases faster than any power of 1/n for smooth u. The points are those of the
    /// quadrature, without the ends that have a Dirichlet boundary; the largest eigenvalue grows
    /// like n^4, and transforms cost n^2.
    Legendre,
}

/// Interval `[from, to]` with n values and a boundary condition on each end.
///
/// The points are the centres of n equal cells, `from + (j + 1/2) h` with `h = (to - from) / n`,
/// whatever the boundary conditions are; [`Discretisation::Legendre`] replaces them.
///
/// ```
/// use hpfracc_spatial::{Axis, Boundary};
///
/// let axis = Axis::new(0.0, 2.0, 4, [Boundary::Dirichlet, Boundary::Robin(0.5)])?;
/// assert_eq!(axis.points(), [0.25, 0.75, 1.25, 1.75]);
/// assert!(Axis::new(0.0, 2.0, 4, [Boundary::Periodic, Boundary::Neumann]).is_err());
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    from: f64,
    to: f64,
    boundaries: [Boundary; 2],
    discretisation: Discretisation,
    points: Vec<f64>,
    weights: Vec<f64>,
}

/// The most points whose eigenvectors are stored as a dense matrix.
pub(crate) const MOST_DENSE: usize = 2048;

impl Axis {
    /// Axis of n cells, with second-order differences.
    ///
    /// # Errors
    /// [`SpatialError::OutOfRange`] unless the ends are finite, `from < to`, `n >= 3` and Robin
    /// coefficients are finite and not negative; [`SpatialError::Axis`] if only one end is
    /// periodic; [`SpatialError::Memory`] if the points do not fit.
    pub fn new(from: f64, to: f64, n: usize, boundaries: [Boundary; 2]) -> Result<Self> {
        require(from.is_finite(), "the lower end of an axis", from, "a finite number")?;
        require(to.is_finite(), "the upper end of an axis", to, "a finite number")?;
        require(from < to, "the length of an axis", to - from, "a positive number")?;
        require(n >= 3, "the number of points of an axis", n as f64, "at least 3")?;
        require_memory("the points of an axis", 2.0 * n as f64)?;
        boundaries[0].check()?;
        boundaries[1].check()?;
        let periodic = boundaries.map(|b| b == Boundary::Periodic);
        if periodic[0] != periodic[1] {
            return Err(unsupported(
                "the pair of boundaries",
                format!("{boundaries:?}"),
                "periodic on both ends or on none",
            ));
        }
        let h = (to - from) / n as f64;
        require(h > 0.0 && h.is_finite(), "the width of a cell", h, "a positive number")?;
        let points = (0..n).map(|j| from + (j as f64 + 0.5) * h).collect();
        let discretisation = Discretisation::Second;
        Ok(Self { from, to, boundaries, discretisation, points, weights: vec![h; n] })
    }

    /// Periodic axis of n cells.
    ///
    /// # Errors
    /// As [`Axis::new`].
    pub fn periodic(from: f64, to: f64, n: usize) -> Result<Self> {
        Self::new(from, to, n, [Boundary::Periodic; 2])
    }

    /// The same axis with another discretisation, and as many points.
    ///
    /// # Errors
    /// [`SpatialError::Axis`] for a periodic axis with [`Discretisation::Legendre`] and a Robin
    /// boundary with [`Discretisation::Fourth`]; [`SpatialError::OutOfRange`] for more than 2048
    /// Legendre points, or fewer than 5 points with [`Discretisation::Fourth`].
    pub fn with(mut self, discretisation: Discretisation) -> Result<Self> {
        let n = self.len();
        let robin = self.boundaries.iter().any(|b| matches!(b, Boundary::Robin(_)));
        let boundaries = || format!("{:?}", self.boundaries);
        let what = "the pair of boundaries";
        match discretisation {
            Discretisation::Fourth if robin => {
                return Err(unsupported(what, boundaries(), "no Robin boundary with order 4"));
            }
            Discretisation::Legendre if self.is_periodic() => {
                return Err(unsupported(
                    what,
                    boundaries(),
                    "no periodic one with Legendre points",
                ));
            }
            Discretisation::Fourth => {
                require(
                    n >= 5,
                    "the number of points of an axis of order 4",
                    n as f64,
                    "at least 5",
                )?;
            }
            Discretisation::Legendre => {
                let what = "the number of Legendre points";
                require(n <= MOST_DENSE, what, n as f64, "at most 2048")?;
            }
            Discretisation::Second => (),
        }
        (self.points, self.weights) = match discretisation {
            Discretisation::Legendre => {
                Legendre::new(self.ends(), n, self.boundaries).points_and_weights()
            }
            _ => {
                let cells = Self::new(self.from, self.to, n, self.boundaries)?;
                (cells.points, cells.weights)
            }
        };
        self.discretisation = discretisation;
        Ok(self)
    }

    /// Number of values, n.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether n is 0: never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Lower and upper end.
    pub fn ends(&self) -> [f64; 2] {
        [self.from, self.to]
    }

    /// Boundary conditions on the lower and the upper end.
    pub fn boundaries(&self) -> [Boundary; 2] {
        self.boundaries
    }

    /// Discretisation of the second derivative.
    pub fn discretisation(&self) -> Discretisation {
        self.discretisation
    }

    /// Coordinates of the n values, increasing.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// Weights of the quadrature over the points: the width h of the cells, or those of
    /// Gauss-Lobatto-Legendre.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Mean distance of the points, `(to - from) / n`: the width of the cells.
    pub fn cell_width(&self) -> f64 {
        (self.to - self.from) / self.len() as f64
    }

    /// Whether the ends are the same point.
    pub fn is_periodic(&self) -> bool {
        self.boundaries[0] == Boundary::Periodic
    }

    /// Whether constants satisfy both boundary conditions.
    pub(crate) fn keeps_constants(&self) -> bool {
        self.boundaries.iter().all(|b| b.keeps_constants())
    }
}

/// The error of an axis before it has a place in a grid.
fn unsupported(what: &'static str, found: String, expected: &'static str) -> SpatialError {
    SpatialError::Axis { axis: 0, what, found, expected }
}
