//! Products with transposed Jacobians against differences, for every parameter and every input.

#[path = "gradients/fractional.rs"]
mod fractional;

use hpfracc_nn::{
    Activation, Dense, Layer, LayerNorm, Network, Pass, Residual, RmsNorm, Sequential, Tape,
};
use hpfracc_solvers::noise::{Normals, Rows, RowsMut};

/// The derivative of `sum c y` along each parameter and each input by differences of fourth order.
fn check(name: &str, layer: &dyn Layer<f64>, lanes: usize) {
    let normals = Normals::new(3);
    let mut theta = vec![0.0; layer.parameters()];
    layer.initialise(&normals, 0, &mut theta);
    let blocks: usize = layer.blocks().iter().map(hpfracc_nn::Block::len).sum();
    assert_eq!(blocks, theta.len(), "{name}");
    let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
    theta.iter_mut().enumerate().for_each(|(i, w)| *w += 0.1 * number(i));
    let mut x: Vec<f64> = (0..layer.inputs() * lanes).map(|i| 2.0 * number(i + 5)).collect();
    let c: Vec<f64> = (0..layer.outputs() * lanes).map(|i| number(i + 77)).collect();
    let mut kept = vec![0.0; layer.kept() * lanes];
    let mut y = vec![0.0; c.len()];
    let mut loss = |theta: &[f64], x: &[f64]| {
        let (kept, out) = (RowsMut::new(&mut kept, lanes), RowsMut::new(&mut y, lanes));
        layer.forward(Pass::Evaluate, theta, Rows::new(x, lanes), kept, out);
        y.iter().zip(&c).map(|(y, c)| y * c).sum::<f64>()
    };
    // So small that no sum comes to the kink of relu.
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
    loss(&theta, &x);
    let (mut ybar, mut xbar, mut thetabar) =
        (c.clone(), vec![1.0; x.len()], vec![2.0; theta.len()]);
    let mut scratch = vec![f64::NAN; layer.scratch() * lanes];
    let tape =
        Tape { x: Rows::new(&x, lanes), kept: Rows::new(&kept, lanes), y: Rows::new(&y, lanes) };
    layer.vjp(
        &theta,
        tape,
        RowsMut::new(&mut ybar, lanes),
        Some(RowsMut::new(&mut xbar, lanes)),
        &mut thetabar,
        RowsMut::new(&mut scratch, lanes),
    );
    // Both are added to what is there.
    let found = thetabar.iter().map(|b| b - 2.0).chain(xbar.iter().map(|b| b - 1.0));
    let scale = expected.iter().fold(1.0f64, |a, b| a.max(b.abs()));
    for (i, (found, expected)) in found.zip(&expected).enumerate() {
        assert!((found - expected).abs() < 1e-7 * scale, "{name} {i}: {found} {expected}");
    }
    // The same without the inputs' share.
    let mut again = vec![2.0; theta.len()];
    let (out, work) = (RowsMut::new(&mut ybar, lanes), RowsMut::new(&mut scratch, lanes));
    let mut out = out;
    out.as_mut_slice().copy_from_slice(&c);
    layer.vjp(&theta, tape, out, None, &mut again, work);
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
        check(&format!("{inner:?}"), &Sequential::new(layers).unwrap(), 6);
    }
}

#[test]
fn normalisations() {
    for (features, lanes) in [(2, 3), (9, 64), (4, 130)] {
        check("layer norm", &LayerNorm::new(features), lanes);
        check("rms norm", &RmsNorm::new(features), lanes);
    }
}

#[test]
fn residual() {
    let layers = vec![
        Network::LayerNorm(LayerNorm::new(4)),
        Network::Dense(Dense::new(4, 6, Activation::Silu)),
        Network::Dense(Dense::new(6, 4, Activation::Tanh)),
    ];
    let inner = Network::Sequential(Sequential::new(layers).unwrap());
    let outer = vec![
        Network::Residual(Box::new(Residual::new(inner).unwrap())),
        Network::RmsNorm(RmsNorm::new(4)),
        Network::Dense(Dense::new(4, 1, Activation::Identity)),
    ];
    check("residual", &Sequential::new(outer).unwrap(), 7);
}
