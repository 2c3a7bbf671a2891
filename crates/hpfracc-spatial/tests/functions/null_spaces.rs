use crate::operators::{distance, norm, numbers};
use hpfracc_spatial::{
    Function, Graph, GraphLaplacian, Normalisation, OperatorFunction, SpatialError,
    SpatialOperator, Way, remove_null_space,
};

const WAYS: [Way; 4] = [Way::Dense, Way::Lanczos, Way::Rational, Way::Sinc];

/// Two rings and an isolated node.
fn graph() -> Graph {
    let ring = |from: u32, n: u32| (0..n).map(move |i| (from + i, from + (i + 1) % n, 1.0));
    let edges: Vec<_> = ring(0, 8).chain(ring(8, 5)).collect();
    Graph::undirected(14, &edges).unwrap()
}

#[test]
fn small_powers_do_not_see_rounded_zeros() {
    for normalisation in
        [Normalisation::Combinatorial, Normalisation::Symmetric, Normalisation::RandomWalk]
    {
        let a = GraphLaplacian::new(&graph(), normalisation).unwrap();
        // The null vectors themselves are mapped to 0, also by A^0.05.
        let x = match normalisation {
            Normalisation::Symmetric => a.degrees().iter().map(|d| d.sqrt()).collect(),
            _ => vec![1.0; 14],
        };
        for way in WAYS {
            let f = OperatorFunction::new(&a, Function::Power(0.05), way, 1e-6).unwrap();
            let mut y = vec![1.0; 14];
            f.apply(&x, &mut y).unwrap();
            assert!(norm(&y) < 1e-14, "{normalisation:?} {way:?}: {:.1e}", norm(&y));
        }
    }
}

#[test]
fn negative_powers_need_orthogonal_vectors() {
    for normalisation in
        [Normalisation::Combinatorial, Normalisation::Symmetric, Normalisation::RandomWalk]
    {
        let a = GraphLaplacian::new(&graph(), normalisation).unwrap();
        for way in WAYS {
            let f = OperatorFunction::new(&a, Function::Power(-0.5), way, 1e-9).unwrap();
            let mut x = numbers(14, 0.3);
            remove_null_space(&a, &mut x).unwrap();
            let (mut y, mut z, mut ax) = (vec![0.0; 14], vec![0.0; 14], vec![0.0; 14]);
            f.apply(&x, &mut y).unwrap();
            f.apply(&y, &mut z).unwrap();
            a.apply(&z, &mut ax);
            assert!(distance(&ax, &x) < 1e-8 * norm(&x), "{normalisation:?} {way:?}");
            x[9] += 0.1;
            match f.apply(&x, &mut y) {
                Err(SpatialError::NotOrthogonal { component: 1, part }) => assert!(part > 0.01),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn power_zero_is_the_identity() {
    let a = GraphLaplacian::normalised(&graph()).unwrap();
    let x = numbers(14, 0.7);
    for way in WAYS {
        let f = OperatorFunction::new(&a, Function::Power(0.0), way, 1e-9).unwrap();
        let mut y = vec![0.0; 14];
        f.apply(&x, &mut y).unwrap();
        assert!(distance(&x, &y) < 1e-14);
    }
}

#[test]
fn relaxation_conserves_each_component() {
    let a = GraphLaplacian::combinatorial(&graph()).unwrap();
    let x = numbers(14, 0.2);
    let function = Function::MittagLeffler { alpha: 0.7, t: 3.0 };
    for way in [Way::Dense, Way::Contour, Way::Chebyshev, Way::Lanczos] {
        let f = OperatorFunction::new(&a, function, way, 1e-11).unwrap();
        let mut y = vec![0.0; 14];
        f.apply(&x, &mut y).unwrap();
        for nodes in [0..8, 8..13, 13..14] {
            let sums = [&x, &y].map(|x| x[nodes.clone()].iter().sum::<f64>());
            assert!((sums[0] - sums[1]).abs() < 1e-10, "{way:?}");
        }
    }
}
