use super::factored::Factored;
use crate::SdeError;
use crate::error::in_range;
use hpfracc_types::Real;

/// An integral of one noise over each step, besides its increment:
///
/// ```text
/// int_{t_n}^{t_{n+1}} (t_{n+1} + lag h - s)^exponent dZ(s)
/// ```
///
/// Exponent 1 and lag 0 is the `I_(1,0)` of Runge-Kutta schemes; alpha - 1 are the near cells of a
/// memory. The exponent is above -1/2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellIntegral {
    /// The component of the noise.
    pub noise: usize,
    /// The exponent, above -1/2.
    pub exponent: f64,
    /// Steps between the end of the cell and the time that the kernel looks back from.
    pub lag: usize,
}

impl CellIntegral {
    /// Refuses an integral of a noise that does not exist.
    pub(super) fn check(&self, components: usize) -> Result<(), SdeError> {
        let (what, noise) = ("the noise of an integral", self.noise);
        in_range(noise < components, what, noise as f64, "one of the components")
    }
}

/// How the increment of one noise and its integrals are made of independent standard normals: the
/// factor of their covariance over a cell of length h, lower triangular. Row 0 is the increment.
#[derive(Debug, Clone)]
pub(super) struct Factor<T> {
    /// By row; a row ends at its diagonal.
    rows: Vec<Vec<T>>,
    /// Whether a normal takes part: its column is not zero.
    pub(super) used: Vec<bool>,
}

/// Factors of the normal of an increment, and of a further one, in `int (t + h - s) dW(s)` over a step of length h.
pub(crate) fn time_integral<T: Real>(h: f64) -> [T; 2] {
    let mut factors = [T::zero(); 2];
    Factor::new(h, &[(1.0, 0)]).each(1, |column, entry| factors[column] = entry);
    factors
}

impl<T: Real> Factor<T> {
    /// Of kernels `(u + lag h)^exponent`, u being the time to the end of the cell.
    pub(super) fn new(h: f64, kernels: &[(f64, usize)]) -> Self {
        let kernel = |i: usize| if i == 0 { (0.0, 0) } else { kernels[i - 1] };
        let count = kernels.len() + 1;
        let mut factored = Factored::default();
        for i in 0..count {
            factored.push(|j| [covariance(kernel(i), kernel(j)), 0.0]);
        }
        let rows = || (0..count).map(|i| factored.row(i).0);
        let used = rows().enumerate().map(|(i, row)| row[i] != 0.0).collect();
        let scaled = rows().enumerate().map(|(i, row)| {
            let scale = h.powf(kernel(i).0) * h.sqrt();
            row.into_iter().map(|l| T::narrow(scale * l)).collect()
        });
        Self { rows: scaled.collect(), used }
    }

    /// `row += L_ij z` is given to `add` as `(i, j, L_ij)` for all that is not zero.
    #[inline(always)]
    pub(super) fn each(&self, row: usize, mut add: impl FnMut(usize, T)) {
        for (column, entry) in self.rows[row].iter().enumerate() {
            if self.used[column] {
                add(column, *entry);
            }
        }
    }
}

/// `int_0^1 (u + a)^p (u + b)^q du`
pub(crate) fn covariance((p, a): (f64, usize), (q, b): (f64, usize)) -> f64 {
    let power = |s: f64, a: usize| {
        let a = a as f64;
        ((a + 1.0).powf(s + 1.0) - a.powf(s + 1.0)) / (s + 1.0)
    };
    match (p == 0.0, q == 0.0) {
        (true, _) => power(q, b),
        (_, true) => power(p, a),
        _ if a == b => power(p + q, a),
        _ => double_exponential(|u| (u + a as f64).powf(p) * (u + b as f64).powf(q)),
    }
}

/// The derivative of [`covariance`] with respect to a shift of the exponents that shift: of both, of
/// one, or of none.
pub(crate) fn covariance_change(
    (p, a): (f64, usize),
    (q, b): (f64, usize),
    shifts: [bool; 2],
) -> f64 {
    if shifts == [false; 2] {
        return 0.0;
    }
    let power = |u: f64, p: f64, a: usize| (u + a as f64).powf(p);
    let ln = |u: f64, a: usize, shifts: bool| if shifts { (u + a as f64).ln() } else { 0.0 };
    double_exponential(|u| {
        power(u, p, a) * power(u, q, b) * (ln(u, a, shifts[0]) + ln(u, b, shifts[1]))
    })
}

/// `int_0^1 f`, which may be singular at 0, by the trapezoidal rule after u = 1/(1 + exp(-pi sinh
/// t)).
///
/// Source: Takahasi and Mori, Publ. RIMS 9 (1974) 721, DOI 10.2977/prims/1195192451.
fn double_exponential(f: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 1.0 / 32.0;
    let term = |k: i32| {
        let t = f64::from(k) * STEP;
        let e = (-std::f64::consts::PI * t.sinh()).exp();
        let u = 1.0 / (1.0 + e);
        // du/dt = pi cosh t u (1 - u), with 1 - u = e u
        f(u) * std::f64::consts::PI * t.cosh() * u * u * e
    };
    // u from 1e-150 to 1 - 1e-18
    STEP * (-172..=104).map(term).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covariances_of_kernels() {
        // The first and the last by mpmath.
        let expected = [
            ((-0.4, 0), (-0.4, 1), 1.486_424_398_017_881_8),
            ((-0.3, 0), (1.0, 2), 1.0 / 1.7 + 2.0 / 0.7),
            ((0.5, 1), (-0.25, 3), 0.890_336_461_214_288_6),
        ];
        for (a, b, value) in expected {
            assert!((covariance(a, b) - value).abs() < 1e-14 * value, "{}", covariance(a, b));
            assert_eq!(covariance(a, b), covariance(b, a));
        }
    }

    #[test]
    fn their_changes_are_those_of_differences() {
        let d = 1e-4;
        for (a, b, shifts) in [
            ((-0.4, 0), (-0.4, 0), [true, true]),
            ((-0.3, 0), (-0.3, 5), [true, true]),
            ((-0.3, 0), (-0.2, 1), [false, true]),
            ((0.0, 0), (-0.25, 0), [false, true]),
        ] {
            let moved = |by: f64| {
                let shift = |(p, lag): (f64, usize), shifts| (if shifts { p + by } else { p }, lag);
                covariance(shift(a, shifts[0]), shift(b, shifts[1]))
            };
            let pair = |k: f64| moved(k * d) - moved(-k * d);
            let expected = (8.0 * pair(1.0) - pair(2.0)) / (12.0 * d);
            let found = covariance_change(a, b, shifts);
            assert!((found - expected).abs() < 1e-9 * found.abs(), "{found}, {expected}");
        }
    }

    #[test]
    fn the_factor_is_that_of_the_covariance() {
        let kernels = [(-0.4, 0), (-0.4, 1), (1.0, 0), (1.0, 1), (-0.4, 2)];
        let h = 0.3f64;
        let factor = Factor::<f64>::new(h, &kernels);
        // The increment and one time integral tell the other.
        assert_eq!(factor.used, [true, true, true, true, false, true]);
        let row = |i: usize| {
            let mut row = [0.0; 6];
            factor.each(i, |j, l| row[j] = l);
            row
        };
        for i in 0..6 {
            for j in 0..=i {
                let kernel = |i: usize| if i == 0 { (0.0, 0) } else { kernels[i - 1] };
                let (p, q) = (kernel(i), kernel(j));
                let exact = h.powf(p.0 + q.0 + 1.0) * covariance(p, q);
                let found: f64 = row(i).iter().zip(&row(j)).map(|(a, b)| a * b).sum();
                assert!((found - exact).abs() < 1e-13 * exact, "{i} {j}");
            }
        }
    }
}
