//! `E_{0.7, 1}` of many arguments; the error over the whole committed table of high-precision values.

use crate::row::{INSIDE, Measured};
use hpfracc_special::{Complex64, MittagLeffler};
use std::hint::black_box;

/// `alpha, beta, re z, im z, re E, im E, |z E'|`
const TABLE: &str = "crates/hpfracc-special/tests/data/mittag_leffler.csv";

/// Spread evenly in log |z| from 1e-3 to 1e4.
pub(crate) fn negative(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let x: Vec<f64> = (0..n).map(|i| -10f64.powf(-3.0 + 7.0 * i as f64 / n as f64)).collect();
    let measured = measured(method, seconds, &x, |function, x, out| {
        function.eval_slice(x, out).expect(INSIDE);
    })?;
    let worst = worst(
        |row| row[3] == 0.0 && row[2] < 0.0,
        |function, z| {
            let mut out = [0.0];
            function.eval_slice(&[z.re], &mut out).expect(INSIDE);
            out[0].into()
        },
    );
    Some(measured.with_error(worst))
}

/// |z| up to 50, in every direction.
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

/// All in the call, or function and values kept between calls.
fn measured<Z: Copy + Default>(
    method: &str,
    seconds: f64,
    z: &[Z],
    eval: impl Fn(&MittagLeffler, &[Z], &mut [Z]),
) -> Option<Measured> {
    let made = || (MittagLeffler::new(0.7, 1.0).expect(INSIDE), vec![Z::default(); z.len()]);
    match method {
        "default" => Some(Measured::of(seconds, || {
            let (function, mut out) = made();
            eval(&function, black_box(z), &mut out);
            black_box(out);
        })),
        "kept" => {
            let (function, mut out) = made();
            Some(Measured::of(seconds, || eval(&function, black_box(z), black_box(&mut out))))
        }
        _ => None,
    }
}

/// The largest error over rows of the table, relative to |E| + |z E'|: what a rounding of z may do.
fn worst(
    wanted: impl Fn(&[f64]) -> bool,
    value: impl Fn(&MittagLeffler, Complex64) -> Complex64,
) -> f64 {
    let table = std::fs::read_to_string(TABLE).expect("run in the root of the workspace");
    let numbers = |line: &str| -> Vec<f64> { line.split(',').flat_map(str::parse).collect() };
    let rows = table.lines().skip(1).map(numbers).filter(|row| wanted(row));
    let errors = rows.map(|row| {
        let exact = Complex64::new(row[4], row[5]);
        let function = MittagLeffler::new(row[0], row[1]).expect(INSIDE);
        let found = value(&function, Complex64::new(row[2], row[3]));
        (found - exact).norm() / (exact.norm() + row[6])
    });
    // A NaN is kept, where `max` would lose it.
    errors.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most })
}
