//! Operators that are functions of one with modes.

use crate::error::require;
use crate::{Modes, Result, ShiftedSolver};
use hpfracc_backend::TransformAxes;
use num_complex::Complex64;

/// Modes of an operator with other eigenvalues.
pub(crate) struct MappedModes<'a> {
    modes: &'a dyn Modes,
    eigenvalues: Vec<f64>,
}

impl<'a> MappedModes<'a> {
    pub(crate) fn new(modes: &'a dyn Modes, map: impl Fn(f64) -> f64) -> Self {
        let eigenvalues = modes.eigenvalues().iter().map(|l| map(*l)).collect();
        Self { modes, eigenvalues }
    }
}

impl Modes for MappedModes<'_> {
    fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    fn to_modes(&self, x: &mut [f64]) {
        self.modes.to_modes(x);
    }

    fn to_values(&self, x: &mut [f64]) {
        self.modes.to_values(x);
    }

    fn transform_axes(&self) -> Option<TransformAxes> {
        self.modes.transform_axes()
    }
}

/// Shifted solves in modes.
pub(crate) struct DiagonalSolver<'a> {
    modes: &'a dyn Modes,
    z: Complex64,
}

impl<'a> DiagonalSolver<'a> {
    pub(crate) fn new(modes: &'a dyn Modes, z: Complex64) -> Result<Self> {
        require(z.is_finite(), "modulus of the shift z", z.norm(), "a finite number")?;
        let singular = modes.eigenvalues().iter().any(|l| z + l == Complex64::ZERO);
        require(!singular, "shift z", z.re, "not minus an eigenvalue")?;
        Ok(Self { modes, z })
    }
}

impl ShiftedSolver for DiagonalSolver<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        let mut real: Vec<f64> = x.iter().map(|x| x.re).collect();
        let mut imaginary: Vec<f64> = x.iter().map(|x| x.im).collect();
        self.modes.to_modes(&mut real);
        self.modes.to_modes(&mut imaginary);
        let parts = real.iter_mut().zip(&mut imaginary);
        for ((re, im), l) in parts.zip(self.modes.eigenvalues()) {
            let quotient = Complex64::new(*re, *im) / (self.z + l);
            (*re, *im) = (quotient.re, quotient.im);
        }
        self.modes.to_values(&mut real);
        self.modes.to_values(&mut imaginary);
        for ((x, re), im) in x.iter_mut().zip(real).zip(imaginary) {
            *x = Complex64::new(re, im);
        }
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "imaginary part of z", self.z.im, "0 in a real solve")?;
        self.modes.to_modes(x);
        x.iter_mut().zip(self.modes.eigenvalues()).for_each(|(x, l)| *x /= self.z.re + l);
        self.modes.to_values(x);
        Ok(())
    }
}
