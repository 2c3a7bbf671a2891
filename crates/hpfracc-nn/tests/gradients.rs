//! Products with transposed Jacobians against differences, for every parameter and every input.

#[path = "gradients/fractional.rs"]
mod fractional;

use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Activation, Backward, Conv1d, Conv1dConfig, Dense, Dropout, EachTime, Forward, Layer,
    LayerNorm, MultiHeadAttention, Network, Padding, Pass, Residual, RmsNorm, Rotary, Sequential,
    Shape, Softmax, SwiGlu, Tape, Times, Transformer,
};
use hpfracc_sde::noise::Normals;

/// The derivative of `sum c y` along each parameter and each input by differences of fourth order.
fn check(name: &str, layer: &dyn Layer<f64>, lanes: usize) {
    check_in(Case::default(), name, layer, lanes);
}

#[derive(Default)]
struct Case<'a> {
    pass: Pass,
    /// Blocks of parameters that no output depends on; of all others some gradient is not zero.
    unfelt: &'a [&'a str],
    /// Rows at the end of what is saved that the layer has not asked for.
    spare: usize,
}

fn check_in(case: Case<'_>, name: &str, layer: &dyn Layer<f64>, lanes: usize) {
    let Case { pass, unfelt, spare } = case;
    let normals = Normals::new(3);
    let mut theta = vec![0.0; layer.parameters()];
    layer.initialise(&normals, 0, &mut theta);
    let blocks: usize = layer.blocks().iter().map(hpfracc_nn::Block::len).sum();
    assert_eq!(blocks, theta.len(), "{name}");
    let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
    theta.iter_mut().enumerate().for_each(|(i, w)| *w += 0.1 * number(i));
    let mut x: Vec<f64> = (0..layer.inputs() * lanes).map(|i| 2.0 * number(i + 5)).collect();
    let c: Vec<f64> = (0..layer.outputs() * lanes).map(|i| number(i + 77)).collect();
    let mut saved = vec![f64::NAN; (layer.saved() + spare) * lanes];
    let mut y = vec![0.0; c.len()];
    let mut loss = |theta: &[f64], x: &[f64]| {
        let (saved, out) = (RowsMut::new(&mut saved, lanes), RowsMut::new(&mut y, lanes));
        layer.forward(Forward { pass, theta, x: Rows::new(x, lanes), saved, y: out });
        y.iter().zip(&c).map(|(y, c)| y * c).sum::<f64>()
    };
    // Small enough that no sum crosses the kink of relu.
    let h = 1e-5;
    let slope = |at: &mut dyn FnMut(f64) -> f64| {
        (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
    };
    let mut expected = Vec::new();
    for i in 0..theta.len() {
        let before = theta[i];
        expected.push(slope(&mut |d| {
            theta[i] = before + d;
            loss(&theta, &x)
        }));
        theta[i] = before;
    }
    for i in 0..x.len() {
        let before = x[i];
        expected.push(slope(&mut |d| {
            x[i] = before + d;
            loss(&theta, &x)
        }));
        x[i] = before;
    }
    let mut rest = &expected[..theta.len()];
    for block in layer.blocks() {
        let (own, after) = rest.split_at(block.len());
        rest = after;
        let felt = own.iter().any(|slope| slope.abs() > 1e-6);
        assert!(
            felt || unfelt.contains(&&*block.name),
            "{name}: no output depends on {}",
            block.name
        );
    }
    loss(&theta, &x);
    let (mut ybar, mut xbar, mut thetabar) =
        (c.clone(), vec![1.0; x.len()], vec![2.0; theta.len()]);
    let mut scratch = vec![f64::NAN; layer.scratch() * lanes];
    let tape =
        Tape { x: Rows::new(&x, lanes), saved: Rows::new(&saved, lanes), y: Rows::new(&y, lanes) };
    layer.vjp(Backward {
        theta: &theta,
        tape,
        ybar: RowsMut::new(&mut ybar, lanes),
        xbar: Some(RowsMut::new(&mut xbar, lanes)),
        thetabar: &mut thetabar,
        scratch: RowsMut::new(&mut scratch, lanes),
    });
    // Both gradients are added to the present values.
    let found = thetabar.iter().map(|b| b - 2.0).chain(xbar.iter().map(|b| b - 1.0));
    let scale = expected.iter().fold(1.0f64, |a, b| a.max(b.abs()));
    for (i, (found, expected)) in found.zip(&expected).enumerate() {
        assert!((found - expected).abs() < 1e-7 * scale, "{name} {i}: {found} {expected}");
    }
    // The same without a gradient with respect to the inputs.
    let mut again = vec![2.0; theta.len()];
    ybar.copy_from_slice(&c);
    layer.vjp(Backward {
        theta: &theta,
        tape,
        ybar: RowsMut::new(&mut ybar, lanes),
        xbar: None,
        thetabar: &mut again,
        scratch: RowsMut::new(&mut scratch, lanes),
    });
    assert_eq!(again, thetabar, "{name}");
}

const ACTIVATIONS: [Activation; 8] = [
    Activation::Identity,
    Activation::Relu,
    Activation::Tanh,
    Activation::Sigmoid,
    Activation::Softplus,
    Activation::Silu,
    Activation::Gelu,
    Activation::GeluTanh,
];

#[test]
fn attention() {
    let at = |times| Rotary { times, unit: 0.5, base: 30.0 };
    let plain = |features, heads, length| MultiHeadAttention::new(features, heads, length).unwrap();
    let given = Times::Given(vec![0.0, 0.3, 1.1, 1.2, 2.7]);
    let cases = [
        (plain(2, 1, 1), 3),
        (plain(6, 3, 4).causal(), 1),
        (plain(4, 2, 5).window(2).unwrap().rotary(at(given)).unwrap(), 2),
        (plain(4, 1, 3).padded().rotary(at(Times::Channel)).unwrap(), 18),
        (plain(8, 2, 3).padded().causal().rotary(at(Times::Steps)).unwrap(), 2),
        (plain(4, 2, 70).rotary(at(Times::Channel)).unwrap(), 1),
    ];
    for (layer, lanes) in cases {
        // Scores of a query all move alike with the keys' bias, unless keys are turned by their
        // times; one key alone has the weight 1 whatever its score is.
        let alone = layer.inputs() == 2;
        let turned = format!("{layer:?}").contains("rotary: Some");
        let unfelt: &[&str] = match (alone, turned) {
            (true, _) => &["query.weight", "query.bias", "key.weight", "key.bias"],
            (false, true) => &[],
            (false, false) => &["key.bias"],
        };
        let case = Case { unfelt, ..Case::default() };
        check_in(case, &format!("{layer:?} {lanes}"), &layer, lanes);
    }
}

#[test]
fn dense() {
    for activation in ACTIVATIONS {
        for (inputs, outputs, lanes) in [(3, 2, 5), (9, 17, 1), (4, 4, 33)] {
            let layer = Dense::new(inputs, outputs, activation);
            check(&format!("{activation:?} {inputs} {outputs} {lanes}"), &layer, lanes);
        }
    }
}

#[test]
fn sequential() {
    for inner in ACTIVATIONS {
        let layers: Vec<Box<dyn Layer<f64>>> = vec![
            Box::new(Dense::new(3, 7, inner)),
            Box::new(Dense::new(7, 5, Activation::Gelu)),
            Box::new(Dense::new(5, 9, inner)),
            Box::new(Dense::new(9, 2, Activation::Identity)),
        ];
        let layer = Sequential::new(layers).unwrap();
        check(&format!("{inner:?}"), &layer, 6);
        check_in(Case { spare: 2, ..Case::default() }, &format!("{inner:?}, spare"), &layer, 6);
    }
}

#[test]
fn normalisations() {
    for (features, lanes) in [(2, 3), (9, 64), (4, 150)] {
        check("layer norm", &LayerNorm::new(features).unwrap(), lanes);
        check("rms norm", &RmsNorm::new(features).unwrap(), lanes);
    }
}

#[test]
fn residual() {
    let layers = vec![
        Network::LayerNorm(LayerNorm::new(4).unwrap()),
        Network::Dense(Dense::new(4, 6, Activation::Silu)),
        Network::Dense(Dense::new(6, 4, Activation::Tanh)),
    ];
    let inner = Network::Sequential(Sequential::new(layers).unwrap());
    let outer = vec![
        Network::Residual(Box::new(Residual::new(inner).unwrap())),
        Network::RmsNorm(RmsNorm::new(4).unwrap()),
        Network::Dense(Dense::new(4, 1, Activation::Identity)),
    ];
    check("residual", &Sequential::new(outer).unwrap(), 7);
    let layer = Residual::new(SwiGlu::new(3, 3).unwrap()).unwrap();
    check_in(Case { spare: 2, ..Case::default() }, "spare", &layer, 7);
}

#[test]
fn gated() {
    for (inputs, outputs, lanes) in [(3, 2, 5), (9, 17, 1), (4, 4, 33)] {
        let layer = SwiGlu::new(inputs, outputs).unwrap();
        check(&format!("swiglu {inputs} {outputs} {lanes}"), &layer, lanes);
    }
}

#[test]
fn softmax() {
    for (features, lanes) in [(1, 2), (5, 3), (3, 130)] {
        check("softmax", &Softmax::new(features).unwrap(), lanes);
    }
}

#[test]
fn dropout() {
    let pass = Pass::Train { draw: 3, first_sample: 11 };
    let layers: Vec<Box<dyn Layer<f64>>> = vec![
        Box::new(Dense::new(3, 9, Activation::Tanh)),
        Box::new(Dropout::new(9, 0.4, 1).unwrap()),
        Box::new(Dense::new(9, 2, Activation::Identity)),
    ];
    let layer = Sequential::new(layers).unwrap();
    check_in(Case { pass, ..Case::default() }, "dropout", &layer, 7);
    check("no dropout", &layer, 7);
}

#[test]
fn convolution() {
    let paddings = [Padding::Zeros(0), Padding::Zeros(2), Padding::Causal, Padding::Same];
    for padding in paddings {
        for (stride, dilation) in [(1, 1), (2, 1), (1, 3), (2, 3), (3, 2), (4, 1)] {
            for (activation, lanes) in [(Activation::Tanh, 1), (Activation::Silu, 3)] {
                let config = Conv1dConfig {
                    stride,
                    dilation,
                    padding,
                    activation,
                    ..Conv1dConfig::new(2, 9, 3, 3)
                };
                let name = format!("{config:?}");
                check(&name, &Conv1d::new(config).unwrap(), lanes);
            }
        }
    }
}

#[test]
fn layers_at_each_time() {
    let inner = vec![
        Network::Dense(Dense::new(3, 4, Activation::Silu)),
        Network::RmsNorm(RmsNorm::new(4).unwrap()),
        Network::SwiGlu(SwiGlu::new(4, 2).unwrap()),
    ];
    let layer = EachTime::new(5, Sequential::new(inner).unwrap()).unwrap();
    check("each time", &layer, 3);
    let dropout = EachTime::new(4, Dropout::new(3, 0.4, 1).unwrap()).unwrap();
    let pass = Pass::Train { draw: 3, first_sample: 8 };
    check_in(Case { pass, ..Case::default() }, "dropout at each time", &dropout, 2);
}

#[test]
fn transformers() {
    let small = Transformer { hidden: 6, ..Transformer::new(4, 2, 2, 3) };
    check("encoder of series", &small.series(2, 1).unwrap(), 2);
    check("decoder of series", &small.causal().series(1, 3).unwrap(), 2);
}
