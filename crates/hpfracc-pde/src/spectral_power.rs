use crate::error::{PdeError, Result, require};
use hpfracc_spatial::reductions::update;
use hpfracc_spatial::{
    Complex64, Modes, NullSpace, ShiftedSolver, SpatialError, SpatialOperator, Spectrum,
};
use std::sync::Arc;

/// Power `A^s`, s > 0, of an operator with modes, which it owns: the spectral fractional Laplacian
/// of a box for s < 1, the biharmonic operator for s = 2.
///
/// Exact in the modes of A; products and shifted solves cost two transforms. For operators without
/// modes use [`Power`](hpfracc_spatial::Power).
///
/// ```
/// use hpfracc_pde::SpectralPower;
/// use hpfracc_spatial::{Axis, BoxGrid, Laplacian, SpatialOperator};
/// use std::sync::Arc;
///
/// let grid = BoxGrid::new(vec![Axis::periodic(0.0, std::f64::consts::TAU, 64)?])?;
/// let laplacian = Arc::new(Laplacian::new(grid.clone(), &[1.0])?);
/// let root = SpectralPower::new(laplacian.clone(), 0.5)?;
/// let u = grid.sample(|x| (3.0 * x[0]).cos());
/// let (mut once, mut twice, mut whole) = (vec![0.0; 64], vec![0.0; 64], vec![0.0; 64]);
/// root.apply(&u, &mut once);
/// root.apply(&once, &mut twice);
/// laplacian.apply(&u, &mut whole);
/// assert!(twice.iter().zip(&whole).all(|(a, b)| (a - b).abs() < 1e-11));
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
pub struct SpectralPower<'a> {
    of: Arc<dyn SpatialOperator + 'a>,
    eigenvalues: Vec<f64>,
}

impl<'a> SpectralPower<'a> {
    /// `A^s`.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) unless s > 0, [`Spatial`](PdeError::Spatial) for an
    /// operator without modes.
    pub fn new(of: Arc<dyn SpatialOperator + 'a>, s: f64) -> Result<Self> {
        require(s > 0.0 && s.is_finite(), "the exponent of an operator", s, "a positive number")?;
        let Some(modes) = of.modes() else {
            return Err(PdeError::Spatial(SpatialError::Unsupported {
                method: "SpectralPower",
                request: format!("A^{s}"),
                reason: "the operator has no modes; use `Power`",
            }));
        };
        let mut eigenvalues = modes.eigenvalues().to_vec();
        let power = power_of_eigenvalues(&of.spectrum(), s);
        update(&mut eigenvalues, |_, l| *l = power(*l));
        Ok(Self { of, eigenvalues })
    }

    fn multiply(&self, x: &mut [f64], factor: impl Fn(f64) -> f64 + Sync) {
        if let Some(modes) = self.of.modes() {
            modes.to_modes(x);
            update(x, |k, x| *x *= factor(self.eigenvalues[k]));
            modes.to_values(x);
        }
    }
}

/// The power s of an eigenvalue, and 0 for the eigenvalue 0 of a null space, which is rounded.
pub(crate) fn power_of_eigenvalues(spectrum: &Spectrum, s: f64) -> impl Fn(f64) -> f64 + use<> {
    let singular = spectrum.null_space != NullSpace::Zero;
    let zero = 0.5 * spectrum.lowest;
    move |l| if singular && l < zero { 0.0 } else { l.powf(s) }
}

impl SpatialOperator for SpectralPower<'_> {
    fn len(&self) -> usize {
        self.eigenvalues.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
        self.multiply(y, |l| l);
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        let Some(w) = self.of.weights() else { return self.apply(y, x) };
        x.iter_mut().zip(y.iter().zip(w)).for_each(|(x, (y, w))| *x = y / w);
        self.multiply(x, |l| l);
        x.iter_mut().zip(w).for_each(|(x, w)| *x *= w);
    }

    fn spectrum(&self) -> Spectrum {
        let positive = self.eigenvalues.iter().copied().filter(|l| *l > 0.0);
        Spectrum {
            lowest: positive.clone().fold(f64::INFINITY, f64::min),
            highest: positive.fold(0.0, f64::max),
            null_space: self.of.spectrum().null_space,
        }
    }

    fn weights(&self) -> Option<&[f64]> {
        self.of.weights()
    }

    fn is_self_adjoint(&self) -> bool {
        self.of.is_self_adjoint()
    }

    fn modes(&self) -> Option<&dyn Modes> {
        Some(self)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        if z.im == 0.0 && self.eigenvalues.iter().any(|l| z.re + l == 0.0) {
            return Err(SpatialError::OutOfRange {
                what: "the shift",
                value: z.re,
                expected: "not minus an eigenvalue",
            });
        }
        Ok(Box::new(PowerSolver { power: self, z }))
    }
}

impl Modes for SpectralPower<'_> {
    fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    fn to_modes(&self, x: &mut [f64]) {
        if let Some(modes) = self.of.modes() {
            modes.to_modes(x);
        }
    }

    fn to_values(&self, x: &mut [f64]) {
        if let Some(modes) = self.of.modes() {
            modes.to_values(x);
        }
    }
}

struct PowerSolver<'a> {
    power: &'a SpectralPower<'a>,
    z: Complex64,
}

impl ShiftedSolver for PowerSolver<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<(), SpatialError> {
        let mut re: Vec<f64> = x.iter().map(|x| x.re).collect();
        let mut im: Vec<f64> = x.iter().map(|x| x.im).collect();
        self.power.to_modes(&mut re);
        self.power.to_modes(&mut im);
        for (k, l) in self.power.eigenvalues.iter().enumerate() {
            let value = Complex64::new(re[k], im[k]) / (self.z + l);
            (re[k], im[k]) = (value.re, value.im);
        }
        self.power.to_values(&mut re);
        self.power.to_values(&mut im);
        for (x, (re, im)) in x.iter_mut().zip(re.into_iter().zip(im)) {
            *x = Complex64::new(re, im);
        }
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<(), SpatialError> {
        if self.z.im != 0.0 {
            return Err(SpatialError::OutOfRange {
                what: "the imaginary part of a shift",
                value: self.z.im,
                expected: "0 in a real solve",
            });
        }
        let z = self.z.re;
        self.power.multiply(x, |l| 1.0 / (z + l));
        Ok(())
    }
}
