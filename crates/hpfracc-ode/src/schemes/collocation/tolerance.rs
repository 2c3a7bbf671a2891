use crate::OdeError;
use crate::error::require;

/// The error of an element stays below this fraction of the tolerance, because the errors of all
/// elements add up.
pub(super) const TARGET: f64 = 0.1;

/// Relative and absolute tolerance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    rtol: f64,
    atol: f64,
}

impl Tolerance {
    /// # Errors
    /// [`OdeError::OutOfRange`].
    pub(super) fn new(rtol: f64, atol: f64) -> Result<Self, OdeError> {
        let inside = (1e-14..1.0).contains(&rtol);
        require(inside, "rtol", rtol, "from 1e-14 to below 1")?;
        require(atol.is_finite() && atol >= 0.0, "atol", atol, "at least 0")?;
        Ok(Self { rtol, atol })
    }

    /// The larger of both.
    pub(super) fn largest(self) -> f64 {
        self.rtol.max(self.atol)
    }

    /// Tolerance of a component whose largest state is that of the slice, which goes point by
    /// point.
    pub(super) fn of(self, component: usize, states: &[f64], dim: usize) -> f64 {
        let values = states.iter().skip(component).step_by(dim);
        self.atol + self.rtol * values.fold(0.0, |m: f64, v| m.max(v.abs()))
    }

    /// Largest ratio of an error to the tolerance of a component whose largest state is that
    /// of the slice. Both go point by point. NaN if an error is.
    pub(super) fn ratio(self, errors: &[f64], states: &[f64], dim: usize) -> f64 {
        let mut ratio = 0.0;
        for c in 0..dim {
            let of = |values: &[f64]| {
                let component = values.iter().skip(c).step_by(dim);
                component
                    .fold(0.0, |m: f64, v| if m.is_nan() || v.abs() <= m { m } else { v.abs() })
            };
            let error = of(errors);
            // Where the tolerance is zero, as for y = 0 with atol = 0, an error of zero passes.
            let new = error / (self.atol + self.rtol * of(states)).max(f64::MIN_POSITIVE);
            ratio = if new.is_nan() || new > ratio { new } else { ratio };
        }
        ratio
    }
}
