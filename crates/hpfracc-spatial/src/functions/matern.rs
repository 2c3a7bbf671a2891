use crate::error::require;
use crate::functions::spectral::{DiagonalSolver, MappedModes};
use crate::functions::{Function, OperatorFunction, Way};
use crate::{Modes, NullSpace, Result, ShiftedSolver, SpatialOperator, Spectrum};
use num_complex::Complex64;

/// Operator `A + c` with a constant c > 0, self-adjoint if A is.
pub struct PlusConstant<'a> {
    of: &'a dyn SpatialOperator,
    constant: f64,
    modes: Option<MappedModes<'a>>,
}

impl<'a> PlusConstant<'a> {
    /// `A + constant`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) unless the constant is positive and finite.
    pub fn new(of: &'a dyn SpatialOperator, constant: f64) -> Result<Self> {
        let fits = constant > 0.0 && constant.is_finite();
        require(fits, "constant added to an operator", constant, "above 0 and finite")?;
        let modes = of.modes().map(|modes| MappedModes::new(modes, |l| l + constant));
        Ok(Self { of, constant, modes })
    }
}

impl SpatialOperator for PlusConstant<'_> {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.of.apply(x, y);
        crate::krylov::reductions::axpy(self.constant, x, y);
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        self.of.apply_transpose(y, x);
        crate::krylov::reductions::axpy(self.constant, y, x);
    }

    fn spectrum(&self) -> Spectrum {
        let Spectrum { lowest, highest, null_space } = self.of.spectrum();
        let lowest = if null_space == NullSpace::Zero { lowest } else { 0.0 } + self.constant;
        Spectrum { lowest, highest: highest + self.constant, null_space: NullSpace::Zero }
    }

    fn weights(&self) -> Option<&[f64]> {
        self.of.weights()
    }

    fn is_self_adjoint(&self) -> bool {
        self.of.is_self_adjoint()
    }

    fn modes(&self) -> Option<&dyn Modes> {
        self.modes.as_ref().map(|modes| modes as &dyn Modes)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        match &self.modes {
            Some(modes) => Ok(Box::new(DiagonalSolver::new(modes, z)?)),
            None => self.of.shifted(z + self.constant),
        }
    }
}

/// Matern field `(kappa^2 + A)^(-nu/2) w` of white noise w, by an operator `kappa^2 + A`: the
/// solution of `(kappa^2 + A)^(nu/2) u = w`, with the correlation length `1/kappa`.
///
/// nu is the exponent of the covariance `(kappa^2 + A)^-nu`: the nu of Borovitskiy et al. for graphs,
/// the alpha of Lindgren et al. for boxes. In a box of d axes, with minus the Laplacian, the order of
/// the Bessel function of the Matern covariance, often called nu too, is `nu - d/2`: fields are
/// continuous for nu > d/2, and a field of smoothness m needs nu = m + d/2.
///
/// White noise has variance 1 at the nodes of a graph, and 1 over the cell's volume in a box; its
/// numbers are those of the caller. Sources: F. Lindgren, H. Rue, J. Lindstrom, J. R. Stat. Soc. B 73
/// (2011) 423, doi:10.1111/j.1467-9868.2011.00777.x; for graphs V. Borovitskiy et al., AISTATS 2021,
/// arXiv:2010.15538.
///
/// # Errors
/// [`OutOfRange`](crate::SpatialError::OutOfRange) unless nu > 0; those of [`OperatorFunction::new`].
///
/// ```
/// use hpfracc_spatial::{Graph, GraphLaplacian, PlusConstant, matern_field};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::torus(&[10, 10])?)?;
/// let operator = PlusConstant::new(&laplacian, 0.25)?; // kappa = 1/2
/// let field = matern_field(&operator, 3.0, 1e-8)?;
/// let noise: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 100) / 50.0 - 1.0).collect();
/// let mut u = vec![0.0; 100];
/// field.apply(&noise, &mut u)?;
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub fn matern_field<'a>(
    operator: &'a PlusConstant<'_>,
    nu: f64,
    tolerance: f64,
) -> Result<OperatorFunction<'a>> {
    require(nu > 0.0, "exponent nu", nu, "above 0")?;
    OperatorFunction::new(operator, Function::Power(-nu / 2.0), Way::Auto, tolerance)
}
