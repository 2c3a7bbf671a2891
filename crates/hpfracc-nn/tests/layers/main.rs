//! Layers against their formulas in loops, networks from and to files, and what is refused.

mod saved;
mod storage;
mod supervised;
mod transformer;

use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Activation, Conv1d, Conv1dConfig, Dense, Dropout, Forward, Layer, LayerNorm, Network,
    NetworkError, Padding, Pass, Scalar, Sequential, Shape, Softmax, SwiGlu,
};
use hpfracc_sde::noise::Normals;

fn number(i: usize) -> f64 {
    ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0
}

fn numbers<T: Scalar>(n: usize) -> Vec<T> {
    (0..n).map(|i| T::narrow(number(i))).collect()
}

/// The output of a layer whose memory was filled with NaN.
fn forward<T: Scalar>(
    layer: &dyn Layer<T>,
    pass: Pass,
    theta: &[T],
    x: &[T],
    lanes: usize,
) -> Vec<T> {
    let mut saved = vec![T::NAN; layer.saved() * lanes];
    let mut y = vec![T::NAN; layer.outputs() * lanes];
    let (saved, out) = (RowsMut::new(&mut saved, lanes), RowsMut::new(&mut y, lanes));
    layer.forward(Forward { pass, theta, x: Rows::new(x, lanes), saved, y: out });
    y
}

fn agree<T: Scalar>(name: &str, found: &[T], expected: impl Fn(usize) -> f64) {
    for (i, found) in found.iter().enumerate() {
        let expected = expected(i);
        let error = (found.widen() - expected).abs();
        assert!(error <= 40.0 * T::EPSILON.widen(), "{name} {i}: {found} {expected}");
    }
}

fn gated<T: Scalar>() {
    let (inputs, outputs, lanes) = (5, 3, 70);
    let layer = SwiGlu::new(inputs, outputs).unwrap();
    let (theta, x) = (numbers::<T>(layer.parameters()), numbers::<T>(inputs * lanes));
    let y = forward(&layer, Pass::Evaluate, &theta, &x, lanes);
    agree("swiglu", &y, |i| {
        let (row, lane) = (i / lanes, i % lanes);
        let sum = |matrix: usize| {
            let weight = |k: usize| -> f64 { theta[(matrix * outputs + row) * inputs + k].widen() };
            let bias = theta[2 * outputs * inputs + matrix * outputs + row].widen();
            bias + (0..inputs).map(|k| weight(k) * x[k * lanes + lane].widen()).sum::<f64>()
        };
        sum(0) * (sum(1) / (1.0 + (-sum(1)).exp()))
    });
}

fn softmax<T: Scalar>() {
    for (features, lanes) in [(1, 3), (7, 70), (300, 65)] {
        let layer = Softmax::new(features).unwrap();
        // So large that exp alone would overflow.
        let x: Vec<T> = (0..features * lanes).map(|i| T::narrow(1e3 * number(i))).collect();
        let y = forward(&layer, Pass::Evaluate, &[], &x, lanes);
        agree("softmax", &y, |i| {
            let at = |k: usize| x[k * lanes + i % lanes].widen();
            let most = (0..features).map(at).fold(f64::MIN, f64::max);
            let sum: f64 = (0..features).map(|k| (at(k) - most).exp()).sum();
            (at(i / lanes) - most).exp() / sum
        });
    }
}

/// Zeros in front, and the length of y, from the definitions of paddings.
fn ends(config: &Conv1dConfig) -> (usize, usize) {
    let Conv1dConfig { length, kernel, stride, dilation, padding, .. } = *config;
    let reach = (kernel - 1) * dilation;
    match padding {
        Padding::Zeros(zeros) => (zeros, (length + 2 * zeros - reach - 1) / stride + 1),
        Padding::Causal => (reach, length.div_ceil(stride)),
        Padding::Same => {
            let out = length.div_ceil(stride);
            let covered = (out - 1) * stride + reach + 1;
            (covered.saturating_sub(length) / 2, out)
        }
    }
}

fn convolution<T: Scalar>() {
    let paddings = [Padding::Zeros(0), Padding::Zeros(3), Padding::Causal, Padding::Same];
    for padding in paddings {
        for (stride, dilation, kernel) in [(1, 1, 4), (2, 1, 3), (3, 5, 2), (4, 3, 3), (7, 2, 1)] {
            for (channels, length, filters, lanes) in [(1, 9, 1, 1), (2, 11, 9, 3), (3, 16, 4, 17)]
            {
                let sizes = Conv1dConfig::new(channels, length, filters, kernel);
                let config = Conv1dConfig { stride, dilation, padding, ..sizes };
                let (front, length_out) = ends(&config);
                let layer = Conv1d::new(config).unwrap();
                assert_eq!(layer.length_out(), length_out, "{config:?}");
                let theta = numbers::<T>(layer.parameters());
                let x = numbers::<T>(layer.inputs() * lanes);
                let y = forward(&layer, Pass::Evaluate, &theta, &x, lanes);
                agree(&format!("{config:?}"), &y, |i| {
                    let (filter, time, lane) =
                        (i / lanes / length_out, i / lanes % length_out, i % lanes);
                    let mut sum = theta[filters * channels * kernel + filter].widen();
                    for channel in 0..channels {
                        for tap in 0..kernel {
                            let from = (time * stride + tap * dilation).checked_sub(front);
                            if let Some(from) = from.filter(|from| *from < length) {
                                let weight = theta[(filter * channels + channel) * kernel + tap];
                                let x = x[(channel * length + from) * lanes + lane];
                                sum += weight.widen() * x.widen();
                            }
                        }
                    }
                    sum
                });
            }
        }
    }
}

#[test]
fn formulas() {
    gated::<f32>();
    gated::<f64>();
    softmax::<f32>();
    softmax::<f64>();
    convolution::<f32>();
    convolution::<f64>();
}

/// The same factors for a sample whatever the tile, others for other draws, samples, features and
/// seeds; the share that is dropped, and the mean, within five standard errors.
#[test]
fn dropout() {
    let (features, lanes, rate) = (10, 500, 0.3);
    let layer = Dropout::new(features, rate, 9).unwrap();
    let ones = vec![1.0f64; features * lanes];
    let at = |layer: &Dropout, draw, first_sample, lanes: usize| {
        let pass = Pass::Train { draw, first_sample };
        forward::<f64>(layer, pass, &[], &ones[..features * lanes], lanes)
    };
    let all = at(&layer, 5, 100, lanes);
    for (first, few) in [(0, 1), (17, 40), (499, 1), (3, 16)] {
        let part = at(&layer, 5, 100 + first as u64, few);
        for row in 0..features {
            let expected = &all[row * lanes + first..][..few];
            assert_eq!(&part[row * few..][..few], expected, "{first} {few} {row}");
        }
    }
    let single = forward::<f32>(
        &layer,
        Pass::Train { draw: 5, first_sample: 100 },
        &[],
        &vec![1.0; ones.len()],
        lanes,
    );
    for (single, double) in single.iter().zip(&all) {
        assert_eq!(*single, *double as f32);
    }
    let dropped = |y: &[f64]| y.iter().filter(|y| **y == 0.0).count() as f64 / y.len() as f64;
    let error = 5.0 * (rate * (1.0 - rate) / ones.len() as f64).sqrt();
    assert!((dropped(&all) - rate).abs() < error, "{}", dropped(&all));
    assert!(all.iter().all(|y| *y == 0.0 || (y * (1.0 - rate) - 1.0).abs() < 1e-9));
    // Two masks that have nothing to do with each other differ in 2 rate (1 - rate) of all places.
    let other_seed = Dropout::new(features, rate, 10).unwrap();
    let rows = |from: usize| all[from * lanes..][..lanes].to_vec();
    for (name, a, b) in [
        ("draw", all.clone(), at(&layer, 6, 100, lanes)),
        ("far draw", all.clone(), at(&layer, 5 + (1 << 32), 100, lanes)),
        ("sample", all.clone(), at(&layer, 5, 100 + lanes as u64, lanes)),
        ("far sample", all.clone(), at(&layer, 5, 100 + (1 << 32), lanes)),
        ("seed", all.clone(), at(&other_seed, 5, 100, lanes)),
        ("feature", rows(0), rows(1)),
        ("far feature", rows(3), rows(7)),
    ] {
        let differ = a.iter().zip(&b).filter(|(a, b)| a != b).count() as f64 / a.len() as f64;
        let expected = 2.0 * rate * (1.0 - rate);
        let error = 5.0 * (expected * (1.0 - expected) / a.len() as f64).sqrt();
        assert!((differ - expected).abs() < error, "{name}: {differ}");
    }
    assert_eq!(forward::<f64>(&layer, Pass::Evaluate, &[], &ones, lanes), ones);
    let none = Dropout::new(features, 0.0, 9).unwrap();
    assert_eq!(at(&none, 5, 100, lanes), ones);
}

fn network() -> Network {
    let config = Conv1dConfig {
        stride: 2,
        dilation: 3,
        padding: Padding::Zeros(2),
        activation: Activation::Gelu,
        ..Conv1dConfig::new(2, 8, 3, 2)
    };
    let conv = Conv1d::new(config).unwrap();
    let rows = conv.outputs();
    let layers = vec![
        Network::Conv1d(conv),
        Network::Dropout(Dropout::new(rows, 0.5, 3).unwrap()),
        Network::SwiGlu(SwiGlu::new(rows, 4).unwrap()),
        Network::LayerNorm(LayerNorm::new(4).unwrap()),
        Network::Softmax(Softmax::new(4).unwrap()),
    ];
    Network::Sequential(Sequential::new(layers).unwrap())
}

#[test]
fn files() {
    let network = network();
    let text = serde_json::to_string(&network).unwrap();
    assert_eq!(serde_json::from_str::<Network>(&text).unwrap(), network, "{text}");
    let short = r#"{"conv1d": {"channels": 2, "length": 8, "filters": 3, "kernel": 2}}"#;
    let config = Conv1dConfig::new(2, 8, 3, 2);
    let expected = Network::Conv1d(Conv1d::new(config).unwrap());
    assert_eq!(serde_json::from_str::<Network>(short).unwrap(), expected);
}

/// Errors of a file name the kind of layer, the value and the expected range.
#[test]
fn refused() {
    let conv = r#""channels": 2, "length": 8, "filters": 3"#;
    let cases = [
        (r#"{"dropout": {"features": 3, "rate": 1.0}}"#, "Dropout: rate is 1, expected at least 0"),
        (r#"{"dropout": {"features": 3, "rate": -0.5}}"#, "Dropout: rate is -0.5"),
        (
            r#"{"dropout": {"features": 0, "rate": 0.5}}"#,
            "Dropout: features is 0, expected at least 1",
        ),
        (r#"{"dropout": {"features": 3, "rate": 0.5, "p": 1}}"#, "unknown field `p`"),
        (r#"{"softmax": {"features": 0}}"#, "Softmax: features is 0"),
        (r#"{"swiglu": {"inputs": 0, "outputs": 2}}"#, "SwiGlu: inputs is 0"),
        (r#"{"swiglu": {"inputs": 4611686018427387904, "outputs": 2}}"#, "SwiGlu: more rows"),
        (r#"{"dense": {"inputs": 0, "outputs": 2}}"#, "Dense: inputs is 0, expected at least 1"),
        (r#"{"dense": {"inputs": 18446744073709551615, "outputs": 2}}"#, "Dense: more rows"),
        (r#"{"dense": {"inputs": 4294967296, "outputs": 4294967296}}"#, "Dense: more rows"),
        (
            &format!(r#"{{"conv1d": {{{conv}, "kernel": 2, "stride": 18446744073709551615}}}}"#),
            "Conv1d: more rows",
        ),
        (r#"{"layer-norm": {"features": 0}}"#, "features is 0"),
        (
            r#"{"layer-norm": {"features": 2, "epsilon": -1.0}}"#,
            "LayerNorm: epsilon is -1, expected positive and finite",
        ),
        (&format!(r#"{{"conv1d": {{{conv}, "kernel": 0}}}}"#), "Conv1d: kernel is 0"),
        (&format!(r#"{{"conv1d": {{{conv}, "kernel": 2, "stride": 0}}}}"#), "Conv1d: stride is 0"),
        (
            &format!(r#"{{"conv1d": {{{conv}, "kernel": 9}}}}"#),
            "Conv1d: length is 8, expected as long as the taps reach",
        ),
        (
            &format!(r#"{{"conv1d": {{{conv}, "kernel": 4, "dilation": 3}}}}"#),
            "Conv1d: length is 8, expected as long as the taps reach",
        ),
        (
            &format!(r#"{{"conv1d": {{{conv}, "kernel": 18446744073709551615, "dilation": 2}}}}"#),
            "Conv1d: more rows",
        ),
        (
            &format!(
                r#"{{"conv1d": {{{conv}, "kernel": 2, "padding": {{"zeros": 18446744073709551615}}}}}}"#
            ),
            "Conv1d: more rows",
        ),
        (
            r#"{"sequential": [{"softmax": {"features": 3}}, {"softmax": {"features": 4}}]}"#,
            "layer 1 has 4 inputs, the layer before it has 3 outputs",
        ),
        (r#"{"sequential": []}"#, "a network without layers"),
    ];
    for (text, expected) in cases {
        match serde_json::from_str::<Network>(text) {
            Ok(network) => panic!("{text} gives {network:?}"),
            Err(error) => assert!(error.to_string().contains(expected), "{text}: {error}"),
        }
    }
    let none = Sequential::new(vec![Dense::new(3, 0, Activation::Tanh)]);
    assert_eq!(none, Err(NetworkError::NoRows { layer: 0 }));
    let large = Network::perceptron(&[1 << 40, 1 << 40, 1], Activation::Tanh);
    assert_eq!(large, Err(NetworkError::TooLarge { layer: "Dense" }));
    let not = Dropout::new(3, f64::NAN, 0);
    assert!(matches!(not, Err(NetworkError::OutOfRange(range)) if range.what == "Dropout: rate"));
}

/// Every layer writes all its initial values, equal in both precisions up to rounding.
#[test]
fn starts() {
    let network = network();
    let normals = Normals::new(1);
    let mut single = vec![f32::NAN; network.parameters()];
    let mut double = vec![f64::NAN; network.parameters()];
    network.initialise(&normals, 0, &mut single);
    network.initialise(&normals, 0, &mut double);
    for (i, (single, double)) in single.iter().zip(&double).enumerate() {
        let error = (f64::from(*single) - double).abs();
        assert!(error < 1e-6, "{i}: {single} {double}");
    }
    let y = forward(&network, Pass::Evaluate, &double, &numbers(network.inputs() * 2), 2);
    for lane in 0..2 {
        let sum: f64 = y.chunks_exact(2).map(|row| row[lane]).sum();
        assert!((sum - 1.0).abs() < 1e-14, "{sum}");
    }
}
