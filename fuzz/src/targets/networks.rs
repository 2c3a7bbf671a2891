use crate::{Bytes, Target};
use hpfracc::ndarray::Array2;
use hpfracc::nn::{Batch, Loss, Network, Objective, Shape, Supervised, Targets};

/// The first bytes are an input value and the number of samples, the others the network as JSON.
pub(super) const TARGET: Target =
    Target { name: "networks", about: "networks of any shape, from JSON, evaluated", run };

/// Maximum number of parameters and rows of a network that is evaluated.
const MAX_SIZE: usize = 20_000;

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let (first, lanes) = (bytes.real(), 1 + bytes.below(9));
    let Ok(network) = serde_json::from_slice::<Network>(bytes.rest()) else { return };
    let written = serde_json::to_string(&network).expect("a plain value");
    let read = serde_json::from_str::<Network>(&written).expect("the written JSON");
    assert_eq!(serde_json::to_string(&read).expect("a plain value"), written);
    let (inputs, outputs) = (network.inputs(), network.outputs());
    let rows = [network.parameters(), network.saved(), network.scratch(), inputs, outputs];
    if rows.iter().any(|rows| *rows > MAX_SIZE) {
        return;
    }
    let blocks: usize = network.blocks().iter().map(|block| block.len()).sum();
    assert_eq!(blocks, network.parameters(), "the sizes of the blocks");
    let x = Array2::from_shape_fn((lanes, inputs), |(i, j)| match i + j {
        0 => first,
        k => (k as f64).sin(),
    });
    let zeros = Targets::Values(Array2::zeros((lanes, outputs)), Loss::MeanSquare);
    let objective = match Supervised::new(network, x, zeros) {
        Ok(objective) => objective,
        Err(error) => return drop(error.to_string()),
    };
    let mut theta = vec![0.0; objective.parameters()];
    Objective::<f64>::initialise(&objective, 1, &mut theta);
    let samples: Vec<usize> = (0..lanes).collect();
    let mut gradient = vec![0.0; theta.len()];
    let batch = Batch::new(&samples, 1);
    drop(objective.loss(&theta, batch).map_err(|e| e.to_string()));
    drop(objective.gradient(&theta, batch, &mut gradient).map_err(|e| e.to_string()));
}
