use crate::error::{Result, require, require_len};
use hpfracc_spatial::{IntegralLaplacian, IntegralLaplacian1d, SpatialOperator, Stopping};
use std::sync::Arc;

/// Most nodes of the box around a domain.
const MOST_NODES: f64 = (1u64 << 28) as f64;
/// Stopping of iterative solves, below the error of solutions without steps.
const STOPPING: Stopping = Stopping { tolerance: 1e-12, iterations: 500 };

/// Nodes of an interval, a box or another domain, outside of which fields are zero: for equations of
/// texts with the integral fractional Laplacian.
///
/// The nodes of an axis `(a, b, n)` are `a + (j+1) h`, `h = (b-a)/(n+1)`.
///
/// ```
/// use hpfracc_pde::ZeroOutside;
///
/// let disk = ZeroOutside::inside(&[(-1.0, 1.0, 31), (-1.0, 1.0, 31)], |x| {
///     x[0] * x[0] + x[1] * x[1] < 1.0
/// })?;
/// assert!(disk.len() < 31 * 31);
/// assert_eq!(disk.on_box(&vec![1.0; disk.len()], 0.0).len(), 31 * 31);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ZeroOutside {
    axes: Vec<(f64, f64, usize)>,
    /// Whether each node of the box is in the domain; None for all.
    mask: Option<Arc<[bool]>>,
    len: usize,
}

impl ZeroOutside {
    /// The whole box of one to three axes `(a, b, n)`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) unless there are 1 to 3 axes, a < b are finite, n is
    /// at least 1 and the box has at most 2^28 nodes.
    pub fn on(axes: &[(f64, f64, usize)]) -> Result<Self> {
        let count = axes.len() as f64;
        require((1..=3).contains(&axes.len()), "the number of axes", count, "1 to 3")?;
        for &(a, b, n) in axes {
            require(a.is_finite(), "the lower end of an axis", a, "a finite number")?;
            require(b.is_finite(), "the upper end of an axis", b, "a finite number")?;
            require(a < b, "the length of an axis", b - a, "a positive number")?;
            require(n > 0, "the number of nodes of an axis", 0.0, "at least 1")?;
        }
        let nodes: f64 = axes.iter().map(|(_, _, n)| *n as f64).product();
        require(nodes <= MOST_NODES, "the number of nodes", nodes, "at most 2^28")?;
        Ok(Self { axes: axes.to_vec(), mask: None, len: nodes as usize })
    }

    /// The nodes of a box whose coordinates satisfy a condition.
    ///
    /// # Errors
    /// As [`on`](Self::on), and for a domain without nodes.
    pub fn inside(axes: &[(f64, f64, usize)], condition: impl Fn(&[f64]) -> bool) -> Result<Self> {
        let whole = Self::on(axes)?;
        let mask: Vec<bool> = (0..whole.len).map(|i| condition(&whole.node(i))).collect();
        Self::masked(axes, &mask)
    }

    /// The nodes of a box where a mask, row-major, is true.
    ///
    /// # Errors
    /// As [`inside`](Self::inside), and [`Length`](crate::PdeError::Length) for the mask.
    pub fn masked(axes: &[(f64, f64, usize)], mask: &[bool]) -> Result<Self> {
        let whole = Self::on(axes)?;
        require_len("the mask of a domain", mask.len(), whole.len)?;
        let len = mask.iter().filter(|inside| **inside).count();
        require(len > 0, "the number of nodes of a domain", 0.0, "at least 1")?;
        Ok(Self { mask: Some(mask.into()), len, ..whole })
    }

    /// Axes of the box.
    pub fn axes(&self) -> &[(f64, f64, usize)] {
        &self.axes
    }

    /// Nodes along each axis of the box.
    pub fn coordinates(&self) -> Vec<Vec<f64>> {
        let nodes = |&(a, b, n): &(f64, f64, usize)| (0..n).map(|j| place((a, b, n), j)).collect();
        self.axes.iter().map(nodes).collect()
    }

    /// Number of nodes of the domain.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no nodes: never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Coordinates of each node of the domain.
    pub fn nodes(&self) -> Vec<Vec<f64>> {
        self.indices().map(|index| self.node(index)).collect()
    }

    /// Values on all nodes of the box, row-major, those outside the domain being `outside`.
    ///
    /// # Panics
    /// If the field has another length than the domain.
    pub fn on_box(&self, field: &[f64], outside: f64) -> Vec<f64> {
        assert_eq!(field.len(), self.len, "values of the field");
        let mut values = vec![outside; self.axes.iter().map(|(_, _, n)| n).product()];
        self.indices().zip(field).for_each(|(index, value)| values[index] = *value);
        values
    }

    /// Values on the nodes of the domain, from those on all nodes of the box.
    ///
    /// # Errors
    /// [`Length`](crate::PdeError::Length).
    pub fn of_box(&self, values: &[f64]) -> Result<Vec<f64>> {
        let expected = self.axes.iter().map(|(_, _, n)| n).product();
        require_len("the field on a box", values.len(), expected)?;
        Ok(self.indices().map(|index| values[index]).collect())
    }

    /// Integral of a field, which is zero outside: the sum of its values times the volume between
    /// nodes.
    pub fn integral(&self, field: &[f64]) -> f64 {
        field.iter().sum::<f64>() * self.volume()
    }

    /// Volume of a node.
    pub(super) fn volume(&self) -> f64 {
        let length = |&(a, b, n): &(f64, f64, usize)| (b - a) / (n + 1) as f64;
        self.axes.iter().map(length).product()
    }

    /// Numbers of the nodes of the domain in the box.
    fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let whole: usize = self.axes.iter().map(|(_, _, n)| n).product();
        (0..whole).filter(|index| self.mask.as_ref().is_none_or(|mask| mask[*index]))
    }

    fn node(&self, index: usize) -> Vec<f64> {
        let mut rest = index;
        let mut point: Vec<f64> = (self.axes.iter().rev())
            .map(|axis| {
                let j = rest % axis.2;
                rest /= axis.2;
                place(*axis, j)
            })
            .collect();
        point.reverse();
        point
    }

    /// Integral `(-lap)^s`, 0 < s < 1; on an interval with the correction for its ends.
    pub(super) fn laplacian(&self, s: f64) -> Result<Arc<dyn SpatialOperator>> {
        let what = "the exponent of an integral Laplacian";
        require(s > 0.0 && s < 1.0, what, s, "0 < s < 1; the spectral definition has others")?;
        let alpha = 2.0 * s;
        Ok(match (&self.axes[..], &self.mask) {
            (&[(a, b, n)], None) => {
                let laplacian = IntegralLaplacian1d::new(alpha, (a, b), n)?;
                Arc::new(laplacian.with_boundary_correction().with_stopping(STOPPING)?)
            }
            (axes, None) => Arc::new(IntegralLaplacian::on(alpha, axes)?.with_stopping(STOPPING)?),
            (axes, Some(mask)) => {
                Arc::new(IntegralLaplacian::masked(alpha, axes, mask)?.with_stopping(STOPPING)?)
            }
        })
    }
}

/// The j-th node of an axis.
fn place((a, b, n): (f64, f64, usize), j: usize) -> f64 {
    a + (b - a) * ((j + 1) as f64 / (n + 1) as f64)
}
