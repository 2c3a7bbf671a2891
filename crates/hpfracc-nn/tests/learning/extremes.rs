//! Numbers at the ends of what single precision holds: finite where the exact value is, refused
//! where not.

use hpfracc_lanes::Rows;
use hpfracc_nn::{
    Adam, Cotangent, FractionalAdam, FractionalPenalty, Loss, Observations, Optimiser,
    OptimiserError, OptimiserState, Scalar, Schedule, Sgd, clip_global_norm, gaussian_kl,
};

fn close(name: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance * expected.abs(), "{name}: {found:e} {expected:e}");
}

/// Factors that overflow or underflow, although their product does not.
#[test]
fn normal_distributions_of_extreme_deviations() {
    for (s, e) in [(-45.0f32, 0.0f32), (-50.0, 1e-21), (45.0, 2e19)] {
        let (wide_s, wide_e) = (f64::from(s), f64::from(e));
        let z = wide_e * (-wide_s).exp();
        let name = format!("{s} {e}");

        let (mut loss, mut bar) = ([f32::NAN], [f32::NAN; 2]);
        let (y, x) = ([e, s], [0.0]);
        let x = Observations::new(Rows::new(&x, 1));
        let out = Some(Cotangent::new(1.0, &mut bar, 1));
        let of = Loss::GaussianLikelihood { floor: 0.0 };
        of.evaluate(Rows::new(&y, 1), x, &mut loss, out).unwrap();
        let constant = 0.5 * std::f64::consts::TAU.ln();
        close(&name, f64::from(loss[0]), 0.5 * z * z + wide_s + constant, 1e-5);
        close(&name, f64::from(bar[0]), z * (-wide_s).exp(), 1e-5);
        close(&name, f64::from(bar[1]), 1.0 - z * z, 1e-5);

        let (q, p, mut bar) = ([e, s], [0.0, s], [f32::NAN; 2]);
        let out = Some(Cotangent::new(1.0, &mut bar, 1));
        gaussian_kl(Rows::new(&q, 1), Some(Rows::new(&p, 1)), &mut loss, out, None).unwrap();
        close(&name, f64::from(loss[0]), 0.5 * z * z, 1e-5);
        close(&name, f64::from(bar[0]), z * (-wide_s).exp(), 1e-5);
        assert_eq!(bar[1], 0.0);
    }
}

/// `(exp(2 d) - 1)/2 - d` from its series.
fn divergence(d: f64) -> f64 {
    let (mut term, mut sum) = (2.0 * d * d, 0.0);
    for k in 3..40 {
        sum += term;
        term *= 2.0 * d / f64::from(k);
    }
    0.5 * sum
}

#[test]
fn divergence_of_nearly_equal_distributions() {
    fn check<T: Scalar>(tolerance: f64) {
        for i in 0..=480 {
            for sign in [1.0, -1.0] {
                let d = T::narrow(sign * 10f64.powf(f64::from(i) / 40.0 - 12.0));
                let mut loss = [T::NAN];
                gaussian_kl(Rows::new(&[T::zero(), d], 1), None, &mut loss, None, None).unwrap();
                let name = format!("{} {d:?}", T::NAME);
                close(&name, loss[0].widen(), divergence(d.widen()), tolerance);
            }
        }
    }
    check::<f32>(1e-6);
    check::<f64>(1e-14);
}

/// The square of such a gradient would make the moments infinite for all later steps.
#[test]
fn squares_of_gradients_that_overflow() {
    let optimisers = [
        Optimiser::Adam(Adam::default()),
        Optimiser::Adam(Adam { decay: 0.01, ..Adam::default() }),
        Optimiser::FractionalAdam(FractionalAdam::default()),
    ];
    for optimiser in optimisers {
        let mut state = optimiser.state::<f32>(3).unwrap();
        let mut theta = [1.0, 2.0, 3.0];
        state.step(0.1, &mut theta, &[0.1, 1e19, -0.1]).unwrap();
        let (before, after) = (state.clone(), theta);
        let error = state.step(0.1, &mut theta, &[0.1, -2e19, 0.0]).unwrap_err();
        let expected = "the square of the gradient of parameter 1";
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!((&state, theta), (&before, after));
        let error = state.step(0.1, &mut theta, &[0.1, f32::INFINITY, 0.0]).unwrap_err();
        assert!(matches!(error, OptimiserError::NotFinite { index: 1, .. }), "{error}");
    }
    let mut state = Optimiser::Sgd(Sgd::default()).state::<f32>(1).unwrap();
    state.step(1e-20, &mut [0.0], &[2e19]).unwrap();
}

#[test]
fn states_that_no_step_produces() {
    let adam = Optimiser::Adam(Adam::default());
    let of = FractionalAdam { memory: 1, ..FractionalAdam::default() };
    let restore = |optimiser, values: &[f64]| {
        OptimiserState::restore(optimiser, values.len() / 2, 1, values.to_vec())
    };
    restore(adam, &[-1.0, 2.0, 0.0, 1.0]).unwrap();
    assert!(restore(adam, &[-1.0, f64::NAN, 0.0, 1.0]).is_err());
    assert!(restore(adam, &[-1.0, 2.0, f64::INFINITY, 1.0]).is_err());
    let error = restore(adam, &[-1.0, 2.0, 0.0, -1.0]).unwrap_err();
    assert_eq!(error.to_string(), "number 3 of the state is -1, expected finite and not negative");
    // One parameter, and what the weights add up to.
    let restore = |values: &[f64]| {
        OptimiserState::restore(Optimiser::FractionalAdam(of), 1, 1, values.to_vec())
    };
    restore(&[-1.0, 0.1, 1.0, 0.1]).unwrap();
    assert!(restore(&[-1.0, 0.1, -1.0, 0.1]).is_err());
}

#[test]
fn norms_that_cannot_be_brought_down() {
    let mut gradient = [1e30f32, -1e30];
    let error = clip_global_norm(&mut gradient, 1e-20).unwrap_err();
    assert!(error.to_string().contains("norm"), "{error}");
    assert_eq!(gradient, [1e30, -1e30]);
    let mut gradient = [1.7e308f64; 4];
    assert!(clip_global_norm(&mut gradient, 1.0).is_err());
    assert_eq!(gradient, [1.7e308; 4]);
}

#[test]
fn settings_that_round_away() {
    let adam = Adam::default();
    for (optimiser, name) in [
        (Optimiser::Adam(Adam { beta1: 1.0 - 1e-9, ..adam }), "beta1"),
        (Optimiser::Adam(Adam { beta2: 1.0 - 1e-9, ..adam }), "beta2"),
        (Optimiser::Adam(Adam { epsilon: 1e-25, ..adam }), "epsilon"),
        (Optimiser::Adam(Adam { epsilon: 1e-25, ..Adam::default() }), "epsilon"),
        (
            Optimiser::FractionalAdam(FractionalAdam { epsilon: 1e-25, ..Default::default() }),
            "epsilon",
        ),
        (Optimiser::Sgd(Sgd { momentum: 1.0 - 1e-9, nesterov: false }), "momentum"),
    ] {
        let error = optimiser.state::<f32>(1).unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
        let values = vec![0.0f32; optimiser.remembered(1)];
        assert!(OptimiserState::restore(optimiser, 1, 0, values).is_err());
        optimiser.state::<f64>(1).unwrap();
    }
    for delta in [1e-50, 1e50] {
        let (loss, numbers) = (Loss::Huber { delta }, [1.0f32]);
        let x = Observations::new(Rows::new(&numbers, 1));
        assert!(loss.evaluate(Rows::new(&numbers, 1), x, &mut [0.0], None).is_err(), "{delta}");
        let numbers = [1.0f64];
        let x = Observations::new(Rows::new(&numbers, 1));
        loss.evaluate(Rows::new(&numbers, 1), x, &mut [0.0], None).unwrap();
    }
}

/// What `check` refuses for want of steps has no rate, and an optimiser takes none that is NaN.
#[test]
fn schedules_without_steps() {
    for schedule in [
        Schedule::Step { rate: 1.0, factor: 0.5, every: 0 },
        Schedule::Exponential { rate: 1.0, factor: 0.5, steps: 0 },
        Schedule::OneCycle { from: 0.1, peak: 1.0, to: 0.0, rise: 4, steps: 3 },
        Schedule::OneCycle { from: 0.1, peak: 1.0, to: 0.0, rise: 4, steps: 4 },
    ] {
        assert!(schedule.check().is_err());
        for k in [0, 1, 3, 4, 100] {
            assert!(schedule.rate(k).is_nan(), "{schedule:?} {k}");
        }
    }
}

/// Nothing to take a loss of is refused by all of them.
#[test]
fn no_rows() {
    let none: [f64; 0] = [];
    let (rows, mut losses) = (Rows::new(&none, 2), [0.0; 2]);
    let x = Observations::new(rows);
    assert!(Loss::MeanSquare.evaluate(rows, x, &mut losses, None).is_err());
    assert!(Loss::CrossEntropy.evaluate(rows, x, &mut losses, None).is_err());
    assert!(hpfracc_nn::cross_entropy_of_classes(rows, &[0, 0], None, &mut losses, None).is_err());
    assert!(gaussian_kl(rows, None, &mut losses, None, None).is_err());
    assert!(hpfracc_nn::path_kl(rows, rows, rows, &mut losses, None, None).is_err());
    let all = hpfracc_nn::Pairs::All;
    let energy = hpfracc_nn::EnergyDistance { pairs: all };
    assert!(energy.evaluate(rows, rows, None).is_err());
    assert!(hpfracc_nn::MarginalEnergy::new(all).evaluate(rows, rows, None).is_err());
    let derivative = hpfracc_operators::Operator::on(
        hpfracc_operators::GrunwaldLetnikov::new(hpfracc_types::Order::new(0.5).unwrap()),
        hpfracc_types::Grid::uniform(3, 0.5).unwrap(),
        &hpfracc_backend::Reference,
    );
    let penalty = FractionalPenalty::<f64>::new(derivative.unwrap(), 3).unwrap();
    let mut scratch = none;
    let scratch = hpfracc_lanes::RowsMut::new(&mut scratch, 2);
    assert!(penalty.evaluate(rows, &mut losses, None, scratch).is_err());
}
