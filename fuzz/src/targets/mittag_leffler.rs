use super::timing::quick;
use crate::{Bytes, Target};
use hpfracc::special::{
    Complex64, MittagLeffler, MittagLefflerGradient, SpecialError, m_wright, mittag_leffler_matrix,
    prabhakar, prabhakar_beta_derivative, prabhakar_complex, recip_gamma, wright,
};
use nalgebra::DMatrix;

/// Parameters and arguments of any bits; values are compared by recurrences such as
/// `E_{a,b}(z) = 1/Gamma(b) + z E_{a,a+b}(z)`.
pub(super) const TARGET: Target = Target {
    name: "mittag_leffler",
    about: "parameters and arguments of Mittag-Leffler functions",
    run,
};

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let [alpha, beta, gamma] = [bytes.real(), bytes.real(), bytes.real()];
    let z = Complex64::new(bytes.real(), if bytes.flag() { bytes.real() } else { 0.0 });
    let order = bytes.count(80);
    match quick("a new function", || MittagLeffler::new(alpha, beta)) {
        Ok(function) => two_parameters(&function, z, order),
        Err(error) => drop(error.to_string()),
    }
    let value = quick("prabhakar", || prabhakar_complex(alpha, beta, gamma, z));
    if let Ok(value) = value {
        assert!(!z.is_nan() || value.is_nan(), "{alpha} {beta} {gamma} {z}: {value}");
        let one = prabhakar_complex(alpha, beta, 1.0, z).expect("accepted parameters");
        let plain = MittagLeffler::new(alpha, beta).expect("accepted parameters");
        close("gamma = 1", one, plain.eval_complex(z), 1e-9);
    }
    let _ = quick("prabhakar of a real", || prabhakar(alpha, beta, gamma, z.re));
    let _ = quick("its derivative", || prabhakar_beta_derivative(alpha, beta, gamma, z.re));
    let entries = [z.re, z.im, beta, gamma];
    let matrix = DMatrix::from_row_slice(2, 2, &entries);
    let _ = quick("of a matrix", || mittag_leffler_matrix(alpha, beta, &matrix));
    let _ = quick("m_wright", || m_wright(alpha, z.re));
    wright_recurrence(alpha, beta, z.re);
}

fn two_parameters(function: &MittagLeffler, z: Complex64, order: usize) {
    let (alpha, beta) = (function.alpha(), function.beta());
    let value = quick("a complex value", || function.eval_complex(z));
    recurrence(alpha, beta, z, value);
    conjugate(function, z, value);
    let real = quick("a real value", || function.eval(z.re));
    let mut out = [f64::NAN; 3];
    function.eval_slice(&[z.re, -1.0, z.re], &mut out).expect("slices of one length");
    agree("a slice", real, out[0]);
    agree("a slice", real, out[2]);
    let mut out = [Complex64::ZERO; 2];
    function.eval_complex_slice(&[z, z], &mut out).expect("slices of one length");
    close("a complex slice", out[1], value, 1e-9);
    let slope = quick("a derivative", || function.derivative(z.re, order));
    assert!(order <= 64 || slope.is_nan(), "{alpha} {beta} {z}: derivative {order} is {slope}");
    quick("a complex derivative", || function.derivative_complex(z, order));
    if let Ok(gradient) = quick("a new gradient", || MittagLefflerGradient::new(alpha, beta)) {
        let found = quick("a gradient", || gradient.eval(z.re));
        assert!(!z.re.is_nan() || found.value.is_nan(), "{alpha} {beta} {z}: {found:?}");
    }
    assert!(!z.is_nan() || value.is_nan(), "{alpha} {beta} {z}: {value}");
}

/// Recurrence `lambda z W_{lambda,lambda+mu}(z) = W_{lambda,mu-1}(z) + (1-mu) W_{lambda,mu}(z)` of the
/// terms of the series, compared for moderate values; elsewhere the function only has to return.
fn wright_recurrence(lambda: f64, mu: f64, z: f64) {
    let found = quick("wright", || wright(lambda, mu, z));
    let measured = (-0.9..=2.0).contains(&lambda)
        && (0.0..=3.0).contains(&mu)
        && (-25.0..=6.0).contains(&z)
        && z.abs().powf(1.0 / (1.0 + lambda)) <= 60.0;
    assert!(!measured || found.is_ok(), "W {lambda} {mu} {z}: {found:?}");
    let compared =
        (-0.9..=200.0).contains(&lambda) && (-5.0..=5.0).contains(&mu) && z.abs() <= 50.0;
    let neighbours = || Ok((wright(lambda, lambda + mu, z)?, wright(lambda, mu - 1.0, z)?));
    let (Ok(value), true) = (found, compared) else { return };
    let Ok::<_, SpecialError>((above, below)) = neighbours() else { return };
    let sides = [lambda * z * above, below, (1.0 - mu) * value];
    // Errors are relative to 1 if values are smaller, times their factors; for z > 0, where
    // 1/Gamma(mu) is nearly zero, relative to values at other mu; where terms cancel, half of the
    // digits are lost.
    let other = if z > 0.0 {
        wright(lambda, 1.0, z).map_or(f64::INFINITY, |w| w.abs().max(1.0))
    } else {
        1.0
    };
    let factors = [lambda * z, 1.0, 1.0 - mu].map(|factor| factor * other);
    let scale = sides.iter().chain(&factors).fold(1.0f64, |most, s| most.max(s.abs()));
    let tolerance = if lambda < 0.0 && z > 0.0 { 1e-7 } else { 1e-11 };
    let error = (sides[0] - sides[1] - sides[2]).abs();
    let close = !scale.is_finite() || error <= tolerance * scale;
    assert!(close, "W {lambda} {mu} {z}: {sides:?} of {above}, {below}, {value}");
}

/// Compares both sides of the recurrence in the range for which digits are documented.
fn recurrence(alpha: f64, beta: f64, z: Complex64, value: Complex64) {
    let documented = (0.3..=2.6).contains(&alpha) && (-1.0..=3.5).contains(&beta);
    let moderate = z.norm() < 1e4; // NaN is not
    if !documented || !moderate {
        return;
    }
    let next = MittagLeffler::new(alpha, alpha + beta).expect("parameters in the range");
    let other = recip_gamma(beta) + z * next.eval_complex(z);
    // Cancellation on the right-hand side loses digits.
    let cancellation = 1.0 + z.norm();
    let scale = recip_gamma(beta).abs().max(other.norm()).max(1.0);
    if value.norm() > 1e250 || scale > 1e250 {
        return;
    }
    let error = (value - other).norm();
    assert!(
        error <= 1e-11 * scale * cancellation,
        "{alpha} {beta} {z}: {value}, from the next {other}"
    );
}

/// Checks that `E(conj z) = conj E(z)`.
fn conjugate(function: &MittagLeffler, z: Complex64, value: Complex64) {
    let mirrored = function.eval_complex(z.conj()).conj();
    close("the conjugate argument", mirrored, value, 1e-9);
}

fn agree(what: &str, found: f64, expected: f64) {
    close(what, found.into(), expected.into(), 1e-9);
}

fn close(what: &str, found: Complex64, expected: Complex64, tolerance: f64) {
    let scale = expected.norm().max(1.0);
    let both_nan = found.is_nan() && expected.is_nan();
    let same = both_nan
        || found == expected
        || !scale.is_finite()
        || scale > 1e250
        || (found - expected).norm() <= tolerance * scale;
    assert!(same, "{what}: {found}, expected {expected}");
}
