use crate::{Bytes, Target};
use hpfracc::special::{
    Complex64, MittagLeffler, prabhakar_beta_derivative, prabhakar_complex, recip_gamma, wright,
};

/// Parameters and arguments of any bits; where both sides are known, `E_{a,b}(z) = 1/Gamma(b) + z E_{a,a+b}(z)`.
pub(super) const TARGET: Target = Target {
    name: "mittag_leffler",
    about: "parameters and arguments of Mittag-Leffler functions",
    run,
};

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let [alpha, beta, gamma] = [bytes.real(), bytes.real(), bytes.real()];
    let z = Complex64::new(bytes.real(), if bytes.flag() { bytes.real() } else { 0.0 });
    let order = bytes.below(12);
    match MittagLeffler::new(alpha, beta) {
        Ok(function) => {
            let value = function.eval_complex(z);
            recurrence(alpha, beta, z, value);
            conjugate(&function, z, value);
            let real = function.eval(z.re);
            let mut out = [f64::NAN; 3];
            function.eval_slice(&[z.re, -1.0, z.re], &mut out).expect("slices of one length");
            agree("a slice", real, out[0]);
            agree("a slice", real, out[2]);
            let _ = function.derivative(z.re, order);
            let _ = function.derivative_complex(z, order);
            assert!(!z.is_nan() || value.is_nan(), "{alpha} {beta} {z}: {value}");
        }
        Err(error) => drop(error.to_string()),
    }
    if let Ok(value) = prabhakar_complex(alpha, beta, gamma, z) {
        assert!(!z.is_nan() || value.is_nan(), "{alpha} {beta} {gamma} {z}: {value}");
        let one = prabhakar_complex(alpha, beta, 1.0, z).expect("parameters that were taken");
        let plain = MittagLeffler::new(alpha, beta).expect("parameters that were taken");
        close("gamma = 1", one, plain.eval_complex(z), 1e-9);
    }
    let _ = prabhakar_beta_derivative(alpha, beta, gamma, z.re);
    let _ = wright(alpha, beta, z.re);
}

/// Where the documentation promises digits, both sides must be the same.
fn recurrence(alpha: f64, beta: f64, z: Complex64, value: Complex64) {
    let promised = (0.3..=2.6).contains(&alpha) && (-1.0..=3.5).contains(&beta);
    let moderate = z.norm() < 1e4; // NaN is not
    if !promised || !moderate {
        return;
    }
    let next = MittagLeffler::new(alpha, alpha + beta).expect("parameters in the range");
    let other = recip_gamma(beta) + z * next.eval_complex(z);
    // What cancels on the right-hand side has lost its digits there.
    let lost = 1.0 + z.norm();
    let scale = recip_gamma(beta).abs().max(other.norm()).max(1.0);
    if value.norm() > 1e250 || scale > 1e250 {
        return;
    }
    let error = (value - other).norm();
    assert!(error <= 1e-11 * scale * lost, "{alpha} {beta} {z}: {value}, from the next {other}");
}

/// Real parameters: `E(conj z) = conj E(z)`.
fn conjugate(function: &MittagLeffler, z: Complex64, value: Complex64) {
    let mirrored = function.eval_complex(z.conj()).conj();
    close("the mirrored argument", mirrored, value, 1e-9);
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
