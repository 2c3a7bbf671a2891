//! Functions of one to four real numbers.

use super::elementwise::Function;
use hpfracc::special::{self, SpecialError};
use pyo3::prelude::*;

/// Functions of the module, each with its arguments, nanoseconds for a value, and formula.
macro_rules! functions {
    ($($name:ident($($argument:ident),+), $nanoseconds:expr, $of:expr;)+) => {
        $(
            #[pyfunction]
            #[pyo3(signature = ($($argument,)+ out = None))]
            fn $name<'py>(
                py: Python<'py>,
                $($argument: &Bound<'py, PyAny>,)+
                out: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                const FUNCTION: Function = Function {
                    names: &[$(stringify!($argument)),+],
                    nanoseconds: $nanoseconds,
                    of: $of,
                };
                FUNCTION.call(py, &[$($argument),+], out)
            }
        )+

        pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)+
            Ok(())
        }
    };
}

functions! {
    gamma(x), 20.0, |x| Ok(special::gamma(x[0]));
    rgamma(x), 20.0, |x| Ok(special::recip_gamma(x[0]));
    gammaln(x), 20.0, |x| Ok(special::ln_gamma(x[0]).0);
    gammasgn(x), 20.0, |x| Ok(special::ln_gamma(x[0]).1);
    digamma(x), 20.0, |x| Ok(special::digamma(x[0]));
    trigamma(x), 20.0, |x| Ok(special::trigamma(x[0]));
    erf(x), 10.0, |x| Ok(special::erf(x[0]));
    erfc(x), 10.0, |x| Ok(special::erfc(x[0]));
    erfcx(x), 20.0, |x| Ok(special::erfcx(x[0]));
    beta(a, b), 200.0, |x| Ok(special::beta(x[0], x[1]));
    gamma_ratio(a, b), 100.0, |x| Ok(special::gamma_ratio(x[0], x[1]));
    poch(x, d), 100.0, |x| Ok(special::pochhammer(x[0], x[1]));
    binom(alpha, k), 50.0, |x| binomial(x[0], x[1]);
    gammainc(a, x), 300.0, |x| special::gamma_p(x[0], x[1]);
    gammaincc(a, x), 300.0, |x| special::gamma_q(x[0], x[1]);
    hurwitz_zeta(s, q), 300.0, |x| special::hurwitz_zeta(x[0], x[1]);
    wright(z, lambda_, mu), 100e3, |x| wright_at(x[0], x[1], x[2]);
    m_wright(x, nu), 100e3, |x| special::m_wright(x[1], x[0]);
    mittag_leffler_beta_derivative(z, alpha, beta, gamma), 20e3,
        |x| special::prabhakar_beta_derivative(x[1], x[2], x[3], x[0]);
}

/// The binomial coefficient of a whole number k.
fn binomial(alpha: f64, k: f64) -> Result<f64, SpecialError> {
    // Below 2^53 every whole number is an index.
    if !(0.0..=9_007_199_254_740_992.0).contains(&k) || k.fract() != 0.0 {
        let expected = "a whole number from 0 to 2^53";
        return Err(SpecialError::OutOfRange { name: "k", value: k, expected });
    }
    Ok(special::binomial(alpha, k as usize))
}

/// The Wright function, with errors that name the arguments of Python.
fn wright_at(z: f64, lambda: f64, mu: f64) -> Result<f64, SpecialError> {
    special::wright(lambda, mu, z).map_err(|error| match error {
        SpecialError::NotFinite { name: "lambda", value } => {
            SpecialError::NotFinite { name: "lambda_", value }
        }
        SpecialError::OutOfRange { name: "lambda", value, .. } => {
            SpecialError::OutOfRange { name: "lambda_", value, expected: "lambda_ > -1" }
        }
        other => other,
    })
}
