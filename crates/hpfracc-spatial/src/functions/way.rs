use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::polynomial::Bounds;
use crate::functions::polynomial::Chebyshev;
use crate::functions::spectral::LARGEST;
use crate::{Result, SpatialOperator};

/// Method for f(A) x.
///
/// | way | error | cost of an application | for |
/// |---|---|---|---|
/// | `Modes` | rounding | two transforms | operators with a fast transform |
/// | `Dense` | rounding of the matrix, refused above the tolerance | n^2, after n products and n^3 once | small n |
/// | `Chebyshev` | bounded by the coefficients left out | degree products | smooth f, or gaps |
/// | `Lanczos` | estimated from the iterates | as many products as x needs | powers, clustered eigenvalues |
/// | `Rational` | measured on the spectrum's interval, if `Spectrum::lowest` is known | at most 24 real shifted solves for 1e-10 and a condition number of 1e6 | powers, wide spectra |
/// | `Sinc` | proven bound, if `Spectrum::lowest` is known | at most 150 real shifted solves for 1e-12, a condition number of 1e8 and exponents from -0.9 to -0.3 | reference of `Rational` |
/// | `Contour` | measured on the spectrum's interval | at most 13 complex shifted solves for 2e-12 and orders up to 1 | exponentials, Mittag-Leffler functions |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Way {
    /// Picks one of the others: modes if there are some, a dense matrix up to some hundred values;
    /// for larger n, or if rounding of the dense matrix exceeds the tolerance, Chebyshev polynomials
    /// of a degree up to 64, else Lanczos for powers and the contour for the rest.
    Auto,
    /// Eigenvalues and eigenvectors of the dense matrix.
    Dense,
    /// Transform that diagonalises the operator.
    Modes,
    /// Chebyshev polynomial on the interval of the spectrum.
    Chebyshev,
    /// Lanczos process, started at x.
    Lanczos,
    /// Partial fractions with real poles, found by the AAA algorithm; powers only. If
    /// [`Spectrum::lowest`](crate::Spectrum::lowest) is unknown, the interval starts at half of
    /// [`lowest_eigenvalue_estimate`](crate::lowest_eigenvalue_estimate).
    Rational,
    /// Trapezoidal rule for the Balakrishnan integral, on the same interval; powers only.
    Sinc,
    /// Trapezoidal rule for the inverse Laplace transform on a hyperbola; exponentials and
    /// Mittag-Leffler functions only.
    Contour,
}

/// Highest degree of a Chebyshev polynomial that `Auto` takes.
const DEGREE: usize = 64;

/// Way that `Auto` stands for.
pub(super) fn choose(
    operator: &dyn SpatialOperator,
    function: Function,
    tolerance: f64,
) -> Result<Way> {
    if operator.modes().is_some() {
        return Ok(Way::Modes);
    }
    if operator.len() <= LARGEST {
        return Ok(Way::Dense);
    }
    choose_iterative(operator, function, tolerance)
}

/// Way that `Auto` stands for without a transform or a dense matrix.
pub(super) fn choose_iterative(
    operator: &dyn SpatialOperator,
    function: Function,
    tolerance: f64,
) -> Result<Way> {
    if let Some(s) = function.exponent().filter(|s| *s >= 0.0 && s.fract() == 0.0) {
        return Ok(if s <= DEGREE as f64 { Way::Chebyshev } else { Way::Lanczos });
    }
    let bounds = Bounds::known(operator);
    let polynomial = Chebyshev::coefficients(function, Target::Value, bounds, tolerance, DEGREE);
    Ok(match (polynomial, function) {
        (Ok(_), _) => Way::Chebyshev,
        (Err(_), Function::Power(_)) => Way::Lanczos,
        (Err(_), _) => Way::Contour,
    })
}
