//! Constants and polynomials as text.

use super::super::NumberFormat;
use hpfracc_lanes::Elementary;
use std::f64::consts::{FRAC_PI_2, LN_2};
use std::fmt::Write as _;

/// Text of a format.
pub(super) fn tables(format: NumberFormat) -> String {
    let mut text = String::new();
    let more = [
        ("ZERO", 0.0),
        ("HALF", 0.5),
        ("ONE", 1.0),
        ("TWO", 2.0),
        ("HALF_PI", FRAC_PI_2),
        ("TWO_TO_MINUS_32", 2f64.powi(-32)),
        ("TWO_TO_MINUS_64", 2f64.powi(-64)),
        ("QUARTER_OF_A_CIRCLE", FRAC_PI_2 / 1_073_741_824.0),
    ];
    for (name, value) in more {
        constant(&mut text, name, &format.literal(value));
    }
    match format {
        NumberFormat::Single => {
            of_floats::<f32>(&mut text, format);
            rest_of_ln_2(&mut text);
            of_single_powers(&mut text);
        }
        NumberFormat::Double => {
            of_floats::<f64>(&mut text, format);
            let two_thirds = [("TWO_THIRDS_HIGH", 2.0 / 3.0), ("TWO_THIRDS_LOW", TWO_THIRDS_LOW)];
            for (name, value) in two_thirds {
                constant(&mut text, name, &format.literal(value));
            }
        }
        NumberFormat::DoubleFloat => {
            for (name, value) in <f32 as Elementary>::tables().constants {
                // From here on tanh(x) is 1 in double precision.
                let value = if name == "TANH_HIGH" { 19.5 } else { f64::from(value) };
                constant(&mut text, name, &NumberFormat::Single.literal(value));
            }
            rest_of_ln_2(&mut text);
            let pairs = ["ERF_SLOPE", "ERF_DENSITY"];
            for (name, value) in <f64 as Elementary>::tables().constants {
                if pairs.contains(&name) {
                    constant(&mut text, &format!("{name}_PAIR"), &format.literal(value));
                }
            }
            for (name, coefficients) in <f64 as Elementary>::tables().polynomials {
                pair_polynomial(&mut text, name, coefficients);
            }
        }
    }
    text
}

/// What 2/3 in double precision lacks.
const TWO_THIRDS_LOW: f64 = 3.700_743_415_417_188e-17;

fn constant(text: &mut String, name: &str, literal: &str) {
    let _ = write!(text, "const {name} = {literal};\n\n");
}

/// Constants and polynomials of numbers that a device has.
fn of_floats<T: Elementary>(text: &mut String, format: NumberFormat) {
    let tables = T::tables();
    for (name, value) in tables.constants {
        constant(text, name, &format.literal(value.widen()));
    }
    for (name, coefficients) in tables.polynomials {
        let wide: Vec<f64> = coefficients.iter().map(|c| c.widen()).collect();
        polynomial(text, format, name, &wide);
    }
}

/// What the two parts of ln 2 in single precision lack.
fn rest_of_ln_2(text: &mut String) {
    let tables = <f32 as Elementary>::tables();
    let of = |name: &str| tables.constants.iter().find(|(known, _)| *known == name);
    let parts = ["LN_2_HIGH", "LN_2_LOW"].map(|name| of(name).map_or(0.0, |(_, x)| f64::from(*x)));
    let rest = LN_2 - parts[0] - parts[1];
    constant(text, "LN_2_LOWEST", &NumberFormat::Single.literal(rest));
}

/// Polynomial in `float`, with fused operations and without.
fn polynomial(text: &mut String, format: NumberFormat, name: &str, coefficients: &[f64]) {
    let Some((last, others)) = coefficients.split_last() else { return };
    let (mut fused, mut unfused) = (format.literal(*last), format.literal(*last));
    for c in others.iter().rev() {
        fused = format!("fused({fused}, x, {})", format.literal(*c));
        unfused = format!("add_product({}, {unfused}, x)", format.literal(*c));
    }
    let _ = write!(
        text,
        "fn polynomial_{name}(x: float) -> float {{\n    return {fused};\n}}\n\n\
         fn unfused_{name}(x: float) -> float {{\n    return {unfused};\n}}\n\n"
    );
}

/// Largest arguments of polynomials in double-float numbers.
const RANGES: [(&str, f64); 7] = [
    ("LN", 0.03),
    ("SIN", 0.64),
    ("COS", 0.64),
    ("EXP", 0.36),
    ("SINH", 0.13),
    ("ERF", 0.73),
    ("MILLS", 0.5),
];

/// Polynomial in `Pair`, whose last terms are computed in single precision where that is enough.
fn pair_polynomial(text: &mut String, name: &str, coefficients: &[f64]) {
    let range = RANGES.iter().find(|(known, _)| *known == name).map_or(1.0, |(_, range)| *range);
    let terms: Vec<f64> =
        coefficients.iter().zip(0..).map(|(c, k)| c.abs() * range.powi(k)).collect();
    let enough = terms.first().map_or(0.0, |first| first * f64::from(f32::EPSILON) / 2.0);
    let is_small = |k: &usize| terms[*k..].iter().sum::<f64>() < enough;
    let first = (1..terms.len()).find(is_small).unwrap_or(coefficients.len().saturating_sub(1));
    let (pairs, floats) = coefficients.split_at(first);
    let Some((last, others)) = floats.split_last() else { return };
    let float = |c: f64| NumberFormat::Single.literal(c);
    let tail = others
        .iter()
        .rev()
        .fold(float(*last), |tail, c| format!("({} + x.high * {tail})", float(*c)));
    let mut sum = match floats.len() {
        1 => format!("    var sum = {};\n", NumberFormat::DoubleFloat.literal(*last)),
        _ => format!("    var sum = Pair({tail}, 0.0);\n"),
    };
    for c in pairs.iter().rev() {
        let c = NumberFormat::DoubleFloat.literal(*c);
        let _ = writeln!(sum, "    sum = near_pair_sum({c}, pair_product(sum, x));");
    }
    let _ = write!(text, "fn polynomial_{name}(x: Pair) -> Pair {{\n{sum}    return sum;\n}}\n\n");
}

/// Constants of powers in single precision, to twice the precision, and their series.
fn of_single_powers(text: &mut String) {
    let pairs = [
        ("TWO_THIRDS", 2.0 / 3.0),
        ("TWO_FIFTHS", 2.0 / 5.0),
        ("TWO_SEVENTHS", 2.0 / 7.0),
        ("INVERSE_6", 1.0 / 6.0),
        ("INVERSE_24", 1.0 / 24.0),
        ("INVERSE_120", 1.0 / 120.0),
        ("INVERSE_720", 1.0 / 720.0),
    ];
    let single = NumberFormat::Single;
    for (name, value) in pairs {
        let low = value - f64::from(value as f32);
        constant(text, &format!("{name}_HIGH"), &single.literal(value));
        constant(text, &format!("{name}_LOW"), &single.literal(low));
    }
    let inverse = |numbers: [f64; 6], scale: f64| numbers.map(|n| scale / n);
    let factorials = [5040.0, 40_320.0, 362_880.0, 3_628_800.0, 39_916_800.0, 479_001_600.0];
    polynomial(text, single, "ARTANH", &inverse([9.0, 11.0, 13.0, 15.0, 17.0, 19.0], 2.0));
    polynomial(text, single, "TAYLOR", &inverse(factorials, 1.0));
}
