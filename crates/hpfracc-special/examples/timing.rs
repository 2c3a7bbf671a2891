//! Nanoseconds a value of the functions of this crate, on one thread: the least of several runs.
//!
//! `cargo run --release -p hpfracc-special --example timing`

use std::f64::consts::PI;
use std::hint::black_box;
use std::time::Instant;

use hpfracc_special::{
    Complex64, MittagLeffler, binomial_weights, binomial_weights_derivative, m_wright,
    mittag_leffler, powers, prabhakar, second_differences_of_powers,
    second_differences_of_powers_derivative,
};

/// Nanoseconds a value of `work`, which computes `n` values.
fn time(name: &str, n: usize, mut work: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:52} {:9.2} ns", best * 1e9 / n as f64);
}

fn main() {
    let n = 20_000;
    let mut out = vec![0.0; n];
    let parameters = [
        (0.3, 1.0),
        (0.5, 1.0),
        (0.9, 1.0),
        (0.99, 1.0),
        (0.7, 0.7),
        (1.0, 0.5),
        (1.5, 1.0),
        (2.5, 2.0),
    ];
    for (alpha, beta) in parameters {
        let e = MittagLeffler::new(alpha, beta).expect("valid parameters");
        for (range, largest) in [("-10..0", 10.0), ("-1e4..0", 1e4)] {
            let x: Vec<f64> = (0..n).map(|i| -largest * (i as f64 + 0.5) / n as f64).collect();
            time(&format!("E({alpha},{beta}) one by one, {range}"), n, || {
                for (o, &x) in out.iter_mut().zip(&x) {
                    *o = e.eval(black_box(x));
                }
            });
            time(&format!("E({alpha},{beta}) slice, {range}"), n, || {
                for (x, out) in x.chunks(2000).zip(out.chunks_mut(2000)) {
                    e.eval_slice(x, out).expect("equal lengths");
                }
            });
        }
        let z: Vec<Complex64> = (0..n)
            .map(|i| Complex64::from_polar(20.0 * i as f64 / n as f64, (i as f64).sin() * PI))
            .collect();
        let mut w = vec![Complex64::ZERO; n];
        time(&format!("E({alpha},{beta}) complex, |z| < 20"), n, || {
            for (o, &z) in w.iter_mut().zip(&z) {
                *o = e.eval_complex(black_box(z));
            }
        });
        time(&format!("new({alpha},{beta})"), 100, || {
            for _ in 0..100 {
                black_box(MittagLeffler::new(black_box(alpha), beta).expect("valid"));
            }
        });
    }
    let x: Vec<f64> = (0..100).map(|i| -0.3 * (f64::from(i) + 0.5)).collect();
    time("mittag_leffler(0.7, 1, x), prepared at every call", 100, || {
        for &x in &x {
            black_box(mittag_leffler(0.7, 1.0, black_box(x)).expect("valid"));
        }
    });
    let e = MittagLeffler::new(0.7, 1.0).expect("valid");
    time("E(0.7,1) first derivative", 100, || {
        for &x in &x {
            black_box(e.derivative(black_box(x), 1));
        }
    });
    time("prabhakar(0.7, 1, 0.5, x)", 100, || {
        for &x in &x {
            black_box(prabhakar(0.7, 1.0, 0.5, black_box(x)).expect("valid"));
        }
    });
    time("m_wright(0.4, x)", 100, || {
        for &x in &x {
            black_box(m_wright(0.4, black_box(-0.2 * x)).expect("valid"));
        }
    });
    let mut weights = vec![0.0; 100_000];
    time("second_differences_of_powers, 1e5", 100_000, || {
        second_differences_of_powers(1.5, &mut weights);
    });
    type Sequence = fn(f64, &mut [f64]);
    let sequences: [(&str, Sequence); 4] = [
        ("powers, 1e5", powers),
        ("second_differences_of_powers_derivative, 1e5", second_differences_of_powers_derivative),
        ("binomial_weights, 1e5", binomial_weights),
        ("binomial_weights_derivative, 1e5", binomial_weights_derivative),
    ];
    for (name, sequence) in sequences {
        time(name, 100_000, || sequence(black_box(0.5), &mut weights));
    }
}
