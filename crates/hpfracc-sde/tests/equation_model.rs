//! Stochastic equations of texts: against systems by hand, and their gradients against differences.

use hpfracc_equation::{Activation, Affine, Equation, Files, Network};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Ensemble, EnsembleGradient, EquationModel, EulerMaruyama, Moments, NoiseKind, Paths,
    SavedStates, SdeError, StochasticProblem, StochasticSystem,
};

const HESTON: &str = "
    dX = -pos(V)/2 dt + sqrt(pos(V)) dW
    dV = kappa (theta - V) dt + nu sqrt(pos(V)) dB
    kappa = 1.5; theta = 0.04; nu = 0.3; X(0) = 0; V(0) = 0.04; t in [0, 1]";

/// The same system by hand.
struct Heston;

impl StochasticSystem<f32> for Heston {
    fn dim(&self) -> usize {
        2
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn commutative(&self) -> bool {
        false
    }

    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        for lane in 0..x.lanes() {
            let v = x[1][lane];
            f[0][lane] = -(if v > 0.0 { v } else { 0.0 }) / 2.0;
            f[1][lane] = 1.5 * (0.04 - v);
        }
    }

    fn diffusion(&self, _: f64, x: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        for lane in 0..x.lanes() {
            let v = x[1][lane];
            let root = (if v > 0.0 { v } else { 0.0 }).sqrt();
            g[0][lane] = root;
            g[1][lane] = 0.3 * root;
        }
    }
}

#[test]
fn a_text_gives_the_bits_of_a_system() {
    let model = EquationModel::new(&Equation::parse(HESTON).unwrap()).unwrap();
    let (kind, additive, commuting) = model.noise_structure();
    assert_eq!((kind, additive, commuting), (NoiseKind::Diagonal, &[false, false][..], false));
    let ensemble = Ensemble::new(300, 40).unwrap();
    let text = model.simulate::<f32, _>(&ensemble, 7, &Paths).unwrap();
    let problem = StochasticProblem::new(Heston, (0.0, 1.0), &[0.0, 0.04]).unwrap();
    let noise = Brownian::new(7, 2).unwrap();
    let system = ensemble.solve(&problem, &EulerMaruyama, &noise, &Paths).unwrap();
    assert_eq!(text, system);
}

const NONLINEAR: &str =
    "dX = a (m - X) dt + s sqrt(1 + X^2) dW; a = 1.2; m = 0.4; s = 0.3; X(0) = 1; t in [0, 1]";

/// Gradients of the mean of the last state against differences with the same noise.
#[test]
fn gradients_with_respect_to_parameters() {
    let equation = Equation::parse(NONLINEAR).unwrap();
    let ensemble = || Ensemble::new(200, 50).unwrap();
    let loss = |saved: SavedStates<'_, f64>, losses: &mut [f64], mut xbar: RowsMut<'_, f64>| {
        let last = saved.layout.times.len() - 1;
        losses.copy_from_slice(&saved.x[last]);
        xbar[last].fill(1.0);
    };
    let model = EquationModel::new(&equation).unwrap();
    let (problem, noise) = (model.differentiable::<f64>().unwrap(), model.noise::<f64>(3).unwrap());
    let gradient = EnsembleGradient::new(ensemble());
    let gradient = gradient.solve(&problem, &EulerMaruyama, &*noise, &loss).unwrap();
    let mean = |equation: &Equation| {
        let model = EquationModel::new(equation).unwrap();
        let paths = model.simulate::<f64, _>(&ensemble(), 3, &Paths).unwrap();
        let (_, times, _) = paths.dim();
        (0..200).map(|path| paths[[path, times - 1, 0]]).sum::<f64>() / 200.0
    };
    for (k, parameter) in equation.parameters().iter().enumerate() {
        let (name, value) = (parameter.name(), parameter.value());
        let moved = |by: f64| mean(&equation.clone().with_value(name, value + by).unwrap());
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        let found = gradient.parameters.values[k];
        assert!((found - difference).abs() < 1e-8, "{name}: {found} {difference}");
    }
}

#[test]
fn what_has_no_model_is_said() {
    for (text, said) in [
        ("dX = dt + dW; X(0) = 1", "write `t in [0, 1]`"),
        (
            "dX = dt + dW; X(0) = 0; t in [0, 1]; when X = 0.5: X = 0",
            "stochastic equations have no jumps at events",
        ),
        (
            "dX = X(t - 1) dt + dW; X(t) = 1 for t <= 0; t in [0, 1]",
            "stochastic equations have no delays",
        ),
        (
            "dX = X o dW; dY = Y dB; X(0) = 1; Y(0) = 1; t in [0, 1]",
            "write all multiplicative noise in one calculus",
        ),
    ] {
        let error = EquationModel::new(&Equation::parse(text).unwrap()).unwrap_err();
        assert!(error.to_string().contains(said), "{text}: {error}");
    }
}

/// A noise times 0 does not act: the equation is deterministic, and another noise stays diagonal.
#[test]
fn noise_times_zero_does_not_act() {
    let equation =
        Equation::parse("dX = -X dt + 0 dW; dY = 0 dW + dB; X(0) = 1; Y(0) = 0; t in [0, 1]");
    let model = EquationModel::new(&equation.unwrap()).unwrap();
    assert_eq!(model.noise_structure().1.len(), 1);
    let ensemble = Ensemble::new(10, 100).unwrap();
    let paths = model.simulate::<f64, _>(&ensemble, 1, &Paths).unwrap();
    let last = paths.dim().1 - 1;
    assert!((0..10).all(|path| (paths[[path, last, 0]] - 0.99f64.powi(100)).abs() < 1e-12));
    let alone = Equation::parse("dX = -X dt + 0 dW; X(0) = 1; t in [0, 1]").unwrap();
    let model = EquationModel::new(&alone).unwrap();
    assert_eq!(model.noise_structure().0, NoiseKind::LeadingDiagonal { noises: 0 });
}

/// A drift -X/2 as a network, whose hidden layer is the identity.
struct Linear;

impl Files for Linear {
    fn network(&self, _: &str) -> Result<Network, String> {
        let map = |inputs: usize, weights: Vec<f64>, rows: usize| {
            Affine::new(inputs, weights, vec![0.0; rows]).map_err(|error| error.to_string())
        };
        let hidden = map(2, vec![1.0, 0.0, 0.0, 1.0, 0.5, 0.5], 3)?;
        let output = map(3, vec![-0.5, 0.0, 0.0, 0.0, -0.5, 0.0], 2)?;
        let layers = vec![(hidden, Activation::Identity), (output, Activation::Identity)];
        Network::new(layers).map_err(|error| error.to_string())
    }
}

/// A neural equation simulates and has gradients like its formula: of these weights to the bit.
#[test]
fn networks_of_files() {
    let rest = "X(0) = 1; Y(0) = 2; s = 0.3; t in [0, 1]";
    let neural = format!(
        "net f: X, Y -> 3 -> 2 from \"f.json\"; dX = f_1 dt + s X dW; dY = f_2 dt + s dB; {rest}"
    );
    let formula = format!("dX = -0.5 X dt + s X dW; dY = -0.5 Y dt + s dB; {rest}");
    let neural = Equation::parse_with(&neural, &Linear).unwrap();
    let models = [neural, Equation::parse(&formula).unwrap()]
        .map(|equation| EquationModel::new(&equation).unwrap());
    let ensemble = Ensemble::new(150, 30).unwrap();
    let [a, b] = models.each_ref().map(|m| m.simulate::<f32, _>(&ensemble, 7, &Paths).unwrap());
    assert_eq!(a, b);
    let (kind, additive, commuting) = models[0].noise_structure();
    assert_eq!((kind, additive, commuting), models[1].noise_structure());
}

/// Values of each path, drawn from the distributions; the same in parts of an ensemble, in both
/// precisions, and others for another seed.
#[test]
fn random_initial_values() {
    let text = "
        dX = sigma dW; dY = 0*Y dt; dZ = 0*Z dt; sigma = 0.5; m = 2
        X(0) = normal(m, 0.3); Y(0) = uniform(-1, m); Z(0) = lognormal(0.1, 0.2); t in [0, 1]";
    let model = EquationModel::new(&Equation::parse(text).unwrap()).unwrap();
    let ensemble = Ensemble::new(40_000, 1).unwrap().saving_nodes(&[0, 1]).unwrap();
    let paths = model.simulate::<f64, _>(&ensemble, 7, &Paths).unwrap();
    // By path, time and component.
    let moments = |time: usize, component: usize| {
        let values: Vec<f64> = (0..40_000).map(|path| paths[[path, time, component]]).collect();
        let mean = values.iter().sum::<f64>() / 40_000.0;
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 40_000.0;
        (mean, variance)
    };
    let logarithm = |s: f64| (0.1 + s * s / 2.0).exp();
    for (time, component, mean, variance) in [
        (0, 0, 2.0, 0.09),
        (1, 0, 2.0, 0.09 + 0.25), // independent of the noise
        (0, 1, 0.5, 0.75),
        (0, 2, logarithm(0.2), logarithm(0.2).powi(2) * ((0.2f64 * 0.2).exp() - 1.0)),
    ] {
        let found = moments(time, component);
        let error = 4.0 * (variance / 40_000.0).sqrt();
        assert!((found.0 - mean).abs() < error, "{component}: {found:?}, expected {mean}");
        assert!((found.1 / variance - 1.0).abs() < 0.04, "{component}: {found:?} {variance}");
    }
    let y = (0..40_000).map(|path| paths[[path, 0, 1]]);
    assert!(y.clone().all(|y| (-1.0..=2.0).contains(&y)));
    assert!(y.clone().any(|y| y < -0.999) && y.clone().any(|y| y > 1.999));

    let part = Ensemble::new(100, 1).unwrap().saving_nodes(&[0]).unwrap().starting_at(1000);
    let of_part = model.simulate::<f64, _>(&part, 7, &Paths).unwrap();
    let single = model.simulate::<f32, _>(&part, 7, &Paths).unwrap();
    let other = model.simulate::<f64, _>(&part, 8, &Paths).unwrap();
    for path in 0..100 {
        for component in 0..3 {
            let value = of_part[[path, 0, component]];
            assert_eq!(value, paths[[1000 + path, 0, component]]);
            assert_eq!(single[[path, 0, component]], value as f32);
            assert_ne!(other[[path, 0, component]], value);
        }
    }
    let error = model.differentiable::<f64>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "X has a random initial value: gradients with respect to its distribution do not exist, write a number"
    );
    // A parameter that makes no distribution.
    let equation = Equation::parse(text).unwrap().with_value("m", -3.0).unwrap();
    let error = EquationModel::new(&equation).unwrap().problem::<f64>(1).unwrap_err();
    assert!(error.to_string().contains("the upper end of a random initial value"), "{error}");
}

/// A text with a table, against the same with its formula.
#[test]
fn tables_are_forcings() {
    let text = |force: &str| {
        format!(
            "dX = ({force} - X) dt + 0.2 dW; X(0) = 1; t in [0, 2]; table load: [0, 1, 2] -> [1, 0, 1]"
        )
    };
    let of = |force: &str, steps| {
        let equation = Equation::parse(&text(force)).unwrap();
        let ensemble = Ensemble::new(100, steps).unwrap();
        EquationModel::new(&equation).unwrap().simulate::<f64, _>(&ensemble, 3, &Paths).unwrap()
    };
    assert_eq!(of("load(t)", 64), of("abs(t - 1)", 64));
    assert_eq!(of("load(abs(X - 1))", 64), of("abs(abs(X - 1) - 1)", 64));
    let short = text("load(t + 0.5)");
    let error = EquationModel::new(&Equation::parse(&short).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the table `load` has values from 0 to 2, but `load(t + 0.5)` needs them from 0.5 to 2.5: write \
         `extended` after its data, or change the interval of time"
    );
}

/// Equations that agree along all paths so far, and for all that a probe can see.
#[test]
fn checkpoints_tell_equations_apart_exactly() {
    let checkpoint = |text: &str| {
        let model = EquationModel::new(&Equation::parse(text).unwrap()).unwrap();
        let (problem, noise) = (model.problem::<f64>(0).unwrap(), model.noise(3).unwrap());
        let run = Ensemble::new(64, 32).unwrap();
        let run = run.run(&problem, &EulerMaruyama, &*noise, &Moments).unwrap();
        run.advance().unwrap();
        run.checkpoint()
    };
    let text = |drift: &str, k: f64| {
        format!(
            "dX = ({drift} - k X) dt + sigma dW
             k = 1; p = {k}; sigma = 0.1; X(0) = 1; t in [0, 1]"
        )
    };
    let first = text("p max(0, X - 100)", 1.0);
    let restored = |other: &str| {
        let model = EquationModel::new(&Equation::parse(other).unwrap()).unwrap();
        let (problem, noise) = (model.problem::<f64>(0).unwrap(), model.noise(3).unwrap());
        let ensemble = Ensemble::new(64, 32).unwrap();
        let run = ensemble.run(&problem, &EulerMaruyama, &*noise, &Moments).unwrap();
        run.restore(&checkpoint(&first)).map(|_| ())
    };
    restored(&first).unwrap();
    for other in [text("p max(0, X - 101)", 1.0), text("p max(0, X - 100)", 2.0)] {
        let refused = restored(&other);
        let known = matches!(refused, Err(SdeError::ForeignCheckpoint { what: "fingerprint", .. }));
        assert!(known, "{other}: {refused:?}");
    }
}
