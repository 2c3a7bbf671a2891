/// How [`Advection`](crate::Advection) reconstructs the value on a face from those of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdvectionScheme {
    /// Mean of the two cells: linear, order 2, oscillates where u is not resolved.
    Central,
    /// Value of the cell that the flow comes from: linear, order 1, monotone.
    Upwind,
    /// Linear in the cell that the flow comes from, with a limited slope: nonlinear, order 2 where u
    /// is smooth and has no extremum; the total variation does not grow.
    Limited(Limiter),
}

/// Slope of a cell from the differences a and b to its two neighbours; 0 at an extremum.
///
/// Source: P. K. Sweby, SIAM J. Numer. Anal. 21 (1984) 995, doi:10.1137/0721062; B. van Leer,
/// J. Comput. Phys. 32 (1979) 101, doi:10.1016/0021-9991(79)90145-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limiter {
    /// The smaller of a and b: the most diffusive.
    Minmod,
    /// `2 a b / (a + b)`: smooth in a and b.
    VanLeer,
    /// The larger of minmod(2 a, b) and minmod(a, 2 b): steepens fronts, and also smooth slopes.
    Superbee,
    /// minmod of `2 a`, `2 b` and `(a + b) / 2`, the monotonised central difference (MC).
    MonotonizedCentral,
}

impl Limiter {
    /// The limited slope.
    #[inline]
    pub(super) fn slope(self, a: f64, b: f64) -> f64 {
        // Both positive, or both negative; neither NaN.
        if !(a > 0.0 && b > 0.0 || a < 0.0 && b < 0.0) {
            // NaN of a field stays visible.
            return 0.0 * (a + b);
        }
        let (s, t) = (a.abs(), b.abs());
        let size = match self {
            Self::Minmod => s.min(t),
            Self::VanLeer => 2.0 * s * (t / (s + t)),
            Self::Superbee => (2.0 * s).min(t).max(s.min(2.0 * t)),
            Self::MonotonizedCentral => (2.0 * s.min(t)).min(0.5 * s + 0.5 * t),
        };
        size.copysign(a)
    }
}

impl AdvectionScheme {
    /// The value on the face between u[1] and u[2], with velocity v from u[1] to u[2].
    #[inline]
    pub(super) fn face_value(self, v: f64, u: [f64; 4]) -> f64 {
        match self {
            Self::Central => 0.5 * (u[1] + u[2]),
            Self::Upwind if v >= 0.0 => u[1],
            Self::Upwind => u[2],
            Self::Limited(limiter) if v >= 0.0 => {
                u[1] + 0.5 * limiter.slope(u[1] - u[0], u[2] - u[1])
            }
            Self::Limited(limiter) => u[2] - 0.5 * limiter.slope(u[2] - u[1], u[3] - u[2]),
        }
    }

    /// The value on a boundary with outward velocity v, from the second and the first cell inside
    /// and the ghost cell: the boundary value if the flow enters.
    #[inline]
    pub(super) fn boundary_value(self, v: f64, [second, first, ghost]: [f64; 3]) -> f64 {
        if v < 0.0 {
            0.5 * (first + ghost)
        } else {
            self.face_value(v, [second, first, ghost, ghost])
        }
    }
}
