use crate::Result;
use crate::error::require;
use hpfracc_special::MittagLeffler;
use std::fmt;

/// Function f of an operator with eigenvalues l >= 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Function {
    /// `l^s`, for any real s: fractional powers.
    Power(f64),
    /// `exp(-t l)`, t >= 0: solves `u' = -A u`.
    Exponential {
        /// Time.
        t: f64,
    },
    /// `E_alpha(-t^alpha l)`, 0 < alpha < 2, t >= 0: solves `D^alpha u = -A u` with the Caputo
    /// derivative (and `u'(0) = 0` for alpha > 1).
    MittagLeffler {
        /// Order.
        alpha: f64,
        /// Time.
        t: f64,
    },
}

/// The function, or its derivative with respect to the exponent of a power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Value,
    /// `l^s ln l`.
    OrderDerivative,
}

impl Function {
    /// The function, if its parameters are in their ranges.
    pub(crate) fn checked(self) -> Result<Self> {
        let time = |t: f64| require(t >= 0.0 && t.is_finite(), "time t", t, "finite, at least 0");
        match self {
            Self::Power(s) => {
                require(s.abs() <= 64.0, "exponent s", s, "-64 to 64")?;
            }
            Self::Exponential { t } => time(t)?,
            Self::MittagLeffler { alpha, t } => {
                require(alpha > 0.0 && alpha < 2.0, "order alpha", alpha, "0 < alpha < 2")?;
                time(t)?;
                if alpha == 1.0 {
                    return Ok(Self::Exponential { t });
                }
            }
        }
        Ok(self)
    }

    /// Values at eigenvalues of at least 0.
    pub(crate) fn values(self, target: Target, l: &[f64]) -> Result<Vec<f64>> {
        Ok(match (self, target) {
            (Self::Power(s), Target::Value) => l.iter().map(|l| l.powf(s)).collect(),
            (Self::Power(s), Target::OrderDerivative) => {
                let value = |&l: &f64| if l == 0.0 && s > 0.0 { 0.0 } else { l.powf(s) * l.ln() };
                l.iter().map(value).collect()
            }
            (Self::Exponential { t }, _) => l.iter().map(|l| (-t * l).exp()).collect(),
            (Self::MittagLeffler { alpha, t }, _) => {
                let scale = -t.powf(alpha);
                let x: Vec<f64> = l.iter().map(|l| scale * l).collect();
                let mut y = vec![0.0; l.len()];
                // Both errors, a bad order and unequal lengths, are excluded above.
                MittagLeffler::new(alpha, 1.0)
                    .and_then(|e| e.eval_slice(&x, &mut y))
                    .or_else(|_| require(false, "order alpha", alpha, "0 < alpha < 2"))?;
                y
            }
        })
    }

    /// Whether f, or the derivative, is infinite or undefined at l = 0.
    pub(crate) fn is_singular(self, target: Target) -> bool {
        match (self, target) {
            (Self::Power(s), Target::Value) => s < 0.0,
            (Self::Power(s), Target::OrderDerivative) => s <= 0.0,
            _ => false,
        }
    }

    /// Exponent of a power.
    pub(crate) fn exponent(self) -> Option<f64> {
        match self {
            Self::Power(s) => Some(s),
            _ => None,
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(s) => write!(f, "A^{s}"),
            Self::Exponential { t } => write!(f, "exp(-{t} A)"),
            Self::MittagLeffler { alpha, t } => write!(f, "E_{alpha}(-{t}^{alpha} A)"),
        }
    }
}
