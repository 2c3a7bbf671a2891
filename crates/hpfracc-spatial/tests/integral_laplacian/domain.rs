use crate::{ball_solution, difference, dot, max_difference, signal, square};
use hpfracc_backend::Reference;
use hpfracc_operators::{FractionalLaplacian, Operator};
use hpfracc_spatial::{Complex64, IntegralLaplacian, SpatialError, SpatialOperator, Stopping};
use hpfracc_special::gamma;
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

type Axes = Vec<(f64, f64, usize)>;

/// Boxes of one to three axes, some with a single node or unequal steps.
fn boxes() -> Vec<Axes> {
    vec![
        vec![(0.0, 1.0, 9)],
        vec![(0.0, 1.0, 1)],
        vec![(-1.0, 1.0, 7), (0.0, 1.5, 5)],
        vec![(-1.0, 1.0, 7), (0.0, 1.0, 1)],
        vec![(0.0, 1.0, 1), (-1.0, 1.0, 12)],
        vec![(0.0, 1.0, 4), (0.0, 1.0, 5), (0.0, 2.0, 6)],
        vec![(0.0, 1.0, 1), (0.0, 1.0, 5), (0.0, 1.0, 1)],
    ]
}

/// The product with a mask by a loop over pairs, with the entries that a unit vector in a corner
/// shows.
#[test]
fn products_are_sums_over_pairs_of_nodes() {
    for axes in boxes() {
        let whole = IntegralLaplacian::on(1.1, &axes).unwrap();
        let count = whole.len();
        let (mut unit, mut entries) = (vec![0.0; count], vec![0.0; count]);
        unit[0] = 1.0;
        whole.apply(&unit, &mut entries);

        let mask: Vec<bool> = (0..count).map(|i| i % 3 != 1).collect();
        let masked = IntegralLaplacian::masked(1.1, &axes, &mask).unwrap();
        let inside: Vec<usize> = (0..count).filter(|i| mask[*i]).collect();
        let digits = |index: usize| {
            let mut rest = index;
            let mut digits = Vec::new();
            for (_, _, n) in axes.iter().rev() {
                digits.push((rest % n, *n));
                rest /= n;
            }
            digits
        };
        let lag = |i: usize, j: usize| {
            let pairs = digits(i).into_iter().zip(digits(j)).rev();
            pairs.fold(0, |index, ((i, n), (j, _))| index * n + i.abs_diff(j))
        };
        let x = signal(inside.len());
        let mut found = vec![0.0; inside.len()];
        masked.apply(&x, &mut found);
        let sum = |i: &usize| inside.iter().zip(&x).map(|(j, x)| entries[lag(*i, *j)] * x).sum();
        let expected: Vec<f64> = inside.iter().map(sum).collect();
        assert!(max_difference(&found, &expected) < 1e-12 * entries[0], "{axes:?}");
    }
}

#[test]
fn on_a_line_it_is_ortigueiras_centred_difference() {
    let (n, alpha) = (40, 0.9);
    let operator = IntegralLaplacian::on(alpha, &[(0.0, 2.0, n)]).unwrap();
    let x = signal(n);
    let mut found = vec![0.0; n];
    operator.apply(&x, &mut found);
    let grid = Grid::uniform(n, 2.0 / 41.0).unwrap();
    let scheme = FractionalLaplacian::ortigueira(Order::new(alpha).unwrap()).unwrap();
    let bound = scheme.on(grid, &Reference).unwrap();
    let expected = bound.apply(Array1::from(x).view()).unwrap().to_vec();
    assert!(max_difference(&found, &expected) < 1e-11);
}

/// (-Lap)^s exp(-|x|^2) at 0 is 2^alpha Gamma(d/2 + s) / Gamma(d/2).
#[test]
fn applying_to_smooth_functions_has_order_two() {
    for (d, sizes) in [(2, [47, 95]), (3, [23, 47])] {
        for alpha in [0.5, 1.5] {
            let half = 0.5 * d as f64;
            let exact = 2f64.powf(alpha) * gamma(half + 0.5 * alpha) / gamma(half);
            let error = |n: usize| {
                let axes = vec![(-5.0, 5.0, n); d];
                let operator = IntegralLaplacian::on(alpha, &axes).unwrap();
                let nodes = operator.nodes();
                let f: Vec<f64> = nodes.iter().map(|x| (-square(x)).exp()).collect();
                let mut y = vec![0.0; f.len()];
                operator.apply(&f, &mut y);
                (y[f.len() / 2] - exact).abs()
            };
            let order = (error(sizes[0]) / error(sizes[1])).log2();
            assert!((order - 2.0).abs() < 0.1, "{d} {alpha}: {order}");
        }
    }
}

/// L2 error on the unit ball with f = 1, and the number of iterations.
fn ball_error(alpha: f64, d: usize, n: usize) -> (f64, usize) {
    let axes = vec![(-1.0, 1.0, n); d];
    let operator = IntegralLaplacian::inside(alpha, &axes, |x| square(x) < 1.0).unwrap();
    let solution = operator.poisson(&vec![1.0; operator.len()]).unwrap();
    let error = |(x, u): (&Vec<f64>, &f64)| (u - ball_solution(alpha, d, square(x))).powi(2);
    let nodes = operator.nodes();
    let sum: f64 = nodes.iter().zip(&solution.values).map(error).sum();
    let volume = (2.0 / (n as f64 + 1.0)).powi(d as i32);
    ((sum * volume).sqrt(), solution.iterations)
}

#[test]
fn solutions_on_the_disk_converge_to_the_exact_one() {
    for (alpha, bound) in [(0.5, 1.5e-2), (1.0, 9e-3), (1.5, 6e-3)] {
        let ((coarse, _), (fine, iterations)) =
            (ball_error(alpha, 2, 31), ball_error(alpha, 2, 127));
        // Staircases make orders uneven.
        assert!(fine < 0.7 * coarse && fine < bound, "{alpha}: {coarse} {fine}");
        assert!(iterations <= 16, "{alpha}: {iterations}");
    }
}

/// With the correction, (1 - |x|^2)^s is exact, and (1 - |x|^2)^s x_0 has the orders of the
/// documentation, in the maximum norm and within half the radius. Its force is that of the ball in
/// d + 2 dimensions, times x_0.
#[test]
fn the_ball_correction_raises_the_order() {
    let orders = [[[1.1, 1.6], [1.3, 1.7], [1.6, 2.0]], [[0.9, 2.0], [1.2, 1.8], [1.3, 1.6]]];
    for ((d, sizes), orders) in [(2, [31, 127]), (3, [11, 31])].into_iter().zip(orders) {
        for (alpha, expected) in [0.5, 1.0, 1.5].into_iter().zip(orders) {
            let error = |n: usize, linear: bool| {
                let axes = vec![(1.0, 3.0, n); d];
                let shifted = |x: &[f64]| x.iter().map(|x| x - 2.0).collect::<Vec<_>>();
                // Without nodes on the sphere.
                let inside = |x: &[f64]| square(&shifted(x)) < 1.0 - 1e-9;
                let operator = IntegralLaplacian::inside(alpha, &axes, inside).unwrap();
                let operator = operator.with_ball_correction(&vec![2.0; d], 1.0).unwrap();
                let factor = |x: &[f64]| if linear { x[0] - 2.0 } else { 1.0 };
                let force = 1.0 / ball_solution(alpha, if linear { d + 2 } else { d }, 0.0);
                let nodes = operator.nodes();
                let f: Vec<f64> = nodes.iter().map(|x| force * factor(x)).collect();
                let solution = operator.poisson(&f).unwrap();
                assert!(solution.iterations < 45, "{solution:?}");
                let exact =
                    |x: &Vec<f64>| (1.0 - square(&shifted(x))).powf(0.5 * alpha) * factor(x);
                let largest = |radius: f64| {
                    let near = nodes.iter().zip(&solution.values);
                    near.filter(|(x, _)| square(&shifted(x)) < radius * radius)
                        .map(|(x, u)| (u - exact(x)).abs())
                        .fold(0.0, f64::max)
                };
                [largest(1.0), largest(0.5)]
            };
            assert!(error(sizes[0], false)[0] < 1e-9);
            let [coarse, fine] = sizes.map(|n| error(n, true));
            let ratio = ((sizes[1] + 1) as f64 / (sizes[0] + 1) as f64).log2();
            let [order, inside] = [0, 1].map(|k| (coarse[k] / fine[k]).log2() / ratio);
            assert!((order - expected[0]).abs() < 0.1, "{d} {alpha}: {order}");
            assert!((inside - expected[1]).abs() < 0.1, "{d} {alpha}: {inside}");
        }
    }
}

#[test]
fn solutions_in_the_ball_converge_to_the_exact_one() {
    let ((coarse, _), (fine, iterations)) = (ball_error(1.0, 3, 9), ball_error(1.0, 3, 31));
    assert!(fine < 0.03 && fine < 0.6 * coarse && iterations <= 12, "{coarse} {fine}");
}

#[test]
fn shifted_solves_return_to_the_right_hand_side() {
    for axes in boxes() {
        let count: usize = axes.iter().map(|(_, _, n)| n).product();
        let mask: Vec<bool> = (0..count).map(|i| i % 4 != 1).collect();
        let operator = IntegralLaplacian::masked(1.4, &axes, &mask).unwrap();
        let n = operator.len();
        let operator =
            operator.with_stopping(Stopping { tolerance: 1e-13, iterations: 300 }).unwrap();
        let z = Complex64::new(-2.0, 7.0);
        let b: Vec<Complex64> = signal(n).iter().map(|x| Complex64::new(*x, x * x)).collect();
        let mut x = b.clone();
        operator.shifted(z).unwrap().solve(&mut x).unwrap();
        let [re, im] = [0, 1].map(|part| {
            let part: Vec<f64> = x.iter().map(|x| if part == 0 { x.re } else { x.im }).collect();
            let mut y = vec![0.0; n];
            operator.apply(&part, &mut y);
            y
        });
        for i in 0..n {
            let back = Complex64::new(re[i], im[i]) + z * x[i];
            assert!((back - b[i]).norm() < 1e-11, "{axes:?} {i}");
        }
        let mut x = signal(n);
        operator.shifted(3.0.into()).unwrap().solve_real(&mut x).unwrap();
        let mut y = vec![0.0; n];
        operator.apply(&x, &mut y);
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += 3.0 * x);
        assert!(max_difference(&y, &signal(n)) < 1e-11, "{axes:?}");
    }
}

#[test]
fn bounds_enclose_the_eigenvalues() {
    let axes = [(-1.0, 1.0, 9), (-1.0, 1.0, 9)];
    let disk = || IntegralLaplacian::inside(1.2, &axes, |x| square(x) < 1.0).unwrap();
    check_bounds(disk(), 1.5);
    check_bounds(disk().with_ball_correction(&[0.0, 0.0], 1.0).unwrap(), 3.0);
}

fn check_bounds(operator: IntegralLaplacian, slack: f64) {
    let n = operator.len();
    let mut matrix = nalgebra::DMatrix::<f64>::zeros(n, n);
    for j in 0..n {
        let (mut unit, mut column) = (vec![0.0; n], vec![0.0; n]);
        unit[j] = 1.0;
        operator.apply(&unit, &mut column);
        matrix.column_mut(j).copy_from_slice(&column);
    }
    let eigenvalues = matrix.symmetric_eigenvalues();
    let spectrum = operator.spectrum();
    assert!(spectrum.lowest <= eigenvalues.min() && spectrum.highest >= eigenvalues.max());
    assert!(spectrum.lowest > 0.3 * eigenvalues.min());
    assert!(spectrum.highest < slack * eigenvalues.max());
}

#[test]
fn results_have_the_same_bits_for_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let axes = [(-1.0, 1.0, 17), (-1.0, 1.0, 70), (-1.0, 1.0, 71)];
            let operator = IntegralLaplacian::on(0.8, &axes).unwrap();
            operator.poisson(&signal(operator.len())).unwrap()
        })
    };
    let one = run(1);
    assert!(one.values.len() > 1 << 16);
    for threads in [2, 5] {
        assert_eq!(one, run(threads));
    }
}

#[test]
fn the_operator_is_symmetric() {
    let axes = [(-1.0, 1.0, 20), (-1.0, 1.0, 21)];
    let operator = IntegralLaplacian::inside(0.7, &axes, |x| x[0] + x[1] < 0.3).unwrap();
    let n = operator.len();
    let (x, y) = (signal(n), signal(n + 1)[1..].to_vec());
    let [mut ax, mut ay] = [(); 2].map(|()| vec![0.0; n]);
    operator.apply(&x, &mut ax);
    operator.apply_transpose(&y, &mut ay);
    let (left, right) = (dot(&y, &ax), dot(&ay, &x));
    assert!((left - right).abs() < 1e-12 * left.abs().max(right.abs()), "{left} {right}");
}

#[test]
fn derivatives_with_respect_to_the_order_are_limits_of_differences() {
    for (alpha, corrected) in [(0.6, false), (1.5, false), (0.9, true)] {
        let make = |alpha: f64| {
            let axes = [(-1.0, 1.0, 15), (-1.0, 1.0, 12)];
            let disk = IntegralLaplacian::inside(alpha, &axes, |x| square(x) < 1.0).unwrap();
            let disk = disk.with_stopping(Stopping { tolerance: 1e-14, iterations: 200 }).unwrap();
            if corrected { disk.with_ball_correction(&[0.0, 0.0], 1.0).unwrap() } else { disk }
        };
        let operator = make(alpha);
        let x = signal(operator.len());
        let mut found = vec![0.0; x.len()];
        operator.apply_order_derivative(&x, &mut found);
        let applied = |alpha: f64| {
            let mut y = vec![0.0; x.len()];
            make(alpha).apply(&x, &mut y);
            y
        };
        let error = difference(applied, alpha, &found);
        assert!(error < 1e-8, "{alpha}: {error}");
        let solved = |alpha: f64| make(alpha).poisson(&x).unwrap().values;
        let found = operator.poisson_order_derivative(&solved(alpha)).unwrap();
        let error = difference(solved, alpha, &found);
        assert!(error < 1e-8, "{alpha}: {error}");
    }
}

#[test]
fn fields_are_placed_on_the_box() {
    let axes = [(0.0, 4.0, 3), (0.0, 3.0, 2)];
    let operator = IntegralLaplacian::inside(1.0, &axes, |x| x[0] > 1.5).unwrap();
    let nodes = operator.nodes();
    assert_eq!(nodes, [[2.0, 1.0], [2.0, 2.0], [3.0, 1.0], [3.0, 2.0]]);
    assert_eq!(operator.on_box(&[1.0, 2.0, 3.0, 4.0], -1.0), [-1.0, -1.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn bad_input_is_refused() {
    let name = |result: Result<IntegralLaplacian, SpatialError>| match result {
        Err(SpatialError::OutOfRange { what, .. } | SpatialError::Length { what, .. }) => what,
        other => panic!("{:?}", other.map(|_| ())),
    };
    let on = |alpha, axes: &[(f64, f64, usize)]| name(IntegralLaplacian::on(alpha, axes));
    assert_eq!(on(2.0, &[(0.0, 1.0, 3)]), "order alpha");
    assert_eq!(on(1.0, &[]), "number of axes");
    assert_eq!(on(1.0, &[(0.0, 1.0, 3); 4]), "number of axes");
    assert_eq!(on(1.0, &[(0.0, 1.0, 3), (1.0, 0.0, 3)]), "length b - a");
    assert_eq!(on(1.0, &[(0.0, 1.0, 3), (0.0, 1.0, 0)]), "number of nodes");
    assert_eq!(on(1.0, &[(0.0, 1.0, 1 << 15); 2]), "number of nodes of the box");
    assert_eq!(on(1.0, &[(0.0, 1.0, 3), (0.0, 1e3, 3)]), "ratio of the steps of two axes");
    let empty = IntegralLaplacian::inside(1.0, &[(0.0, 1.0, 3)], |_| false);
    assert_eq!(name(empty), "number of nodes in the domain");
    let mask = IntegralLaplacian::masked(1.0, &[(0.0, 1.0, 3)], &[true; 4]);
    assert_eq!(name(mask), "mask");
    let line = || IntegralLaplacian::on(1.0, &[(0.0, 1.0, 3)]).unwrap();
    assert_eq!(name(line().with_ball_correction(&[0.5, 0.5], 1.0)), "centre");
    let distance = "distance of a node from the centre";
    assert_eq!(name(line().with_ball_correction(&[0.5], 0.25)), distance);
    assert_eq!(name(line().with_ball_correction(&[f64::NAN], 1.0)), distance);
    // Nodes inside the ball that are not in the domain, and a box that cuts the ball.
    let plane = [(-1.0, 1.0, 9); 2];
    let square_hole = |x: &[f64]| square(x) < 1.0 && (x[0] - 0.2).hypot(x[1]) > 0.1;
    let hole = IntegralLaplacian::inside(1.0, &plane, square_hole).unwrap();
    let what = "distance of a node outside the domain";
    assert_eq!(name(hole.with_ball_correction(&[0.0; 2], 1.0)), what);
    let cut = IntegralLaplacian::inside(1.0, &plane, |x| (x[0] - 0.3).hypot(x[1]) < 1.0).unwrap();
    let what = "distance of the centre from an end of an axis";
    assert_eq!(name(cut.with_ball_correction(&[0.3, 0.0], 1.0)), what);
    assert_eq!(
        name(line().with_stopping(Stopping { tolerance: 1.0, iterations: 3 })),
        "tolerance of the residual"
    );
    let operator = line();
    let found = operator.poisson(&[1.0, f64::INFINITY, 1.0]).unwrap_err();
    assert_eq!(found.to_string(), "right-hand side f is inf at index 1");
    assert!(operator.poisson(&[1.0; 2]).is_err());
    assert!(operator.poisson_order_derivative(&[1.0; 2]).is_err());
}
