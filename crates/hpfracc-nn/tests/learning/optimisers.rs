use crate::{near, number, numbers};
use hpfracc_nn::{
    Adam, FractionalAdam, FractionalDescent, Optimiser, OptimiserError, OptimiserState, Scalar,
    Sgd, clip_global_norm,
};

const RATE: f64 = 0.03;

/// Parameters after some steps, of a gradient that changes from step to step.
fn run<T: Scalar>(optimiser: Optimiser, parameters: usize, steps: usize) -> Vec<f64> {
    let mut theta: Vec<T> = numbers(0, parameters).into_iter().map(T::narrow).collect();
    let mut state = optimiser.state::<T>(parameters).unwrap();
    for k in 0..steps {
        let gradient: Vec<T> = gradient(k, parameters).into_iter().map(T::narrow).collect();
        state.step(RATE, &mut theta, &gradient).unwrap();
    }
    assert_eq!(state.steps(), steps as u64);
    theta.into_iter().map(T::widen).collect()
}

fn gradient(k: usize, parameters: usize) -> Vec<f64> {
    (0..parameters).map(|i| 2.0 * number(97 * k + 31 * i) + number(i)).collect()
}

/// All gradients that one parameter sees, and where it begins.
fn check(optimiser: Optimiser, formula: impl Fn(f64, &[f64]) -> f64) {
    for parameters in [1, 31, 32, 33, 100] {
        for steps in [1, 2, 9, 40] {
            let name = format!("{optimiser:?} {parameters} {steps}");
            let seen: Vec<Vec<f64>> = (0..steps).map(|k| gradient(k, parameters)).collect();
            let expected: Vec<f64> = (0..parameters)
                .map(|i| formula(number(i), &seen.iter().map(|g| g[i]).collect::<Vec<_>>()))
                .collect();
            near(&name, &run::<f64>(optimiser, parameters, steps), &expected, 1e-12);
            near(&name, &run::<f32>(optimiser, parameters, steps), &expected, 2e-5);
        }
    }
}

#[test]
fn sgd() {
    for momentum in [0.0, 0.9] {
        for nesterov in [false, true] {
            check(Optimiser::Sgd(Sgd { momentum, nesterov }), |mut theta, gradients| {
                let mut v = 0.0;
                for g in gradients {
                    v = momentum * v + g;
                    theta -= RATE * if nesterov { g + momentum * v } else { v };
                }
                theta
            });
        }
    }
}

/// Moments as the sums of all gradients that they are.
fn adam(mut theta: f64, gradients: &[f64], [beta1, beta2, epsilon, decay]: [f64; 4]) -> f64 {
    for t in 1..=gradients.len() {
        let sum = |beta: f64, power: i32| -> f64 {
            let weight = |i: usize| beta.powi((t - 1 - i) as i32);
            let weights: f64 = (0..t).map(weight).sum();
            (0..t).map(|i| weight(i) * gradients[i].powi(power)).sum::<f64>() / weights
        };
        theta -= RATE * (sum(beta1, 1) / (sum(beta2, 2).sqrt() + epsilon) + decay * theta);
    }
    theta
}

#[test]
fn adam_and_adam_w() {
    for (beta1, beta2, epsilon) in [(0.9, 0.999, 1e-8), (0.0, 0.5, 0.1), (0.7, 0.0, 1e-3)] {
        check(Optimiser::Adam(Adam { beta1, beta2, epsilon, decay: 0.0 }), |theta, gradients| {
            adam(theta, gradients, [beta1, beta2, epsilon, 0.0])
        });
        let decay = 0.2;
        check(Optimiser::Adam(Adam { beta1, beta2, epsilon, decay }), |theta, gradients| {
            adam(theta, gradients, [beta1, beta2, epsilon, decay])
        });
    }
}

/// For gradients of any size: a wrong or missing bias correction would change it.
#[test]
fn first_step_is_the_rate() {
    for size in [0.1, 1.0, 1e6] {
        for optimiser in [
            Optimiser::Adam(Adam::default()),
            Optimiser::Adam(Adam { decay: 0.0, ..Adam::default() }),
            Optimiser::FractionalAdam(FractionalAdam::default()),
        ] {
            let mut theta = [1.0f64, -2.0];
            let mut state = optimiser.state(2).unwrap();
            state.step(RATE, &mut theta, &[size, -size]).unwrap();
            near("first step", &theta, &[1.0 - RATE, -2.0 + RATE], 1e-7);
        }
    }
    // The decay is beside it, and does not go through the moments.
    let optimiser = Optimiser::Adam(Adam { decay: 0.5, ..Adam::default() });
    let mut theta = [4.0f64];
    optimiser.state(1).unwrap().step(RATE, &mut theta, &[3.0]).unwrap();
    near("with decay", &theta, &[4.0 - RATE - RATE * 0.5 * 4.0], 1e-8);
}

#[test]
fn fractional_descent() {
    for (alpha, delta) in [(0.5, 1e-2), (0.9, 1e-4), (1.3, 0.1)] {
        let gamma = hpfracc_special::gamma(2.0 - alpha);
        check(Optimiser::FractionalDescent(FractionalDescent { alpha, delta }), |theta, seen| {
            let mut path = vec![theta, theta];
            for g in seen {
                let [before, now] = [path[path.len() - 2], path[path.len() - 1]];
                let power = ((now - before).abs() + delta).powf(1.0 - alpha);
                path.push(now - RATE * g * power / gamma);
            }
            path[path.len() - 1]
        });
    }
    let first = Optimiser::FractionalDescent(FractionalDescent { alpha: 1.0, delta: 0.1 });
    assert_eq!(run::<f32>(first, 9, 20), run::<f32>(Optimiser::Sgd(Sgd::default()), 9, 20));
}

/// The equation of the moments solved at each step, all of them from the beginning.
#[test]
fn fractional_adam() {
    for (alpha, memory) in [(0.9, 10), (0.3, 4), (0.6, 1), (0.75, 39)] {
        let (beta1, beta2, epsilon) = (0.9, 0.99, 1e-4);
        let of = FractionalAdam { alpha, memory, beta1, beta2, epsilon };
        check(Optimiser::FractionalAdam(of), |mut theta, gradients| {
            let binomial =
                |j: usize| (0..j).fold(1.0, |c, i| -c * (alpha - i as f64) / (i + 1) as f64);
            let moments = |beta: f64, new: &[f64]| {
                let mut m: Vec<f64> = Vec::new();
                for (t, new) in new.iter().enumerate() {
                    let earlier = |j: usize| if j <= t { m[t - j] } else { 0.0 };
                    let sum: f64 = (1..=memory).map(|j| binomial(j) * earlier(j)).sum();
                    m.push((1.0 - beta) * (new - earlier(1)) - sum);
                }
                m
            };
            let (ones, squares) = (vec![1.0; gradients.len()], gradients.iter().map(|g| g * g));
            let mean = (moments(beta1, gradients), moments(beta1, &ones));
            let square = (moments(beta2, &squares.collect::<Vec<_>>()), moments(beta2, &ones));
            for t in 0..gradients.len() {
                let (m, v) = (mean.0[t] / mean.1[t], square.0[t] / square.1[t]);
                theta -= RATE * m / (v.sqrt() + epsilon);
            }
            theta
        });
    }
}

#[test]
fn fractional_adam_of_order_one_is_adam() {
    let fractional = FractionalAdam { alpha: 1.0, ..FractionalAdam::default() };
    let found = run::<f64>(Optimiser::FractionalAdam(fractional), 50, 60);
    near("order one", &found, &run::<f64>(Optimiser::Adam(Adam::default()), 50, 60), 1e-13);
    let other = FractionalAdam { alpha: 0.5, ..fractional };
    let other = run::<f64>(Optimiser::FractionalAdam(other), 50, 60);
    assert!(found.iter().zip(&other).any(|(a, b)| (a - b).abs() > 1e-3));
}

/// A quadratic whose curvatures are a hundred apart.
#[test]
fn a_quadratic_is_minimised() {
    let curvature = [1.0, 0.1, 10.0];
    let lowest = [0.5, -1.0, 2.0];
    for (optimiser, rate, steps) in [
        (Optimiser::Sgd(Sgd { momentum: 0.9, nesterov: true }), 0.02, 2000),
        (Optimiser::Adam(Adam::default()), 0.05, 3000),
        (Optimiser::Adam(Adam { decay: 0.0, ..Adam::default() }), 0.05, 3000),
        (Optimiser::FractionalDescent(FractionalDescent::default()), 0.15, 3000),
        (Optimiser::FractionalAdam(FractionalAdam::default()), 0.05, 3000),
    ] {
        let mut theta = [0.0f64; 3];
        let mut state = optimiser.state(3).unwrap();
        for k in 0..steps {
            let gradient: [f64; 3] = std::array::from_fn(|i| curvature[i] * (theta[i] - lowest[i]));
            let rate = rate * (1.0 - f64::from(k) / f64::from(steps));
            state.step(rate, &mut theta, &gradient).unwrap();
        }
        near(&format!("{optimiser:?}"), &theta, &lowest, 1e-4);
    }
}

#[test]
fn the_norm_is_clipped() {
    for n in [1, 15, 16, 17, 1000] {
        let before = numbers(5, n);
        let norm = before.iter().map(|g| g * g).sum::<f64>().sqrt();
        let mut gradient = before.clone();
        let found = clip_global_norm(&mut gradient, 0.5 * norm).unwrap();
        assert!((found - norm).abs() < 1e-14 * norm);
        let half: Vec<f64> = before.iter().map(|g| 0.5 * g).collect();
        near("clipped", &gradient, &half, 1e-14);
        let mut gradient = before.clone();
        assert_eq!(clip_global_norm(&mut gradient, 1.01 * norm).unwrap(), found);
        assert_eq!(gradient, before);
    }
    let mut large = [3e30f32, 4e30];
    assert!((clip_global_norm(&mut large, 1.0).unwrap() / 5e30 - 1.0).abs() < 1e-6);
    near("large", &large.map(f64::from), &[0.6, 0.8], 1e-6);
    let mut huge = [3e200, 4e200];
    assert!((clip_global_norm(&mut huge, 1.0).unwrap() / 5e200 - 1.0).abs() < 1e-14);
    near("huge", &huge, &[0.6, 0.8], 1e-14);
    assert_eq!(clip_global_norm(&mut [0.0f32; 4], 1.0).unwrap(), 0.0);
    let mut broken = [1.0, f64::NAN, 2.0];
    let error = clip_global_norm(&mut broken, 0.1).unwrap_err();
    assert!(matches!(error, OptimiserError::NotFinite { index: 1, .. }), "{error}");
    assert_eq!((broken[0], broken[2]), (1.0, 2.0));
    assert!(clip_global_norm(&mut [1.0f32], 0.0).is_err());
    assert!(clip_global_norm(&mut [1.0f32], f64::NAN).is_err());
}

/// No step, no change: of neither parameters nor state.
#[test]
fn refused_steps_change_nothing() {
    for optimiser in [
        Optimiser::Sgd(Sgd { momentum: 0.5, nesterov: false }),
        Optimiser::Adam(Adam::default()),
        Optimiser::Adam(Adam { decay: 0.01, ..Adam::default() }),
        Optimiser::FractionalDescent(FractionalDescent::default()),
        Optimiser::FractionalAdam(FractionalAdam::default()),
    ] {
        let n = 70;
        let (mut theta, good) = (numbers(0, n), gradient(0, n));
        let mut state = optimiser.state(n).unwrap();
        state.step(RATE, &mut theta, &good).unwrap();
        let (before, theta_before): (OptimiserState<f64>, _) = (state.clone(), theta.clone());
        for (index, value) in [(0, f64::NAN), (37, f64::INFINITY), (69, f64::NEG_INFINITY)] {
            let mut gradient = good.clone();
            gradient[index] = value;
            match state.step(RATE, &mut theta, &gradient).unwrap_err() {
                OptimiserError::NotFinite { index: found, .. } => assert_eq!(found, index),
                other => panic!("{other}"),
            }
        }
        for rate in [f64::NAN, -0.1, f64::INFINITY] {
            let error = state.step(rate, &mut theta, &good).unwrap_err();
            assert!(matches!(error, OptimiserError::OutOfRange(_)), "{error}");
        }
        let error = state.step(RATE, &mut theta, &good[1..]).unwrap_err();
        assert_eq!(error.to_string(), "gradient has the size 69, expected 70");
        let error = state.step(RATE, &mut theta[1..], &good).unwrap_err();
        assert_eq!(error.to_string(), "theta has the size 69, expected 70");
        assert_eq!((&state, &theta), (&before, &theta_before));
    }
}

/// Many parameters go over the threads, each by itself: the same bits as a few at a time.
#[test]
fn a_large_step_is_many_small_ones() {
    const COUNT: usize = 40_000;
    let narrow = |first| numbers(first, COUNT).into_iter().map(|x| x as f32).collect::<Vec<_>>();
    let gradient = narrow(0);
    for optimiser in
        [Optimiser::Adam(Adam::default()), Optimiser::Adam(Adam { decay: 0.01, ..Adam::default() })]
    {
        let mut theta = narrow(5);
        let mut few = theta.clone();
        let mut state = optimiser.state::<f32>(COUNT).unwrap();
        for _ in 0..3 {
            state.step(0.01, &mut theta, &gradient).unwrap();
        }
        for (few, gradient) in few.chunks_mut(1000).zip(gradient.chunks(1000)) {
            let mut state = optimiser.state::<f32>(few.len()).unwrap();
            for _ in 0..3 {
                state.step(0.01, few, gradient).unwrap();
            }
        }
        assert_eq!(theta, few);
    }
}
