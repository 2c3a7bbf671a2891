//! Elementary functions as vector code, against the standard library.

use crate::bench::Bench;
use crate::cell::{each, floor, label, ratio};
use crate::measure::interleaved;
use hpfracc_lanes::Elementary;
use pulp::{Arch, Simd, WithSimd};
use std::hint::black_box;

/// Values of a slice.
const N: usize = 4096;

/// A row: the function of the crate and that of the standard library over one slice.
macro_rules! row {
    ($bench:ident, $t:ident, $name:literal, $from:literal to $to:literal, $x:ident, $ours:expr, $theirs:expr) => {{
        struct Ours<'a>(&'a [$t], &'a mut [$t]);

        impl WithSimd for Ours<'_> {
            type Output = ();

            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) {
                for ($x, y) in self.0.iter().copied().zip(self.1) {
                    *y = $ours;
                }
            }
        }

        let x: Vec<$t> =
            (0..N).map(|i| $from + ($to - $from) * (i as $t + 0.5) / N as $t).collect();
        let (mut ours, mut theirs) = (vec![0.0; N], vec![0.0; N]);
        let arch = Arch::new();
        let [library, own] = interleaved(
            $bench.budget,
            [
                &mut || {
                    for ($x, y) in black_box(&x).iter().copied().zip(&mut theirs) {
                        *y = $theirs;
                    }
                },
                &mut || arch.dispatch(Ours(black_box(&x), &mut ours)),
            ],
        );
        black_box((&ours, &theirs));
        $bench.row([
            label(concat!($name, ", ", stringify!($t))),
            floor(&library.scaled(1.0 / N as f64)),
            each(&own, N as f64),
            ratio(&own, &library),
        ]);
    }};
}

macro_rules! rows {
    ($bench:ident, $t:ident) => {
        row!($bench, $t, "exp", -10.0 to 10.0, x, Elementary::exp(x), x.exp());
        row!($bench, $t, "exp_m1", -10.0 to 10.0, x, Elementary::exp_m1(x), x.exp_m1());
        row!($bench, $t, "ln", 0.0 to 20.0, x, Elementary::ln(x), x.ln());
        row!($bench, $t, "ln_1p", -1.0 to 20.0, x, Elementary::ln_1p(x), x.ln_1p());
        row!($bench, $t, "x^1.7", 0.0 to 20.0, x, Elementary::pow(x, 1.7), x.powf(1.7));
        row!($bench, $t, "sinh", -10.0 to 10.0, x, Elementary::sinh(x), x.sinh());
        row!($bench, $t, "cosh", -10.0 to 10.0, x, Elementary::cosh(x), x.cosh());
        row!($bench, $t, "tanh", -10.0 to 10.0, x, Elementary::tanh(x), x.tanh());
        row!($bench, $t, "sin, bounded", -100.0 to 100.0, x, x.bounded_sin_cos().0, x.sin());
        row!($bench, $t, "cos, bounded", -100.0 to 100.0, x, x.bounded_sin_cos().1, x.cos());
        row!($bench, $t, "sin + cos, bounded", -100.0 to 100.0, x, {
            let (sin, cos) = x.bounded_sin_cos();
            sin + cos
        }, x.sin() + x.cos());
        row!($bench, $t, "sin, any angle", -100.0 to 100.0, x, Elementary::sin(x), x.sin());
        row!($bench, $t, "sin, beyond the bound", 2e9 to 3e9, x, Elementary::sin(x), x.sin());
        row!($bench, $t, "atan", -10.0 to 10.0, x, Elementary::atan(x), x.atan());
        row!($bench, $t, "erf", -3.0 to 3.0, x, Elementary::erf(x), hpfracc_special::erf(f64::from(x)) as $t);
        row!($bench, $t, "logistic", -10.0 to 10.0, x, x.logistic(), 1.0 / (1.0 + (-x).exp()));
        row!($bench, $t, "softplus", -10.0 to 10.0, x, x.softplus(), x.max(0.0) + (-x.abs()).exp().ln_1p());
    };
}

/// Time of one value, over slices, on one core.
pub(crate) fn functions(bench: &mut Bench) {
    bench.note(format!(
        "Floor: the standard library, or `libm` for erf. Slices of {N} values, on one core."
    ));
    bench.columns("function | library | lanes | lanes / library");
    rows!(bench, f32);
    rows!(bench, f64);
}
