//! Mittag-Leffler functions over slices, on one thread.

use crate::bench::Bench;
use crate::cell::{each, floor, label, ratio};
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Elementary, vectorised};
use hpfracc_special::{Complex64, MittagLeffler, mittag_leffler};
use std::hint::black_box;

const PARAMETERS: &str = "alpha > 0, slices of one length";
const N: usize = 4096;

/// Values over slices of negative reals and of complex numbers, against the exponential.
pub(crate) fn slices(bench: &mut Bench) {
    bench.note(
        "Floor: `exp` of the same slice as vector code. Negative reals are spread evenly in log |x| from 1e-3 to 1e4, positive ones \
         go up to 10; complex arguments have |z| up to 50 and every direction. Each is the time of one value, on one \
         thread; one at a time, parameters are new each time.",
    );
    bench.columns(
        "alpha | beta | exp | negative reals | negative / exp | positive reals | one at a time | \
         complex",
    );
    let spread = |i: usize| 10f64.powf(-3.0 + 7.0 * i as f64 / N as f64);
    let x: Vec<f64> = (0..N).map(|i| -spread(i)).collect();
    let z: Vec<Complex64> = (0..N)
        .map(|i| Complex64::from_polar(50.0 * (i + 1) as f64 / N as f64, 2.399_963 * i as f64))
        .collect();
    let positive: Vec<f64> = (0..N).map(|i| 10.0 * (i + 1) as f64 / N as f64).collect();
    let pool = pool(1);
    for (alpha, beta) in [
        (0.3, 1.0),
        (0.5, 1.0),
        (0.8, 1.0),
        (0.95, 1.0),
        (0.5, 0.5),
        (0.7, 2.0),
        (1.0, 1.5),
        (1.3, 1.0),
        (1.8, 1.8),
        (2.2, 1.0),
    ] {
        let function = MittagLeffler::new(alpha, beta).expect(PARAMETERS);
        let (mut out, mut complex_out) = (vec![0.0; N], vec![Complex64::default(); N]);
        let (mut exp_out, mut positive_out) = (vec![0.0; N], vec![0.0; N]);
        let [exp, slice, growing, single, complex] = pool.install(|| {
            interleaved(
                bench.budget,
                [
                    &mut || {
                        let x = black_box(&x);
                        vectorised(
                            Arch::new(),
                            #[inline(always)]
                            || {
                                for (out, x) in exp_out.iter_mut().zip(x) {
                                    *out = Elementary::exp(*x);
                                }
                            },
                        );
                        black_box(&exp_out);
                    },
                    &mut || function.eval_slice(black_box(&x), &mut out).expect(PARAMETERS),
                    &mut || {
                        let positive = black_box(&positive);
                        function.eval_slice(positive, &mut positive_out).expect(PARAMETERS);
                    },
                    &mut || {
                        for x in x.iter().step_by(64) {
                            black_box(mittag_leffler(alpha, beta, *x).expect(PARAMETERS));
                        }
                    },
                    &mut || {
                        function
                            .eval_complex_slice(black_box(&z), &mut complex_out)
                            .expect(PARAMETERS);
                    },
                ],
            )
        });
        let n = N as f64;
        bench.row([
            label(alpha),
            label(beta),
            floor(&exp.scaled(n.recip())),
            each(&slice, n),
            ratio(&slice, &exp),
            each(&growing, n),
            each(&single, n / 64.0),
            each(&complex, n),
        ]);
    }
}
