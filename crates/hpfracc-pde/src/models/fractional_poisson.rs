use super::unit_laplacian::unit_laplacian;
use crate::error::{PdeError, Result, require, require_len};
use crate::spectral_power::power_of_eigenvalues;
use hpfracc_spatial::{BoxGrid, Modes, NullSpace, SpatialError, SpatialOperator};

/// Fractional Poisson equation `(-Lap)^s u = f` with the spectral fractional Laplacian of a box,
/// s > 0.
///
/// A power of the discrete Laplacian with its boundary conditions, exact in its modes; order 2 in
/// space for smooth solutions. With Neumann or periodic boundaries on all faces f must have mean 0,
/// and so has u. For zero values outside of a domain use the integral definition,
/// [`IntegralLaplacian`](hpfracc_spatial::IntegralLaplacian), a different operator.
///
/// Source: L. A. Caffarelli, P. R. Stinga, Ann. Inst. H. Poincare C 33 (2016) 767,
/// doi:10.1016/j.anihpc.2015.01.004.
///
/// ```
/// use hpfracc_pde::models::FractionalPoisson;
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// // (-Lap)^1/2 u = 1 on (-1, 1): u(0) = 8 G / pi^2 with Catalan's constant G.
/// let grid = BoxGrid::new(vec![Axis::new(-1.0, 1.0, 2001, [Boundary::Dirichlet; 2])?])?;
/// let u = FractionalPoisson { s: 0.5 }.solve(grid, &[1.0; 2001])?;
/// assert!((u[1000] - 0.742_453_8).abs() < 1e-3);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FractionalPoisson {
    /// Exponent of the Laplacian, positive.
    pub s: f64,
}

impl FractionalPoisson {
    /// The solution on a box, for boundary values 0.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for s, [`Length`](PdeError::Length) and
    /// [`Spatial`](PdeError::Spatial) for f, [`MeanNotZero`](PdeError::MeanNotZero) for one without
    /// a solution.
    pub fn solve(&self, grid: BoxGrid, f: &[f64]) -> Result<Vec<f64>> {
        require(self.s > 0.0 && self.s.is_finite(), "the exponent s", self.s, "a positive number")?;
        require_len("the source", f.len(), grid.len())?;
        if let Some(index) = f.iter().position(|f| !f.is_finite()) {
            let (what, value) = ("the source", f[index]);
            return Err(PdeError::Spatial(SpatialError::NotFinite { what, index, value }));
        }
        let volume: f64 = grid.axes().iter().map(|axis| axis.ends()[1] - axis.ends()[0]).product();
        let mean = grid.integral(f)? / volume;
        let size = f.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        let laplacian = unit_laplacian(grid)?;
        let spectrum = laplacian.spectrum();
        if spectrum.null_space != NullSpace::Zero && mean.abs() > 1e-12 * size {
            return Err(PdeError::MeanNotZero { mean });
        }
        let mut u = f.to_vec();
        laplacian.to_modes(&mut u);
        let power = power_of_eigenvalues(&spectrum, -self.s);
        u.iter_mut().zip(laplacian.eigenvalues()).for_each(|(u, l)| *u *= power(*l));
        laplacian.to_values(&mut u);
        Ok(u)
    }
}
