//! Solvers of shifted equations.

use hpfracc_spatial::{
    Complex64, Graph, GraphLaplacian, IterativeSolver, Normalisation, ShiftedSolver, SpatialError,
    SpatialOperator, Stopping, conjugate_gradients, multi_shift_conjugate_gradients,
    remove_null_space,
};

const ALL: [Normalisation; 3] =
    [Normalisation::Combinatorial, Normalisation::Symmetric, Normalisation::RandomWalk];

fn graph() -> Graph {
    Graph::preferential_attachment(300, 3, 5).unwrap()
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 1.37 + 0.2).sin()).collect()
}

/// Largest entry of `(z + A) x - b`.
fn residual(a: &dyn SpatialOperator, z: f64, x: &[f64], b: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    a.apply(x, &mut y);
    (0..x.len()).map(|i| (z * x[i] + y[i] - b[i]).abs()).fold(0.0, f64::max)
}

#[test]
fn real_shifts_are_solved() {
    let b = numbers(300);
    for normalisation in ALL {
        let a = GraphLaplacian::new(&graph(), normalisation).unwrap();
        for z in [1e-3, 0.3, 20.0] {
            for diagonal in [None, Some(a.diagonal())] {
                let mut x = vec![0.0; 300];
                let done =
                    conjugate_gradients(&a, z, diagonal, &b, &mut x, Stopping::default()).unwrap();
                assert!(residual(&a, z, &x, &b) < 2e-10, "{normalisation:?} {z}");
                assert!(done.iterations < 200 && done.residual <= 1e-12);
            }
            let mut x = b.clone();
            a.shifted(z.into()).unwrap().solve_real(&mut x).unwrap();
            assert!(residual(&a, z, &x, &b) < 2e-10);
        }
    }
}

#[test]
fn a_singular_system_is_solved_on_the_complement() {
    let a = GraphLaplacian::random_walk(&graph()).unwrap();
    let mut b = numbers(300);
    remove_null_space(&a, &mut b).unwrap();
    let mut x = vec![0.0; 300];
    conjugate_gradients(&a, 0.0, None, &b, &mut x, Stopping::default()).unwrap();
    assert!(residual(&a, 0.0, &x, &b) < 1e-10);
    assert!(matches!(a.shifted(Complex64::ZERO), Err(SpatialError::OutOfRange { .. })));
}

#[test]
fn complex_shifts_are_solved() {
    let b: Vec<Complex64> = numbers(300).iter().map(|b| Complex64::new(*b, 1.0 - b)).collect();
    for normalisation in ALL {
        let a = GraphLaplacian::new(&graph(), normalisation).unwrap();
        for z in [Complex64::new(0.1, 0.2), Complex64::new(-3.0, 2.0), Complex64::new(2.0, 0.0)] {
            let mut x = b.clone();
            a.shifted(z).unwrap().solve(&mut x).unwrap();
            let part = |f: fn(&Complex64) -> f64, x: &[Complex64]| x.iter().map(f).collect();
            let (re, im): (Vec<f64>, Vec<f64>) = (part(|x| x.re, &x), part(|x| x.im, &x));
            let (mut are, mut aim) = (vec![0.0; 300], vec![0.0; 300]);
            a.apply(&re, &mut are);
            a.apply(&im, &mut aim);
            for i in 0..300 {
                let r = z * x[i] + Complex64::new(are[i], aim[i]) - b[i];
                assert!(r.norm() < 1e-9, "{normalisation:?} {z}: {}", r.norm());
            }
        }
    }
}

/// Conjugate gradients without conjugation break down at once for b'b = 0.
#[test]
fn fourier_modes_are_solved_for_complex_shifts() {
    let a = GraphLaplacian::combinatorial(&Graph::ring(12).unwrap()).unwrap();
    let eigenvalue = 2.0 - 2.0 * (std::f64::consts::TAU / 12.0).cos();
    let mode = |j: usize| Complex64::cis(std::f64::consts::TAU * j as f64 / 12.0);
    for z in [Complex64::new(0.3, 0.0), Complex64::new(-0.1, 0.4)] {
        let mut x: Vec<Complex64> = (0..12).map(mode).collect();
        a.shifted(z).unwrap().solve(&mut x).unwrap();
        assert!((0..12).all(|j| (x[j] - mode(j) / (z + eigenvalue)).norm() < 1e-12));
    }
}

#[test]
fn many_shifts_are_those_one_by_one() {
    let b = numbers(300);
    let shifts = [0.01, 3.0, 0.2, 500.0];
    for normalisation in ALL {
        let a = GraphLaplacian::new(&graph(), normalisation).unwrap();
        let mut x = vec![0.0; 4 * 300];
        let stopping = Stopping::default();
        multi_shift_conjugate_gradients(&a, &shifts, &b, &mut x, stopping).unwrap();
        for (z, x) in shifts.iter().zip(x.chunks(300)) {
            assert!(residual(&a, *z, x, &b) < 1e-9, "{normalisation:?} {z}");
        }
    }
}

#[test]
fn solutions_have_the_same_bits_for_any_number_of_threads() {
    let graph = Graph::torus(&[200, 200]).unwrap();
    let a = GraphLaplacian::combinatorial(&graph).unwrap();
    let b = numbers(40_000);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut x = vec![0.0; b.len()];
        let stopping = Stopping { tolerance: 1e-8, iterations: 1000 };
        pool.install(|| conjugate_gradients(&a, 0.1, None, &b, &mut x, stopping)).unwrap();
        x
    };
    assert_eq!(solve(1), solve(3));
}

#[test]
fn bad_input_is_refused() {
    let a = GraphLaplacian::combinatorial(&Graph::ring(4).unwrap()).unwrap();
    let stopping = Stopping::default();
    let b = [1.0, 0.0, 0.0, 0.0];
    let mut x = [0.0; 4];
    let error = conjugate_gradients(&a, -1.0, None, &b, &mut x, stopping).unwrap_err();
    assert!(matches!(error, SpatialError::OutOfRange { value: -1.0, .. }));
    let error = conjugate_gradients(&a, 1.0, None, &b[..3], &mut x, stopping).unwrap_err();
    assert!(matches!(error, SpatialError::Length { found: 3, expected: 4, .. }));
    let bad = [0.0, f64::NAN, 0.0, 0.0];
    let error = conjugate_gradients(&a, 1.0, None, &bad, &mut x, stopping).unwrap_err();
    assert!(matches!(error, SpatialError::NotFinite { index: 1, .. }));
    let few = Stopping { tolerance: 1e-12, iterations: 1 };
    let error = conjugate_gradients(&a, 0.1, None, &b, &mut x, few).unwrap_err();
    assert!(matches!(error, SpatialError::NotConverged { iterations: 1, .. }));
    let mut complex = [Complex64::ONE, Complex64::ZERO, Complex64::ZERO, Complex64::ZERO];
    let z = Complex64::new(0.1, 0.1);
    let error = IterativeSolver::new(&a, z, None, few).unwrap().solve(&mut complex).unwrap_err();
    assert!(matches!(error, SpatialError::NotConverged { iterations: 1, .. }));
    let error = IterativeSolver::new(&a, z, Some(&b[..2]), few).err();
    assert!(matches!(error, Some(SpatialError::Length { found: 2, expected: 4, .. })));
    for bad in [Stopping { tolerance: 1.0, ..few }, Stopping { iterations: 0, ..few }] {
        let error = conjugate_gradients(&a, 1.0, None, &b, &mut x, bad).unwrap_err();
        assert!(matches!(error, SpatialError::OutOfRange { .. }));
        assert!(multi_shift_conjugate_gradients(&a, &[1.0], &b, &mut x, bad).is_err());
        assert!(IterativeSolver::new(&a, z, None, bad).is_err());
    }
    assert!(multi_shift_conjugate_gradients(&a, &[], &b, &mut x, stopping).is_err());
    assert!(IterativeSolver::new(&a, Complex64::new(-1.0, 0.0), None, stopping).is_err());
    let solver = IterativeSolver::new(&a, z, None, stopping).unwrap();
    assert!(matches!(solver.solve_real(&mut x), Err(SpatialError::OutOfRange { .. })));
}

#[cfg(feature = "sparse")]
#[test]
fn factorisations_agree_with_iterations() {
    let b = numbers(300);
    for normalisation in ALL {
        let a = GraphLaplacian::new(&graph(), normalisation).unwrap();
        let direct = a.clone().with_factorisation().unwrap();
        for z in [1e-6, 0.5, -0.37] {
            let mut x = b.clone();
            direct.shifted(z.into()).unwrap().solve_real(&mut x).unwrap();
            let size = x.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            assert!(residual(&a, z, &x, &b) < 1e-11 * size, "{normalisation:?} {z}");
        }
        let z = Complex64::new(-0.5, 0.25);
        let mut x: Vec<Complex64> = b.iter().map(|b| Complex64::new(*b, -b)).collect();
        let mut y = x.clone();
        direct.shifted(z).unwrap().solve(&mut x).unwrap();
        a.shifted(z).unwrap().solve(&mut y).unwrap();
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).norm() < 1e-8));
        assert!(direct.shifted(Complex64::ZERO).is_err());
    }
}
