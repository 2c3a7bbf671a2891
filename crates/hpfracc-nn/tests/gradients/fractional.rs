//! Layers with a memory in time.

use super::{Case, check, check_in};
use hpfracc_backend::Reference;
use hpfracc_nn::{
    Activation, FractionalConv1d, FractionalDense, FractionalDerivative, FractionalRnn,
    FractionalScheme, Layer, LayerOrder, OperatorLayer, States,
};
use hpfracc_operators::Riesz;
use hpfracc_types::{Grid, Order};

const LEARNED: LayerOrder = LayerOrder::Learnable { lower: 0.05, upper: 0.95, start: 0.6 };
const EACH: LayerOrder = LayerOrder::LearnableEach { lower: 0.05, upper: 0.95, start: 0.3 };
const LENGTHS: [usize; 4] = [1, 2, 7, 64];

/// Lanes for a length: differences take as many passes as there are inputs.
fn lanes_of(length: usize) -> Vec<usize> {
    if length < 64 { vec![1, 3, 33] } else { vec![2] }
}

/// A series of one time has no past: what acts on it may be felt nowhere.
fn check_series(length: usize, name: &str, layer: &dyn Layer<f64>, lanes: usize) {
    let blocks: Vec<String> = layer.blocks().into_iter().map(|block| block.name).collect();
    let unfelt: Vec<&str> = blocks.iter().filter(|_| length == 1).map(String::as_str).collect();
    check_in(Case { unfelt: &unfelt, ..Case::default() }, name, layer, lanes);
}

#[test]
fn fractional_derivative() {
    use FractionalScheme::{CaputoL1, GrunwaldLetnikov, IntegralTrapezoid};
    for length in LENGTHS {
        for lanes in lanes_of(length) {
            for scheme in [GrunwaldLetnikov, CaputoL1, IntegralTrapezoid] {
                for order in [LayerOrder::Fixed(0.4), LEARNED, EACH] {
                    let channels = if order == EACH { 2 } else { 1 };
                    let layer =
                        FractionalDerivative::new(channels, length, 0.3, scheme, order).unwrap();
                    check_series(
                        length,
                        &format!("{scheme:?} {order:?} {length} {lanes}"),
                        &layer,
                        lanes,
                    );
                }
            }
        }
    }
    let layer = FractionalDerivative::new(1, 64, 0.3, CaputoL1, LEARNED).unwrap();
    check("64 times, 33 lanes", &layer, 33);
}

#[test]
fn fractional_dense() {
    for length in LENGTHS {
        for lanes in lanes_of(length) {
            for (order, activation) in [
                (LayerOrder::Fixed(0.4), Activation::Tanh),
                (LEARNED, Activation::Gelu),
                (EACH, Activation::Softplus),
            ] {
                let scheme = FractionalScheme::CaputoL1;
                let derivative = FractionalDerivative::new(2, length, 0.3, scheme, order).unwrap();
                let layer = FractionalDense::new(derivative, 3, activation);
                check_series(length, &format!("{order:?} {length} {lanes}"), &layer, lanes);
            }
        }
    }
}

#[test]
fn fractional_conv1d() {
    for length in LENGTHS {
        for lanes in lanes_of(length) {
            for (order, taps) in [(LayerOrder::Fixed(0.4), 1), (LEARNED, 5), (EACH, 16)] {
                let layer = FractionalConv1d::new(2, 3, length, taps, order).unwrap();
                let layer = layer.activated(Activation::Silu);
                check_series(length, &format!("{order:?} {length} {taps} {lanes}"), &layer, lanes);
            }
        }
    }
}

#[test]
fn fractional_rnn() {
    for length in LENGTHS {
        for lanes in lanes_of(length) {
            for (order, activation, states) in [
                (LayerOrder::Fixed(0.4), Activation::Tanh, States::All),
                (LEARNED, Activation::Tanh, States::Last),
                (EACH, Activation::Gelu, States::All),
                (LEARNED, Activation::Silu, States::Last),
            ] {
                let layer = FractionalRnn::new(1, 2, length, 0.3, order).unwrap();
                let layer = layer.activated(activation).returning(states);
                check_series(
                    length,
                    &format!("{order:?} {activation:?} {states:?} {length} {lanes}"),
                    &layer,
                    lanes,
                );
            }
        }
    }
}

#[test]
fn operator_layer() {
    for length in [2, 7, 64] {
        for lanes in [1, 3] {
            let grid = Grid::uniform(length, 0.3).unwrap();
            let order = Order::new(1.3).unwrap();
            let riesz = Riesz::ortigueira(order).unwrap();
            let layer = OperatorLayer::new(riesz, 2, grid, &Reference).unwrap();
            check(&format!("{length} {lanes}"), &layer, lanes);
        }
    }
}
