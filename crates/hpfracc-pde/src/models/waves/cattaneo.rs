use crate::Equation;
use crate::error::{Result, require_positive, require_up_to_one};
use crate::models::unit_laplacian::unit_laplacian;
use hpfracc_spatial::{BoxGrid, TimeDerivative};

/// Generalised Cattaneo (fractional telegraph) equation, 0 < alpha <= 1, in one of two
/// [forms](CattaneoForm):
///
/// ```text
/// D^alpha u + tau^alpha D^(2 alpha) u = kappa Lap u
/// D u + tau^alpha D^(1 + alpha) u = kappa Lap u
/// ```
///
/// Both are the telegraph equation `u_t + tau u_tt = kappa Lap u` for alpha = 1, whose fronts
/// travel at the speed sqrt(kappa / tau). For [`solve_linear`](crate::solve_linear); orders above
/// 1 need an initial velocity. Order 2 in space, exact in time for the first form and for
/// alpha = 1, else to the tolerance. Parameters of the equation: kappa.
///
/// Source: the equations GCE I and GCE III of A. Compte, R. Metzler, J. Phys. A 30 (1997) 7277,
/// doi:10.1088/0305-4470/30/21/006; E. Awad, R. Metzler, Fract. Calc. Appl. Anal. 23 (2020) 55,
/// doi:10.1515/fca-2020-0003.
///
/// ```
/// use hpfracc_pde::models::{Cattaneo, CattaneoForm};
/// use hpfracc_pde::solve_linear;
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 200, [Boundary::Neumann; 2])?])?;
/// let model = Cattaneo { alpha: 0.8, tau: 1.0, kappa: 1.0, form: CattaneoForm::Subdiffusive };
/// let equation = model.equation(grid)?.start_from(|x| (-400.0 * x[0] * x[0]).exp())?;
/// let equation = equation.start_velocity(&[0.0; 200])?;
/// let u = solve_linear(&equation, &[0.6], 1e-9)?;
/// // A pulse moves, instead of a maximum that stays.
/// assert!(u[0][100] > u[0][0]);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cattaneo {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Relaxation time of the flux, positive.
    pub tau: f64,
    /// Diffusion coefficient, length^2 / time^alpha or length^2 / time, positive.
    pub kappa: f64,
    /// Orders of the two derivatives.
    pub form: CattaneoForm,
}

/// Form of a [`Cattaneo`] equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CattaneoForm {
    /// Orders alpha and 2 alpha (GCE I): subdiffusion at long times.
    #[default]
    Subdiffusive,
    /// Orders 1 and 1 + alpha (GCE III): normal diffusion at long times.
    Diffusive,
}

impl Cattaneo {
    /// The equation on a box, without a start.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::PdeError::OutOfRange) for a parameter,
    /// [`Spatial`](crate::PdeError::Spatial) for a grid without a Laplacian, or tau^alpha that
    /// underflows.
    pub fn equation(&self, grid: BoxGrid) -> Result<Equation<'static>> {
        let Self { alpha, tau, kappa, form } = *self;
        require_up_to_one(alpha)?;
        require_positive("the relaxation time tau", tau)?;
        require_positive("the diffusion coefficient kappa", kappa)?;
        let orders = match form {
            CattaneoForm::Subdiffusive => [alpha, 2.0 * alpha],
            CattaneoForm::Diffusive => [1.0, 1.0 + alpha],
        };
        let terms = [(1.0, orders[0]), (tau.powf(alpha), orders[1])];
        let derivative = TimeDerivative::multi_term(&terms)?;
        Equation::on_box(unit_laplacian(grid)?).coefficient(kappa)?.time_derivative(0, derivative)
    }
}
