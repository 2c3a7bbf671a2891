use crate::error::require;
use crate::functions::gauss_legendre::gauss_legendre;
use crate::{Result, SpatialError};
use num_complex::Complex64;

/// Caputo time derivative of one, several (multi-term) or distributed orders:
///
/// ```text
/// sum_j w_j D^alpha_j,    w_j > 0,  0 < alpha_j <= 2
/// ```
///
/// Its symbol is `P(s) = sum_j w_j s^alpha_j`; all zeros of `P(s) + lambda`, lambda >= 0, have
/// `|arg s| >= pi / alpha` with the highest order alpha.
///
/// Sources: Y. Luchko, J. Math. Anal. Appl. 374 (2011) 538, doi:10.1016/j.jmaa.2010.08.048 (several
/// orders); A. N. Kochubei, J. Math. Anal. Appl. 340 (2008) 252, doi:10.1016/j.jmaa.2007.08.024
/// (distributed order).
///
/// ```
/// use hpfracc_spatial::{Complex64, TimeDerivative};
///
/// let two = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 0.9)])?;
/// assert_eq!(two.highest_order(), 0.9);
/// // The integral of s^a over (0, 1) is (s - 1) / ln s.
/// let uniform = TimeDerivative::distributed((0.0, 1.0), |_| 1.0)?;
/// let p = uniform.symbol(Complex64::from(2.0));
/// assert!((p.re - 1.0 / 2f64.ln()).abs() < 1e-13);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TimeDerivative {
    /// Weights and orders, in increasing distinct orders.
    terms: Vec<(f64, f64)>,
}

/// Datum of a linear equation `sum_j w_j D^alpha_j u + A u = s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinearDatum {
    /// Initial values u(0).
    Start,
    /// Initial velocities u'(0).
    Velocity,
    /// Constant source s.
    Source,
}

/// Largest |ln s| at which the symbol of a distributed order is checked.
const LOGARITHM: f64 = 50.0;
/// Largest relative error of this symbol.
const SYMBOL_ERROR: f64 = 1e-12;

impl TimeDerivative {
    /// The first derivative.
    pub fn first() -> Self {
        Self { terms: vec![(1.0, 1.0)] }
    }

    /// `D^alpha`.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless 0 < alpha <= 2.
    pub fn of_order(alpha: f64) -> Result<Self> {
        Self::multi_term(&[(1.0, alpha)])
    }

    /// Sum of derivatives from their weights and orders `(w_j, alpha_j)`. Weights of equal orders
    /// are added.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for no term, a weight that is not positive and
    /// finite, and unless 0 < alpha <= 2.
    pub fn multi_term(terms: &[(f64, f64)]) -> Result<Self> {
        require(!terms.is_empty(), "the number of orders", 0.0, "at least 1")?;
        for &(weight, alpha) in terms {
            let fits = weight > 0.0 && weight.is_finite();
            require(fits, "the weight of an order", weight, "a positive number")?;
            require(alpha > 0.0 && alpha <= 2.0, "order alpha", alpha, "0 < alpha <= 2")?;
        }
        let mut sorted = terms.to_vec();
        sorted.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let mut terms: Vec<(f64, f64)> = Vec::with_capacity(sorted.len());
        for (weight, alpha) in sorted {
            match terms.last_mut() {
                Some((sum, last)) if *last == alpha => {
                    *sum += weight;
                    require(sum.is_finite(), "the weight of an order", *sum, "a positive number")?;
                }
                _ => terms.push((weight, alpha)),
            }
        }
        Ok(Self { terms })
    }

    /// Integral of `density(alpha) D^alpha` over the orders from a to b, by Gauss-Legendre
    /// quadrature of each side of alpha = 1.
    ///
    /// The relative error of the symbol is at most about 1e-12 for `exp(-50) <= |s| <= exp(50)`,
    /// measured against twice the nodes; a smooth density takes 16 to 32 nodes.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless 0 <= a < b <= 2, for a density that is
    /// negative or not finite, or 0 at all nodes; [`Tolerance`](SpatialError::Tolerance) for one
    /// that 64 nodes do not resolve: add the parts between its kinks by [`plus`](Self::plus).
    pub fn distributed((a, b): (f64, f64), density: impl Fn(f64) -> f64) -> Result<Self> {
        require((0.0..2.0).contains(&a), "the lowest order", a, "0 <= a < 2")?;
        require(b > a && b <= 2.0, "the highest order", b, "above the lowest, at most 2")?;
        let ends = if a < 1.0 && b > 1.0 { vec![a, 1.0, b] } else { vec![a, b] };
        let rule = |count: usize| -> Result<Self> {
            let mut terms = Vec::new();
            for (x, w) in gauss_legendre(count) {
                for side in ends.windows(2) {
                    let alpha = 0.5 * ((1.0 - x) * side[0] + (1.0 + x) * side[1]);
                    let value = density(alpha);
                    let fits = value >= 0.0 && value.is_finite();
                    require(fits, "the density of an order", value, "at least 0 and finite")?;
                    terms.push((0.5 * (side[1] - side[0]) * w * value, alpha));
                }
            }
            terms.retain(|(weight, _)| *weight > 0.0);
            Self::multi_term(&terms)
        };
        let mut reached = f64::INFINITY;
        for count in [8, 16, 32, 64] {
            let (coarse, fine) = (rule(count)?, rule(2 * count)?);
            reached = coarse.symbol_difference(&fine);
            if reached <= SYMBOL_ERROR {
                return Ok(coarse);
            }
        }
        let what = "the quadrature of a distributed order";
        Err(SpatialError::Tolerance { what, tolerance: SYMBOL_ERROR, reached })
    }

    /// Sum of two derivatives.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for a weight that overflows.
    pub fn plus(&self, other: &Self) -> Result<Self> {
        Self::multi_term(&[&self.terms[..], &other.terms].concat())
    }

    /// Largest relative difference of the symbols for `|ln s| <= 50`.
    fn symbol_difference(&self, exact: &Self) -> f64 {
        let difference = |k: i32| {
            let s = Complex64::from((f64::from(k) / 20.0 * LOGARITHM).exp());
            let exact = exact.symbol(s);
            (self.symbol(s) - exact).norm() / exact.norm()
        };
        (-20..=20).map(difference).fold(0.0, f64::max)
    }

    /// Weights and orders, in increasing distinct orders.
    pub fn terms(&self) -> &[(f64, f64)] {
        &self.terms
    }

    /// The order, if there is one and its weight is 1.
    pub fn single_order(&self) -> Option<f64> {
        match self.terms[..] {
            [(1.0, alpha)] => Some(alpha),
            _ => None,
        }
    }

    /// Highest order; above 1 the equation needs an initial velocity.
    pub fn highest_order(&self) -> f64 {
        self.terms[self.terms.len() - 1].1
    }

    /// Symbol `P(s) = sum_j w_j s^alpha_j`.
    pub fn symbol(&self, s: Complex64) -> Complex64 {
        self.terms.iter().map(|(weight, alpha)| weight * s.powf(*alpha)).sum()
    }

    /// Factor of a datum in the Laplace transform of the solution of `P(D) u + A u = source`,
    /// `(P(s) + A)^-1 sum of factor times datum`: `P(s) / s` of the start, `sum w_j s^(alpha_j - 2)`
    /// over the orders above 1 of the velocity, `1 / s` of a constant source.
    pub fn factor(&self, datum: LinearDatum, s: Complex64) -> Complex64 {
        match datum {
            LinearDatum::Start => self.symbol(s) / s,
            LinearDatum::Velocity => {
                let above = self.terms.iter().filter(|(_, alpha)| *alpha > 1.0);
                above.map(|(weight, alpha)| weight * s.powf(alpha - 2.0)).sum()
            }
            LinearDatum::Source => s.inv(),
        }
    }
}
