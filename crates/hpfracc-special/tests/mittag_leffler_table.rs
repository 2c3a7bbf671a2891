//! E_{α,β} against the mpmath table, in all the ways it can be computed.

use hpfracc_special::{Complex64, MittagLeffler, mittag_leffler_complex};
use hpfracc_testkit::{Table, record_error};

struct Row {
    alpha: f64,
    beta: f64,
    z: Complex64,
    value: Complex64,
    /// |z E'(z)|: near a simple zero it exceeds |E| by z over the distance.
    slope: f64,
}

impl Row {
    fn negative(&self) -> bool {
        self.z.im == 0.0 && self.z.re < 0.0
    }

    /// |E|, or what it is at a hundredth of z from a zero.
    fn size_away_from_zeros(&self) -> f64 {
        self.value.norm().max(self.slope / 100.0)
    }
}

fn table() -> Vec<Row> {
    let read = |row: hpfracc_testkit::Row<'_>| {
        let f = row.numbers();
        let (z, value) = (Complex64::new(f[2], f[3]), Complex64::new(f[4], f[5]));
        Row { alpha: f[0], beta: f[1], z, value, slope: f[6] }
    };
    Table::parse(include_str!("data/mittag_leffler.csv")).rows().map(read).collect()
}

/// (worst, median) of the errors, with NaN as the worst.
fn summary(errors: &mut [f64]) -> (f64, f64) {
    errors.sort_by(f64::total_cmp);
    (*errors.last().unwrap(), errors[errors.len() / 2])
}

fn check(name: &str, eval: impl Fn(&Row) -> Complex64, decaying: f64) {
    let table = table();
    assert!(table.len() >= 300, "the table has only {} rows", table.len());
    let (mut scaled, mut negative, mut other) = (vec![], vec![], vec![]);
    let mut failures = vec![];
    for row in &table {
        let error = (eval(row) - row.value).norm();
        let absolute = error / row.value.norm().max(1.0);
        let relative = error / row.size_away_from_zeros();
        let bound = if row.negative() { decaying } else { 1e-12 };
        if row.negative() { &mut negative } else { &mut other }.push(relative);
        scaled.push(absolute);
        let good = absolute < 1e-13 && relative < bound;
        if !good {
            let Row { alpha, beta, z, value, .. } = row;
            failures.push(format!("E({alpha},{beta})({z}) = {value:e}: {absolute:e} {relative:e}"));
        }
    }
    let (worst, median) = summary(&mut scaled);
    println!("{name}:");
    let what = format!("Mittag-Leffler functions at {} points", table.len());
    record_error(&format!("{what}, relative to max(1, abs E)"), worst, 1e-13);
    record_error(&format!("{what}, the same, median"), median, 1e-15);
    let away = "relative, away from zeros";
    record_error(&format!("{what}, {away}, negative reals"), summary(&mut negative).0, decaying);
    record_error(&format!("{what}, {away}, elsewhere"), summary(&mut other).0, 1e-12);
    assert!(failures.is_empty(), "{name}\n{}", failures.join("\n"));
    assert!(median < 1e-15, "{name}: median {median:e}");
}

#[test]
fn one_by_one() {
    let eval = |row: &Row| {
        let e = MittagLeffler::new(row.alpha, row.beta).unwrap();
        if row.z.im == 0.0 { e.eval(row.z.re).into() } else { e.eval_complex(row.z) }
    };
    check("one by one", eval, 1e-13);
}

#[test]
fn free_function() {
    let eval = |row: &Row| mittag_leffler_complex(row.alpha, row.beta, row.z).unwrap();
    check("free function", eval, 1e-13);
}

#[test]
fn slices() {
    // Nine copies fill one group of the vectorised sum and leave a rest.
    let eval = |row: &Row| {
        let e = MittagLeffler::new(row.alpha, row.beta).unwrap();
        if row.z.im == 0.0 {
            let mut out = [f64::NAN; 9];
            e.eval_slice(&[row.z.re; 9], &mut out).unwrap();
            assert_eq!(out, [out[0]; 9]);
            out[0].into()
        } else {
            let mut out = [Complex64::new(f64::NAN, 0.0); 9];
            e.eval_complex_slice(&[row.z; 9], &mut out).unwrap();
            out[8]
        }
    };
    check("slices", eval, 1e-13);
}

/// The mirror image of the table: conjugate arguments have conjugate values.
#[test]
fn conjugate_arguments() {
    let eval = |row: &Row| {
        let e = MittagLeffler::new(row.alpha, row.beta).unwrap();
        e.eval_complex(row.z.conj()).conj()
    };
    check("conjugate", eval, 1e-13);
}

/// Arguments of all regimes and both signs, special values among them, in no order.
fn mixed() -> Vec<Complex64> {
    let special = [0.0, -0.0, 1e-200, -1e-200, 1e200, -1e200, f64::INFINITY, -f64::INFINITY];
    let sizes = (0..700).map(|i| 10f64.powf(-2.0 + 5.0 * f64::from(i * 37 % 700) / 700.0));
    let mut all: Vec<_> = special.map(Complex64::from).to_vec();
    for (i, size) in sizes.enumerate() {
        all.push(match i % 3 {
            0 => size.into(),
            1 => (-size).into(),
            _ => Complex64::from_polar(size, i as f64),
        });
    }
    all
}

#[test]
fn slices_of_mixed_arguments() {
    for alpha in [0.1, 0.5, 0.8, 1.0, 1.4, 2.0, 3.3, 12.0] {
        for beta in [1.0, 0.4, 2.7] {
            let e = MittagLeffler::new(alpha, beta).unwrap();
            let z = mixed();
            let mut out = vec![Complex64::new(f64::NAN, 0.0); z.len()];
            e.eval_complex_slice(&z, &mut out).unwrap();
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            for (&z, &found) in z.iter().zip(&out) {
                let (mut alone, exact) = ([Complex64::ZERO], e.eval_complex(z));
                e.eval_complex_slice(&[z], &mut alone).unwrap();
                let [alone] = alone;
                assert!(same(alone.re, found.re) && same(alone.im, found.im), "{alpha} {beta} {z}");
                if z.im == 0.0 {
                    let mut real = [0.0];
                    e.eval_slice(&[z.re], &mut real).unwrap();
                    assert!(same(real[0], found.re) && found.im == 0.0, "{alpha} {beta} {z}");
                }
                if exact.is_finite() {
                    // Large exponentials have the condition number |s| = |z|^{1/α}.
                    let condition = z.norm().powf(1.0 / alpha).max(1.0);
                    let error = (found - exact).norm() / exact.norm().max(1.0);
                    assert!(error < 2e-14 + 1e-17 * condition, "{alpha} {beta} {z}: {error:e}");
                } else {
                    assert!(!found.is_finite(), "{alpha} {beta} {z}: {found} and not {exact}");
                }
            }
        }
    }
}
