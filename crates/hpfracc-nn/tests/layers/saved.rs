//! Networks as files, and as parts of equations.

use hpfracc_equation::{Graph, Id, Values, evaluate};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::trainer::Standardisation;
use hpfracc_nn::{
    Activation, Dense, Dropout, Forward, Layer, Network, Pass, SavedNetwork, SavedNetworkError,
    Sequential, Shape,
};
use hpfracc_sde::noise::Normals;

/// Network with drawn parameters, biases too.
fn drawn(network: Network) -> SavedNetwork {
    let mut theta = vec![0.0; network.parameters()];
    network.initialise(&Normals::new(3), 0, &mut theta);
    theta.iter_mut().enumerate().for_each(|(k, x)| *x += 0.1 * (k as f64).sin());
    SavedNetwork::new(network, &theta).unwrap()
}

/// The layer's own forward pass for one sample.
fn forward(saved: &SavedNetwork, x: &[f64]) -> Vec<f64> {
    let network = &saved.network;
    let (mut y, mut rows) = (vec![0.0; network.outputs()], vec![0.0; network.saved()]);
    network.forward(Forward {
        pass: Pass::Evaluate,
        theta: &saved.parameters,
        x: Rows::new(x, 1),
        saved: RowsMut::new(&mut rows, 1),
        y: RowsMut::new(&mut y, 1),
    });
    y
}

#[test]
fn equations_have_the_values_of_the_layers() {
    for activation in [
        Activation::Identity,
        Activation::Relu,
        Activation::Tanh,
        Activation::Sigmoid,
        Activation::Softplus,
        Activation::Silu,
        Activation::Gelu,
        Activation::GeluAccurateTail,
        Activation::GeluTanh,
    ] {
        let inner = Network::perceptron(&[3, 16, 5], activation).unwrap();
        let last = Network::Dense(Dense::new(5, 2, activation));
        let network = Network::Sequential(Sequential::new(vec![inner, last]).unwrap());
        let text = drawn(network).to_json().unwrap();
        let saved = SavedNetwork::from_json(&text).unwrap();
        let mut graph = Graph::new();
        let inputs: Vec<Id> = (0..3).map(|k| graph.variable(k)).collect();
        let roots = graph.network(&saved.to_equation().unwrap(), &inputs);
        for k in 0..40 {
            let x = [0, 1, 2].map(|j| 3.0 * f64::sin((7 * k + 3 * j) as f64));
            let found = evaluate(&graph, &roots, &x.map(Values::Path));
            for (found, expected) in found.iter().zip(forward(&saved, &x)) {
                let error = (found - expected).abs();
                assert!(error < 1e-13 * (1.0 + expected.abs()), "{activation:?}: {error:e}");
            }
        }
    }
}

/// deviation f((x - mean)/deviation, t)
#[test]
fn networks_in_the_units_of_data() {
    let units = Standardisation { mean: vec![3.0, -10.0], deviation: vec![0.5, 20.0] };
    for widths in [&[3, 7, 5, 2][..], &[3, 2]] {
        let saved = drawn(Network::perceptron(widths, Activation::Tanh).unwrap());
        let scaled = saved.in_units(&units).unwrap();
        for k in 0..20 {
            let x = [3.0 + (k as f64).sin(), -10.0 + 5.0 * k as f64, 0.1 * k as f64];
            let inner = [(x[0] - 3.0) / 0.5, (x[1] + 10.0) / 20.0, x[2]];
            let expected = forward(&saved, &inner);
            for (j, found) in forward(&scaled, &x).iter().enumerate() {
                let expected = units.deviation[j] * expected[j];
                assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()));
            }
        }
    }
    let layer = drawn(Network::Dense(Dense::new(2, 2, Activation::Tanh)));
    assert_eq!(
        layer.in_units(&units).unwrap_err().to_string(),
        "the last layer has the activation tanh, expected none: its outputs cannot be scaled"
    );
    let layer = drawn(Network::Dense(Dense::new(2, 1, Activation::Identity)));
    assert_eq!(
        layer.in_units(&units).unwrap_err().to_string(),
        "the standardisation has the size 2, expected 1"
    );
}

#[test]
fn files_that_are_refused() {
    let message = |text: &str| SavedNetwork::from_json(text).unwrap_err().to_string();
    let dense = r#"{"dense": {"inputs": 1, "outputs": 1}}"#;
    assert_eq!(
        message(&format!(r#"{{"network": {dense}, "parameters": [1.0]}}"#)),
        "the list of parameters has the size 1, expected 2"
    );
    assert_eq!(
        message(&format!(r#"{{"network": {dense}, "parameters": [1.0, null]}}"#)),
        "no saved network: invalid type: null, expected f64 at line 1 column 76"
    );
    assert_eq!(
        message("[]"),
        "no saved network: invalid length 0, expected struct SavedNetwork with 2 elements at line 1 column 2"
    );
    let layers = vec![
        Network::Dense(Dense::new(2, 2, Activation::Tanh)),
        Network::Dropout(Dropout::new(2, 0.5, 1).unwrap()),
    ];
    let other = drawn(Network::Sequential(Sequential::new(layers).unwrap()));
    assert_eq!(
        other.to_equation().unwrap_err().to_string(),
        "layer 2 (counted from 1) is `dropout`, but networks of equations are of dense layers"
    );
    let mut infinite = drawn(Network::Dense(Dense::new(2, 1, Activation::Tanh)));
    infinite.parameters[1] = f64::INFINITY;
    let error = infinite.to_equation().unwrap_err();
    assert!(matches!(error, SavedNetworkError::Network(_)));
    assert_eq!(error.to_string(), "weight 1 (counted from 0) is inf, expected a finite number");
}
