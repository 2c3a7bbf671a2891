use crate::Result;
use crate::error::require;

/// Boundary condition on one end of an [`Axis`](crate::Axis), with n the outward normal.
///
/// The values g are 0 unless an operator's method adds the boundary values of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Boundary {
    /// The two ends of the axis are the same point. On both ends or on none.
    Periodic,
    /// `u = g`.
    Dirichlet,
    /// `du/dn = g`.
    Neumann,
    /// `du/dn + beta u = g`, beta >= 0.
    Robin(f64),
}

/// Value of the ghost cell outside a boundary: `reflection * u + inflow * g`, with u the value of
/// the cell inside and g the boundary value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ghost {
    /// Factor of the cell inside.
    pub reflection: f64,
    /// Factor of the boundary value.
    pub inflow: f64,
}

impl Boundary {
    /// The ghost cell at cells of width h: the condition holds for the mean and the difference
    /// quotient of the two cells at the boundary, with an error of order h^2. Both numbers are 0 for
    /// a periodic axis, which has no ghost cells.
    ///
    /// ```
    /// use hpfracc_spatial::Boundary;
    ///
    /// // The mean of u and 2 g - u is g.
    /// let ghost = Boundary::Dirichlet.ghost(0.1);
    /// assert_eq!((ghost.reflection, ghost.inflow), (-1.0, 2.0));
    /// ```
    pub fn ghost(self, h: f64) -> Ghost {
        match self {
            Self::Periodic => Ghost { reflection: 0.0, inflow: 0.0 },
            Self::Dirichlet => Ghost { reflection: -1.0, inflow: 2.0 },
            Self::Neumann => Ghost { reflection: 1.0, inflow: h },
            Self::Robin(beta) => {
                let scale = 1.0 / (2.0 + beta * h);
                Ghost { reflection: (2.0 - beta * h) * scale, inflow: 2.0 * h * scale }
            }
        }
    }

    /// Refuses a negative or infinite coefficient.
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Robin(beta) => {
                let holds = beta.is_finite() && beta >= 0.0;
                require(holds, "the coefficient of a Robin boundary", beta, "a number >= 0")
            }
            _ => Ok(()),
        }
    }

    /// Whether constants satisfy the condition with g = 0.
    pub(crate) fn keeps_constants(self) -> bool {
        matches!(self, Self::Periodic | Self::Neumann | Self::Robin(0.0))
    }
}
