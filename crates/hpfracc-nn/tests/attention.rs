//! Attention against the plain formula in loops, and its derivative against differences.

use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Attention, AttentionTape, Backward, Forward, Layer, Mask, MultiHeadAttention, Network,
    NetworkError, Pass, Rotary, Scalar, Shape, Tape, Times,
};
use hpfracc_sde::noise::Normals;

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
                for i in (0..n).step_by(n.div_ceil(7)) {
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

/// The backward direction in single precision, against the same inputs in double.
#[test]
fn gradients_in_single_precision() {
    for (heads, features, length) in [(1, 2, 1), (2, 4, 63), (1, 64, 64), (2, 3, 200)] {
        let n = heads * features * length;
        let single = [1, 2, 3, 4].map(|seed| numbers::<f32>(n, seed));
        let double = single.each_ref().map(|x| x.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        fn pull_back<T: Scalar>(
            attention: &Attention<'_, T>,
            [q, k, v, c]: &[Vec<T>; 4],
        ) -> [Vec<T>; 3] {
            let (out, log_sums) = run(attention, [q, k, v]);
            let mut bars = [(); 3].map(|()| vec![T::NAN; q.len()]);
            let mut work = vec![T::NAN; attention.backward_work()];
            let tape = AttentionTape { inputs: [q, k, v], out: &out, log_sums: &log_sums };
            let [qbar, kbar, vbar] = &mut bars;
            attention.vjp(tape, c, [qbar, kbar, vbar], &mut work).unwrap();
            bars
        }
        let (narrow, wide) = (present::<f32>(length), present::<f64>(length));
        for (narrow, wide) in masks(&narrow).into_iter().zip(masks(&wide)) {
            let found = pull_back(&Attention { heads, features, length, mask: narrow }, &single);
            let attention = Attention { heads, features, length, mask: wide };
            let expected = pull_back(&attention, &double);
            for (found, expected) in found.iter().zip(&expected) {
                // Differences of sums over features, of numbers up to 2.
                let least = features as f64 / 8.0;
                let largest = expected.iter().fold(least, |a, b| a.max(b.abs()));
                for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let error = (f64::from(*found) - expected).abs() / largest;
                    assert!(error < 5e-6, "{length} {i}: {found} {expected}");
                }
            }
        }
    }
}

/// Scores of any size, and queries without visible keys.
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

fn theta<T: Scalar>(layer: &MultiHeadAttention) -> Vec<T> {
    let mut theta = vec![T::zero(); layer.parameters()];
    layer.initialise(&Normals::new(7), 0, &mut theta);
    // Biases too.
    theta.iter_mut().enumerate().for_each(|(i, w)| *w += T::narrow(0.05 * ((i % 7) as f64 - 3.0)));
    theta
}

fn through<T: Scalar>(layer: &MultiHeadAttention, x: &[T], lanes: usize) -> Vec<T> {
    let mut saved = vec![T::NAN; layer.saved() * lanes];
    let mut y = vec![T::NAN; layer.outputs() * lanes];
    let (saved, out) = (RowsMut::new(&mut saved, lanes), RowsMut::new(&mut y, lanes));
    let (theta, x) = (theta(layer), Rows::new(x, lanes));
    layer.forward(Forward { pass: Pass::Evaluate, theta: &theta, x, saved, y: out });
    y
}

/// Projections, turned pairs and heads in loops, at times of each sequence's own and with absent
/// samples.
#[test]
fn the_layer_is_its_formula() {
    let (features, heads, length, lanes) = (8, 2, 67, 19);
    let (head, base, unit) = (features / heads, 50.0f64, 0.7);
    let rotary = Rotary { times: Times::Channel, unit, base };
    let layer = MultiHeadAttention::new(features, heads, length).unwrap();
    let layer = layer.window(40).unwrap().causal().padded().rotary(rotary).unwrap();
    let x = numbers::<f64>(layer.inputs() * lanes, 1);
    let y = through(&layer, &x, lanes);
    let theta = theta::<f64>(&layer);
    let project = |which: usize, x: &dyn Fn(usize, usize) -> f64| {
        let own = &theta[which * features * (features + 1)..];
        let mut y = vec![0.0; features * length];
        for (i, y) in y.iter_mut().enumerate() {
            let (f, time) = (i / length, i % length);
            let products = (0..features).map(|g| own[f * features + g] * x(g, time));
            *y = own[features * features + f] + products.sum::<f64>();
        }
        y
    };
    for lane in 0..lanes {
        let channel = |c: usize, time: usize| x[(c * length + time) * lanes + lane];
        let [mut q, mut k, v] = [0, 1, 2].map(|which| project(which, &channel));
        for series in [&mut q, &mut k] {
            for row in (0..features).step_by(2) {
                let omega = base.powf(-((row % head) as f64) / head as f64) / unit;
                for time in 0..length {
                    let (sin, cos) = (omega * channel(features, time)).sin_cos();
                    let at = row * length + time;
                    let (a, b) = (series[at], series[at + length]);
                    series[at] = a * cos - b * sin;
                    series[at + length] = a * sin + b * cos;
                }
            }
        }
        let present: Vec<f64> = (0..length).map(|time| channel(features + 1, time)).collect();
        let mask = Mask { past: 39, future: 0, present: Some(&present) };
        let (out, _) = plain(&Attention { heads, features: head, length, mask }, [&q, &k, &v]);
        let expected = project(3, &|f, time| out[f * length + time]);
        for (i, expected) in expected.iter().enumerate() {
            let found = y[i * lanes + lane];
            assert!((found - expected).abs() < 1e-12, "{lane} {i}: {found} {expected}");
        }
    }
}

/// Scores see differences of times alone; and the three ways to give the same times are one.
#[test]
fn rotary_times() {
    let length = 9;
    let plain = || MultiHeadAttention::new(4, 1, length).unwrap();
    let x = numbers::<f64>(4 * length, 2);
    let at = |times: Times| {
        let rotary = Rotary { times, ..Rotary::default() };
        through(&plain().rotary(rotary).unwrap(), &x, 1)
    };
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let steps = at(Times::Steps);
    let given = |first: f64| Times::Given((0..length).map(|i| first + i as f64).collect());
    assert_eq!(at(given(0.0)), steps);
    assert!(near(&at(given(-31.25)), &steps));
    assert!(!near(&through(&plain(), &x, 1), &steps));
    let timed = Rotary { times: Times::Channel, ..Rotary::default() };
    let with_times: Vec<f64> = x.iter().copied().chain((0..length).map(|i| i as f64)).collect();
    assert_eq!(through(&plain().rotary(timed).unwrap(), &with_times, 1), steps);
}

#[test]
fn any_number_of_threads() {
    let layer = MultiHeadAttention::new(12, 3, 130).unwrap().causal();
    let lanes = 5;
    let x = numbers::<f32>(layer.inputs() * lanes, 3);
    let theta = theta::<f32>(&layer);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut saved = vec![f32::NAN; layer.saved() * lanes];
            let y = through(&layer, &x, lanes);
            let mut out = y.clone();
            layer.forward(Forward {
                pass: Pass::Evaluate,
                theta: &theta,
                x: Rows::new(&x, lanes),
                saved: RowsMut::new(&mut saved, lanes),
                y: RowsMut::new(&mut out, lanes),
            });
            let mut thetabar = vec![0.0; theta.len()];
            let mut scratch = vec![f32::NAN; layer.scratch() * lanes];
            let [x, saved, y] = [&x, &saved, &y].map(|rows| Rows::new(rows, lanes));
            layer.vjp(Backward {
                theta: &theta,
                tape: Tape { x, saved, y },
                ybar: RowsMut::new(&mut out, lanes),
                xbar: None,
                thetabar: &mut thetabar,
                scratch: RowsMut::new(&mut scratch, lanes),
            });
            (y.as_slice().to_vec(), thetabar)
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn invalid_settings_are_named() {
    let new = MultiHeadAttention::new;
    let says = |error: NetworkError, text: &str| assert_eq!(error.to_string(), text);
    says(new(0, 1, 1).unwrap_err(), "MultiHeadAttention: features is 0, expected at least 1");
    says(new(4, 0, 1).unwrap_err(), "MultiHeadAttention: heads is 0, expected at least 1");
    says(new(4, 2, 0).unwrap_err(), "MultiHeadAttention: length is 0, expected at least 1");
    says(
        new(10, 3, 5).unwrap_err(),
        "MultiHeadAttention: heads is 3, expected a divisor of the 10 features",
    );
    says(
        new(1 << 20, 1, usize::MAX).unwrap_err(),
        "MultiHeadAttention: length is 18446744073709551615 with 1048576 features, expected one that fits \
         a memory",
    );
    says(
        new(4, 2, 5).unwrap().window(0).unwrap_err(),
        "MultiHeadAttention: window is 0, expected at least 1",
    );
    let turned = |features, rotary| new(features, 2, 3).unwrap().rotary(rotary).unwrap_err();
    says(
        turned(6, Rotary::default()),
        "Rotary: features is 3 a head, expected an even number of them",
    );
    says(
        turned(4, Rotary { base: 0.0, ..Rotary::default() }),
        "Rotary: base is 0, expected positive and finite",
    );
    says(
        turned(4, Rotary { unit: f64::NAN, ..Rotary::default() }),
        "Rotary: unit is NaN, expected positive and finite",
    );
    let given = |times| turned(4, Rotary { times: Times::Given(times), ..Rotary::default() });
    says(given(vec![0.0]), "Rotary: times has the size 1, expected 3");
    says(given(vec![0.0, f64::INFINITY, 1.0]), "Rotary: times is inf, expected finite");
    let attention = Attention::<f64> { heads: 1, features: 2, length: 3, mask: Mask::none() };
    let (six, five) = ([0.0; 6], [0.0; 5]);
    let mut work = vec![0.0; attention.forward_work()];
    let error = attention.forward([&six, &five, &six], &mut [0.0; 6], &mut [0.0; 3], &mut work);
    says(error.unwrap_err(), "Attention: k has the size 5, expected 6");
}

#[test]
fn files_are_checked() {
    let read = serde_json::from_str::<MultiHeadAttention>;
    let layer = read(
        r#"{"features": 8, "heads": 2, "length": 5, "causal": true,
        "rotary": {"times": {"given": [0.0, 0.5, 2.0, 3.0, 9.0]}}}"#,
    );
    let times = Times::Given(vec![0.0, 0.5, 2.0, 3.0, 9.0]);
    let rotary = Rotary { times, ..Rotary::default() };
    let expected = MultiHeadAttention::new(8, 2, 5).unwrap().causal().rotary(rotary).unwrap();
    assert_eq!(layer.unwrap(), expected);
    let network = Network::MultiHeadAttention(expected);
    let text = serde_json::to_string(&network).unwrap();
    assert!(text.starts_with(r#"{"multi-head-attention":{"features":8,"#), "{text}");
    assert_eq!(serde_json::from_str::<Network>(&text).unwrap(), network);
    for (text, part) in [
        (r#"{"features": 8, "heads": 3, "length": 5}"#, "heads is 3"),
        (r#"{"features": 8, "heads": 2, "length": 0}"#, "length is 0"),
        (r#"{"features": 6, "heads": 2, "length": 5, "rotary": {}}"#, "Rotary: features is 3"),
        (r#"{"features": 8, "heads": 2, "length": 5, "windw": 2}"#, "windw"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
