//! Powers, their differences and binomial weights: against the mpmath tables, and against the
//! literal formulas where those are good.

use std::collections::BTreeMap;

use hpfracc_special::*;
use hpfracc_testkit::{Row, Table};

const N: usize = 1_000_001;

/// Entry k of a function of one index, or of a sequence that was written to `out`.
fn entry(name: &str, b: f64, k: usize, out: &[f64]) -> f64 {
    if name == "binomial" { binomial(b, k) } else { out[k] }
}

fn sequence(name: &str) -> fn(f64, &mut [f64]) {
    match name {
        "powers" => powers,
        "powers_derivative" => powers_derivative,
        "forward_differences_of_powers" => forward_differences_of_powers,
        "forward_differences_of_powers_derivative" => forward_differences_of_powers_derivative,
        "second_differences_of_powers" => second_differences_of_powers,
        "second_differences_of_powers_derivative" => second_differences_of_powers_derivative,
        "binomial_weights" => binomial_weights,
        "binomial_weights_derivative" => binomial_weights_derivative,
        "binomial" => |_, _| {},
        other => panic!("unknown function {other}"),
    }
}

/// `exponent` names the column of the parameter.
fn check(table: &str, exponent: &str, bound: f64) {
    let mut worst: BTreeMap<String, (f64, f64, usize)> = BTreeMap::new();
    let mut last = (String::new(), f64::NAN);
    let mut out = vec![f64::NAN; N];
    let table = Table::parse(table);
    // One sequence serves all rows of its function and parameter.
    let mut rows: Vec<Row<'_>> = table.rows().collect();
    rows.sort_by_key(|row| (row.text("function").to_owned(), row.text(exponent).to_owned()));
    for row in rows {
        let name = row.text("function").to_owned();
        let (b, k) = (row.number(exponent), row.number("k") as usize);
        if last != (name.clone(), b) {
            out.fill(f64::NAN);
            sequence(&name)(b, &mut out);
            last = (name.clone(), b);
        }
        let (value, scale) = (row.number("value"), row.number("scale"));
        let found = entry(&name, b, k, &out);
        let error = if scale == 0.0 { found.abs() } else { (found - value).abs() / scale };
        let entry = worst.entry(name).or_default();
        if error.is_nan() || error > entry.0 {
            *entry = (error, b, k);
        }
    }
    for (name, (error, b, k)) in &worst {
        println!("{name:44} worst error {error:.1e} at ({b}, {k})");
    }
    for (name, (error, b, k)) in worst {
        assert!(error <= bound, "{name}: error {error:.1e} at ({b}, {k})");
    }
}

#[test]
fn differences_of_powers_agree_with_the_table() {
    check(include_str!("data/powers.csv"), "b", 1.2e-15);
}

#[test]
fn binomials_agree_with_the_table() {
    check(include_str!("data/binomials.csv"), "alpha", 1.2e-15);
}

/// Every entry, not only those of the table, and every remainder of a block.
#[test]
fn differences_of_powers_agree_with_the_literal_formulas() {
    for b in [0.3, 1.0, 1.6, 2.0, 7.5] {
        for n in [0, 1, 2, 3, 31, 32, 33, 34, 35, 36, 140, 1000] {
            let mut out = vec![f64::NAN; n];
            let p = |x: f64| if x <= 0.0 { 0.0 } else { x.powf(b) };
            let literal: [(&str, &dyn Fn(f64) -> f64); 3] = [
                ("powers", &p),
                ("forward_differences_of_powers", &|k| p(k + 1.0) - p(k)),
                ("second_differences_of_powers", &|k| p(k + 1.0) - 2.0 * p(k) + p(k - 1.0)),
            ];
            for (name, formula) in literal {
                out.fill(f64::NAN);
                sequence(name)(b, &mut out);
                for (k, &v) in out.iter().enumerate() {
                    let k = k as f64;
                    let error = (v - formula(k)).abs();
                    assert!(error <= 1e-15 * p(k + 1.0), "{name}({b}) at {k}: {v} {error:e}");
                }
            }
        }
    }
}

/// The derivatives of the sequences, everywhere, by central differences in the exponent.
#[test]
fn derivatives_agree_with_differences_in_the_exponent() {
    let pairs = [
        ("powers", "powers_derivative"),
        ("forward_differences_of_powers", "forward_differences_of_powers_derivative"),
        ("second_differences_of_powers", "second_differences_of_powers_derivative"),
        ("binomial_weights", "binomial_weights_derivative"),
    ];
    let n = 700;
    for (name, derivative) in pairs {
        for b in [0.3, 1.0, 1.6] {
            let h = 1e-5;
            let mut out = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
            sequence(name)(b - h, &mut out[0]);
            sequence(name)(b + h, &mut out[1]);
            sequence(derivative)(b, &mut out[2]);
            for k in 0..n {
                let difference = (out[1][k] - out[0][k]) / (2.0 * h);
                let scale = (k.max(2) as f64).powf(b).max(1.0);
                let error = (out[2][k] - difference).abs() / scale;
                assert!(error < 2e-8, "{derivative}({b}) at {k}: {} {difference}", out[2][k]);
            }
        }
    }
}

/// Every weight from the one before, across the place where the method changes.
#[test]
fn binomial_weights_follow_their_recurrence() {
    for alpha in [-2.5, 0.3, 1.0, 1.7, 3.9, 4.5] {
        let n = 3000;
        let (mut w, mut d) = (vec![f64::NAN; n], vec![f64::NAN; n]);
        binomial_weights(alpha, &mut w);
        binomial_weights_derivative(alpha, &mut d);
        for k in 1..n {
            let factor = (k as f64 - 1.0 - alpha) / k as f64;
            let error = (w[k] - factor * w[k - 1]).abs();
            assert!(error <= 2e-15 * w[k - 1].abs(), "{alpha} {k}: {error:e}");
            let error = (d[k] - factor * d[k - 1] + w[k - 1] / k as f64).abs();
            let scale = d[k - 1].abs().max(w[k - 1].abs());
            assert!(error <= 2e-15 * scale, "derivative, {alpha} {k}: {error:e}");
        }
    }
}
