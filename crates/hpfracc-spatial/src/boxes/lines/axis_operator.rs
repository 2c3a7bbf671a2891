use super::LineTransform;
use super::band::{Band, SparseRow};
use super::cosine::Cosine;
use super::dense::Dense;
use super::hartley::Hartley;
use super::quarter::Quarter;
use super::robin::{self, Robin};
use crate::Result;
use crate::boxes::axis::MOST_DENSE;
use crate::boxes::legendre::Legendre;
use crate::boxes::{Axis, Boundary, Discretisation};
use crate::error::require;
use hpfracc_backend::RealTransform;
use std::f64::consts::PI;

/// The discrete `-d^2/dx^2` of one axis: matrix, eigenvalues and transform to its eigenvectors.
pub(in crate::boxes) struct AxisOperator {
    matrix: Matrix,
    /// Contributions of a boundary value 1 on each end to the right-hand side.
    pub(in crate::boxes) ends: [SparseRow; 2],
    pub(in crate::boxes) eigenvalues: Vec<f64>,
    pub(in crate::boxes) transform: Box<dyn LineTransform>,
    /// The transform by its name, if it has one.
    pub(in crate::boxes) named: Option<RealTransform>,
}

enum Matrix {
    Band(Band),
    /// Row-major.
    Dense(Vec<f64>),
}

impl AxisOperator {
    pub(in crate::boxes) fn new(axis: &Axis) -> Result<Self> {
        if axis.discretisation() == Discretisation::Legendre {
            return Ok(Self::legendre(axis));
        }
        let (angles, transform, named) = angles_and_transform(axis)?;
        let fourth = axis.discretisation() == Discretisation::Fourth;
        let band = if fourth { Band::fourth(axis) } else { Band::second(axis) };
        let h = axis.cell_width();
        let eigenvalue = |angle: f64| {
            let second = eigenvalue(h, angle);
            if fourth { second * (1.0 + h * h * second / 12.0) } else { second }
        };
        Ok(Self {
            ends: band.ends(axis),
            eigenvalues: angles.into_iter().map(eigenvalue).collect(),
            matrix: Matrix::Band(band),
            transform,
            named,
        })
    }

    fn legendre(axis: &Axis) -> Self {
        let method = Legendre::new(axis.ends(), axis.len(), axis.boundaries());
        let (matrix, ends) = method.matrix_and_ends();
        let (eigenvalues, eigenvectors) = method.eigen();
        Self {
            matrix: Matrix::Dense(matrix),
            ends: ends.map(|end| end.into_iter().enumerate().filter(|(_, a)| *a != 0.0).collect()),
            eigenvalues,
            transform: Box::new(Dense::new(eigenvectors, axis.weights())),
            named: None,
        }
    }

    /// Calls a function with the position and the value of each entry of a row.
    pub(in crate::boxes) fn row(&self, i: usize, mut f: impl FnMut(usize, f64)) {
        match &self.matrix {
            Matrix::Band(band) => band.row(i, f),
            Matrix::Dense(rows) => {
                let n = self.eigenvalues.len();
                rows[i * n..][..n].iter().enumerate().for_each(|(j, a)| f(j, *a));
            }
        }
    }

    /// Adds `scale A x` to y.
    pub(in crate::boxes) fn add_product(&self, scale: f64, x: &[f64], y: &mut [f64]) {
        match &self.matrix {
            Matrix::Band(band) => band.add_product(scale, x, y),
            Matrix::Dense(rows) => {
                for (y, row) in y.iter_mut().zip(rows.chunks_exact(x.len())) {
                    *y += scale * row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
                }
            }
        }
    }

    /// The least eigenvalue, the one after it, and the greatest.
    pub(in crate::boxes) fn extremes(&self) -> [f64; 3] {
        let (mut least, mut second, mut greatest) = (f64::INFINITY, f64::INFINITY, 0.0_f64);
        for value in &self.eigenvalues {
            second = second.min(value.max(least));
            least = least.min(*value);
            greatest = greatest.max(*value);
        }
        [least, second, greatest]
    }
}

/// Angles, transform and its name.
type AnglesAndTransform = (Vec<f64>, Box<dyn LineTransform>, Option<RealTransform>);

/// The angles theta of the eigenvalues `(2 sin(theta/2) / h)^2` of cells, and the transform.
fn angles_and_transform(axis: &Axis) -> Result<AnglesAndTransform> {
    let n = axis.len();
    let angles = |first: f64| (0..n).map(|k| PI * (k as f64 + first) / n as f64).collect();
    use Boundary::{Dirichlet, Neumann, Periodic};
    Ok(match axis.boundaries() {
        [Periodic, _] => {
            let angle = |k: usize| 2.0 * PI * k.min(n - k) as f64 / n as f64;
            let angles = (0..n).map(angle).collect();
            (angles, Box::new(Hartley::new(n)), Some(RealTransform::Hartley))
        }
        [Neumann, Neumann] => {
            (angles(0.0), Box::new(Cosine::new(n, false)), Some(RealTransform::Dct2))
        }
        [Dirichlet, Dirichlet] => {
            (angles(1.0), Box::new(Cosine::new(n, true)), Some(RealTransform::Dst2))
        }
        [Neumann, Dirichlet] => {
            (angles(0.5), Box::new(Quarter::new(n, false)), Some(RealTransform::Dct4))
        }
        // The same modes up to their signs.
        [Dirichlet, Neumann] => {
            (angles(0.5), Box::new(Quarter::new(n, true)), Some(RealTransform::Dst4))
        }
        boundaries => {
            let what = "the number of cells of an axis with a Robin boundary";
            require(n <= MOST_DENSE, what, n as f64, "at most 2048")?;
            let robin = Robin::new(n, axis.cell_width(), boundaries);
            let transform = Box::new(Dense::new(robin.eigenvectors, &vec![1.0; n]));
            (robin.angles, transform, None)
        }
    })
}

/// Eigenvalue of the three-point difference for an angle theta.
fn eigenvalue(h: f64, angle: f64) -> f64 {
    (2.0 / h * (0.5 * angle).sin()).powi(2)
}

/// The least eigenvalue of the three-point difference, the one after it, and the greatest, for any
/// number of cells.
pub(in crate::boxes) fn extremes(axis: &Axis) -> [f64; 3] {
    let (n, h) = (axis.len(), axis.cell_width());
    let angle = |k: usize| {
        if axis.is_periodic() {
            2.0 * PI * k.div_ceil(2) as f64 / n as f64
        } else {
            robin::angle_of(n, h, axis.boundaries(), k)
        }
    };
    [0, 1, n - 1].map(|k| eigenvalue(h, angle(k)))
}
