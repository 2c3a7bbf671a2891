//! Attention against the plain formula in loops, and its derivative against differences.

use hpfracc_nn::{Attention, AttentionTape, Mask, Scalar};

fn numbers<T: Scalar>(n: usize, seed: usize) -> Vec<T> {
    (0..n).map(|i| T::narrow(((i * 7919 + seed * 104_729) % 1009) as f64 / 252.0 - 2.0)).collect()
}

/// Every third time is absent, and a whole tile of them.
fn present<T: Scalar>(length: usize) -> Vec<T> {
    let absent = |i: usize| i % 3 == 1 || (128..192).contains(&i);
    (0..length).map(|i| if absent(i) { T::zero() } else { T::one() }).collect()
}

/// One head and feature after the other, in double precision.
fn plain<T: Scalar>(attention: &Attention<'_, T>, [q, k, v]: [&[T]; 3]) -> (Vec<f64>, Vec<f64>) {
    let Attention { heads, features, length, mask } = *attention;
    let (mut out, mut log_sums) = (vec![0.0; q.len()], Vec::new());
    for head in 0..heads {
        let at = |f: usize, time: usize| (head * features + f) * length + time;
        for i in 0..length {
            let seen = |j: usize| {
                let present = mask.present.is_none_or(|present| present[j].widen() > 0.0);
                let near = if j > i { j - i <= mask.future } else { i - j <= mask.past };
                present && near
            };
            let keys: Vec<usize> = (0..length).filter(|&j| seen(j)).collect();
            let score = |&j: &usize| {
                let products = (0..features).map(|f| q[at(f, i)].widen() * k[at(f, j)].widen());
                products.sum::<f64>() / (features as f64).sqrt()
            };
            let scores: Vec<f64> = keys.iter().map(score).collect();
            let largest = scores.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
            let sum: f64 = scores.iter().map(|s| (s - largest).exp()).sum();
            log_sums.push(if keys.is_empty() { f64::INFINITY } else { largest + sum.ln() });
            for (j, s) in keys.iter().zip(&scores) {
                let weight = (s - largest).exp() / sum;
                for f in 0..features {
                    out[at(f, i)] += weight * v[at(f, *j)].widen();
                }
            }
        }
    }
    (out, log_sums)
}

fn run<T: Scalar>(attention: &Attention<'_, T>, inputs: [&[T]; 3]) -> (Vec<T>, Vec<T>) {
    let mut out = vec![T::NAN; inputs[0].len()];
    let mut log_sums = vec![T::NAN; attention.heads * attention.length];
    let mut work = vec![T::NAN; attention.forward_work()];
    attention.forward(inputs, &mut out, &mut log_sums, &mut work).unwrap();
    (out, log_sums)
}

/// No mask, causal, windows, absent keys, and some together.
fn masks<T: Scalar>(present: &[T]) -> [Mask<'_, T>; 6] {
    let absent = Mask { present: Some(present), ..Mask::none() };
    [
        Mask::none(),
        Mask::causal(),
        Mask { past: 3, future: 0, present: None },
        Mask { past: 70, future: 9, present: None },
        absent,
        Mask { past: 1, future: 0, ..absent },
    ]
}

#[test]
fn against_the_plain_formula() {
    fn check<T: Scalar>(bound: f64) {
        let mut worst = 0.0f64;
        for (heads, features, length) in
            [(2, 3, 1), (1, 4, 2), (2, 8, 63), (1, 64, 64), (3, 5, 65), (1, 16, 200), (2, 8, 1000)]
        {
            let present = present::<T>(length);
            let n = heads * features * length;
            let [q, k, v] = [1, 2, 3].map(|seed| numbers::<T>(n, seed));
            for mask in masks(&present) {
                let attention = Attention { heads, features, length, mask };
                let (out, log_sums) = run(&attention, [&q, &k, &v]);
                let (exact, exact_log_sums) = plain(&attention, [&q, &k, &v]);
                // Values go up to 2.
                for (i, (found, exact)) in out.iter().zip(&exact).enumerate() {
                    let error = (found.widen() - exact).abs() / 2.0;
                    worst = worst.max(error);
                    assert!(error < bound, "{heads} {features} {length} {i}: {found} {exact}");
                }
                for (i, (found, exact)) in log_sums.iter().zip(&exact_log_sums).enumerate() {
                    let near = (found.widen() - exact).abs() < 10.0 * bound;
                    assert!(near || found.widen() == *exact, "{length} {i}: {found} {exact}");
                }
            }
        }
        println!("{}: {worst:.1e}", T::NAME);
    }
    check::<f32>(2e-6);
    check::<f64>(1e-13);
}

#[test]
fn gradients_against_differences() {
    for (heads, features, length) in [(1, 2, 1), (2, 4, 63), (1, 8, 64), (1, 5, 65), (2, 3, 200)] {
        let present = present::<f64>(length);
        let n = heads * features * length;
        let mut inputs = [1, 2, 3].map(|seed| numbers::<f64>(n, seed));
        let c = numbers::<f64>(n, 4);
        for mask in masks(&present) {
            let attention = Attention { heads, features, length, mask };
            let loss = |[q, k, v]: &[Vec<f64>; 3]| {
                let (out, _) = run(&attention, [q, k, v]);
                out.iter().zip(&c).map(|(out, c)| out * c).sum::<f64>()
            };
            let (out, log_sums) = run(&attention, [&inputs[0], &inputs[1], &inputs[2]]);
            let mut bars = [(); 3].map(|()| vec![f64::NAN; n]);
            let mut work = vec![f64::NAN; attention.backward_work()];
            let [q, k, v] = &inputs;
            let tape = AttentionTape { inputs: [q, k, v], out: &out, log_sums: &log_sums };
            let [qbar, kbar, vbar] = &mut bars;
            attention.vjp(tape, &c, [qbar, kbar, vbar], &mut work).unwrap();
            for which in 0..3 {
                for i in (0..n).step_by(n.div_ceil(17)) {
                    let before = inputs[which][i];
                    let mut at = |d: f64| {
                        inputs[which][i] = before + d;
                        loss(&inputs)
                    };
                    let h = 1e-3;
                    let expected = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / 12e-3;
                    inputs[which][i] = before;
                    let found = bars[which][i];
                    let close = (found - expected).abs() < 1e-8 * (1.0 + expected.abs());
                    assert!(close, "{length} {mask:?} {which} {i}: {found} {expected}");
                }
            }
        }
    }
}

/// Scores of any size, and queries that see nothing.
#[test]
fn limits() {
    let attention = Attention { heads: 1, features: 1, length: 130, mask: Mask::none() };
    let v = numbers::<f32>(130, 5);
    let mut k = vec![0.0; 130];
    (k[3], k[129]) = (3e4, 3e4);
    let (out, log_sums) = run(&attention, [&vec![3e4; 130], &k, &v]);
    assert!(out.iter().all(|out| *out == 0.5 * (v[3] + v[129])), "{out:?}");
    assert!(log_sums.iter().all(|sum| *sum == 9e8));
    let (out, _) = run(&attention, [&vec![-3e4; 130], &k, &v]);
    let mean = v.iter().sum::<f32>() - v[3] - v[129];
    assert!((out[0] - mean / 128.0).abs() < 1e-6);
    let absent = [0.0; 130];
    let blind = Attention { mask: Mask { present: Some(&absent), ..Mask::none() }, ..attention };
    let (out, log_sums) = run(&blind, [&v, &v, &v]);
    assert_eq!((out, log_sums), (vec![0.0; 130], vec![f32::INFINITY; 130]));
    let mut q = vec![0.0; 130];
    q[1] = f32::NAN;
    let (out, _) = run(&attention, [&q, &v, &v]);
    assert!(out.iter().enumerate().all(|(i, out)| out.is_nan() == (i == 1)));
}
