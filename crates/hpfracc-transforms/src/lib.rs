//! Fractional Fourier transforms and the fractional DFT of sampled data, with adjoints and
//! gradients in the order.
//!
//! A transform is planned once, for a length and an order; signals of an array go through it by
//! [`Transform`]'s methods, along the last axis or any other.
//!
//! ```
//! use hpfracc_transforms::{FractionalFourier, Transform};
//! use ndarray::Array1;
//! use num_complex::Complex;
//! use std::f64::consts::PI;
//!
//! let quarter = FractionalFourier::<f64>::new(128, 0.25)?;
//! let u = quarter.coordinates(); // n / sqrt(128), n = -64..=63
//! let gaussian: Array1<Complex<f64>> = u.mapv(|u| Complex::from((-PI * u * u).exp()));
//! let y = quarter.apply(gaussian.view())?; // is its own transform
//! assert!(y.iter().zip(&gaussian).all(|(y, g)| (y - g).norm() < 1e-14));
//!
//! // A loss |y_70|^2 has the gradient 2 y_70 there: gradients with respect to the input and the order.
//! let mut ybar = Array1::zeros(128);
//! ybar[70] = 2.0 * y[70];
//! let xbar = quarter.vjp(ybar.view())?;
//! let abar = quarter.vjp_order(gaussian.view(), ybar.view())?;
//! assert!(xbar[70].norm() > 0.0 && abar.abs() < 1e-12);
//! # Ok::<(), hpfracc_transforms::TransformError>(())
//! ```
//!
//! # Which transform to use
//!
//! | purpose | transform | for N samples |
//! |---|---|---|
//! | the fractional Fourier integral of a function that is small outside the samples, and whose spectrum is small outside the band | [`FractionalFourier`] | O(N log N), N to 2^25 |
//! | a fractional power of the DFT matrix, unitary and additive for any data | [`DiscreteFractionalFourier`] | O(N^2) after O(N^3) once, N to 2048 |
//! | a DFT with frequencies any distance apart: zoom, off-grid tones | [`FractionalDft`] | O(N log N), N to 2^25 |
//!
//! The first two agree at whole orders, where both are the centred unitary DFT and its powers.
//! Between, [`FractionalFourier`] is the integral to rounding for signals inside its circle
//! (Gaussians, Hermite functions, chirps) and wrong outside it: `F^a F^b = F^(a+b)` and
//! `|F^a x| = |x|` fail for noise. [`DiscreteFractionalFourier`] has both for noise too, and is
//! near the integral only as its eigenvectors are near Hermite functions, to about 1/N. Their grids
//! are the same. "Fractional" in [`FractionalDft`] is something else: its frequencies are
//! fractions, its order is not.
//!
//! Spectral derivatives of periodic data (Weyl, Riesz, the fractional Laplacian) are operators, in
//! `hpfracc-operators`.
#![forbid(unsafe_code)]

#[macro_use(formula)]
extern crate hpfracc_special;

mod chirp;
mod discrete_fractional_fourier;
mod error;
mod fourier;
mod fractional_dft;
mod fractional_fourier;
mod grid;
mod hermite_gauss;
mod pointwise;
mod scratch;
mod signal;
mod transform;

pub use discrete_fractional_fourier::DiscreteFractionalFourier;
pub(crate) use error::Result;
pub use error::TransformError;
pub use fractional_dft::FractionalDft;
pub use fractional_fourier::FractionalFourier;
pub use ndarray;
pub use num_complex;
pub use transform::Transform;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
