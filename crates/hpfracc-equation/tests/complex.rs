//! Real and imaginary parts of complex formulas against complex arithmetic.

use hpfracc_equation::{Formula, Values, evaluate};
use hpfracc_special::Complex64;

/// Parts of a formula of `z = x + i y` at x, y and a = 0.7.
fn parts(text: &str, x: f64, y: f64) -> Complex64 {
    let formula =
        Formula::parse(&format!("{text}; z = x + i y; a = 0.7"), &["x", "y", "i"]).unwrap();
    let parts = formula.complex_parts(&[("i", (0.0, 1.0))]).unwrap();
    let [re, im] = parts.map(|part| {
        let mut values = vec![Values::Uniform(f64::NAN); 8];
        for (column, variable) in part.columns().into_iter().zip(part.column_variables()) {
            values[variable as usize] = Values::Path(if column == "x" { x } else { y });
        }
        for (known, variable) in part.parameters().iter().zip(part.parameter_variables()) {
            values[variable as usize] = Values::Uniform(known.value());
        }
        evaluate(part.graph(), &[part.root()], &values)[0]
    });
    Complex64::new(re, im)
}

type Function = fn(Complex64) -> Complex64;

#[test]
fn functions_are_those_of_complex_arithmetic() {
    let table: [(&str, Function); 17] = [
        ("z + 2", |z| z + 2.0),
        ("2 - z", |z| 2.0 - z),
        ("-z", |z| -z),
        ("z (z - i)", |z| z * (z - Complex64::i())),
        ("1/z", |z| z.inv()),
        ("z/(z + 3)", |z| z / (z + 3.0)),
        ("z/2", |z| z / 2.0),
        ("z/(2 i)", |z| z / Complex64::new(0.0, 2.0)),
        ("z^a", |z| z.powf(0.7)),
        ("z^3", |z| z * z * z),
        ("sqrt(z)", |z| z.sqrt()),
        ("exp(z)", |z| z.exp()),
        ("expm1(z)", |z| z.exp() - 1.0),
        ("ln(z)", |z| z.ln()),
        ("sinh(z) + cosh(z)^2", |z| z.sinh() + z.cosh() * z.cosh()),
        ("tanh(z)", |z| z.tanh()),
        ("abs(z)", |z| Complex64::new(z.norm(), 0.0)),
    ];
    for (text, function) in table {
        for (x, y) in [(0.3, 0.8), (-0.7, 1.9), (2.0, -0.4), (-1.1, -0.2), (1e-3, 5.0)] {
            let (found, expected) = (parts(text, x, y), function(Complex64::new(x, y)));
            let error = (found - expected).norm() / expected.norm().max(1.0);
            assert!(error < 3e-15, "{text} at {x} + {y} i: {found} {expected} {error:.1e}");
        }
    }
}

/// Powers of `i omega`, and no cancellation in `expm1` and `tanh`.
#[test]
fn imaginary_bases_and_small_numbers() {
    let power = parts("(i y)^a", 0.0, 3.0);
    assert!((power - Complex64::new(0.0, 3.0).powf(0.7)).norm() < 1e-15);
    for text in ["expm1(z)", "tanh(z)"] {
        let z = Complex64::new(1e-9, 3e-9);
        let series = if text == "tanh(z)" { z } else { z + z * z / 2.0 };
        assert!((parts(text, z.re, z.im) / series - 1.0).norm() < 1e-15, "{text}");
    }
    // exp(-2 z) is below the smallest number.
    assert_eq!(parts("tanh(z)", 400.0, 3.0), Complex64::new(1.0, 0.0));
}

#[test]
fn functions_without_a_complex_value() {
    for (text, function) in
        [("erf(z)", "erf"), ("min(z, 1)", "min"), ("2^z", "^"), ("E(a, z)", "E"), ("sin(z)", "sin")]
    {
        let formula = Formula::parse(&format!("{text}; z = i y; a = 1"), &["y", "i"]).unwrap();
        let error = formula.complex_parts(&[("i", (0.0, 1.0))]).unwrap_err();
        assert_eq!(error.function, function, "{text}");
    }
    // Of real numbers they are what they were.
    assert_eq!(parts("erf(x)", 0.0, 1.0), Complex64::new(0.0, 0.0));
}
