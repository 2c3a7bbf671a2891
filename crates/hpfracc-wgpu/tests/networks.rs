//! Networks on a device against the same networks on the CPU: outputs, gradients, trainings, and
//! what is refused.
#![cfg(feature = "networks")]

mod device;

use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::ndarray::Array2;
use hpfracc_nn::trainer::{Event, Trainer, Training};
use hpfracc_nn::{
    Activation, Adam, Backward, Batch, Conv1d, Conv1dConfig, Dense, Dropout, EachTime, Forward,
    FractionalConv1d, FractionalDense, FractionalDerivative, FractionalRnn, FractionalScheme,
    Layer, LayerNorm, LayerOrder, Loss, MultiHeadAttention, Network, Objective, Optimiser, Padding,
    Pass, Residual, Rotary, Sequential, Shape, Softmax, Storage, Supervised, SwiGlu, Tape, Targets,
    Times, Transformer,
};
use hpfracc_wgpu::{Gpu, GpuNetwork, GpuNetworkError, GpuSupervised};
use std::ops::ControlFlow;

fn number(i: usize) -> f32 {
    ((i * 7919 + 13) % 1009) as f32 / 504.5 - 1.0
}

fn parameters(network: &Network) -> Vec<f32> {
    // Scales of normalisations are near 1, as they are when a training begins.
    let of_block = |block: hpfracc_nn::Block| {
        let start = if block.name.ends_with("scale") { 1.0 } else { 0.0 };
        let width = if block.name.ends_with("table") { 1.0 } else { 0.3 };
        (0..block.len()).map(move |i| start + width * number(i + block.name.len()))
    };
    network.blocks().into_iter().flat_map(of_block).collect()
}

/// Output and gradients on the CPU.
fn on_cpu(network: &Network, theta: &[f32], x: &[f32], c: &[f32], lanes: usize) -> [Vec<f32>; 3] {
    let mut saved = vec![0.0; network.saved() * lanes];
    let mut y = vec![0.0; network.outputs() * lanes];
    network.forward(Forward {
        pass: Pass::Evaluate,
        theta,
        x: Rows::new(x, lanes),
        saved: RowsMut::new(&mut saved, lanes),
        y: RowsMut::new(&mut y, lanes),
    });
    let (mut ybar, mut xbar) = (c.to_vec(), vec![0.0; x.len()]);
    let (mut thetabar, mut scratch) =
        (vec![0.0; theta.len()], vec![0.0; network.scratch() * lanes]);
    let tape =
        Tape { x: Rows::new(x, lanes), saved: Rows::new(&saved, lanes), y: Rows::new(&y, lanes) };
    network.vjp(Backward {
        theta,
        tape,
        ybar: RowsMut::new(&mut ybar, lanes),
        xbar: Some(RowsMut::new(&mut xbar, lanes)),
        thetabar: &mut thetabar,
        scratch: RowsMut::new(&mut scratch, lanes),
    });
    [y, xbar, thetabar]
}

fn agree(name: &str, found: &[f32], expected: &[f32]) {
    let scale = expected.iter().fold(1e-3f32, |a, b| a.max(b.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() < 1e-5 * scale,
            "{name} {i}: {found} {expected} of {scale}"
        );
    }
}

fn check(gpu: &Gpu, name: &str, network: &Network, lanes: usize, x: impl Fn(usize) -> f32) {
    let theta = parameters(network);
    let x: Vec<f32> = (0..network.inputs() * lanes).map(x).collect();
    let c: Vec<f32> = (0..network.outputs() * lanes).map(|i| number(i + 77)).collect();
    let expected = on_cpu(network, &theta, &x, &c, lanes);
    let on_gpu = GpuNetwork::new(gpu, network, lanes).unwrap();
    let mut first = None;
    for _ in 0..2 {
        let mut found = expected.each_ref().map(|numbers| vec![f32::NAN; numbers.len()]);
        let [y, xbar, thetabar] = &mut found;
        on_gpu.forward(&theta, &x, y).unwrap();
        on_gpu.vjp(&c, xbar, thetabar).unwrap();
        let names = ["output", "gradient of inputs", "gradient of parameters"];
        for ((what, found), expected) in names.iter().zip(&found).zip(&expected) {
            agree(&format!("{name}, {what}"), found, expected);
        }
        // A second call gives the same bits.
        assert_eq!(first.get_or_insert_with(|| found.clone()), &found, "{name}");
    }
}

fn dense(inputs: usize, outputs: usize, activation: Activation) -> Network {
    Network::Dense(Dense::new(inputs, outputs, activation))
}

#[test]
fn layers() {
    let Some(gpu) = device::gpu("layers") else { return };
    let smooth = |i| 2.0 * number(i + 5);
    for activation in [
        Activation::Identity,
        Activation::Relu,
        Activation::Tanh,
        Activation::Sigmoid,
        Activation::Softplus,
        Activation::Silu,
        Activation::Gelu,
        Activation::GeluTanh,
    ] {
        check(&gpu, &format!("{activation:?}"), &dense(7, 5, activation), 13, smooth);
    }
    check(&gpu, "larger than a tile", &dense(100, 130, Activation::Tanh), 90, smooth);
    check(&gpu, "many samples", &dense(2, 2, Activation::Tanh), 70_000, smooth);
    check(&gpu, "gated unit", &Network::SwiGlu(SwiGlu::new(3, 7).unwrap()), 9, smooth);
    check(&gpu, "layer norm", &Network::LayerNorm(LayerNorm::new(6).unwrap()), 11, smooth);
    check(&gpu, "softmax", &Network::Softmax(Softmax::new(5).unwrap()), 70, smooth);
    let inner = EachTime::new(4, dense(3, 3, Activation::Silu)).unwrap();
    let inner = Network::EachTime(Box::new(inner));
    let layers = vec![
        Network::Residual(Box::new(Residual::new(inner).unwrap())),
        dense(12, 2, Activation::Identity),
    ];
    let network = Network::Sequential(Sequential::new(layers).unwrap());
    check(&gpu, "composition", &network, 5, smooth);
}

/// Values over a wide range against double precision, in units of the last place of the larger of result
/// and argument: of distribution functions the absolute error counts.
#[test]
fn activations_equal_their_formulas() {
    let Some(gpu) = device::gpu("activations_equal_their_formulas") else { return };
    let x: Vec<f32> = (-12_000..=12_000).map(|i| i as f32 * 0.0025).collect();
    fn sigmoid(x: f64) -> f64 {
        1.0 / (1.0 + (-x).exp())
    }
    type Case = (Activation, fn(f64) -> f64, f64);
    let cases: [Case; 6] = [
        (Activation::Tanh, f64::tanh, 3.0),
        (Activation::Sigmoid, sigmoid, 4.0),
        (Activation::Softplus, |x| x.max(0.0) + (-x.abs()).exp().ln_1p(), 4.0),
        (Activation::Silu, |x| x * sigmoid(x), 4.0),
        (Activation::Gelu, |x| x * 0.5 * libm::erfc(-x / 2f64.sqrt()), 0.0),
        (
            Activation::GeluTanh,
            |x| 0.5 * x * (1.0 + (0.797_884_560_802_865_4 * (x + 0.044_715 * x.powi(3))).tanh()),
            0.0,
        ),
    ];
    for (activation, formula, units) in cases {
        let on_gpu = GpuNetwork::new(&gpu, &dense(1, 1, activation), x.len()).unwrap();
        let mut y = vec![f32::NAN; x.len()];
        on_gpu.forward(&[1.0, 0.0], &x, &mut y).unwrap();
        for (x, y) in x.iter().zip(&y) {
            let exact = formula(f64::from(*x));
            let epsilon = f64::from(f32::EPSILON);
            // Where a distribution function is near 0, its absolute error is that of 1.
            let bound = if units > 0.0 { units * exact.abs() } else { 2.0 * f64::from(x.abs()) };
            let error = (f64::from(*y) - exact).abs();
            assert!(error <= bound * epsilon + 1e-38, "{activation:?} at {x}: {y} {exact}");
        }
        // Limits, and NaN stays.
        let far = [f32::NAN, 1e30, -1e30, f32::INFINITY];
        let on_gpu = GpuNetwork::new(&gpu, &dense(1, 1, activation), far.len()).unwrap();
        let mut y = [0.0; 4];
        on_gpu.forward(&[1.0, 0.0], &far, &mut y).unwrap();
        let expected = far.map(|x| match activation {
            Activation::Tanh => x.signum(),
            Activation::Sigmoid => f32::from(x > 0.0),
            _ => x.max(0.0),
        });
        assert!(y[0].is_nan() && y[1..] == expected[1..], "{activation:?}: {y:?}");
    }
}

#[test]
fn attention() {
    let Some(gpu) = device::gpu("attention") else { return };
    let plain = |features, heads, length| MultiHeadAttention::new(features, heads, length).unwrap();
    let times = Times::Given(vec![0.0, 0.3, 1.1, 1.2, 2.7]);
    for (layer, lanes) in [
        (plain(2, 1, 1), 3),
        (plain(6, 3, 4).causal(), 2),
        (plain(4, 2, 5).rotary(Rotary { times, unit: 0.5, base: 30.0 }).unwrap(), 3),
        (plain(8, 2, 130).causal().rotary(Rotary::default()).unwrap(), 2),
        (plain(140, 1, 70), 1),
    ] {
        let name = format!("{layer:?}");
        check(&gpu, &name, &Network::MultiHeadAttention(layer), lanes, |i| number(i + 5));
    }
}

#[test]
fn convolutions() {
    let Some(gpu) = device::gpu("convolutions") else { return };
    let plain = Conv1dConfig::new(2, 11, 3, 4);
    let activation = Activation::Tanh;
    for config in [
        plain,
        Conv1dConfig { padding: Padding::Causal, activation, ..plain },
        Conv1dConfig { padding: Padding::Same, stride: 3, ..plain },
        Conv1dConfig { padding: Padding::Zeros(5), stride: 2, dilation: 3, activation, ..plain },
        Conv1dConfig::new(3, 70, 70, 3),
    ] {
        let layer = Network::Conv1d(Conv1d::new(config).unwrap());
        check(&gpu, &format!("{config:?}"), &layer, 5, |i| number(i + 5));
    }
}

#[test]
fn fractional_layers() {
    let Some(gpu) = device::gpu("fractional_layers") else { return };
    let learnable = LayerOrder::Learnable { lower: 0.1, upper: 0.9, start: 0.4 };
    let each = LayerOrder::LearnableEach { lower: 0.1, upper: 0.9, start: 0.4 };
    let schemes = [
        FractionalScheme::GrunwaldLetnikov,
        FractionalScheme::CaputoL1,
        FractionalScheme::IntegralTrapezoid,
    ];
    for order in [LayerOrder::Fixed(0.6), learnable, each] {
        for scheme in schemes {
            let derivative = FractionalDerivative::new(3, 9, 0.2, scheme, order).unwrap();
            let name = format!("{scheme:?} {order:?}");
            let layer = Network::FractionalDerivative(derivative);
            check(&gpu, &name, &layer, 5, |i| number(i + 5));
            let dense = FractionalDense::new(derivative, 4, Activation::Silu);
            check(&gpu, &name, &Network::FractionalDense(dense), 2, |i| number(i + 5));
        }
        let layer = FractionalConv1d::new(2, 3, 12, 5, order).unwrap();
        let layer = Network::FractionalConv1d(layer.activated(Activation::Gelu));
        check(&gpu, &format!("{order:?}"), &layer, 5, |i| number(i + 5));
    }
    // Their places among those of other layers, and longer series.
    let long = FractionalDerivative::new(2, 300, 0.01, FractionalScheme::CaputoL1, each).unwrap();
    let filters = FractionalConv1d::new(2, 2, 300, 20, each).unwrap();
    let layers = vec![
        Network::FractionalDerivative(long),
        Network::FractionalConv1d(filters),
        dense(600, 3, Activation::Tanh),
    ];
    let network = Network::Sequential(Sequential::new(layers).unwrap());
    check(&gpu, "composition", &network, 3, |i| number(i + 5));
}

/// A constant has no derivative in Caputo's sense, to the bit.
#[test]
fn constants_have_no_derivative() {
    let Some(gpu) = device::gpu("constants_have_no_derivative") else { return };
    let order = LayerOrder::Fixed(0.3);
    let layer = FractionalDerivative::new(1, 500, 1e-3, FractionalScheme::CaputoL1, order).unwrap();
    let on_gpu = GpuNetwork::new(&gpu, &Network::FractionalDerivative(layer), 2).unwrap();
    let mut y = vec![f32::NAN; 1000];
    on_gpu.forward(&[], &[123.456; 1000], &mut y).unwrap();
    assert!(y.iter().all(|y| *y == 0.0));
}

#[test]
fn transformers() {
    let Some(gpu) = device::gpu("transformers") else { return };
    let network = Transformer::new(16, 2, 2, 9).series(2, 3).unwrap();
    check(&gpu, "encoder", &network, 5, |i| number(i + 5));
    let network = Transformer::new(16, 2, 2, 9).causal().classes(11).unwrap();
    // The gradient with respect to the numbers of classes is zero on both.
    check(&gpu, "decoder", &network, 5, |i| (i * 5 % 11) as f32);
}

/// Loss and gradient of a batch with a rest.
fn check_objective(gpu: &Gpu, network: Network, inputs: Array2<f32>, targets: Targets<f32>) {
    let new = || Supervised::new(network.clone(), inputs.clone(), targets.clone()).unwrap();
    let (on_cpu, on_gpu) = (new(), GpuSupervised::new(gpu, new(), 4).unwrap());
    let theta = parameters(&network);
    let samples = [3, 0, 9, 9, 5, 1, 2, 8, 7];
    let batch = Batch { scale: 8.0, ..Batch::new(&samples, 0) };
    let mut gradients = [vec![f32::NAN; theta.len()], vec![f32::NAN; theta.len()]];
    let [of_cpu, of_gpu] = &mut gradients;
    let expected = on_cpu.gradient(&theta, batch, of_cpu).unwrap();
    let found = on_gpu.gradient(&theta, batch, of_gpu).unwrap();
    assert!((found - expected).abs() < 1e-5 * expected, "{found} {expected}");
    agree("gradient", of_gpu, of_cpu);
    assert_eq!(on_gpu.loss(&theta, batch).unwrap(), found);
    assert_eq!(on_gpu.failure(), None);
}

#[test]
fn objectives() {
    let Some(gpu) = device::gpu("objectives") else { return };
    let network = Network::perceptron(&[3, 20, 4], Activation::Tanh).unwrap();
    let inputs = Array2::from_shape_fn((10, 3), |(i, j)| number(3 * i + j));
    let values = Array2::from_shape_fn((10, 4), |(i, j)| number(4 * i + j + 50));
    let targets = Targets::Values(values, Loss::MeanSquare);
    check_objective(&gpu, network.clone(), inputs.clone(), targets);
    let classes = Targets::Classes((0..10).map(|i| i * 3 % 4).collect());
    check_objective(&gpu, network, inputs, classes);
    let network = Transformer::new(8, 2, 1, 6).causal().classes(7).unwrap();
    let text = |i: usize, j: usize| (i * 5 + j * j) % 7;
    let inputs = Array2::from_shape_fn((10, 6), |(i, j)| text(i, j) as f32);
    let targets = Targets::ClassSeries(Array2::from_shape_fn((10, 6), |(i, j)| text(i, j + 1)));
    check_objective(&gpu, network, inputs, targets);
}

/// The masks are those of the CPU, for each draw and sample.
#[test]
fn dropout() {
    let Some(gpu) = device::gpu("dropout") else { return };
    let layers = vec![
        dense(3, 20, Activation::Tanh),
        Network::Dropout(Dropout::new(20, 0.4, 0x1234_5678_9abc).unwrap()),
        dense(20, 4, Activation::Identity),
    ];
    let network = Network::Sequential(Sequential::new(layers).unwrap());
    let inputs = Array2::from_shape_fn((10, 3), |(i, j)| number(3 * i + j));
    let values = Array2::from_shape_fn((10, 4), |(i, j)| number(4 * i + j + 50));
    let targets = Targets::Values(values, Loss::MeanSquare);
    let new = || Supervised::new(network.clone(), inputs.clone(), targets.clone()).unwrap();
    let (on_cpu, on_gpu) = (new(), GpuSupervised::new(&gpu, new(), 4).unwrap());
    let theta = parameters(&network);
    let samples = [3, 0, 9, 9, 5, 1, 2, 8, 7];
    let mut losses = Vec::new();
    for draw in [0, 1, 1 << 40] {
        let batch = Batch::new(&samples, draw);
        let mut gradients = [vec![f32::NAN; theta.len()], vec![f32::NAN; theta.len()]];
        let [of_cpu, of_gpu] = &mut gradients;
        let expected = on_cpu.gradient(&theta, batch, of_cpu).unwrap();
        let found = on_gpu.gradient(&theta, batch, of_gpu).unwrap();
        assert!((found - expected).abs() < 1e-5 * expected, "{draw}: {found} {expected}");
        agree("gradient", of_gpu, of_cpu);
        losses.push(found);
        let (found, expected) = (on_gpu.loss(&theta, batch), on_cpu.loss(&theta, batch));
        assert!((found.unwrap() - expected.unwrap()).abs() < 1e-5);
    }
    assert!(losses[0] != losses[1] && losses[1] != losses[2], "{losses:?}");
}

/// The roundings of half precision are 2^-11 = 4.9e-4: outputs and gradients are within a few of them, relative to the
/// largest. The memory is half.
#[test]
fn values_in_half_precision() {
    let Some(gpu) = device::gpu("values_in_half_precision") else { return };
    let order = LayerOrder::Learnable { lower: 0.1, upper: 0.9, start: 0.4 };
    let scheme = FractionalScheme::CaputoL1;
    let derivative = FractionalDerivative::new(3, 8, 0.2, scheme, order).unwrap();
    let convolution = Conv1d::new(Conv1dConfig::new(3, 8, 4, 3)).unwrap();
    let in_time = vec![
        Network::FractionalDerivative(derivative),
        Network::Conv1d(convolution),
        Network::Dropout(Dropout::new(24, 0.2, 3).unwrap()),
        dense(24, 30, Activation::Gelu),
        Network::SwiGlu(SwiGlu::new(30, 8).unwrap()),
        Network::LayerNorm(LayerNorm::new(8).unwrap()),
        Network::Softmax(Softmax::new(8).unwrap()),
    ];
    let text = |i: usize, j: usize| (i * 5 + j * j) % 7;
    let values = Array2::from_shape_fn((40, 8), |(i, j)| number(8 * i + j).abs());
    let cases = [
        (
            Network::Sequential(Sequential::new(in_time).unwrap()),
            Array2::from_shape_fn((40, 24), |(i, j)| number(24 * i + j)),
            Targets::Values(values, Loss::MeanSquare),
        ),
        (
            Transformer::new(16, 2, 2, 6).causal().classes(7).unwrap(),
            Array2::from_shape_fn((40, 6), |(i, j)| text(i, j) as f32),
            Targets::ClassSeries(Array2::from_shape_fn((40, 6), |(i, j)| text(i, j + 1))),
        ),
    ];
    for (network, inputs, targets) in cases {
        let new = |storage| {
            let objective = Supervised::new(network.clone(), inputs.clone(), targets.clone());
            let objective = objective.unwrap().with_activations_in(storage);
            GpuSupervised::new(&gpu, objective, 16).unwrap()
        };
        let (full, half) = (new(Storage::Full), new(Storage::Float16));
        let theta = parameters(&network);
        let samples: Vec<usize> = (0..40).collect();
        // A loss scale, as trainers have it.
        let batch = Batch { scale: 65536.0, ..Batch::new(&samples, 5) };
        let mut gradients = [vec![f32::NAN; theta.len()], vec![f32::NAN; theta.len()]];
        let [of_full, of_half] = &mut gradients;
        let expected = full.gradient(&theta, batch, of_full).unwrap();
        let found = half.gradient(&theta, batch, of_half).unwrap();
        assert_eq!(half.failure(), None);
        assert!((found - expected).abs() < 2e-3 * expected, "{found} {expected}");
        let scale = of_full.iter().fold(0f32, |a, b| a.max(b.abs()));
        let error =
            of_full.iter().zip(&*of_half).fold(0f32, |most, (a, b)| most.max((a - b).abs()));
        println!("{}: {} of the largest", network.inputs(), error / scale);
        assert!(error < 4e-3 * scale, "{error} {scale}");
        assert!(error > 1e-5 * scale, "values are not in half precision");
        let bytes = |storage| {
            GpuNetwork::with_values_in(&gpu, &network, 1000, storage).unwrap().bytes() as f64
        };
        let part = bytes(Storage::Float16) / bytes(Storage::Full);
        println!("{part} of the memory");
        assert!(part < 0.62, "{part}");
    }
    let network = dense(3, 2, Activation::Tanh);
    let error = GpuNetwork::with_values_in(&gpu, &network, 4, Storage::BFloat16).unwrap_err();
    let text = "the storage is not computed on a GPU: shaders have no bfloat16; take Float16";
    assert!(error.to_string().starts_with(text), "{error}");
}

#[test]
fn a_training_is_that_of_the_cpu() {
    let Some(gpu) = device::gpu("a_training") else { return };
    let network = Network::perceptron(&[1, 16, 1], Activation::Tanh).unwrap();
    let inputs = Array2::from_shape_fn((64, 1), |(i, _)| i as f32 / 32.0 - 1.0);
    let values = inputs.mapv(f32::abs);
    let new = || {
        let targets = Targets::Values(values.clone(), Loss::MeanSquare);
        Supervised::new(network.clone(), inputs.clone(), targets).unwrap()
    };
    let settings = || Training {
        optimiser: Optimiser::Adam(Adam::default()),
        epochs: 10,
        batch: 16,
        seed: 1,
        ..Training::default()
    };
    let go_on = |_: &Event<'_>| ControlFlow::Continue(());
    let on_cpu = new();
    let expected = Trainer::new(&on_cpu, settings()).run(go_on).unwrap();
    let on_gpu = GpuSupervised::new(&gpu, new(), 16).unwrap();
    let found = Trainer::new(&on_gpu, settings()).run(go_on).unwrap();
    for (found, expected) in found.parameters().iter().zip(expected.parameters()) {
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}

#[test]
fn a_lost_device_is_replaced_by_the_cpu() {
    let Some(gpu) = device::gpu("a_lost_device") else { return };
    let network = Network::perceptron(&[3, 20, 4], Activation::Tanh).unwrap();
    let inputs = Array2::from_shape_fn((10, 3), |(i, j)| number(3 * i + j));
    let classes = || Targets::Classes((0..10).map(|i| i * 3 % 4).collect());
    let new = || Supervised::new(network.clone(), inputs.clone(), classes()).unwrap();
    let on_gpu = GpuSupervised::new(&gpu, new(), 4).unwrap();
    let theta = parameters(&network);
    let batch = Batch::new(&[1, 2, 3], 0);
    on_gpu.loss(&theta, batch).unwrap();
    gpu.device().destroy();
    let mut gradient = vec![f32::NAN; theta.len()];
    let mut expected = gradient.clone();
    let loss = on_gpu.gradient(&theta, batch, &mut gradient).unwrap();
    assert_eq!(loss, new().gradient(&theta, batch, &mut expected).unwrap());
    assert_eq!(gradient, expected);
    assert!(on_gpu.failure().unwrap().contains("lost"), "{:?}", on_gpu.failure());
}

#[test]
fn bad_input() {
    let Some(gpu) = device::gpu("bad_input") else { return };
    let refused = |network: &Network, text: &str| {
        let error = GpuNetwork::new(&gpu, network, 4).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    };
    let order = LayerOrder::Fixed(0.5);
    let recurrent = Network::FractionalRnn(FractionalRnn::new(3, 2, 4, 0.1, order).unwrap());
    let layers = vec![dense(12, 12, Activation::Tanh), recurrent];
    let network = Network::Sequential(Sequential::new(layers).unwrap());
    refused(&network, "1.a layer is not computed on a GPU: recurrent layers are not");
    let attention = MultiHeadAttention::new(4, 2, 5).unwrap();
    let window = attention.clone().window(2).unwrap();
    let text = "MultiHeadAttention is not computed on a GPU: it has a window";
    refused(&Network::MultiHeadAttention(window), text);
    let text = "MultiHeadAttention is not computed on a GPU: it has a channel of padding";
    refused(&Network::MultiHeadAttention(attention.padded()), text);

    let network = dense(3, 2, Activation::Tanh);
    let error = GpuNetwork::new(&gpu, &network, 0).unwrap_err();
    assert_eq!(error.to_string(), "the number of samples has the size 0, expected 1");
    let error = GpuNetwork::new(&gpu, &network, 1 << 40).unwrap_err();
    assert!(
        matches!(error, GpuNetworkError::TooLarge { lanes, .. } if lanes == 1 << 40),
        "{error}"
    );
    let error = GpuNetwork::new(&gpu, &network, usize::MAX).unwrap_err();
    assert!(matches!(error, GpuNetworkError::TooLarge { .. }), "{error}");
    let scheme = FractionalScheme::CaputoL1;
    let long = FractionalDerivative::new(1, 40_000, 1.0, scheme, LayerOrder::Fixed(0.5)).unwrap();
    let text = "a step is not computed on a GPU: its loops have 80000 rounds";
    refused(&Network::FractionalDerivative(long), text);
    let on_gpu = GpuNetwork::new(&gpu, &network, 4).unwrap();
    let (theta, mut y) = ([0.0; 8], [0.0; 8]);
    let error = on_gpu.forward(&theta[..7], &[0.0; 12], &mut y).unwrap_err();
    assert_eq!(error.to_string(), "the list of parameters has the size 7, expected 8");
    let error = on_gpu.forward(&theta, &[0.0; 11], &mut y).unwrap_err();
    assert_eq!(error.to_string(), "the input has the size 11, expected 12");

    let values = Array2::zeros((4, 2));
    let huber = Targets::Values(values, Loss::Huber { delta: 1.0 });
    let objective = Supervised::new(network, Array2::zeros((4, 3)), huber).unwrap();
    let error = GpuSupervised::new(&gpu, objective, 2).unwrap_err();
    assert!(error.to_string().starts_with("the loss is not computed on a GPU"), "{error}");
}
