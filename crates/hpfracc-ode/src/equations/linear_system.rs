use super::power_sum::PowerSum;
use crate::error::{all_finite, finite, require, same_length};
use crate::problem::checked_dim;
use crate::{OdeError, System};
use hpfracc_special::{gamma, mittag_leffler_matrix};
use nalgebra::{DMatrix, DVector};

/// A linear equation with a constant matrix, solved at any time without steps.
///
#[doc = formula!("linear_system", r"D^\alpha y = A y + g(t), \quad y^{(j)}(t_0) = y_j \text{ for } j < \lceil \alpha \rceil
    y(t) = \sum_j x^j E_{\alpha,j+1}(A x^\alpha) y_j + \int_0^x e_\alpha(x - s) g(t_0 + s) \, ds, \quad x = t - t_0
    e_b(x) = x^{b-1} E_{\alpha,b}(A x^\alpha)")]
///
/// E of matrices is [`hpfracc_special::mittag_leffler_matrix`]: any real A, non-normal and with
/// complex eigenvalues, to about 1e-13 relative to the norm of E unless its eigenvectors are nearly
/// dependent. Powers in g, constants and polynomials among them, are exact:
///
#[doc = formula!("linear_system_power", r"g = c (t-t_0)^p, \; p > -1: \quad \Gamma(p+1) \, e_{\alpha+p+1}(x) \, c")]
///
/// Cost: one function of a matrix, O(dim^3), for each row of initial values and each power.
/// As a [`System`], it is `A y` + the powers with its Jacobian, for comparison with the schemes.
///
/// ```
/// use hpfracc_ode::LinearSystem;
/// // D^1/2 y_1 = y_2, D^1/2 y_2 = -y_1 from (1, 0): y_1 = exp(-t).
/// let system = LinearSystem::new(0.5, &[0.0, 1.0, -1.0, 0.0], 0.0, &[&[1.0, 0.0]])?;
/// assert!((system.at(2.0)?[0] - (-2.0f64).exp()).abs() < 1e-14);
/// // D^1/2 y = -y + 3 from 0 goes to 3.
/// let forced = LinearSystem::new(0.5, &[-1.0], 0.0, &[&[0.0]])?.with_power(0.0, &[3.0])?;
/// assert!((forced.at(1e6)?[0] - 3.0).abs() < 2e-3);
/// # Ok::<(), hpfracc_ode::OdeError>(())
/// ```
///
/// Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential
/// Equations (2006), chapter 7; E of matrices: Garrappa and Popolizio, J. Sci. Comput. 77 (2018)
/// 129, DOI 10.1007/s10915-018-0699-5.
#[derive(Debug, Clone)]
pub struct LinearSystem {
    alpha: f64,
    matrix: DMatrix<f64>,
    t0: f64,
    initial: Vec<DVector<f64>>,
    powers: PowerSum,
}

impl LinearSystem {
    /// `D^alpha y = A y`: `matrix` is A, row by row, `initial` has the rows y, y', .. at t0, as
    /// many as alpha rounded up.
    ///
    /// # Errors
    /// [`OdeError::Empty`], [`OdeError::Order`], [`OdeError::InitialRows`],
    /// [`OdeError::Length`], [`OdeError::InitialNotFinite`] for invalid arguments;
    /// [`OdeError::OutOfRange`] for an entry of A or a t0 that is not finite.
    pub fn new(alpha: f64, matrix: &[f64], t0: f64, initial: &[&[f64]]) -> Result<Self, OdeError> {
        let dim = checked_dim(&[alpha], initial)?;
        finite("the start", &[t0])?;
        finite("an entry of the matrix", matrix)?;
        same_length("the matrix", matrix.len(), dim * dim)?;
        Ok(Self {
            alpha,
            matrix: DMatrix::from_row_slice(dim, dim, matrix),
            t0,
            initial: initial.iter().map(|row| DVector::from_row_slice(row)).collect(),
            powers: PowerSum::default(),
        })
    }

    /// The same equation with `coefficient (t - t0)^exponent` added to g.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for an exponent that is not above -1 or a coefficient that is not
    /// finite, [`OdeError::Length`].
    pub fn with_power(mut self, exponent: f64, coefficient: &[f64]) -> Result<Self, OdeError> {
        let inside = exponent.is_finite() && exponent > -1.0;
        require(inside, "the exponent of a forcing", exponent, "above -1 and finite")?;
        same_length("the coefficient of a forcing", coefficient.len(), self.matrix.nrows())?;
        finite("a coefficient of a forcing", coefficient)?;
        self.powers.push(exponent, coefficient.to_vec());
        Ok(self)
    }

    /// y(t) for t >= t0.
    ///
    /// # Errors
    /// [`OdeError::Outside`] before t0; [`OdeError::Special`] if a function of the matrix fails,
    /// [`OdeError::NotFinite`] if it overflows.
    pub fn at(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        self.answer(t, self.unforced(t)?)
    }

    /// y(t) with one more forcing, `g(t, out)`, interpolated by a cubic on each of `panels` equal
    /// panels of [t0, t] and integrated exactly.
    ///
    /// Error: order 4 in the length of a panel for g with four derivatives, and a little better as
    /// the cubics' errors have mean 0; exact for cubics, with any A. g is evaluated at 3 panels + 1
    /// times from t0 to t. Cost: three functions of the matrix for each panel.
    ///
    /// # Errors
    /// As [`at`](Self::at); [`OdeError::OutOfRange`] for no panel, [`OdeError::NotFinite`] with the
    /// time where g is not finite.
    pub fn at_forced(
        &self,
        t: f64,
        panels: usize,
        g: impl Fn(f64, &mut [f64]),
    ) -> Result<Vec<f64>, OdeError> {
        require(panels > 0, "the number of panels", 0.0, "at least 1")?;
        let mut y = self.unforced(t)?;
        let (length, dim) = (t - self.t0, self.matrix.nrows());
        let width = length / panels as f64;
        let value = |s: f64| {
            let mut out = DVector::zeros(dim);
            g(s, out.as_mut_slice());
            all_finite(out.as_slice(), s)?;
            Ok::<_, OdeError>(out)
        };
        // By parts, sum_k e_{a+1+k}(t - s) times the jump of the k-th derivative at each node s.
        // The cubics join without a jump of their own but at the start.
        let mut left = value(self.t0)?;
        y += self.kernel(self.alpha + 1.0, length)? * &left;
        let mut before: [DVector<f64>; 3] = std::array::from_fn(|_| DVector::zeros(dim));
        for panel in 0..panels {
            let start = width * panel as f64;
            let at = |share: f64| self.t0 + width * (panel as f64 + share);
            let end = if panel + 1 == panels { t } else { at(1.0) };
            let right = value(end)?;
            let [c1, c2, c3] = cubic([&left, &value(at(INNER[0]))?, &value(at(INNER[1]))?, &right]);
            let (w1, w2, w3) = (1.0 / width, width.powi(-2), width.powi(-3));
            let here = [&c1 * w1, &c2 * (2.0 * w2), &c3 * (6.0 * w3)];
            for (k, (here, before)) in here.iter().zip(&before).enumerate() {
                let kernel = self.kernel(self.alpha + 2.0 + k as f64, length - start)?;
                y += kernel * (here - before);
            }
            before =
                [(&c1 + &c2 * 2.0 + &c3 * 3.0) * w1, (&c2 * 2.0 + &c3 * 6.0) * w2, c3 * (6.0 * w3)];
            left = right;
        }
        self.answer(t, y)
    }

    /// Initial values and powers.
    fn unforced(&self, t: f64) -> Result<DVector<f64>, OdeError> {
        if !(t >= self.t0 && t.is_finite()) {
            return Err(OdeError::Outside { t, t0: self.t0, t1: f64::MAX });
        }
        let x = t - self.t0;
        let mut y = DVector::zeros(self.matrix.nrows());
        for (row, beta) in self.initial.iter().zip(1..) {
            y += self.kernel(f64::from(beta), x)? * row;
        }
        for (exponent, coefficient) in self.powers.terms() {
            let scale = gamma(exponent + 1.0);
            let kernel = self.kernel(self.alpha + exponent + 1.0, x)?;
            y += kernel * DVector::from_row_slice(coefficient) * scale;
        }
        Ok(y)
    }

    /// `x^(beta-1) E_{a,beta}(A x^a)`.
    fn kernel(&self, beta: f64, x: f64) -> Result<DMatrix<f64>, OdeError> {
        let scaled = &self.matrix * x.powf(self.alpha);
        Ok(mittag_leffler_matrix(self.alpha, beta, &scaled)? * x.powf(beta - 1.0))
    }

    fn answer(&self, t: f64, y: DVector<f64>) -> Result<Vec<f64>, OdeError> {
        all_finite(y.as_slice(), t)?;
        Ok(y.data.into())
    }
}

impl System for LinearSystem {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        for (row, dydt) in self.matrix.row_iter().zip(dydt.iter_mut()) {
            *dydt = row.iter().zip(y).map(|(a, y)| a * y).sum();
        }
        self.powers.add_to(t - self.t0, dydt);
    }

    fn dim(&self) -> Option<usize> {
        Some(self.matrix.nrows())
    }

    fn jacobian(&self, _: f64, _: &[f64], jacobian: &mut [f64]) -> bool {
        let columns = self.matrix.ncols();
        for (i, out) in jacobian.iter_mut().enumerate() {
            *out = self.matrix[(i / columns, i % columns)];
        }
        true
    }
}

/// The inner points of Lobatto's rule with four, (1 -+ 5^(-1/2))/2, of a panel of length 1. With
/// these the error of the cubic has mean 0.
const INNER: [f64; 2] = [0.276_393_202_250_021_03, 0.723_606_797_749_978_97];

/// The coefficients of x, x^2, x^3 of the cubic through values at 0, the two inner points, and 1.
fn cubic([v0, v1, v2, v3]: [&DVector<f64>; 4]) -> [DVector<f64>; 3] {
    // Divided differences, then Newton's form multiplied out:
    // d01 x + d012 x (x - p) + d x (x - p)(x - q), p + q = 1.
    let [p, q] = INNER;
    let (d01, d12, d23) = ((v1 - v0) / p, (v2 - v1) / (q - p), (v3 - v2) / p);
    let (d012, d123) = ((&d12 - &d01) / q, (&d23 - &d12) / q);
    let d = d123 - &d012;
    [d01 - &d012 * p + &d * (p * q), d012 - &d, d]
}
