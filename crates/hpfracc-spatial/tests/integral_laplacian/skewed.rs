use crate::{difference, dot, max_difference, signal};
use hpfracc_backend::Reference;
use hpfracc_operators::{Operator, RieszFeller};
use hpfracc_spatial::{Complex64, SkewedLaplacian1d, SpatialError, SpatialOperator};
use hpfracc_special::{binomial, gamma};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

#[test]
fn products_are_sums_of_shifted_grunwald_letnikov_weights() {
    let n = 20;
    let h: f64 = 2.0 / 21.0;
    for (alpha, shift, sign) in [(0.6, 0, 1.0), (1.4, 1, -1.0), (2.0, 1, -1.0)] {
        let operator =
            SkewedLaplacian1d::grunwald_letnikov(alpha, [0.7, 0.2], (0.0, 2.0), n).unwrap();
        let weight = |k: i64| {
            if k < 0 { 0.0 } else { (-1f64).powi(k as i32) * binomial(alpha, k as usize) }
        };
        let entry = |i: i64, j: i64| {
            let (left, right) = (weight(i - j + shift), weight(j - i + shift));
            sign * h.powf(-alpha) * (0.7 * left + 0.2 * right)
        };
        let x = signal(n);
        let [mut found, mut transposed] = [(); 2].map(|()| vec![0.0; n]);
        operator.apply(&x, &mut found);
        operator.apply_transpose(&x, &mut transposed);
        let indices = || 0..n as i64;
        let row = |i: i64| indices().zip(&x).map(|(j, x)| entry(i, j) * x).sum();
        let column = |i: i64| indices().zip(&x).map(|(j, x)| entry(j, i) * x).sum();
        let scale = entry(0, 0).abs();
        let expected: Vec<f64> = indices().map(row).collect();
        assert!(max_difference(&found, &expected) < 1e-13 * scale, "{alpha}");
        let expected: Vec<f64> = indices().map(column).collect();
        assert!(max_difference(&transposed, &expected) < 1e-13 * scale, "{alpha}");
    }
}

#[test]
fn riesz_feller_products_are_those_of_the_operator_of_signals() {
    let (n, alpha, theta) = (50, 1.3, -0.4);
    let operator = SkewedLaplacian1d::riesz_feller(alpha, theta, (-1.0, 2.0), n).unwrap();
    let x = signal(n);
    let mut found = vec![0.0; n];
    operator.apply(&x, &mut found);
    let grid = Grid::uniform(n, 3.0 / 51.0).unwrap();
    let scheme = RieszFeller::centred(Order::new(alpha).unwrap(), theta).unwrap();
    let bound = scheme.on(grid, &Reference).unwrap();
    let expected = bound.apply(Array1::from(x).view()).unwrap().mapv(|y| -y).to_vec();
    assert!(max_difference(&found, &expected) < 1e-11);
}

/// -D_left^alpha u = f for u = x^(alpha-1) (1-x): f = -D_left^alpha (x^(alpha-1) - x^alpha) =
/// Gamma(alpha+1), constant, with u = 0 at both ends.
#[test]
fn one_sided_problems_have_first_order() {
    let alpha = 1.6;
    let error = |n: usize| {
        let operator =
            SkewedLaplacian1d::grunwald_letnikov(alpha, [1.0, 0.0], (0.0, 1.0), n).unwrap();
        let u = operator.poisson(&vec![gamma(alpha + 1.0); n]).unwrap().values;
        let exact = |x: &f64| x.powf(alpha - 1.0) * (1.0 - x);
        let inside = |(x, u): (&f64, &f64)| if *x > 0.3 { (u - exact(x)).abs() } else { 0.0 };
        operator.nodes().iter().zip(&u).map(inside).fold(0.0, f64::max)
    };
    let order = (error(255) / error(511)).log2();
    assert!((order - 1.0).abs() < 0.1, "{order} {}", error(511));
}

#[test]
fn transposes_pass_the_dot_test() {
    let n = 200;
    let operators = [
        SkewedLaplacian1d::grunwald_letnikov(1.7, [0.1, 0.9], (0.0, 1.0), n).unwrap(),
        SkewedLaplacian1d::riesz_feller(0.7, 0.5, (0.0, 1.0), n).unwrap(),
    ];
    for operator in operators {
        let (x, y) = (signal(n), signal(n + 1)[1..].to_vec());
        let [mut ax, mut ay] = [(); 2].map(|()| vec![0.0; n]);
        operator.apply(&x, &mut ax);
        operator.apply_transpose(&y, &mut ay);
        let (left, right) = (dot(&y, &ax), dot(&ay, &x));
        assert!((left - right).abs() < 1e-12 * left.abs().max(right.abs()), "{left} {right}");
    }
}

#[test]
fn shifted_solves_return_to_the_right_hand_side() {
    let n = 300;
    let operators = [
        SkewedLaplacian1d::grunwald_letnikov(1.5, [1.0, 0.0], (0.0, 1.0), n).unwrap(),
        SkewedLaplacian1d::grunwald_letnikov(0.5, [0.3, 1.0], (0.0, 1.0), n).unwrap(),
        SkewedLaplacian1d::riesz_feller(1.2, 0.6, (0.0, 1.0), n).unwrap(),
        SkewedLaplacian1d::riesz_feller(1.0, -0.5, (0.0, 1.0), n).unwrap(),
        SkewedLaplacian1d::riesz_feller(2.0, 0.0, (0.0, 1.0), n).unwrap(),
    ];
    for (which, operator) in operators.iter().enumerate() {
        for z in [0.0, 10.0] {
            let mut x = signal(n);
            operator.shifted(z.into()).unwrap().solve_real(&mut x).unwrap();
            let mut y = vec![0.0; n];
            operator.apply(&x, &mut y);
            y.iter_mut().zip(&x).for_each(|(y, x)| *y += z * x);
            assert!(max_difference(&y, &signal(n)) < 1e-9, "{which} {z}");
        }
        let z = Complex64::new(1.0, 20.0);
        let mut x: Vec<Complex64> = signal(n).into_iter().map(Complex64::from).collect();
        operator.shifted(z).unwrap().solve(&mut x).unwrap();
        let parts = [x.iter().map(|x| x.re).collect(), x.iter().map(|x| x.im).collect()];
        let images = parts.map(|part: Vec<f64>| {
            let mut y = vec![0.0; n];
            operator.apply(&part, &mut y);
            y
        });
        for (i, b) in signal(n).into_iter().enumerate() {
            let back = Complex64::new(images[0][i], images[1][i]) + z * x[i];
            assert!((back - b).norm() < 1e-9, "{which} {i}");
        }
    }
}

#[test]
fn bounds_hold_for_the_symmetric_part() {
    let n = 40;
    let operator = SkewedLaplacian1d::grunwald_letnikov(1.5, [1.0, 0.2], (0.0, 1.0), n).unwrap();
    let mut symmetric = nalgebra::DMatrix::<f64>::zeros(n, n);
    for j in 0..n {
        let (mut unit, mut column) = (vec![0.0; n], vec![0.0; n]);
        unit[j] = 0.5;
        operator.apply(&unit, &mut column);
        for (i, entry) in column.iter().enumerate() {
            symmetric[(i, j)] += entry;
            symmetric[(j, i)] += entry;
        }
    }
    let eigenvalues = symmetric.symmetric_eigenvalues();
    let spectrum = operator.spectrum();
    assert!(spectrum.lowest > 0.0 && spectrum.lowest <= eigenvalues.min());
    assert!(spectrum.highest >= eigenvalues.max());
}

#[test]
fn derivatives_with_respect_to_the_order_are_limits_of_differences() {
    let n = 60;
    type Make = fn(f64) -> Result<SkewedLaplacian1d, SpatialError>;
    let makers: [(Make, f64); 3] = [
        (|a| SkewedLaplacian1d::grunwald_letnikov(a, [0.4, 0.6], (0.0, 2.0), 60), 1.5),
        (|a| SkewedLaplacian1d::grunwald_letnikov(a, [1.0, 0.0], (0.0, 2.0), 60), 0.5),
        (|a| SkewedLaplacian1d::riesz_feller(a, 0.3, (0.0, 2.0), 60), 1.1),
    ];
    for (make, alpha) in makers {
        let x = signal(n);
        let mut found = vec![0.0; n];
        make(alpha).unwrap().apply_order_derivative(&x, &mut found);
        let applied = |alpha: f64| {
            let mut y = vec![0.0; n];
            make(alpha).unwrap().apply(&x, &mut y);
            y
        };
        let error = difference(applied, alpha, &found);
        assert!(error < 1e-8, "{alpha}: {error}");
    }
}

#[test]
fn bad_input_is_refused() {
    let name = |result: Result<SkewedLaplacian1d, SpatialError>| match result {
        Err(SpatialError::OutOfRange { what, .. }) => what,
        other => panic!("{:?}", other.map(|_| ())),
    };
    let sums =
        |alpha, weights| name(SkewedLaplacian1d::grunwald_letnikov(alpha, weights, (0.0, 1.0), 9));
    for alpha in [0.0, 1.0, 2.1, f64::NAN] {
        assert_eq!(sums(alpha, [1.0, 1.0]), "order alpha");
    }
    assert_eq!(sums(1.5, [-1.0, 1.0]), "left weight");
    assert_eq!(sums(1.5, [1.0, f64::NAN]), "right weight");
    assert_eq!(sums(1.5, [0.0, 0.0]), "sum of the weights");
    let skew = |theta| name(SkewedLaplacian1d::riesz_feller(1.5, theta, (0.0, 1.0), 9));
    assert_eq!(skew(0.6), "skewness theta");
    assert_eq!(skew(f64::NAN), "skewness theta");
    let advection = SkewedLaplacian1d::riesz_feller(1.0, -1.0, (0.0, 1.0), 9);
    assert_eq!(name(advection), "skewness theta");
    let order = name(SkewedLaplacian1d::riesz_feller(2.5, 0.0, (0.0, 1.0), 9));
    assert_eq!(order, "order alpha");
}
