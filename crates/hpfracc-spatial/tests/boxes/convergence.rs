//! Observed orders of solutions.

use super::{Boundary, grid};
use Boundary::{Dirichlet, Neumann, Periodic, Robin};
use hpfracc_spatial::{Axis, Complex64, Discretisation, Laplacian, SpatialOperator};
use hpfracc_testkit::{max_abs, observed_order};
use std::f64::consts::PI;

/// A smooth function of x in [0, 1] that satisfies homogeneous boundary conditions, with minus its
/// second derivative.
fn solution(boundaries: [Boundary; 2], x: f64) -> (f64, f64) {
    let wave = |k: f64, phase: f64| {
        let u = (k * x + phase).sin();
        (u, k * k * u)
    };
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + 0.3 * b.0, a.1 + 0.3 * b.1);
    match boundaries {
        [Periodic, _] => add(wave(2.0 * PI, 0.4), wave(6.0 * PI, 1.0)),
        [Dirichlet, Dirichlet] => add(wave(PI, 0.0), wave(3.0 * PI, 0.0)),
        [Neumann, Neumann] => add(wave(PI, PI / 2.0), wave(2.0 * PI, PI / 2.0)),
        [Neumann, Dirichlet] => add(wave(PI / 2.0, PI / 2.0), wave(1.5 * PI, PI / 2.0)),
        [Dirichlet, Neumann] => add(wave(PI / 2.0, 0.0), wave(2.5 * PI, 0.0)),
        // sin(x + phase) with -u' + beta u = 0 at 0 and u' + gamma u = 0 at 1.
        [Robin(beta), _] => wave(1.0, (1.0 / beta).atan()),
        _ => wave(1.0, PI / 2.0),
    }
}

/// The pairs for which `solution` satisfies the conditions.
fn boundaries() -> Vec<[Boundary; 2]> {
    let cotangent = |phase: f64| -1.0 / (1.0 + phase).tan();
    vec![
        [Periodic, Periodic],
        [Dirichlet, Dirichlet],
        [Neumann, Neumann],
        [Neumann, Dirichlet],
        [Dirichlet, Neumann],
        [Robin(1.0), Robin(cotangent((1.0_f64).atan()))],
        [Neumann, Robin(1.0_f64.tan())],
    ]
}

/// The largest error of the solution of `u + A u = f` in a box with these boundaries on each axis.
fn error(boundaries: &[[Boundary; 2]], n: usize, discretisation: Discretisation) -> f64 {
    let axis =
        |b: &[Boundary; 2]| Axis::new(0.0, 1.0, n, *b).unwrap().with(discretisation).unwrap();
    let grid = grid(boundaries.iter().map(axis).collect());
    let kappa: Vec<f64> = (0..boundaries.len()).map(|d| 1.0 + d as f64).collect();
    let factors = |p: &[f64]| -> Vec<(f64, f64)> {
        p.iter().zip(boundaries).map(|(x, b)| solution(*b, *x)).collect()
    };
    let exact = grid.sample(|p| factors(p).iter().map(|f| f.0).product());
    let mut u = grid.sample(|p| {
        let f = factors(p);
        let product: f64 = f.iter().map(|f| f.0).product();
        let terms = f.iter().zip(&kappa).enumerate().map(|(d, (g, kappa))| {
            let others = f.iter().enumerate().filter(|(e, _)| *e != d);
            kappa * g.1 * others.map(|(_, f)| f.0).product::<f64>()
        });
        product + terms.sum::<f64>()
    });
    let a = Laplacian::new(grid, &kappa).unwrap();
    a.shifted(Complex64::ONE).unwrap().solve_real(&mut u).unwrap();
    max_abs(&u.iter().zip(&exact).map(|(u, v)| u - v).collect::<Vec<_>>())
}

fn order(boundaries: &[[Boundary; 2]], ns: [usize; 3], discretisation: Discretisation) -> f64 {
    let pairs = ns.map(|n| (1.0 / n as f64, error(boundaries, n, discretisation)));
    observed_order(&pairs)
}

#[test]
fn cells_have_order_two() {
    for (k, b) in boundaries().into_iter().enumerate() {
        let others = [boundaries()[(k + 2) % 7], boundaries()[(k + 3) % 7]];
        let one = order(&[b], [64, 128, 256], Discretisation::Second);
        let two = order(&[b, others[0]], [32, 64, 128], Discretisation::Second);
        let three = order(&[b, others[0], others[1]], [32, 48, 64], Discretisation::Second);
        for order in [one, two, three] {
            assert!((order - 2.0).abs() < 0.1, "{b:?}: {one} {two} {three}");
        }
    }
}

#[test]
fn five_points_have_order_four() {
    for (k, b) in boundaries()[..5].iter().enumerate() {
        let other = boundaries()[(k + 2) % 5];
        let one = order(&[*b], [40, 60, 80], Discretisation::Fourth);
        let two = order(&[*b, other], [40, 60, 80], Discretisation::Fourth);
        for order in [one, two] {
            assert!((order - 4.0).abs() < 0.1, "{b:?}: {one} {two}");
        }
    }
}

#[test]
fn five_points_have_order_two_if_the_reflection_is_not_smooth() {
    // u = x (1 - x): the second derivative does not vanish on the boundary.
    let error = |n: usize| {
        let axis = Axis::new(0.0, 1.0, n, [Dirichlet; 2]).unwrap();
        let grid = grid(vec![axis.with(Discretisation::Fourth).unwrap()]);
        let exact = grid.sample(|p| p[0] * (1.0 - p[0]));
        let mut u = vec![2.0; n];
        let a = Laplacian::new(grid, &[1.0]).unwrap();
        a.shifted(Complex64::ZERO).unwrap().solve_real(&mut u).unwrap();
        max_abs(&u.iter().zip(&exact).map(|(u, v)| u - v).collect::<Vec<_>>())
    };
    let order = observed_order(&[50, 100, 200].map(|n| (1.0 / n as f64, error(n))));
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn legendre_points_converge_spectrally() {
    for b in &boundaries()[1..] {
        let [coarse, fine] = [10, 24].map(|n| error(&[*b], n, Discretisation::Legendre));
        assert!(fine < 2e-13, "{b:?}: {coarse:e} {fine:e}");
        let plane = error(&[*b, boundaries()[3]], 24, Discretisation::Legendre);
        assert!(plane < 1e-12, "{b:?}: {plane:e}");
    }
}
