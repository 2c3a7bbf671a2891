use crate::{PdeError, Points};
use hpfracc_spatial::SpatialOperator;

/// Time, fields and parameters at which a [`Term`] is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct State<'a> {
    /// Time.
    pub t: f64,
    /// Values of all fields, one field after the other.
    pub u: &'a [f64],
    /// Parameters of the term.
    pub theta: &'a [f64],
    /// Coordinates of the values.
    pub points: &'a Points,
    /// Number of values of a field.
    pub n: usize,
}

/// Nonlinear term N(t, u; theta) on the right-hand side of an [`Equation`](crate::Equation), with
/// its derivatives. All fields are in one slice, one after the other.
///
/// [`Reaction`](crate::Reaction) makes one from closures of the values at a point, and
/// [`Flux`](crate::Flux) an operator applied to such a reaction.
pub trait Term: Send + Sync {
    /// Number of fields.
    fn field_count(&self) -> usize;

    /// Number of parameters. Default: 0.
    fn parameter_count(&self) -> usize {
        0
    }

    /// Checks that the term takes fields of n values. [`Equation::term`](crate::Equation::term)
    /// calls it. Default: any n.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for another number of values.
    fn check(&self, n: usize) -> Result<(), PdeError> {
        let _ = n;
        Ok(())
    }

    /// Adds N to f.
    fn add(&self, at: &State<'_>, f: &mut [f64]);

    /// Adds `N_u du + N_theta dtheta` to df.
    fn add_jvp(&self, at: &State<'_>, du: &[f64], dtheta: &[f64], df: &mut [f64]);

    /// Adds `N_u' fbar` to ubar and `N_theta' fbar` to thetabar.
    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], thetabar: &mut [f64]);

    /// Adds the Jacobian of a pointwise term, the derivative of field i with respect to field j to
    /// row `i * fields + j` of n values, and returns true; a term returns the same at all states.
    /// Default: false, for a term that couples points.
    fn add_pointwise_jacobian(&self, at: &State<'_>, rows: &mut [f64]) -> bool {
        let _ = (at, rows);
        false
    }

    /// Operator B and number s for which `-s B` resembles the Jacobian of a field, for the
    /// preconditioner of implicit steps. Default: None.
    fn preconditioner(&self, at: &State<'_>, field: usize) -> Option<(&dyn SpatialOperator, f64)> {
        let _ = (at, field);
        None
    }
}
