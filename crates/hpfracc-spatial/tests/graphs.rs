//! Graphs, their Laplacians, and walks.

use hpfracc_spatial::{
    FractionalWalk, Graph, GraphLaplacian, Normalisation, NullSpace, SpatialError, SpatialOperator,
    Way,
};

const ALL: [Normalisation; 3] =
    [Normalisation::Combinatorial, Normalisation::Symmetric, Normalisation::RandomWalk];

/// Two components, a loop, a duplicate, an isolated node.
fn sample() -> Graph {
    let edges = [
        (0, 1, 1.0),
        (1, 2, 0.5),
        (2, 0, 2.0),
        (2, 1, 0.25),
        (3, 4, 1.5),
        (4, 4, 0.75),
        (3, 0, 0.0),
    ];
    Graph::undirected(6, &edges).unwrap()
}

fn numbers(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| ((i as f64 + 1.3) * (seed + 1.7)).sin()).collect()
}

/// Definition with dense matrices: D - W, scaled by the degrees with loops.
fn dense(graph: &Graph, normalisation: Normalisation, loops: &[f64]) -> Vec<Vec<f64>> {
    let n = graph.nodes();
    let mut matrix = vec![vec![0.0; n]; n];
    for (i, j, w) in graph.edges() {
        matrix[i][j] -= w;
        matrix[j][i] -= w;
        matrix[i][i] += w;
        matrix[j][j] += w;
    }
    let degree: Vec<f64> = (0..n).map(|i| matrix[i][i] + loops[i]).collect();
    for i in 0..n {
        for j in 0..n {
            let scale = match normalisation {
                Normalisation::Combinatorial => 1.0,
                Normalisation::Symmetric => (degree[i] * degree[j]).sqrt(),
                Normalisation::RandomWalk => degree[i],
            };
            if matrix[i][j] != 0.0 {
                matrix[i][j] /= scale;
            }
        }
    }
    matrix
}

#[test]
fn edges_are_merged_and_counted() {
    let graph = sample();
    let report = graph.report();
    assert_eq!((report.duplicates, report.loops), (1, 1));
    assert_eq!((report.zero_weights, report.isolated), (1, 1));
    assert_eq!(graph.neighbours(2).collect::<Vec<_>>(), [(0, 2.0), (1, 0.75)]);
    let edges: Vec<_> = graph.edges().collect();
    assert_eq!(edges, [(0, 1, 1.0), (0, 2, 2.0), (1, 2, 0.75), (3, 4, 1.5)]);
    assert_eq!(graph.components(), (vec![0, 0, 0, 1, 1, 2], 3));
    assert_eq!(graph.degrees(), [3.0, 1.75, 2.75, 1.5, 2.25, 0.0]);
}

#[test]
fn bad_edges_are_refused_with_their_place() {
    let error = Graph::undirected(3, &[(0, 1, 1.0), (1, 3, 1.0)]).unwrap_err();
    assert_eq!(error, SpatialError::Node { edge: 1, from: 1, to: 3, nodes: 3 });
    assert_eq!(error.to_string(), "edge 1 is (1, 3), expected nodes below 3");
    for weight in [-0.5, f64::INFINITY] {
        let error = Graph::undirected(3, &[(0, 2, weight)]).unwrap_err();
        assert_eq!(error, SpatialError::Weight { edge: 0, from: 0, to: 2, weight });
    }
    let error = Graph::directed(3, &[(0, 2, f64::NAN)]).unwrap_err();
    assert!(error.to_string().contains("edge 0 (0, 2) has the weight NaN"));
    assert!(matches!(Graph::undirected(0, &[]), Err(SpatialError::OutOfRange { .. })));
    let directed = Graph::directed(3, &[(0, 1, 1.0), (1, 0, 2.0), (1, 2, 1.0)]).unwrap();
    assert_eq!(directed.edges().count(), 3);
    assert_eq!(directed.components().1, 1);
    assert!(matches!(GraphLaplacian::normalised(&directed), Err(SpatialError::Directed { .. })));
}

#[test]
fn generators_have_their_degrees() {
    assert_eq!(Graph::ring(5).unwrap().degrees(), [2.0; 5]);
    assert_eq!(Graph::path(3).unwrap().degrees(), [1.0, 2.0, 1.0]);
    assert_eq!(Graph::torus(&[3, 4, 5]).unwrap().degrees(), [6.0; 60]);
    let attached = Graph::preferential_attachment(300, 4, 7).unwrap();
    assert_eq!(attached.edges().count(), 10 + 4 * 295);
    assert_eq!(attached.report(), Default::default());
    assert_eq!(attached, Graph::preferential_attachment(300, 4, 7).unwrap());
    assert_ne!(attached, Graph::preferential_attachment(300, 4, 8).unwrap());
    assert!(attached.degrees().iter().fold(0.0, |a: f64, d| a.max(*d)) > 30.0);
    let world = Graph::small_world(200, 3, 0.2, 1).unwrap();
    assert_eq!(world.edges().count(), 600);
    assert_eq!(world.report().duplicates, 0);
    assert_eq!(Graph::small_world(9, 1, 0.0, 1).unwrap(), Graph::ring(9).unwrap());
    assert!(Graph::torus(&[3, 2]).is_err() && Graph::torus(&[]).is_err());
    assert!(Graph::path(1).is_err() && Graph::preferential_attachment(3, 3, 0).is_err());
    assert!(Graph::small_world(6, 3, 0.1, 0).is_err() && Graph::small_world(9, 2, 1.5, 0).is_err());
}

#[test]
fn laplacians_are_those_of_dense_matrices() {
    let graph = sample();
    let loops = [0.0, 0.0, 0.0, 0.0, 0.75, 0.0];
    for normalisation in ALL {
        let laplacian = GraphLaplacian::new(&graph, normalisation).unwrap();
        let matrix = dense(&graph, normalisation, &loops);
        let (x, mut y) = (numbers(6, 0.3), vec![0.0; 6]);
        laplacian.apply(&x, &mut y);
        for i in 0..6 {
            let exact: f64 = (0..6).map(|j| matrix[i][j] * x[j]).sum();
            assert!((y[i] - exact).abs() < 1e-15, "{normalisation:?} {i}");
        }
        laplacian.apply_transpose(&x, &mut y);
        for j in 0..6 {
            let exact: f64 = (0..6).map(|i| matrix[i][j] * x[i]).sum();
            assert!((y[j] - exact).abs() < 1e-15, "{normalisation:?} {j}");
        }
    }
}

#[test]
fn null_vectors_and_bounds_hold() {
    for graph in [sample(), Graph::preferential_attachment(400, 3, 1).unwrap()] {
        for normalisation in ALL {
            let laplacian = GraphLaplacian::new(&graph, normalisation).unwrap();
            let spectrum = laplacian.spectrum();
            let NullSpace::Components { component, vector } = spectrum.null_space else {
                panic!("graph Laplacians are singular");
            };
            let n = laplacian.len();
            let mut y = vec![0.0; n];
            for c in 0..=*component.iter().max().unwrap() {
                let x: Vec<f64> =
                    (0..n).map(|i| if component[i] == c { vector[i] } else { 0.0 }).collect();
                laplacian.apply(&x, &mut y);
                assert!(y.iter().all(|y| y.abs() < 1e-13));
            }
            let mut x = numbers(n, 0.7);
            let mut ratio = 0.0;
            for _ in 0..200 {
                laplacian.apply(&x, &mut y);
                let norm = y.iter().map(|y| y * y).sum::<f64>().sqrt();
                ratio = norm / x.iter().map(|x| x * x).sum::<f64>().sqrt();
                x = y.iter().map(|y| y / norm).collect();
            }
            let below = spectrum.highest / ratio;
            assert!((0.999..3.0).contains(&below), "{normalisation:?}: {below}");
        }
    }
}

#[test]
fn columns_are_products_one_by_one() {
    let graph = Graph::preferential_attachment(500, 4, 3).unwrap();
    for normalisation in ALL {
        let laplacian = GraphLaplacian::new(&graph, normalisation).unwrap();
        for columns in [1, 3, 16, 37] {
            let x = numbers(500 * columns, 0.1);
            let mut y = vec![0.0; 500 * columns];
            laplacian.apply_columns(columns, &x, &mut y).unwrap();
            let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            let mut single_y = vec![0.0f32; y.len()];
            laplacian.apply_columns(columns, &single, &mut single_y).unwrap();
            let mut expected = vec![0.0; 500];
            for column in 0..columns {
                let one: Vec<f64> = (0..500).map(|i| x[i * columns + column]).collect();
                laplacian.apply(&one, &mut expected);
                for i in 0..500 {
                    let scale = laplacian.diagonal()[i];
                    let found = y[i * columns + column];
                    assert!((found - expected[i]).abs() < 1e-14 * scale);
                    let found = f64::from(single_y[i * columns + column]);
                    assert!((found - expected[i]).abs() < 1e-6 * scale);
                }
            }
        }
        let error = laplacian.apply_columns(2, &[0.0f32; 3], &mut [0.0; 1000]).unwrap_err();
        assert!(matches!(error, SpatialError::Length { found: 3, expected: 1000, .. }));
    }
}

#[test]
fn products_have_the_same_bits_for_any_number_of_threads() {
    let graph = Graph::preferential_attachment(20_000, 4, 3).unwrap();
    let laplacian = GraphLaplacian::normalised(&graph).unwrap();
    let x = numbers(20_000, 0.4);
    let product = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut y = vec![0.0; x.len()];
        pool.install(|| laplacian.apply(&x, &mut y));
        y
    };
    assert_eq!(product(1), product(3));
}

#[test]
fn walks_of_a_ring_are_those_of_the_eigenvalues() {
    let (n, gamma) = (40, 0.6);
    let laplacian = GraphLaplacian::combinatorial(&Graph::ring(n).unwrap()).unwrap();
    let walk = FractionalWalk::new(&laplacian, gamma, Way::Rational, 1e-12).unwrap();
    let entry = |distance: usize| -> f64 {
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
        let term = |k: usize| {
            (2.0 - 2.0 * angle(k).cos()).powf(gamma) * (angle(k) * distance as f64).cos()
        };
        (0..n).map(term).sum::<f64>() / n as f64
    };
    let row = walk.row(3).unwrap();
    assert_eq!(row[3], 0.0);
    for j in (0..n).filter(|j| *j != 3) {
        let exact = -entry(j.abs_diff(3)) / entry(0);
        assert!(exact > 0.0 && (row[j] - exact).abs() < 1e-11, "{j}: {} {exact}", row[j]);
    }
    assert!(walk.row(n).is_err());
    let ordinary = FractionalWalk::new(&laplacian, 1.0, Way::Auto, 1e-12).unwrap().row(0).unwrap();
    assert!((ordinary[1] - 0.5).abs() < 1e-13 && ordinary[2].abs() < 1e-13);
    let lonely = GraphLaplacian::combinatorial(&Graph::undirected(2, &[]).unwrap()).unwrap();
    let walk = FractionalWalk::new(&lonely, 0.5, Way::Auto, 1e-6).unwrap();
    assert_eq!(walk.row(1).unwrap(), [0.0, 1.0]);
    let normalised = GraphLaplacian::normalised(&Graph::ring(4).unwrap()).unwrap();
    let error = FractionalWalk::new(&normalised, 0.5, Way::Auto, 1e-6).err().unwrap();
    assert!(matches!(error, SpatialError::Unsupported { .. }));
    assert!(FractionalWalk::new(&laplacian, 1.5, Way::Auto, 1e-6).is_err());
}
