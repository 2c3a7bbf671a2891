use crate::error::{PdeError, Result, require, require_len, require_positive, require_up_to_one};
use hpfracc_spatial::{Complex64, DenseModes, Modes, SpatialError, SpatialOperator};
use hpfracc_special::MittagLeffler;
use rayon::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Time-fractional Schroedinger equation, 0 < alpha <= 1, with the Hamiltonian `H = kappa A + V` of
/// an operator A, minus the Laplacian or a fractional power of it, and a real potential V, in one
/// of two [forms](SchroedingerForm):
///
/// ```text
/// i^alpha D^alpha psi = H psi,    psi(t) = E_alpha((-i)^alpha H t^alpha) psi(0)
/// i D^alpha psi = H psi,          psi(t) = E_alpha(-i H t^alpha) psi(0)
/// ```
///
/// Both are `exp(-i H t) psi(0)` for alpha = 1, which conserves the norm. For alpha < 1 none does:
/// in the first form components of positive energy oscillate with a modulus that tends to
/// 1 / alpha, in the second one all decay like t^-alpha. Units with hbar = 1.
///
/// Exact in the eigenvectors of H, to rounding of `lambda^(1/alpha) t` in the phases: by the modes
/// of A where V is constant, else by [`DenseModes`] of at most 500 values. The oscillating poles
/// of the first form are outside of all contours of [`solve_linear`](crate::solve_linear).
///
/// Sources: M. Naber, J. Math. Phys. 45 (2004) 3339, doi:10.1063/1.1769611 (first form);
/// B. N. N. Achar, B. T. Yale, J. W. Hanneken, Adv. Math. Phys. 2013, 290216,
/// doi:10.1155/2013/290216 (second form).
///
/// ```
/// use hpfracc_pde::models::{Schroedinger, SchroedingerForm};
/// use hpfracc_spatial::{Axis, BoxGrid, Complex64, Laplacian};
///
/// // A packet with momentum 5 on a periodic line.
/// let grid = BoxGrid::new(vec![Axis::periodic(-10.0, 10.0, 256)?])?;
/// let laplacian = Laplacian::new(grid.clone(), &[1.0])?;
/// let x = grid.axes()[0].points();
/// let start: Vec<Complex64> =
///     x.iter().map(|x| Complex64::new(-x * x, 5.0 * x).exp()).collect();
/// let model = Schroedinger { alpha: 1.0, kappa: 0.5, form: SchroedingerForm::PowerOfI };
/// let psi = model.solve(&laplacian, &[], &start, &[0.5])?;
/// let norm = |psi: &[Complex64]| psi.iter().map(|z| z.norm_sqr()).sum::<f64>();
/// assert!((norm(&psi[0]) / norm(&start) - 1.0).abs() < 1e-12);
/// let mean = x.iter().zip(&psi[0]).map(|(x, z)| x * z.norm_sqr()).sum::<f64>() / norm(&start);
/// assert!((mean - 2.5).abs() < 0.1);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schroedinger {
    /// Order in time, 0 < alpha <= 1.
    pub alpha: f64,
    /// Coefficient of the operator, 1 / (2 mass), positive.
    pub kappa: f64,
    /// Power of the imaginary unit.
    pub form: SchroedingerForm,
}

/// Form of a [`Schroedinger`] equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchroedingerForm {
    /// `i^alpha D^alpha psi = H psi`.
    #[default]
    PowerOfI,
    /// `i D^alpha psi = H psi`.
    PlainI,
}

impl Schroedinger {
    /// Fields at the times, from the start psi(0) and the potential V at each point; an empty V
    /// is 0.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a parameter or a time that is negative or not
    /// finite, [`Length`](PdeError::Length), [`NotFinite`](PdeError::NotFinite) for the start and
    /// the potential; [`Spatial`](PdeError::Spatial) for an operator that is not self-adjoint, and
    /// for more than 500 values if the operator has no modes or V is not constant;
    /// [`RightSideNotFinite`](PdeError::RightSideNotFinite) for energies whose phases overflow.
    pub fn solve(
        &self,
        operator: &dyn SpatialOperator,
        potential: &[f64],
        start: &[Complex64],
        times: &[f64],
    ) -> Result<Vec<Vec<Complex64>>> {
        self.check(operator, potential, start, times)?;
        let first = potential.first().copied().unwrap_or(0.0);
        match operator.modes().filter(|_| potential.iter().all(|v| *v == first)) {
            Some(modes) => self.by_modes(modes, first, start, times),
            None => {
                let scaled: Vec<f64> = potential.iter().map(|v| v / self.kappa).collect();
                let modes = match scaled.is_empty() {
                    true => DenseModes::new(operator)?,
                    false => DenseModes::plus_diagonal(operator, &scaled)?,
                };
                self.by_modes(&modes, 0.0, start, times)
            }
        }
    }

    fn check(
        &self,
        operator: &dyn SpatialOperator,
        potential: &[f64],
        start: &[Complex64],
        times: &[f64],
    ) -> Result<()> {
        require_up_to_one(self.alpha)?;
        require_positive("the coefficient kappa", self.kappa)?;
        require_len("the start", start.len(), operator.len())?;
        if !potential.is_empty() {
            require_len("the potential", potential.len(), operator.len())?;
        }
        let parts = start.iter().map(|psi| if psi.re.is_finite() { psi.im } else { psi.re });
        finite("the start", parts)?;
        finite("the potential", potential.iter().copied())?;
        for &t in times {
            require(t >= 0.0 && t.is_finite(), "a time", t, "a finite number of at least 0")?;
        }
        if operator.is_self_adjoint() {
            return Ok(());
        }
        Err(PdeError::Spatial(SpatialError::Unsupported {
            method: "the Schroedinger equation",
            request: "an operator that is not self-adjoint".to_owned(),
            reason: "its energies may be complex",
        }))
    }

    /// For the Hamiltonian `kappa A + constant` with the modes of A.
    fn by_modes(
        &self,
        modes: &dyn Modes,
        constant: f64,
        start: &[Complex64],
        times: &[f64],
    ) -> Result<Vec<Vec<Complex64>>> {
        let function = MittagLeffler::new(self.alpha, 1.0)?;
        let angle = match self.form {
            SchroedingerForm::PowerOfI => -self.alpha * FRAC_PI_2,
            SchroedingerForm::PlainI => -FRAC_PI_2,
        };
        // (-i)^1 has no rounding.
        let factor = if angle == -FRAC_PI_2 { -Complex64::I } else { Complex64::cis(angle) };
        let mut re: Vec<f64> = start.iter().map(|psi| psi.re).collect();
        let mut im: Vec<f64> = start.iter().map(|psi| psi.im).collect();
        modes.to_modes(&mut re);
        modes.to_modes(&mut im);
        let at = |&t: &f64| -> Result<Vec<Complex64>> {
            if t == 0.0 {
                return Ok(start.to_vec());
            }
            let scale = t.powf(self.alpha);
            let evolved = |(l, (re, im)): (&f64, (&f64, &f64))| -> (f64, f64) {
                let z = factor * ((self.kappa * l + constant) * scale);
                let value = function.eval_complex(z) * Complex64::new(*re, *im);
                (value.re, value.im)
            };
            let pairs = modes.eigenvalues().par_iter().zip(re.par_iter().zip(&im));
            let (mut re, mut im): (Vec<f64>, Vec<f64>) = pairs.map(evolved).unzip();
            modes.to_values(&mut re);
            modes.to_values(&mut im);
            let field: Vec<Complex64> =
                re.into_iter().zip(im).map(|(re, im)| Complex64::new(re, im)).collect();
            match field.iter().position(|psi| !psi.is_finite()) {
                None => Ok(field),
                Some(index) => {
                    Err(PdeError::RightSideNotFinite { field: 0, t, index, point: Vec::new() })
                }
            }
        };
        times.iter().map(at).collect()
    }
}

fn finite(what: &'static str, values: impl Iterator<Item = f64>) -> Result<()> {
    let found = values.enumerate().find(|(_, value)| !value.is_finite());
    found.map_or(Ok(()), |(index, value)| Err(PdeError::NotFinite { what, field: 0, index, value }))
}
