//! `E_{0.7, 1}` at many arguments; the error is the largest over the committed table of
//! high-precision values.

use crate::row::{INSIDE, Measured};
use hpfracc_special::{Complex64, MittagLeffler};
use std::hint::black_box;

/// Table with the columns `alpha, beta, re z, im z, re E, im E, |z E'|`.
const TABLE: &str = "crates/hpfracc-special/tests/data/mittag_leffler.csv";

/// Negative arguments, equidistant in log |z| from 1e-3 to 1e4.
pub(crate) fn negative(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let x: Vec<f64> = (0..n).map(|i| -10f64.powf(-3.0 + 7.0 * i as f64 / n as f64)).collect();
    real(method, seconds, &x)
}

/// Equidistant arguments up to 10.
pub(crate) fn positive(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let x: Vec<f64> = (0..n).map(|i| 10.0 * (i + 1) as f64 / n as f64).collect();
    real(method, seconds, &x)
}

/// Arguments of one sign.
fn real(method: &str, seconds: f64, x: &[f64]) -> Option<Measured> {
    let sign = x[0].signum();
    let measured = measured(method, seconds, x, |function, x, out| {
        function.eval_slice(x, out).expect(INSIDE);
    })?;
    let worst = worst(
        |row| row[3] == 0.0 && row[2] * sign > 0.0,
        |function, z| {
            let mut out = [0.0];
            function.eval_slice(&[z.re], &mut out).expect(INSIDE);
            out[0].into()
        },
    );
    Some(measured.with_error(worst))
}

/// Complex arguments in all directions, |z| up to 50.
pub(crate) fn complex(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let direction = |i: usize| 2.399_963 * i as f64;
    let z: Vec<Complex64> = (0..n)
        .map(|i| Complex64::from_polar(50.0 * (i + 1) as f64 / n as f64, direction(i)))
        .collect();
    let measured = measured(method, seconds, &z, |function, z, out| {
        function.eval_complex_slice(z, out).expect(INSIDE);
    })?;
    let worst = worst(
        |row| row[3] != 0.0,
        |function, z| {
            let mut out = [z];
            function.eval_complex_slice(&[z], &mut out).expect(INSIDE);
            out[0]
        },
    );
    Some(measured.with_error(worst))
}

/// Measures an evaluation. With `default`, a call creates the function and the output; with
/// `reused`, both are created before the calls.
fn measured<Z: Copy + Default>(
    method: &str,
    seconds: f64,
    z: &[Z],
    eval: impl Fn(&MittagLeffler, &[Z], &mut [Z]),
) -> Option<Measured> {
    let create = || (MittagLeffler::new(0.7, 1.0).expect(INSIDE), vec![Z::default(); z.len()]);
    match method {
        "default" => Some(Measured::of(seconds, || {
            let (function, mut out) = create();
            eval(&function, black_box(z), &mut out);
            black_box(out);
        })),
        "reused" => {
            let (function, mut out) = create();
            Some(Measured::of(seconds, || eval(&function, black_box(z), black_box(&mut out))))
        }
        _ => None,
    }
}

/// Largest error over rows of the table, relative to |E| + |z E'|, the effect of rounding z.
fn worst(
    selected: impl Fn(&[f64]) -> bool,
    value: impl Fn(&MittagLeffler, Complex64) -> Complex64,
) -> f64 {
    let table =
        std::fs::read_to_string(TABLE).expect("the current folder is the root of the workspace");
    let numbers = |line: &str| -> Vec<f64> { line.split(',').flat_map(str::parse).collect() };
    let rows = table.lines().skip(1).map(numbers).filter(|row| selected(row));
    let errors = rows.map(|row| {
        let exact = Complex64::new(row[4], row[5]);
        let function = MittagLeffler::new(row[0], row[1]).expect(INSIDE);
        let value = value(&function, Complex64::new(row[2], row[3]));
        (value - exact).norm() / (exact.norm() + row[6])
    });
    // Propagates NaN, unlike `max`.
    errors.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most })
}
