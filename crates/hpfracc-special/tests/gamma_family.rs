//! Gamma, error and incomplete gamma functions against the mpmath table.

use std::collections::BTreeMap;

use hpfracc_special::*;
use hpfracc_testkit::Table;

/// The largest relative error allowed; (relative, scale of an absolute error) where zeros of the
/// function make a relative error meaningless.
fn bound(function: &str, value: f64, x: f64) -> f64 {
    let floor = if x < 0.0 { (1.0 / value.abs()).max(1.0) } else { 1.0 };
    match function {
        "gamma" | "recip_gamma" => 1e-15,
        "ln_gamma" => 6e-16 * floor,
        "digamma" => 2e-15 * floor,
        "trigamma" => 1e-15,
        "pochhammer" | "gamma_ratio" | "beta" => 2e-15,
        "erf" | "erfc" => 4e-16,
        "erfcx" => 1.5e-15,
        "gamma_p" | "gamma_q" if value > 1e-20 => 5e-15,
        "gamma_p" | "gamma_q" if x <= 1e3 => 4e-14,
        "gamma_p" | "gamma_q" => 3e-13,
        other => panic!("unknown function {other}"),
    }
}

#[test]
fn gamma_family_agrees_with_the_table() {
    let mut worst: BTreeMap<String, (f64, f64, f64)> = BTreeMap::new();
    let mut failures = Vec::new();
    let table = Table::parse(include_str!("data/gamma_family.csv"));
    for row in table.rows() {
        let (name, x, value) = (row.text("function"), row.number("x"), row.number("value"));
        let y = if row.text("y").is_empty() { 0.0 } else { row.number("y") };
        let got = match name {
            "gamma" => gamma(x),
            "recip_gamma" => recip_gamma(x),
            "ln_gamma" => ln_gamma(x).0,
            "digamma" => digamma(x),
            "trigamma" => trigamma(x),
            "pochhammer" => pochhammer(x, y),
            "gamma_ratio" => gamma_ratio(x, y),
            "beta" => beta(x, y),
            "erf" => erf(x),
            "erfc" => erfc(x),
            "erfcx" => erfcx(x),
            "gamma_p" => gamma_p(x, y).unwrap(),
            "gamma_q" => gamma_q(x, y).unwrap(),
            other => panic!("unknown function {other}"),
        };
        let error = if value == 0.0 { got.abs() } else { ((got - value) / value).abs() };
        let entry = worst.entry(name.to_owned()).or_default();
        if error.is_nan() || error > entry.0 {
            *entry = (error, x, y);
        }
        if error.is_nan() || error > bound(name, value, x) {
            failures.push(format!("{name}({x}, {y}) = {got:e}, expected {value:e}: {error:.1e}"));
        }
    }
    for (name, (error, x, y)) in &worst {
        println!("{name:12} worst relative error {error:.1e} at ({x}, {y})");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Arguments whose logarithms of gamma functions overflow themselves.
#[test]
fn quotients_of_the_largest_numbers_are_limits() {
    let infinity = f64::INFINITY;
    for (a, b, expected) in
        [(f64::MAX, 2.5, infinity), (2.5, f64::MAX, 0.0), (f64::MAX, 1e300, infinity)]
    {
        assert_eq!(gamma_ratio(a, b), expected, "{a} {b}");
    }
    assert_eq!(pochhammer(1e300, 3.5), infinity);
    assert_eq!(pochhammer(f64::MAX, -3.5), 0.0);
    assert_eq!(beta(f64::MAX, 2.5), 0.0);
    assert_eq!(beta(1e299, 1e300), 0.0);
    assert_eq!(beta(-20.5, 1e300), -infinity);
    assert_eq!(gamma_ratio(1e300, f64::MAX), 0.0);
    // Γ(-1/2) b^{1/2}
    let expected = gamma(-0.5) * 1e150;
    assert!((beta(-0.5, 1e300) / expected - 1.0).abs() < 1e-14);
    assert_eq!(binomial(f64::MAX, 100), infinity);
}
