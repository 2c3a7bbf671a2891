//! Error functions.

/// erf(x) = (2/√π) ∫₀^x e^{-t²} dt, the error function.
///
/// Every real `x`. Measured relative error at most 1.2e-16 (from the `libm` crate).
///
/// ```
/// assert!((hpfracc_special::erf(1.0) - 0.842_700_792_949_714_9).abs() < 1e-16);
/// ```
#[must_use]
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

/// erfc(x) = 1 - erf(x), the complementary error function, with full relative accuracy where it
/// is small.
///
/// Every real `x`; underflows beyond 26.5. Measured relative error at most 3e-16 (from the
/// `libm` crate).
///
/// ```
/// assert!((hpfracc_special::erfc(10.0) / 2.088_487_583_762_545e-45 - 1.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// Chebyshev coefficients of (1+2x) erfcx(x) in t = (x-3.75)/(x+3.75), computed with 40 digits.
const ERFCX: [f64; 26] = [
    1.1775789345674017,
    -0.004590054580646478,
    -0.08424913336651792,
    0.05920993999819189,
    -0.026658668435305753,
    0.009074997670705265,
    -0.002413163540417608,
    0.0004907758365258086,
    -6.916973302501207e-05,
    4.13902798607301e-06,
    7.74038306619849e-07,
    -2.1886401049234397e-07,
    1.076499946567091e-08,
    4.521959811218287e-09,
    -7.754400208831351e-10,
    -6.318088340886684e-11,
    2.86879501093067e-11,
    1.9455868545777347e-13,
    -9.65469674843344e-13,
    3.25254814814874e-14,
    3.3478119482868056e-14,
    -1.864562880419313e-15,
    -1.2507950530688648e-15,
    7.418235256624044e-17,
    5.068148904796111e-17,
    -2.2370566594359995e-18,
];

/// erfcx(x) = e^{x²} erfc(x), the scaled complementary error function.
///
/// Every real `x`; ~ 1/(x√π) for x -> ∞, overflows below -26.62. Measured relative error at most
/// 1e-15. Chebyshev series of (1+2x) erfcx(x) in (x-3.75)/(x+3.75) after Shepherd and Laframboise,
/// Math. Comp. 36 (1981) 249, doi:10.1090/S0025-5718-1981-0595058-X, with coefficients computed
/// anew; for x < 0 the reflection 2e^{x²} - erfcx(-x).
///
/// ```
/// use hpfracc_special::erfcx;
/// assert!((erfcx(1e10) * 1e10 * std::f64::consts::PI.sqrt() - 1.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn erfcx(x: f64) -> f64 {
    if x < 0.0 {
        if x < -26.7 {
            return f64::INFINITY;
        }
        // The rounding of x² would be magnified by up to x² in the exponential.
        let square = x * x;
        let rest = x.mul_add(x, -square);
        let growth = square.exp();
        return 2.0 * growth + (2.0 * growth * rest - erfcx(-x));
    }
    if x > 1e8 {
        return 0.5 * std::f64::consts::FRAC_2_SQRT_PI / x;
    }
    let t = (x - 3.75) / (x + 3.75);
    // Clenshaw's recurrence.
    let (mut b1, mut b2) = (0.0, 0.0);
    for &c in ERFCX[1..].iter().rev() {
        (b1, b2) = (2.0 * t * b1 - b2 + c, b1);
    }
    (t * b1 - b2 + ERFCX[0]) / (1.0 + 2.0 * x)
}
