//! The contours of one function, each made when the first argument comes that needs it.

use std::sync::OnceLock;

use num_complex::Complex64;

use super::contour::Contour;
use super::poles::Poles;

#[derive(Debug, Clone)]
pub(super) struct Contours {
    alpha: f64,
    beta: f64,
    inner: OnceLock<Contour>,
    outer: OnceLock<Contour>,
    short: OnceLock<Contour>,
}

impl Contours {
    pub(super) fn new(alpha: f64, beta: f64) -> Self {
        let [inner, outer, short] = [(); 3].map(|()| OnceLock::new());
        Self { alpha, beta, inner, outer, short }
    }

    pub(super) fn inner(&self) -> &Contour {
        self.inner.get_or_init(|| Contour::accurate(self.alpha, self.beta))
    }

    /// For arguments whose poles lie on the inner one.
    pub(super) fn outer(&self) -> &Contour {
        self.outer.get_or_init(|| Contour::outer(self.alpha, self.beta, 1.2))
    }

    /// For slices of negative numbers, if α <= 1.
    pub(super) fn short(&self) -> &Contour {
        self.short.get_or_init(|| {
            if self.alpha < 0.999 && self.beta == 1.0 {
                Contour::short(self.alpha, self.beta)
            } else {
                // Near α = 1 the values may be of size 1-α, and for other β they have zeros:
                // there the rounding errors of the short contour would be seen.
                Contour::accurate(self.alpha, self.beta)
            }
        })
    }

    /// The contour whose distance from the poles, measured in u, is at least `wanted`, or the
    /// one that comes nearest to that. Where a pole is near, nodes are near it too, and the
    /// rounding of s^α - z is magnified.
    pub(super) fn clear_of(&self, poles: &Poles, z: Complex64, wanted: f64) -> &Contour {
        let (roots, inner) = (poles.roots(z), self.inner());
        let here = roots.clearance(inner.vertex);
        if here >= wanted {
            return inner;
        }
        let outer = self.outer();
        if roots.clearance(outer.vertex) > here { outer } else { inner }
    }
}
