//! Densities that fail, bad settings and edited states.

use crate::densities::{equicorrelated, real, sample};
use hpfracc_fit::sample::{
    DensityError, DensityFn, LogDensity, Nuts, SampleError, Sampling, Watch,
};
use std::sync::atomic::{AtomicU32, Ordering};

/// A normal variable whose data cannot be read after some evaluations.
struct Failing {
    left: AtomicU32,
}

impl LogDensity for Failing {
    fn dim(&self) -> usize {
        1
    }

    fn value_and_gradient(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, DensityError> {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.checked_sub(1).ok_or("the data are gone")?, Ordering::Relaxed);
        gradient[0] = -x[0];
        Ok(-x[0] * x[0] / 2.0)
    }
}

#[test]
fn an_error_of_the_density_ends_the_run_after_the_last_draw() {
    let settings = Nuts { chains: 1, draws: 30, warm_up: 50, ..Nuts::default() };
    let failing = |left| Failing { left: AtomicU32::new(left) };
    let expected = sample(&settings, &failing(u32::MAX), real(1));
    let mut sampling = settings.start(&failing(u32::MAX), real(1)).unwrap();
    let mut errors = 0;
    // Each attempt gets further; the draw that failed is taken again.
    while !sampling.is_complete() {
        match sampling.run(&failing(50), Watch::default()) {
            Ok(complete) => assert!(complete),
            Err(SampleError::Density { chain: 0, draw, source }) => {
                assert_eq!(source.to_string(), "the data are gone");
                assert_eq!(sampling.draws(), [draw]);
                errors += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(errors > 1);
    assert_eq!(sampling.posterior().unwrap(), expected);
    let error = settings.start(&failing(0), real(1)).unwrap_err().to_string();
    assert_eq!(error, "chain 0, draw 0: the data are gone");
}

/// Values and gradients that are not finite reject a step, and a start without a finite one is an
/// error.
#[test]
fn what_is_not_finite_has_no_density() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for of_gradient in [false, true] {
            let density = DensityFn::new(1, move |x: &[f64], gradient: &mut [f64]| {
                let inside = x[0] < 0.5;
                gradient[0] = if inside || !of_gradient { -x[0] } else { bad };
                if inside || of_gradient { -x[0] * x[0] / 2.0 } else { bad }
            });
            let posterior = sample(&Nuts { draws: 500, ..Nuts::default() }, &density, real(1));
            let largest = posterior.series(0).concat().into_iter().fold(f64::MIN, f64::max);
            assert!(largest < 0.5 && largest > 0.3, "{largest}");
            let place = &posterior.divergences()[0].position;
            assert!(place[0] < 0.5);
            assert!(posterior.converged().is_err());
        }
        let density = DensityFn::new(1, move |_: &[f64], gradient: &mut [f64]| {
            gradient[0] = 2.0;
            bad
        });
        let error = Nuts::default().start(&density, real(1)).unwrap_err();
        let SampleError::Start { value, gradient } = &error else { panic!("{error}") };
        assert!(value.to_bits() == bad.to_bits() && *gradient == [2.0], "{error}");
    }
}

#[test]
fn settings_are_checked() {
    let density = equicorrelated(2, 0.0);
    let default = Nuts::default;
    for (settings, message) in [
        (Nuts { chains: 0, ..default() }, "the number of chains is 0, expected at least 1"),
        (Nuts { draws: 0, ..default() }, "the number of draws is 0, expected at least 1"),
        (
            Nuts { warm_up: u32::MAX, ..default() },
            "warm-up is 4294967295, expected fewer than 2^32 draws in all",
        ),
        (
            Nuts { acceptance: f64::NAN, ..default() },
            "the acceptance is NaN, expected a number between 0 and 1",
        ),
        (Nuts { depth: 21, ..default() }, "the depth is 21, expected 1 to 20"),
    ] {
        let error = settings.start(&density, real(2)).unwrap_err().to_string();
        assert_eq!(error, message);
    }
    let many = Nuts { chains: 1000, draws: u32::MAX / 2, ..default() };
    let error = many.start(&density, real(2)).unwrap_err();
    assert!(matches!(error, SampleError::Memory(_)), "{error}");
    let error = default().start(&density, real(3)).unwrap_err().to_string();
    assert_eq!(error, "3 parameters of the coordinates, expected 2");
    let mut sampling = default().start(&density, real(2)).unwrap();
    let error = sampling.run(&equicorrelated(3, 0.0), Watch::default()).unwrap_err().to_string();
    assert_eq!(error, "3 parameters, expected 2");
    sampling.advance(&density, 203, Watch::default()).unwrap();
    let error = sampling.posterior().unwrap_err().to_string();
    assert_eq!(error, "3 draws in a chain, expected at least 8 for diagnostics");
}

/// States whose parts do not agree are refused, and never continued.
#[test]
fn edited_states_are_refused() {
    let settings = Nuts { chains: 2, draws: 20, warm_up: 20, ..Nuts::default() };
    let density = equicorrelated(2, 0.3);
    let mut sampling = settings.start(&density, real(2)).unwrap();
    sampling.advance(&density, 30, Watch::default()).unwrap();
    let good = serde_json::to_value(&sampling).unwrap();
    let edits: [fn(&mut serde_json::Value); 9] = [
        |state| state["settings"]["chains"] = 3.into(),
        |state| state["settings"]["warm-up"] = 10.into(),
        |state| drop(state["coordinates"]["factor"].as_array_mut().unwrap().pop()),
        |state| drop(state["chains"][1]["metric"].as_array_mut().unwrap().pop()),
        |state| drop(state["chains"][1]["draws"]["parameters"].as_array_mut().unwrap().pop()),
        |state| state["chains"][0]["draws"]["depths"][0] = u32::MAX.into(),
        |state| state["chains"][0]["number"] = 1.into(),
        |state| state["chains"][0]["draw"] = 4_000_000_000u32.into(),
        |state| drop(state["chains"][0]["position"]["u"].as_array_mut().unwrap().pop()),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let mut state = good.clone();
        edit(&mut state);
        let mut edited: Sampling = serde_json::from_value(state).unwrap();
        let error = edited.run(&density, Watch::default()).unwrap_err();
        assert!(matches!(error, SampleError::State { .. }), "{number}: {error}");
        assert!(edited.posterior().is_err(), "{number}");
    }
}
