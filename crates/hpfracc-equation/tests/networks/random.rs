//! Networks with weights of a simple generator.

use hpfracc_equation::{Activation, Affine, Network};

/// Number from -1 to 1 that is not exact in single precision.
pub(crate) fn number(seed: u64) -> f64 {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ mixed >> 32) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Network of these widths, the inputs first, with an activation in all layers but the last.
pub(crate) fn network(widths: &[usize], activation: Activation, seed: u64) -> Network {
    let count = widths.len() - 1;
    let layers = (0..count).map(|k| {
        let (inputs, outputs) = (widths[k], widths[k + 1]);
        let scale = (3.0 / inputs as f64).sqrt();
        let at = |position: usize| number(seed << 32 ^ (k as u64) << 24 ^ position as u64);
        let weights = (0..inputs * outputs).map(|position| scale * at(position)).collect();
        let bias = (0..outputs).map(|row| 0.5 * at(inputs * outputs + row)).collect();
        let activation = if k + 1 == count { Activation::Identity } else { activation };
        (Affine::new(inputs, weights, bias).unwrap(), activation)
    });
    Network::new(layers.collect()).unwrap()
}

/// The network by plain loops.
pub(crate) fn forward(network: &Network, x: &[f64]) -> Vec<f64> {
    network.layers().iter().fold(x.to_vec(), |x, (map, activation)| {
        let row = |i: usize| {
            let products = x.iter().enumerate().map(|(j, x)| map.weight(i, j) * x);
            of(*activation, products.sum::<f64>() + map.bias(i))
        };
        (0..map.outputs()).map(row).collect()
    })
}

fn of(activation: Activation, x: f64) -> f64 {
    let logistic = 1.0 / (1.0 + (-x).exp());
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.max(0.0),
        Activation::Tanh => x.tanh(),
        Activation::Sigmoid => logistic,
        Activation::Softplus => x.exp().ln_1p(),
        Activation::Silu => x * logistic,
        Activation::Gelu => 0.5 * x * hpfracc_special::erfc(-x / 2f64.sqrt()),
        Activation::GeluTanh => {
            let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3));
            0.5 * x * (1.0 + inner.tanh())
        }
    }
}
