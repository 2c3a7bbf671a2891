//! `E_{0.7, 1}` of many arguments; the error over the whole committed table of high-precision values.

use crate::row::{INSIDE, Measured};
use hpfracc_special::{Complex64, MittagLeffler};
use std::hint::black_box;

/// `alpha, beta, re z, im z, re E, im E, |z E'|`
const TABLE: &str = "crates/hpfracc-special/tests/data/mittag_leffler.csv";

/// Spread evenly in log |z| from 1e-3 to 1e4.
pub(crate) fn negative(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let x: Vec<f64> = (0..n).map(|i| -10f64.powf(-3.0 + 7.0 * i as f64 / n as f64)).collect();
    let (function, mut out) = (MittagLeffler::new(0.7, 1.0).expect(INSIDE), vec![0.0; n]);
    let measured = Measured::of(seconds, || {
        function.eval_slice(black_box(&x), &mut out).expect(INSIDE);
    });
    let worst = worst(
        |row| row[3] == 0.0 && row[2] < 0.0,
        |alpha, beta, z| {
            let mut out = [0.0];
            MittagLeffler::new(alpha, beta)
                .expect(INSIDE)
                .eval_slice(&[z.re], &mut out)
                .expect(INSIDE);
            out[0].into()
        },
    );
    (method == "default").then(|| measured.with_error(worst))
}

/// |z| up to 50, in every direction.
pub(crate) fn complex(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let direction = |i: usize| 2.399_963 * i as f64;
    let z: Vec<Complex64> = (0..n)
        .map(|i| Complex64::from_polar(50.0 * (i + 1) as f64 / n as f64, direction(i)))
        .collect();
    let function = MittagLeffler::new(0.7, 1.0).expect(INSIDE);
    let mut out = vec![Complex64::default(); n];
    let measured = Measured::of(seconds, || {
        function.eval_complex_slice(black_box(&z), &mut out).expect(INSIDE);
    });
    let worst = worst(
        |row| row[3] != 0.0,
        |alpha, beta, z| {
            let (function, mut out) = (MittagLeffler::new(alpha, beta).expect(INSIDE), [z]);
            function.eval_complex_slice(&[z], &mut out).expect(INSIDE);
            out[0]
        },
    );
    (method == "default").then(|| measured.with_error(worst))
}

/// The largest error over rows of the table, relative to |E| + |z E'|: what a rounding of z may do.
fn worst(wanted: impl Fn(&[f64]) -> bool, value: impl Fn(f64, f64, Complex64) -> Complex64) -> f64 {
    let table = std::fs::read_to_string(TABLE).expect("run in the root of the workspace");
    let numbers = |line: &str| -> Vec<f64> { line.split(',').flat_map(str::parse).collect() };
    let rows = table.lines().skip(1).map(numbers).filter(|row| wanted(row));
    let errors = rows.map(|row| {
        let exact = Complex64::new(row[4], row[5]);
        let found = value(row[0], row[1], Complex64::new(row[2], row[3]));
        (found - exact).norm() / (exact.norm() + row[6])
    });
    errors.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most })
}
