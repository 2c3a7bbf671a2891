//! Special functions of fractional calculus.
#![forbid(unsafe_code)]

mod binomial;
mod double_double;
mod erf;
mod error;
mod gamma;
mod incomplete_gamma;
mod mittag_leffler;
mod power_series;
mod powers;
mod wright;

pub use binomial::{binomial, binomial_weights, binomial_weights_derivative};
pub use erf::{erf, erfc, erfcx};
pub use error::SpecialError;
pub use gamma::{beta, digamma, gamma, gamma_ratio, ln_gamma, pochhammer, recip_gamma};
pub use incomplete_gamma::{gamma_p, gamma_q};
pub use mittag_leffler::{
    MittagLeffler, mittag_leffler, mittag_leffler_complex, mittag_leffler_derivative,
    mittag_leffler_derivative_complex, prabhakar, prabhakar_complex,
};
#[cfg(feature = "matrix")]
pub use mittag_leffler::{mittag_leffler_matrix, mittag_leffler_matrix_complex};
pub use num_complex::Complex64;
pub use powers::{
    forward_differences_of_powers, forward_differences_of_powers_derivative,
    half_step_differences_of_powers, half_step_differences_of_powers_derivative, powers,
    powers_derivative, second_differences_of_powers, second_differences_of_powers_derivative,
};
pub use wright::{m_wright, wright};
