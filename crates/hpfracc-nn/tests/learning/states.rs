use crate::{number, numbers};
use hpfracc_nn::{
    Adam, FractionalAdam, FractionalDescent, Optimiser, OptimiserError, OptimiserState, Scalar,
    Sgd, SizeMismatch,
};

const OPTIMISERS: [Optimiser; 5] = [
    Optimiser::Sgd(Sgd { momentum: 0.9, nesterov: true }),
    Optimiser::Adam(Adam { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, decay: 0.0 }),
    Optimiser::Adam(Adam { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, decay: 0.1 }),
    Optimiser::FractionalDescent(FractionalDescent { alpha: 0.8, delta: 1e-3 }),
    Optimiser::FractionalAdam(FractionalAdam {
        alpha: 0.8,
        memory: 5,
        beta1: 0.9,
        beta2: 0.99,
        epsilon: 1e-8,
    }),
];

/// A run that is written, read and gone on with ends at the bits of one that was not.
#[test]
fn goes_on_with_the_same_bits() {
    fn check<T: Scalar>(optimiser: Optimiser) {
        let n = 45;
        let mut theta: Vec<T> = numbers(0, n).into_iter().map(T::narrow).collect();
        let mut state = optimiser.state::<T>(n).unwrap();
        let step = |state: &mut OptimiserState<T>, theta: &mut [T], k: usize| {
            let gradient: Vec<T> =
                (0..n).map(|i| T::narrow(number(53 * k + 7 * i) / 3.0)).collect();
            state.step(0.01, theta, &gradient).unwrap();
        };
        (0..8).for_each(|k| step(&mut state, &mut theta, k));
        let text = serde_json::to_string(&state).unwrap();
        let mut read: OptimiserState<T> = serde_json::from_str(&text).unwrap();
        assert_eq!(read, state);
        let parts = state.values().to_vec();
        let restored = OptimiserState::restore(optimiser, n, state.steps(), parts).unwrap();
        assert_eq!(restored, state);
        let mut again = theta.clone();
        for k in 8..20 {
            step(&mut state, &mut theta, k);
            step(&mut read, &mut again, k);
        }
        assert_eq!(again, theta);
        assert_eq!(read, state);
    }
    for optimiser in OPTIMISERS {
        check::<f32>(optimiser);
        check::<f64>(optimiser);
    }
}

#[test]
fn in_a_configuration() {
    for optimiser in OPTIMISERS {
        let text = serde_json::to_string(&optimiser).unwrap();
        assert_eq!(serde_json::from_str::<Optimiser>(&text).unwrap(), optimiser, "{text}");
    }
    let read = |text: &str| serde_json::from_str::<Optimiser>(text);
    assert_eq!(read(r#"{"adam": {}}"#).unwrap(), Optimiser::Adam(Adam::default()));
    let w = Adam { decay: 0.3, ..Adam::default() };
    assert_eq!(read(r#"{"adam": {"decay": 0.3}}"#).unwrap(), Optimiser::Adam(w));
    assert!(read(r#"{"adam": {"beta": 0.9}}"#).is_err());
    assert!(read(r#"{"adagrad": {}}"#).is_err());
}

#[test]
fn settings_out_of_range() {
    let refuse = |optimiser: Optimiser, expected: &str| {
        let error = optimiser.state::<f32>(3).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(OptimiserState::<f32>::restore(optimiser, 0, 0, vec![]).is_err());
    };
    let adam = Adam::default();
    refuse(Optimiser::Adam(Adam { beta1: 1.0, ..adam }), "beta1 is 1, expected 0 <= beta < 1");
    refuse(
        Optimiser::Adam(Adam { epsilon: 0.0, ..adam }),
        "epsilon is 0, expected 1e-30 <= epsilon <= 1",
    );
    let w = Adam { decay: -1.0, ..Adam::default() };
    refuse(Optimiser::Adam(w), "decay is -1, expected finite and not negative");
    let sgd = Sgd { momentum: f64::NAN, nesterov: false };
    refuse(Optimiser::Sgd(sgd), "momentum is NaN, expected 0 <= momentum < 1");
    let descent = FractionalDescent { alpha: 2.0, ..FractionalDescent::default() };
    refuse(Optimiser::FractionalDescent(descent), "alpha is 2, expected 0 < alpha < 2");
    let of = FractionalAdam::default();
    refuse(
        Optimiser::FractionalAdam(FractionalAdam { alpha: 0.05, ..of }),
        "alpha is 0.05, expected 1 - min(beta1, beta2) <= alpha <= 1",
    );
    refuse(
        Optimiser::FractionalAdam(FractionalAdam { memory: 0, ..of }),
        "memory is 0, expected 1 <= memory <= 1000",
    );
}

#[test]
fn states_that_do_not_fit() {
    let adam = Optimiser::Adam(Adam::default());
    let error = OptimiserState::restore(adam, 3, 1, vec![0.0f64; 5]).unwrap_err();
    let values = SizeMismatch { what: "values".to_owned(), found: 5, expected: 6 };
    assert_eq!(error, OptimiserError::Size(values));
    let mut state = adam.state::<f64>(2).unwrap();
    state.step(0.1, &mut [1.0, 2.0], &[0.1, 0.2]).unwrap();
    let text = serde_json::to_string(&state).unwrap();
    // Double precision is not rounded on the way to single.
    assert!(serde_json::from_str::<OptimiserState<f32>>(&text).is_err());
    assert!(serde_json::from_str::<OptimiserState<f64>>(&text.replace(":2,", ":3,")).is_err());
    let extra = text.replacen('{', "{\"momentum\": 1,", 1);
    assert!(serde_json::from_str::<OptimiserState<f64>>(&extra).is_err());
}
