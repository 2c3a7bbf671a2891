use crate::{difference, dot, interval_solution, max_difference, signal};
use hpfracc_backend::Reference;
use hpfracc_operators::{FractionalLaplacian, IntervalLaplacian, Operator};
use hpfracc_spatial::{Complex64, IntegralLaplacian1d, SpatialError, SpatialOperator, Stopping};
use hpfracc_special::gamma;
use hpfracc_testkit::observed_order;
use hpfracc_types::{Grid, Order};
use nalgebra::{DMatrix, DVector};
use ndarray::Array1;

fn laplacian(alpha: f64, n: usize, corrected: bool) -> IntegralLaplacian1d {
    let plain = IntegralLaplacian1d::new(alpha, (-1.0, 1.0), n).unwrap();
    if corrected { plain.with_boundary_correction() } else { plain }
}

fn dense(operator: &dyn SpatialOperator) -> DMatrix<f64> {
    let n = operator.len();
    let mut matrix = DMatrix::zeros(n, n);
    for j in 0..n {
        let (mut unit, mut column) = (vec![0.0; n], vec![0.0; n]);
        unit[j] = 1.0;
        operator.apply(&unit, &mut column);
        matrix.column_mut(j).copy_from_slice(&column);
    }
    matrix
}

#[test]
fn the_product_is_that_of_huang_and_oberman() {
    for n in [2, 3, 5, 64, 100, 777] {
        for alpha in [0.3, 1.0, 1.8] {
            let operator = IntegralLaplacian1d::new(alpha, (2.0, 5.0), n).unwrap();
            let x = signal(n);
            let mut found = vec![0.0; n];
            operator.apply(&x, &mut found);
            let grid = Grid::uniform(n, 3.0 / (n as f64 + 1.0)).unwrap();
            let scheme = FractionalLaplacian::huang_oberman(Order::new(alpha).unwrap()).unwrap();
            let reference = scheme.on(grid, &Reference).unwrap();
            let expected = reference.apply(Array1::from(x).view()).unwrap().to_vec();
            let scale = expected.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
            assert!(max_difference(&found, &expected) < 1e-13 * scale, "{n} {alpha}");
        }
    }
}

#[test]
fn one_node_has_the_diagonal() {
    let operator = IntegralLaplacian1d::new(1.0, (0.0, 2.0), 1).unwrap();
    let mut y = [0.0];
    operator.apply(&[1.0], &mut y);
    assert!((y[0] - 4.0 / std::f64::consts::PI).abs() < 1e-14, "{y:?}");
    let solution = operator.poisson(&[2.0]).unwrap();
    assert!((solution.values[0] * y[0] - 2.0).abs() < 1e-14);
}

/// (-Lap)^s exp(-x^2) at 0 is 2^alpha Gamma((1+alpha)/2) / sqrt(pi).
#[test]
fn applying_to_smooth_functions_has_order_four_minus_alpha() {
    for alpha in [0.5, 1.0, 1.5] {
        let exact = 2f64.powf(alpha) * gamma(0.5 * (1.0 + alpha)) / std::f64::consts::PI.sqrt();
        let error = |n: usize| {
            let operator = IntegralLaplacian1d::new(alpha, (-8.0, 8.0), n).unwrap();
            let f: Vec<f64> = operator.nodes().iter().map(|x| (-x * x).exp()).collect();
            let mut y = vec![0.0; n];
            operator.apply(&f, &mut y);
            (y[n / 2] - exact).abs()
        };
        let order = (error(2047) / error(4095)).log2();
        assert!((order - (4.0 - alpha)).abs() < 0.15, "{alpha}: {order}");
    }
}

#[test]
fn constant_forces_have_exact_solutions_with_the_correction() {
    for alpha in [0.2, 1.0, 1.9] {
        // Interval of length 3, half length 1.5.
        let operator = IntegralLaplacian1d::new(alpha, (2.0, 5.0), 200).unwrap();
        let operator = operator.with_boundary_correction();
        let solution = operator.poisson(&[2.0; 200]).unwrap();
        for (x, u) in operator.nodes().iter().zip(&solution.values) {
            let exact = 2.0 * ((x - 2.0) * (5.0 - x)).powf(0.5 * alpha) / gamma(alpha + 1.0);
            assert!((u - exact).abs() < 1e-11, "{alpha} {x}: {u} {exact}");
        }
    }
}

/// Errors of f = G_2 in the maximum norm and on (-1/2, 1/2).
fn errors(alpha: f64, n: usize, corrected: bool) -> [f64; 2] {
    let operator = laplacian(alpha, n, corrected);
    let x = operator.nodes();
    let (f, exact) = interval_solution(alpha, 2, &x);
    let solution = operator.poisson(&f).unwrap();
    assert!(solution.iterations <= 12 && solution.residual <= 1e-12, "{solution:?}");
    let inside = |i: &usize| x[*i].abs() < 0.5;
    let most = |i: usize| (solution.values[i] - exact[i]).abs();
    [(0..n).map(most).fold(0.0, f64::max), (0..n).filter(inside).map(most).fold(0.0, f64::max)]
}

#[test]
fn orders_of_solutions_are_those_of_the_documentation() {
    for alpha in [0.5, 1.0, 1.5] {
        for (corrected, expected) in [(false, [0.5 * alpha, 1.0]), (true, [1.0 + 0.5 * alpha; 2])] {
            let sizes = [511, 1023, 2047];
            let found = sizes.map(|n| (2.0 / (n as f64 + 1.0), errors(alpha, n, corrected)));
            for norm in 0..2 {
                let order = observed_order(&found.map(|(h, errors)| (h, errors[norm])));
                let wrong = (order - expected[norm]).abs();
                assert!(wrong < 0.1, "{alpha} {corrected} {norm}: {order} {found:?}");
            }
        }
    }
}

/// Bar of the iteration: independent of n.
#[test]
fn twelve_iterations_are_enough_for_65535_nodes() {
    let operator = laplacian(1.5, 65_535, false)
        .with_stopping(Stopping { tolerance: 1e-10, iterations: 12 })
        .unwrap();
    let solution = operator.poisson(&vec![1.0; 65_535]).unwrap();
    assert!(solution.residual < 1e-10);
}

#[test]
fn both_discretisations_of_the_interval_agree_inside_at_first_order() {
    let alpha = 1.2;
    let (order, n) = (Order::new(alpha).unwrap(), 32);
    let gegenbauer = IntervalLaplacian::new(n, (-1.0, 1.0), order).unwrap();
    let f = |x: f64| (2.0 * x).cos() + x;
    let right = gegenbauer.nodes().mapv(f);
    let spectral = gegenbauer.poisson_on(&Reference).unwrap().apply(right.view()).unwrap();
    // The value at a node of both: the linear interpolant of the fine grid.
    let error = |fine: usize, corrected: bool| {
        let operator = laplacian(alpha, fine, corrected);
        let right: Vec<f64> = operator.nodes().into_iter().map(f).collect();
        let u = operator.poisson(&right).unwrap().values;
        let mut most = 0.0_f64;
        for (x, expected) in gegenbauer.nodes().iter().zip(&spectral) {
            if x.abs() < 0.5 {
                let place = (x + 1.0) * 0.5 * (fine as f64 + 1.0) - 1.0;
                let (j, t) = (place.floor() as usize, place.fract());
                most = most.max((u[j] * (1.0 - t) + u[j + 1] * t - expected).abs());
            }
        }
        most
    };
    let plain = (error(2047, false) / error(4095, false)).log2();
    assert!((plain - 1.0).abs() < 0.1, "{plain}");
    assert!(error(4095, true) < 1e-5 && error(4095, true) < 0.05 * error(4095, false));
}

/// 32 Gegenbauer nodes against 48: smooth f is solved to rounding.
#[test]
fn gegenbauer_polynomials_solve_smooth_forces_to_rounding() {
    let solve = |n: usize, alpha: f64| {
        let order = Order::new(alpha).unwrap();
        let laplacian = IntervalLaplacian::new(n, (-1.0, 1.0), order).unwrap();
        let f = laplacian.nodes().mapv(|x| x.exp() * (3.0 * x).cos());
        let u = laplacian.poisson_on(&Reference).unwrap().apply(f.view()).unwrap();
        (laplacian.nodes().to_vec(), u.to_vec())
    };
    for alpha in [0.5, 1.0, 1.5] {
        let (coarse, u) = solve(32, alpha);
        let (fine, reference) = solve(48, alpha);
        let smooth = |x: f64| (1.0 - x * x).powf(0.5 * alpha);
        for (x, u) in coarse.iter().zip(&u) {
            // Barycentric interpolation of u/w through the fine nodes.
            let (mut above, mut below) = (0.0, 0.0);
            for (j, y) in fine.iter().enumerate() {
                let others = fine.iter().enumerate().filter(|(k, _)| *k != j);
                let weight: f64 = others.map(|(_, z)| 0.5 / (y - z)).product();
                above += weight / (x - y) * reference[j] / smooth(*y);
                below += weight / (x - y);
            }
            let exact = above / below * smooth(*x);
            assert!((u - exact).abs() < 1e-12, "{alpha} {x}: {u} {exact}");
        }
    }
}

#[test]
fn bounds_enclose_the_eigenvalues() {
    for alpha in [0.3, 1.0, 1.95] {
        for corrected in [false, true] {
            let operator = laplacian(alpha, 60, corrected);
            let eigenvalues = dense(&operator).symmetric_eigenvalues();
            let (least, most) = (eigenvalues.min(), eigenvalues.max());
            let spectrum = operator.spectrum();
            assert!(spectrum.lowest <= least && spectrum.highest >= most, "{alpha} {corrected}");
            assert!(spectrum.lowest > 0.5 * least && spectrum.highest < 2.5 * most, "{spectrum:?}");
        }
    }
}

#[test]
fn shifted_solves_are_those_of_dense_matrices() {
    let n = 80;
    for alpha in [0.5, 1.7] {
        for corrected in [false, true] {
            let operator = laplacian(alpha, n, corrected);
            let matrix = dense(&operator);
            let lowest = operator.spectrum().lowest;
            for z in [0.0, 3.0, 1e4, -0.9 * lowest] {
                let shifted = &matrix + DMatrix::identity(n, n) * z;
                let expected = shifted.lu().solve(&DVector::from(signal(n))).unwrap();
                let mut x = signal(n);
                operator.shifted(z.into()).unwrap().solve_real(&mut x).unwrap();
                let error = max_difference(&x, expected.as_slice());
                assert!(error < 1e-10 * expected.amax(), "{alpha} {z}: {error}");
            }
            for z in [Complex64::new(2.0, 5.0), Complex64::new(-30.0, 10.0)] {
                let shifted = matrix.map(Complex64::from) + DMatrix::identity(n, n) * z;
                let right: Vec<Complex64> =
                    signal(n).iter().map(|x| Complex64::new(*x, 1.0 - x)).collect();
                let expected = shifted.lu().solve(&DVector::from(right.clone())).unwrap();
                let mut x = right;
                operator.shifted(z).unwrap().solve(&mut x).unwrap();
                let error = DVector::from(x) - &expected;
                assert!(error.camax() < 1e-9 * expected.camax(), "{alpha} {z}: {error}");
            }
        }
    }
}

#[test]
fn the_operator_is_symmetric() {
    for corrected in [false, true] {
        let operator = laplacian(0.8, 333, corrected);
        let (x, y) = (signal(333), signal(334)[1..].to_vec());
        let [mut ax, mut ay] = [(); 2].map(|()| vec![0.0; 333]);
        operator.apply(&x, &mut ax);
        operator.apply_transpose(&y, &mut ay);
        let (left, right) = (dot(&y, &ax), dot(&ay, &x));
        assert!((left - right).abs() < 1e-12 * left.abs().max(right.abs()), "{left} {right}");
    }
}

#[test]
fn derivatives_with_respect_to_the_order_are_limits_of_differences() {
    let n = 100;
    for corrected in [false, true] {
        for alpha in [0.4, 1.0, 1.6] {
            let operator = laplacian(alpha, n, corrected);
            let x = signal(n);
            let applied = |alpha: f64| {
                let mut y = vec![0.0; n];
                laplacian(alpha, n, corrected).apply(&x, &mut y);
                y
            };
            let mut found = vec![0.0; n];
            operator.apply_order_derivative(&x, &mut found);
            let error = difference(applied, alpha, &found);
            assert!(error < 1e-8, "{corrected} {alpha}: {error}");

            let solved = |alpha: f64| laplacian(alpha, n, corrected).poisson(&x).unwrap().values;
            let found = operator.poisson_order_derivative(&solved(alpha)).unwrap();
            let error = difference(solved, alpha, &found);
            assert!(error < 1e-8, "{corrected} {alpha}: {error}");
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let name = |result: Result<IntegralLaplacian1d, SpatialError>| match result {
        Err(SpatialError::OutOfRange { what, .. }) => what,
        other => panic!("{:?}", other.map(|_| ())),
    };
    for alpha in [0.0, 2.0, -1.0, f64::NAN] {
        assert_eq!(name(IntegralLaplacian1d::new(alpha, (0.0, 1.0), 9)), "order alpha");
    }
    assert_eq!(name(IntegralLaplacian1d::new(1.0, (f64::NAN, 1.0), 9)), "left end a");
    assert_eq!(name(IntegralLaplacian1d::new(1.0, (0.0, f64::INFINITY), 9)), "right end b");
    assert_eq!(name(IntegralLaplacian1d::new(1.0, (1.0, 1.0), 9)), "length b - a");
    assert_eq!(name(IntegralLaplacian1d::new(1.0, (0.0, 1.0), 0)), "number of nodes");
    let operator = || laplacian(1.0, 9, false);
    assert_eq!(
        name(operator().with_stopping(Stopping { tolerance: 0.0, iterations: 9 })),
        "tolerance of the residual"
    );
    assert_eq!(
        name(operator().with_stopping(Stopping { tolerance: 1e-3, iterations: 0 })),
        "number of iterations"
    );

    let operator = operator();
    let found = operator.poisson(&[1.0; 8]).unwrap_err();
    assert_eq!(found.to_string(), "right-hand side f has 8 values, expected 9");
    let mut f = [1.0; 9];
    f[4] = f64::NAN;
    let found = operator.poisson(&f).unwrap_err();
    assert_eq!(found.to_string(), "right-hand side f is NaN at index 4");
    for z in [Complex64::new(-1e3, 0.0), Complex64::new(0.0, f64::NAN)] {
        assert!(matches!(operator.shifted(z), Err(SpatialError::OutOfRange { .. })));
    }
    let complex = operator.shifted(Complex64::new(1.0, 1.0)).unwrap();
    assert!(matches!(complex.solve_real(&mut [1.0; 9]), Err(SpatialError::OutOfRange { .. })));
    let limited = laplacian(1.0, 99, false)
        .with_stopping(Stopping { tolerance: 1e-14, iterations: 2 })
        .unwrap();
    let found = limited.poisson(&[1.0; 99]);
    assert!(matches!(found, Err(SpatialError::NotConverged { iterations: 2, .. })));
}

#[test]
fn zero_forces_have_zero_solutions() {
    let solution = laplacian(1.0, 9, false).poisson(&[0.0; 9]).unwrap();
    assert_eq!((solution.values, solution.iterations), (vec![0.0; 9], 0));
}
