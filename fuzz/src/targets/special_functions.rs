use super::timing::quick;
use crate::{Bytes, Target};
use hpfracc::special::*;

/// Functions of the gamma, error, binomial and power families at arguments of any bits; values are
/// compared by identities.
pub(super) const TARGET: Target = Target {
    name: "special_functions",
    about: "arguments of gamma, error and binomial functions",
    run,
};

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let (x, y) = (bytes.real(), bytes.real());
    let k = bytes.count(1 << 16);
    of_one_argument(x);
    quotients(x, y);
    quick("binomial", || binomials(x, k));
    quick("gamma_p", || incomplete(x, y));
    quick("weights", || sequences(x));
    quick("numbers of 32 digits", || double_doubles(x, y));
}

fn of_one_argument(x: f64) {
    let functions = [gamma, recip_gamma, |x| ln_gamma(x).0, digamma, erf, erfc, erfcx];
    for (number, function) in functions.into_iter().enumerate() {
        let value = quick("function of one argument", || function(x));
        assert!(!x.is_nan() || value.is_nan(), "function {number} of {x}: {value}");
    }
    near("gamma and its reciprocal", gamma(x) * recip_gamma(x), 1.0, 1e-14);
    near("erf and erfc", erf(x) + erfc(x), 1.0, 1e-15);
}

fn quotients(x: f64, y: f64) {
    let rising = quick("pochhammer", || pochhammer(x, y));
    let ratio = quick("gamma_ratio", || gamma_ratio(x, y));
    let product = quick("beta", || beta(x, y));
    if x.is_nan() || y.is_nan() {
        assert!(rising.is_nan() && ratio.is_nan() && product.is_nan(), "{x} {y}");
        return;
    }
    let pole = |z: f64| z <= 0.0 && z == z.trunc();
    if x.is_finite() && y.is_finite() {
        assert_eq!(ratio.is_nan(), pole(x) && !pole(y), "a ratio of {x}, {y}: {ratio}");
        assert_eq!(product.is_nan(), pole(x) || pole(y), "beta of {x}, {y}: {product}");
        assert!(!rising.is_nan() || pole(x + y), "pochhammer of {x}, {y}: {rising}");
    }
    if x.abs() < 1e12 && y.abs() < 1e12 {
        near("a ratio and its reciprocal", ratio * gamma_ratio(y, x), 1.0, 2e-14);
        near("the rising factorial of one step", pochhammer(x, 1.0), x, 1e-14);
        near("beta, exchanged", beta(y, x), product, 0.0);
        // B(x, y) = B(x+1, y) (x+y)/x where x + 1 is exact.
        if (x + 1.0) - 1.0 == x && x != 0.0 {
            near("beta of the next argument", beta(x + 1.0, y) * ((x + y) / x), product, 1e-10);
        }
    }
}

/// (k+1) C(α, k+1) = (α-k) C(α, k).
fn binomials(alpha: f64, k: usize) {
    let value = binomial(alpha, k);
    assert!(!alpha.is_nan() || value.is_nan() || k == 0, "C({alpha}, {k}) = {value}");
    if k < 1 << 16 && alpha.abs() < 1e12 {
        let next = binomial(alpha, k + 1);
        // α - k must not cancel the digits of α.
        let exact = (alpha - k as f64) + k as f64 == alpha;
        if exact {
            near("C(α, k)", next * (k + 1) as f64, (alpha - k as f64) * value, 2e-14);
        }
    }
}

fn incomplete(a: f64, x: f64) {
    match (gamma_p(a, x), gamma_q(a, x)) {
        (Ok(p), Ok(q)) => {
            assert_eq!(p.is_nan(), a.is_nan() || x.is_nan(), "P({a}, {x}) = {p}");
            near("P and Q", p + q, 1.0, 1e-13);
        }
        (Err(error), Err(_)) => drop(error.to_string()),
        (p, q) => panic!("P({a}, {x}): {p:?}, Q: {q:?}"),
    }
}

fn sequences(exponent: f64) {
    let functions = [
        binomial_weights,
        binomial_weights_derivative,
        powers,
        powers_derivative,
        forward_differences_of_powers,
        forward_differences_of_powers_derivative,
        second_differences_of_powers,
        second_differences_of_powers_derivative,
    ];
    for (number, function) in functions.into_iter().enumerate() {
        let mut out = [0.0; 600];
        function(exponent, &mut out);
        // The first entries do not depend on the exponent.
        assert!(!exponent.is_nan() || out[2].is_nan(), "sequence {number}: {}", out[2]);
    }
}

/// Compares numbers that are neither infinite nor subnormal.
fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let ordinary = |x: f64| (1e-290..1e290).contains(&x.abs());
    let compared = ordinary(found) && ordinary(expected);
    let close = (found - expected).abs() <= tolerance * expected.abs();
    assert!(!compared || close, "{what}: {found}, expected {expected}");
}

/// The operations of numbers of 32 digits, at least as close as those of doubles.
fn double_doubles(x: f64, y: f64) {
    let (a, b) = (DoubleDouble::from(x), DoubleDouble::from(y));
    near("a sum", a.plus(b).hi, x + y, 0.0);
    near("a product", a.times(b).hi, x * y, f64::EPSILON);
    near("a quotient", a.over(b).hi, x / y, f64::EPSILON);
    near("a root", a.sqrt().hi, x.sqrt(), f64::EPSILON);
    if x > 1e-290 {
        near("a logarithm", a.ln().hi, x.ln(), 4.0 * f64::EPSILON);
    }
    near("an angle", DoubleDouble::angle(y, x).hi, y.atan2(x), 4.0 * f64::EPSILON);
    if x.abs() <= 4.0 {
        let (sine, cosine) = a.sin_cos();
        // Plus 2, because zeros have no relative accuracy.
        near("a sine", 2.0 + sine.hi, 2.0 + x.sin(), f64::EPSILON);
        near("a cosine", 2.0 + cosine.hi, 2.0 + x.cos(), f64::EPSILON);
    }
}
