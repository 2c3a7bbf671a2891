use super::{Defaults, Form, Named};
use hpfracc::special::MittagLeffler;
use num_complex::Complex64;

/// Plate in a viscous fluid, released at y0. For alpha = 3/2, with the roots r of
/// `a r^4 + b r^3 + c`,
///
/// ```text
/// y = y0 (1 - c sum_r t^(1/2) E_{1/2,3/2}(r t^(1/2)) / (4 a r^3 + 3 b r^2))
/// ```
///
/// the inverse Laplace transform by partial fractions in `s^(1/2)`.
pub(super) const BAGLEY_TORVIK: Named = Named {
    name: "bagley-torvik",
    title: "Bagley-Torvik equation",
    equation: &["a y'' + b D^alpha y + c y = 0"],
    components: &["y"],
    parameters: &[("a", 1.0), ("b", 0.5), ("c", 1.0), ("y0", 1.0)],
    orders: (0.0, 2.0),
    defaults: Defaults { alpha: 1.5, t1: 30.0, n: 3000, grading: 1.0, scheme: "trapezoid" },
    initial: |p| vec![vec![p[3]], vec![0.0]],
    form: Form::SecondOrder { rhs: |p, y, dy| -(p[1] * dy + p[2] * y) / p[0] },
    exact: Some(|alpha, p, t| {
        let [a, b, c, y0] = *p else { return None };
        if alpha != 1.5 {
            return None;
        }
        let e = MittagLeffler::new(0.5, 1.5).ok()?;
        let term = |r: Complex64| {
            e.eval_complex(r * t.sqrt()) * t.sqrt() / (4.0 * a * r.powi(3) + 3.0 * b * r.powi(2))
        };
        let sum: Complex64 = roots(b / a, c / a).into_iter().map(term).sum();
        let y = y0 * (1.0 - c * sum.re);
        // Without mass, or at a double root, the partial fractions have another form.
        y.is_finite().then(|| vec![y])
    }),
};

/// Roots of `r^4 + b r^3 + c` by the Durand-Kerner (Weierstrass) iteration.
fn roots(b: f64, c: f64) -> [Complex64; 4] {
    let value = |r: Complex64| r.powi(3) * (r + b) + c;
    let radius = 1.0 + b.abs().max(c.abs());
    // Asymmetric about the real axis, to separate conjugate roots.
    let mut r = [0.4, 1.9, 3.5, 5.1].map(|angle| Complex64::from_polar(radius, angle));
    for _ in 0..200 {
        for k in 0..4 {
            let others = (0..4).filter(|&j| j != k).map(|j| r[k] - r[j]);
            let step = value(r[k]) / others.product::<Complex64>();
            r[k] -= step;
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_have_small_residuals() {
        for (b, c) in [(0.5, 1.0), (0.0, 1.0), (3.0, 0.2), (-1.0, 20.0)] {
            for r in roots(b, c) {
                let size = r.norm().powi(4) + b.abs() * r.norm().powi(3) + c;
                assert!((r.powi(3) * (r + b) + c).norm() < 1e-14 * size, "{b} {c} {r}");
            }
        }
    }
}
