//! An operator with given eigenvalues.

use hpfracc_spatial::{
    Complex64, Modes, NullSpace, ShiftedSolver, SpatialError, SpatialOperator, Spectrum,
};

/// Diagonal matrix, with or without its modes.
pub(crate) struct Diagonal {
    pub(crate) eigenvalues: Vec<f64>,
    pub(crate) with_modes: bool,
}

impl SpatialOperator for Diagonal {
    fn len(&self) -> usize {
        self.eigenvalues.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.iter_mut().zip(x.iter().zip(&self.eigenvalues)).for_each(|(y, (x, l))| *y = l * x);
    }

    fn spectrum(&self) -> Spectrum {
        let highest = self.eigenvalues.iter().copied().fold(0.0, f64::max);
        Spectrum { lowest: 0.0, highest, null_space: NullSpace::Zero }
    }

    fn modes(&self) -> Option<&dyn Modes> {
        self.with_modes.then_some(self)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        Ok(Box::new(Shifted { eigenvalues: &self.eigenvalues, z }))
    }
}

impl Modes for Diagonal {
    fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    fn to_modes(&self, _: &mut [f64]) {}

    fn to_values(&self, _: &mut [f64]) {}
}

struct Shifted<'a> {
    eigenvalues: &'a [f64],
    z: Complex64,
}

impl ShiftedSolver for Shifted<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<(), SpatialError> {
        x.iter_mut().zip(self.eigenvalues).for_each(|(x, l)| *x /= self.z + l);
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<(), SpatialError> {
        x.iter_mut().zip(self.eigenvalues).for_each(|(x, l)| *x /= self.z.re + l);
        Ok(())
    }
}
