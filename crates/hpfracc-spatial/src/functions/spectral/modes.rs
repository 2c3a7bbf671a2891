use crate::error::require_finite;
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::{Modes, Result};

/// Function of the eigenvalues between two transforms.
pub(crate) struct OfModes<'a> {
    modes: &'a dyn Modes,
    values: SpectralValues,
}

impl<'a> OfModes<'a> {
    pub(crate) fn new(modes: &'a dyn Modes, function: Function, nullity: usize) -> Result<Self> {
        let values = SpectralValues::new(function, modes.eigenvalues(), nullity)?;
        Ok(Self { modes, values })
    }
}

impl Plan for OfModes<'_> {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        y.copy_from_slice(x);
        self.modes.to_modes(y);
        y.iter_mut().zip(self.values.of(target)).for_each(|(y, value)| *y *= value);
        self.modes.to_values(y);
        Ok(())
    }

    fn explain(&self) -> String {
        "values at the eigenvalues between two fast transforms, exact to rounding".to_owned()
    }

    fn error(&self) -> f64 {
        self.values.rounding()
    }
}

/// Function and derivative at each eigenvalue.
pub(crate) struct SpectralValues {
    value: Vec<f64>,
    derivative: Vec<f64>,
}

impl SpectralValues {
    /// The `nullity` smallest eigenvalues are zeros with rounding errors. A function that is
    /// infinite there gets the value 0: its vectors are orthogonal to the null space.
    ///
    /// # Errors
    /// [`NotFinite`](crate::SpatialError::NotFinite) for an eigenvalue that is NaN or infinite.
    pub(crate) fn new(function: Function, eigenvalues: &[f64], nullity: usize) -> Result<Self> {
        require_finite("eigenvalues", eigenvalues)?;
        let mut l: Vec<f64> = eigenvalues.iter().map(|l| l.max(0.0)).collect();
        let mut order: Vec<usize> = (0..l.len()).collect();
        order.sort_by(|&a, &b| eigenvalues[a].abs().total_cmp(&eigenvalues[b].abs()));
        order.iter().take(nullity).for_each(|&k| l[k] = 0.0);
        let values = |target: Target| -> Result<Vec<f64>> {
            let mut values = function.values(target, &l)?;
            if function.is_singular(target) {
                order.iter().take(nullity).for_each(|&k| values[k] = 0.0);
            }
            Ok(values)
        };
        Ok(Self { value: values(Target::Value)?, derivative: values(Target::OrderDerivative)? })
    }

    /// Rounding error of two transforms.
    pub(crate) fn rounding(&self) -> f64 {
        4.0 * f64::EPSILON * (self.value.len() as f64).log2().max(1.0)
    }

    pub(crate) fn of(&self, target: Target) -> &[f64] {
        match target {
            Target::Value => &self.value,
            Target::OrderDerivative => &self.derivative,
        }
    }
}
