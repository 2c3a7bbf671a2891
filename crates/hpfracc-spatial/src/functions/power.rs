use crate::error::require;
use crate::functions::spectral::{DiagonalSolver, MappedModes};
use crate::functions::{Function, OperatorFunction, Way};
use crate::krylov::{IterativeSolver, Stopping};
use crate::{Modes, NullSpace, Result, ShiftedSolver, SpatialOperator, Spectrum};
use num_complex::Complex64;

/// Fractional power `A^s`, s > 0, as an operator: it goes wherever A does.
///
/// Shifted solves are exact for operators with modes, else by conjugate gradients with products of
/// `A^s`. A product whose iterative method does not converge fills the result with NaN; call
/// [`function`](Self::function) for one that returns the error.
///
/// ```
/// use hpfracc_spatial::{
///     Function, Graph, GraphLaplacian, OperatorFunction, Power, SpatialOperator, Way,
/// };
///
/// // Space-fractional diffusion, exp(-L^1/2).
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(9)?)?;
/// let root = Power::new(&laplacian, 0.5, Way::Auto, 1e-12)?;
/// let heat = OperatorFunction::new(&root, Function::Exponential { t: 1.0 }, Way::Auto, 1e-12)?;
/// let (mut x, mut y) = ([0.0; 9], [0.0; 9]);
/// x[0] = 1.0;
/// heat.apply(&x, &mut y)?;
/// assert!((y.iter().sum::<f64>() - 1.0).abs() < 1e-13);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct Power<'a> {
    of: &'a dyn SpatialOperator,
    function: OperatorFunction<'a>,
    modes: Option<MappedModes<'a>>,
    spectrum: Spectrum,
}

impl<'a> Power<'a> {
    /// `A^s` by a method, with its tolerance.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) unless s > 0; those of
    /// [`OperatorFunction::new`].
    pub fn new(of: &'a dyn SpatialOperator, s: f64, way: Way, tolerance: f64) -> Result<Self> {
        require(s > 0.0, "exponent s of an operator", s, "above 0")?;
        let function = OperatorFunction::new(of, Function::Power(s), way, tolerance)?;
        let Spectrum { lowest, highest, null_space } = of.spectrum();
        let spectrum = Spectrum { lowest: lowest.powf(s), highest: highest.powf(s), null_space };
        let modes = of.modes().map(|modes| MappedModes::new(modes, |l| l.max(0.0).powf(s)));
        Ok(Self { of, function, modes, spectrum })
    }

    /// The power as a function of A.
    pub fn function(&self) -> &OperatorFunction<'a> {
        &self.function
    }
}

impl SpatialOperator for Power<'_> {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        if self.function.apply(x, y).is_err() {
            y.fill(f64::NAN);
        }
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        if self.function.apply_transpose(y, x).is_err() {
            x.fill(f64::NAN);
        }
    }

    fn spectrum(&self) -> Spectrum {
        self.spectrum.clone()
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
        let singular = z.norm() == 0.0 && self.spectrum.null_space != NullSpace::Zero;
        require(!singular, "shift z of a singular operator", 0.0, "a number other than 0")?;
        if let Some(modes) = &self.modes {
            return Ok(Box::new(DiagonalSolver::new(modes, z)?));
        }
        Ok(Box::new(IterativeSolver::new(self, z, None, Stopping::default())?))
    }
}
