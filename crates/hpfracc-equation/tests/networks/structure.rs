//! What the structure of networks tells.

use crate::random::network;
use hpfracc_equation::structure::{coefficients, dependencies, fingerprint};
use hpfracc_equation::{
    Activation, Affine, Diagram, Graph, Id, Input, Network, NetworkError, Program,
};

#[test]
fn dependencies_and_fingerprints() {
    let fingerprints: Vec<u64> = [1, 1, 2]
        .into_iter()
        .map(|seed| {
            let mut graph = Graph::new();
            // Another order of the nodes, and another map before, change nothing.
            let other = Affine::new(1, vec![2.0], vec![1.0]).unwrap();
            let y = graph.variable(5);
            graph.affine(&other, &[y]);
            let x = graph.variable(3);
            let roots = graph.network(&network(&[2, 4, 2], Activation::Tanh, seed), &[y, x]);
            assert_eq!(dependencies(&graph, &roots), [vec![3, 5], vec![3, 5]]);
            fingerprint(&graph, &roots)
        })
        .collect();
    assert_eq!(fingerprints[0], fingerprints[1]);
    assert_ne!(fingerprints[0], fingerprints[2]);
}

#[test]
fn affine_maps_are_linear() {
    let map = Affine::new(2, vec![1.0, 2.0, 3.0, 4.0], vec![5.0, 6.0]).unwrap();
    let mut graph = Graph::new();
    let (x, y) = (graph.variable(0), graph.variable(1));
    let root = graph.affine(&map, &[x, y])[1];
    let linear = coefficients(&mut graph, root, &[0, 1]).unwrap();
    let value = |id: Id| graph.node(id).as_constant();
    assert_eq!(value(linear.constant), Some(6.0));
    assert_eq!(
        linear.coefficients.iter().map(|id| value(*id)).collect::<Vec<_>>(),
        [Some(3.0), Some(4.0)]
    );
}

#[test]
fn graphs_with_networks_are_copied() {
    let network = network(&[2, 3, 2], Activation::Silu, 6);
    let mut graph = Graph::new();
    let inputs = [graph.variable(0), graph.variable(1)];
    let roots = graph.network(&network, &inputs);
    let mut other = Graph::new();
    let z = other.variable(9);
    other.affine(&Affine::new(1, vec![1.0], vec![0.0]).unwrap(), &[z]);
    let copies = other.import(&graph, &roots);
    assert_eq!(fingerprint(&graph, &roots), fingerprint(&other, &copies));
    let text = Diagram::new(&graph, &[("f", roots[0])], |k| k.to_string()).dot();
    assert!(text.contains("layer 2 row 1"), "{text}");
}

#[test]
fn numbers_that_are_no_network() {
    let message = |result: Result<Affine, NetworkError>| result.unwrap_err().to_string();
    assert_eq!(
        message(Affine::new(2, vec![1.0; 3], vec![0.0; 2])),
        "a layer has 3 weights, expected one for each of 2 inputs and 2 outputs"
    );
    assert_eq!(
        message(Affine::new(0, vec![], vec![0.0])),
        "a layer has 0 inputs and 1 outputs, expected at least 1 of each"
    );
    assert_eq!(
        message(Affine::new(1, vec![1.0, f64::NAN], vec![0.0; 2])),
        "weight 1 (counted from 0) is NaN, expected a finite number"
    );
    assert_eq!(
        message(Affine::new(1, vec![1.0], vec![f64::INFINITY])),
        "bias 0 (counted from 0) is inf, expected a finite number"
    );
    let map = || Affine::new(1, vec![1.0; 2], vec![0.0; 2]).unwrap();
    let layers = vec![(map(), Activation::Tanh), (map(), Activation::Tanh)];
    assert_eq!(
        Network::new(layers).unwrap_err().to_string(),
        "layer 2 (counted from 1) has 1 inputs, expected 2, the outputs of the layer before"
    );
    assert_eq!(Network::new(vec![]).unwrap_err().to_string(), "the network has no layers");
}

/// One instruction for each layer, and one for each activation.
#[test]
fn wide_layers_are_single_instructions() {
    let network = network(&[256, 256, 256, 3], Activation::Tanh, 8);
    let mut graph = Graph::new();
    let x: Vec<Id> = (0..256).map(|k| graph.variable(k)).collect();
    let roots = graph.network(&network, &x);
    let inputs: Vec<Input> = (0..256).map(Input::Row).collect();
    let program = Program::<f64>::new(&graph, &roots, &inputs).unwrap();
    assert_eq!(program.instructions(), 3 + 2 * 256);
    assert!(program.scratch_rows() <= 512);
}
