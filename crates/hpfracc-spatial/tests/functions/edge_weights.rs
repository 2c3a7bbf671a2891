use crate::operators::numbers;
use hpfracc_spatial::{
    Function, Graph, GraphLaplacian, Normalisation, OperatorFunction, SpatialError,
    SpatialOperator, Way, edge_weight_gradient, remove_null_space,
};

const ALL: [Normalisation; 3] =
    [Normalisation::Combinatorial, Normalisation::Symmetric, Normalisation::RandomWalk];

/// A weighted graph with a loop.
fn edges() -> Vec<(u32, u32, f64)> {
    let graph = Graph::small_world(12, 2, 0.3, 5).unwrap();
    let weight = |k: usize| 1.0 + 0.5 * (k as f64 * 1.1).sin();
    let mut edges: Vec<_> =
        graph.edges().enumerate().map(|(k, (i, j, _))| (i as u32, j as u32, weight(k))).collect();
    edges.push((3, 3, 0.8));
    edges
}

fn laplacian(edges: &[(u32, u32, f64)], normalisation: Normalisation) -> GraphLaplacian {
    GraphLaplacian::new(&Graph::undirected(12, edges).unwrap(), normalisation).unwrap()
}

/// Loss by the dense matrix.
fn loss(a: &GraphLaplacian, function: Function, x: &[f64], ybar: &[f64]) -> f64 {
    let f = OperatorFunction::new(a, function, Way::Dense, 1e-12).unwrap();
    let mut y = vec![0.0; a.len()];
    f.apply(x, &mut y).unwrap();
    y.iter().zip(ybar).map(|(y, b)| y * b).sum()
}

fn check(function: Function, way: Way, normalisation: Normalisation, x: &[f64], ybar: &[f64]) {
    let list = edges();
    let a = laplacian(&list, normalisation);
    let gradient = edge_weight_gradient(&a, function, way, 1e-12, x, ybar).unwrap();
    assert_eq!(gradient.len(), list.len() - 1);
    let size = gradient.iter().fold(0.0, |m: f64, g| m.max(g.abs()));
    let h = 1e-3;
    for e in 0..gradient.len() {
        let at = [-2.0, -1.0, 1.0, 2.0].map(|k| {
            let mut moved = list.clone();
            moved[e].2 += k * h;
            loss(&laplacian(&moved, normalisation), function, x, ybar)
        });
        let difference = (at[0] - 8.0 * at[1] + 8.0 * at[2] - at[3]) / (12.0 * h);
        let error = (gradient[e] - difference).abs() / size;
        assert!(error < 1e-8, "{function} {way:?} {normalisation:?} {e}: {error:.1e}");
    }
}

#[test]
fn gradients_agree_with_differences() {
    let (x, ybar) = (numbers(12, 0.3), numbers(12, 0.9));
    for normalisation in ALL {
        for (function, way) in [
            (Function::Power(0.5), Way::Rational),
            (Function::Power(1.6), Way::Auto),
            (Function::Power(2.0), Way::Chebyshev),
            (Function::Power(1.0), Way::Auto),
            (Function::Exponential { t: 0.8 }, Way::Auto),
            (Function::MittagLeffler { alpha: 0.6, t: 0.5 }, Way::Chebyshev),
        ] {
            check(function, way, normalisation, &x, &ybar);
        }
    }
}

#[test]
fn gradients_of_negative_powers_agree_with_differences() {
    let a = laplacian(&edges(), Normalisation::Combinatorial);
    let (mut x, ybar) = (numbers(12, 0.3), numbers(12, 0.9));
    remove_null_space(&a, &mut x).unwrap();
    for s in [-0.5, -1.5] {
        check(Function::Power(s), Way::Rational, Normalisation::Combinatorial, &x, &ybar);
    }
}

#[test]
fn gradients_that_are_not_defined_are_refused() {
    let x = numbers(12, 0.3);
    let request = |normalisation, function, way| {
        let a = laplacian(&edges(), normalisation);
        edge_weight_gradient(&a, function, way, 1e-9, &x, &x).unwrap_err()
    };
    let error = request(Normalisation::Symmetric, Function::Power(-0.5), Way::Auto);
    assert!(matches!(error, SpatialError::Unsupported { .. }));
    let error = request(Normalisation::Combinatorial, Function::Power(-0.5), Way::Auto);
    assert!(matches!(error, SpatialError::NotOrthogonal { component: 0, .. }));
    let error = request(Normalisation::Combinatorial, Function::Power(0.5), Way::Lanczos);
    assert!(matches!(error, SpatialError::Unsupported { .. }));
    let a = laplacian(&edges(), Normalisation::Combinatorial);
    let function = Function::Power(0.5);
    assert!(edge_weight_gradient(&a, function, Way::Auto, 1e-9, &x[1..], &x).is_err());
    assert!(edge_weight_gradient(&a, function, Way::Auto, 2.0, &x, &x).is_err());
}
