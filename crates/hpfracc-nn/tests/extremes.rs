//! Networks that nobody means and that must not wrap around: what fuzzing has found.

use hpfracc_nn::{
    Activation, Dense, Dropout, LayerNorm, Network, NetworkError, RmsNorm, Sequential, Shape,
    Softmax,
};

const HALF: usize = isize::MAX as usize / 16;

fn too_large<L>(made: Result<L, NetworkError>) -> bool {
    matches!(made, Err(NetworkError::TooLarge { .. }))
}

/// Each layer is addressable, their composition is not.
#[test]
fn a_composition_that_is_not_addressable() {
    let dense = || Network::Dense(Dense::new(1, HALF / 2, Activation::Gelu));
    let back = || Network::Dense(Dense::new(HALF / 2, 1, Activation::Gelu));
    let layers = |pairs: usize| (0..pairs).flat_map(|_| [dense(), back()]).collect();
    let two = Sequential::<Network>::new(layers(1)).unwrap();
    assert_eq!(two.parameters(), HALF / 2 * 3 + 1);
    assert!(too_large(Sequential::<Network>::new(layers(2))));
    assert!(too_large(Sequential::<Network>::new(layers(20))));
    let soft = vec![Softmax::new(HALF).unwrap(); 5];
    assert!(too_large(Sequential::new(soft)));
}

#[test]
fn a_layer_that_is_not_addressable() {
    for features in [usize::MAX, isize::MAX as usize, usize::MAX / 8 + 1] {
        assert!(too_large(Softmax::new(features)));
        assert!(too_large(Dropout::new(features, 0.5, 0)));
        assert!(too_large(LayerNorm::new(features)));
        assert!(too_large(RmsNorm::new(features)));
        let text =
            format!(r#"{{"residual": {{"inner": {{"layer-norm": {{"features": {features}}}}}}}}}"#);
        let error = serde_json::from_str::<Network>(&text).unwrap_err().to_string();
        assert!(error.contains("LayerNorm: more rows"), "{error}");
    }
}
