//! Special functions of fractional calculus, in double precision.
//!
//! | family | functions |
//! |---|---|
//! | gamma | [`gamma()`], [`recip_gamma`], [`ln_gamma`], [`digamma`], [`trigamma`], [`pochhammer`], [`gamma_ratio`], [`beta`] |
//! | incomplete gamma and error | [`gamma_p`], [`gamma_q`], [`erf()`], [`erfc`], [`erfcx`] |
//! | zeta | [`hurwitz_zeta()`] |
//! | binomials | [`binomial()`], [`binomial_weights`] (Grünwald–Letnikov) and their derivative with respect to the order |
//! | powers of indices | [`powers()`] and their forward and second differences without cancellation, each with its derivative in the exponent |
//! | Mittag-Leffler | [`MittagLeffler`] (prepared for given α, β; values, slices, derivatives with respect to the argument), [`MittagLefflerGradient`] (vector code, derivatives with respect to z, α and β), [`mittag_leffler()`], [`mittag_leffler_derivative`], [`prabhakar()`] (three parameters) and [`prabhakar_beta_derivative`], of matrices with the feature `matrix` |
//! | numbers of 32 digits | [`DoubleDouble`], for phases and exponents |
//! | Wright | [`wright()`], [`m_wright`] |
//!
//! Arguments are `f64` or [`Complex64`]. NaN in an argument gives NaN; an infinite argument gives
//! the limit, or NaN if there is none; overflow gives an infinity. Invalid parameters (α <= 0,
//! unequal lengths) are a [`SpecialError`] that names the value. Nothing panics.
//!
//! Accuracy figures in the documentation are measured against committed tables of mpmath values
//! (`tests/data`, written by `xtask/references/special.py`) and against larger random samples made
//! in the same way. Costs are for one thread of a server CPU of 2024, without instructions beyond
//! SSE2.
//!
//! ```
//! use hpfracc_special::MittagLeffler;
//!
//! // Relaxation of order 1/2: y(t) = E_{1/2}(-√t) solves D^{1/2} y = -y, y(0) = 1.
//! let e = MittagLeffler::new(0.5, 1.0)?;
//! let t = [0.0f64, 0.01, 1.0, 100.0];
//! let x = t.map(|t| -t.sqrt());
//! let mut y = [0.0; 4];
//! e.eval_slice(&x, &mut y)?;
//! for (x, y) in x.iter().zip(y) {
//!     let exact = hpfracc_special::erfcx(-x);
//!     assert!((y - exact).abs() < 2e-15 * exact);
//! }
//! # Ok::<(), hpfracc_special::SpecialError>(())
//! ```
//!
//! Features: `rayon` (default) evaluates long slices on all threads; `matrix` adds functions of
//! matrices with nalgebra.
#![forbid(unsafe_code)]

#[macro_use]
mod formula;

mod binomial;
mod double_double;
mod erf;
mod error;
mod gamma;
mod gamma_quotients;
mod hurwitz_zeta;
mod incomplete_gamma;
mod mittag_leffler;
mod power_series;
mod powers;
mod wright;

pub use binomial::{
    binomial, binomial_weights, binomial_weights_derivative, write_binomial_weights,
};
pub use double_double::DoubleDouble;
pub use erf::{erf, erfc, erfcx};
pub use error::SpecialError;
pub use gamma::{digamma, gamma, ln_gamma, recip_gamma, trigamma};
pub use gamma_quotients::{beta, gamma_ratio, pochhammer};
pub use hurwitz_zeta::hurwitz_zeta;
pub use incomplete_gamma::{gamma_p, gamma_q};
pub use mittag_leffler::{
    MittagLeffler, MittagLefflerGradient, Partials, mittag_leffler, mittag_leffler_complex,
    mittag_leffler_derivative, mittag_leffler_derivative_complex, prabhakar,
    prabhakar_beta_derivative, prabhakar_complex,
};
#[cfg(feature = "matrix")]
pub use mittag_leffler::{mittag_leffler_matrix, mittag_leffler_matrix_complex};
#[cfg(feature = "matrix")]
pub use nalgebra;
pub use num_complex::{self, Complex64};
pub use powers::{
    forward_differences_of_powers, forward_differences_of_powers_derivative, powers,
    powers_derivative, second_differences_of_powers, second_differences_of_powers_derivative,
    write_forward_differences_of_powers, write_powers, write_second_differences_of_powers,
};
pub use wright::{m_wright, wright};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
