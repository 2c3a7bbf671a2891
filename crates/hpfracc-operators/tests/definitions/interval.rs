//! Fractional Laplacians of an interval: the spectral ones, the integral one, and that they differ.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    FractionalLaplacian, IntervalLaplacian, Operator, OperatorError, SpectralLaplacian,
};
use hpfracc_special::{digamma, gamma};
use hpfracc_testkit::{Table, max_abs, relative_max_error};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2};
use std::f64::consts::PI;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

/// The samples' places, on an interval from 0 on.
fn dirichlet_nodes(grid: Grid) -> Array1<f64> {
    grid.points().map(|x| x + grid.dt()).collect()
}

fn neumann_nodes(grid: Grid) -> Array1<f64> {
    grid.points().map(|x| x + 0.5 * grid.dt()).collect()
}

fn apply(operator: SpectralLaplacian, grid: Grid, f: &Array1<f64>) -> Array1<f64> {
    operator.on(grid, &Reference).unwrap().apply(f.view()).unwrap()
}

#[test]
fn sines_and_cosines_are_eigenfunctions() {
    for n in [2, 7, 64] {
        for alpha in [0.0, 0.5, 1.3, 2.0, 3.1] {
            for k in [1, n / 2, n - 1] {
                let bound = 1e-14 * (n as f64 / k as f64).powf(alpha) * n as f64;
                let grid = Grid::uniform(n, 2.0 / (n + 1) as f64).unwrap();
                let xi = PI * k as f64 / 2.0;
                let f = dirichlet_nodes(grid).mapv(|x| (xi * x).sin());
                let y = apply(SpectralLaplacian::dirichlet(order(alpha)), grid, &f);
                let exact = xi.powf(alpha) * &f;
                let error = max_abs(&(&y - &exact)) / max_abs(&exact);
                assert!(error < bound, "dirichlet {n} {alpha} {k}: {error:e}");

                let grid = Grid::uniform(n, 2.0 / n as f64).unwrap();
                let f = neumann_nodes(grid).mapv(|x| (xi * x).cos());
                let y = apply(SpectralLaplacian::neumann(order(alpha)), grid, &f);
                let exact = xi.powf(alpha) * &f;
                let error = max_abs(&(&y - &exact)) / max_abs(&exact);
                assert!(error < bound, "neumann {n} {alpha} {k}: {error:e}");
            }
        }
    }
    let grid = Grid::uniform(9, 0.2).unwrap();
    let ones = Array1::ones(9);
    let y = apply(SpectralLaplacian::neumann(order(0.7)), grid, &ones);
    assert!(max_abs(&y) < 1e-14);
}

/// sum_k r^k sin(k x) = r sin x / (1 - 2 r cos x + r^2), and the same with cosines.
#[test]
fn spectral_accuracy_with_the_right_ends() {
    let (n, r, alpha) = (80, 0.6f64, 1.3);
    let quotient = |x: f64| 1.0 - 2.0 * r * x.cos() + r * r;
    let series = |part: &dyn Fn(f64) -> f64| -> f64 {
        (1..200).map(f64::from).map(|k| k.powf(alpha) * r.powf(k) * part(k)).sum()
    };
    let grid = Grid::uniform(n, PI / (n + 1) as f64).unwrap();
    let x = dirichlet_nodes(grid);
    let y = apply(
        SpectralLaplacian::dirichlet(order(alpha)),
        grid,
        &x.mapv(|x| r * x.sin() / quotient(x)),
    );
    let exact = x.mapv(|x| series(&|k| (k * x).sin()));
    let error = relative_max_error(&y.to_vec(), &exact.to_vec());
    assert!(error < 1e-12, "dirichlet: {error:e}");

    let grid = Grid::uniform(n, PI / n as f64).unwrap();
    let x = neumann_nodes(grid);
    let f = x.mapv(|x| (r * x.cos() - r * r) / quotient(x) + 2.0);
    let y = apply(SpectralLaplacian::neumann(order(alpha)), grid, &f);
    let exact = x.mapv(|x| series(&|k| (k * x).cos()));
    let error = relative_max_error(&y.to_vec(), &exact.to_vec());
    assert!(error < 1e-12, "neumann: {error:e}");
}

/// (-Lap)^s (1-x^2)^s = Gamma(2s+1) = 4^s Gamma(1+s) Gamma(1/2+s) / Gamma(1/2).
#[test]
fn the_first_power_gives_a_constant() {
    for alpha in [0.02, 0.5, 1.0, 1.4, 2.0] {
        let s = 0.5 * alpha;
        let exact = 4f64.powf(s) * gamma(1.0 + s) * gamma(0.5 + s) / gamma(0.5);
        assert!((exact / gamma(alpha + 1.0) - 1.0).abs() < 1e-14);
        for n in [1, 2, 5, 30, 200] {
            let laplacian = IntervalLaplacian::new(n, (-1.0, 1.0), order(alpha)).unwrap();
            let u = laplacian.nodes().mapv(|x| ((1.0 - x) * (1.0 + x)).powf(s));
            let y = laplacian.on::<f64, _>(&Reference).unwrap().apply(u.view()).unwrap();
            let error = max_abs(&(&y - exact)) / exact;
            // Entries of the matrix near the ends are n^(2 alpha) times the result.
            let bound = 1e-12f64.max(1e-16 * (n as f64).powf(2.0 * alpha));
            println!("alpha {alpha}, n {n}: {error:.1e}");
            assert!(error < bound, "alpha {alpha}, n {n}: {error:e}");
        }
    }
}

/// Monic Gegenbauer polynomials of low degree with their derivatives in alpha, and their
/// eigenvalues.
fn gegenbauer(k: usize, alpha: f64, x: f64) -> (f64, f64) {
    match k {
        0 => (1.0, 0.0),
        1 => (x, 0.0),
        2 => (x * x - 1.0 / (alpha + 3.0), (alpha + 3.0).powi(-2)),
        _ => (x.powi(3) - 3.0 * x / (alpha + 5.0), 3.0 * x * (alpha + 5.0).powi(-2)),
    }
}

fn eigenvalue(k: usize, alpha: f64, half_length: f64) -> f64 {
    gamma(alpha + k as f64 + 1.0) / gamma(k as f64 + 1.0) * half_length.powf(-alpha)
}

#[test]
fn gegenbauer_polynomials_are_eigenfunctions_on_any_interval() {
    let (a, b) = (2.0, 7.0);
    for alpha in [0.3, 1.0, 1.7] {
        let laplacian = IntervalLaplacian::new(12, (a, b), order(alpha)).unwrap();
        assert!(laplacian.nodes().iter().all(|x| a < *x && *x < b));
        let z = laplacian.nodes().mapv(|x| (x - 4.5) / 2.5);
        let (forward, back) = (
            laplacian.on::<f64, _>(&Reference).unwrap(),
            laplacian.poisson_on::<f64, _>(&Reference).unwrap(),
        );
        for k in 0..4 {
            let g = z.mapv(|z| gegenbauer(k, alpha, z).0);
            let u = &g * &z.mapv(|z| ((1.0 - z) * (1.0 + z)).powf(0.5 * alpha));
            let y = forward.apply(u.view()).unwrap();
            let exact = eigenvalue(k, alpha, 2.5) * &g;
            let error = max_abs(&(&y - &exact)) / max_abs(&exact);
            assert!(error < 1e-12, "{alpha} {k}: {error:e}");
            let back = back.apply(exact.view()).unwrap();
            let error = max_abs(&(&back - &u)) / max_abs(&u);
            assert!(error < 1e-13, "{alpha} {k} poisson: {error:e}");
        }
    }
}

/// The relation A u = mu G holds for every alpha at the same nodes: its derivative is A' u + A u' =
/// mu' G + mu G'.
#[test]
fn gradients_in_the_order_hold_the_nodes() {
    let (n, half_length) = (9, 2.5);
    for alpha in [0.3, 1.0, 1.7] {
        let laplacian = IntervalLaplacian::new(n, (2.0, 7.0), order(alpha)).unwrap();
        let z = laplacian.nodes().mapv(|x| (x - 4.5) / half_length);
        let (forward, back) = (
            laplacian.on::<f64, _>(&Reference).unwrap(),
            laplacian.poisson_on::<f64, _>(&Reference).unwrap(),
        );
        for k in 0..4 {
            let mu = eigenvalue(k, alpha, half_length);
            let dmu = mu * (digamma(alpha + k as f64 + 1.0) - half_length.ln());
            let base = z.mapv(|z| (1.0 - z) * (1.0 + z));
            let edge = base.mapv(|base| base.powf(0.5 * alpha));
            let g = z.mapv(|z| gegenbauer(k, alpha, z).0);
            let dg = z.mapv(|z| gegenbauer(k, alpha, z).1);
            let u = &edge * &g;
            let du = &u * &base.mapv(|base| 0.5 * base.ln()) + &edge * &dg;
            let (f, df) = (mu * &g, dmu * &g + mu * &dg);
            // Of the inverse: B' f + B f' = u'.
            let cases = [
                (&forward, &u, &df - &forward.apply(du.view()).unwrap()),
                (&back, &f, { &du - &back.apply(df.view()).unwrap() }),
            ];
            for (map, input, expected) in cases {
                let units = Array2::<f64>::eye(n);
                let found: Array1<f64> = units
                    .rows()
                    .into_iter()
                    .map(|unit| map.vjp_order(input.view(), unit).unwrap())
                    .collect();
                let error = max_abs(&(&found - &expected)) / max_abs(&expected).max(max_abs(input));
                assert!(error < 1e-11, "{alpha} {k}: {error:e}");
            }
        }
    }
}

#[test]
fn the_transpose_is_exact() {
    let laplacian = IntervalLaplacian::new(7, (0.0, 1.0), order(0.8)).unwrap();
    let bound = laplacian.on::<f64, _>(&Reference).unwrap();
    let matrix = bound.to_matrix().unwrap();
    let ybar: Array1<f64> = (0..7).map(|j| f64::from(j).cos()).collect();
    let error = max_abs(&(bound.vjp(ybar.view()).unwrap() - matrix.t().dot(&ybar)));
    assert!(error < 1e-12 * max_abs(&matrix));
}

/// Of (1-x^2)^2, zero outside: three ways to the integral Laplacian, and the spectral one, which is
/// another.
#[test]
fn integral_and_spectral_laplacians_differ() {
    let table = Table::parse(include_str!("../data/integral_laplacian.csv"));
    let (n, h) = (399, 1.0 / 200.0);
    let grid = Grid::uniform(n, h).unwrap();
    let f = dirichlet_nodes(grid).mapv(|x| (1.0 - (x - 1.0).powi(2)).powi(2));
    for row in table.rows() {
        let (alpha, x, exact) = (row.number("alpha"), row.number("x"), row.number("value"));
        let node = (200.0 * (1.0 + x)).round() as usize - 1;
        let at_node = |bound: hpfracc_operators::Bound<f64>| bound.apply(f.view()).unwrap()[node];
        let parabolas = FractionalLaplacian::huang_oberman(order(alpha)).unwrap();
        let parabolas = at_node(parabolas.on(grid, &Reference).unwrap());
        let centred = FractionalLaplacian::ortigueira(order(alpha)).unwrap();
        let centred = at_node(centred.on(grid, &Reference).unwrap());
        assert!((parabolas - exact).abs() < 1e-4, "{alpha} {x}: {parabolas} {exact}");
        assert!((centred - exact).abs() < 1e-4, "{alpha} {x}: {centred} {exact}");
        let spectral =
            at_node(SpectralLaplacian::dirichlet(order(alpha)).on(grid, &Reference).unwrap());
        let difference = (spectral - exact).abs();
        println!("{alpha} {x}: integral {exact:.4}, spectral {spectral:.4}");
        assert!(difference > 0.005, "{alpha} {x}: {spectral} {exact}");
        if x == 0.0 {
            let laplacian = IntervalLaplacian::new(101, (-1.0, 1.0), order(alpha)).unwrap();
            let u = laplacian.nodes().mapv(|x| (1.0 - x * x).powi(2));
            let y = laplacian.on::<f64, _>(&Reference).unwrap().apply(u.view()).unwrap();
            assert!((y[50] - exact).abs() < 1e-5, "{alpha}: {} {exact}", y[50]);
        }
    }
}

/// At alpha = 2 all of them are -f''.
#[test]
fn at_order_two_they_agree() {
    let laplacian = IntervalLaplacian::new(24, (0.0, PI), order(2.0)).unwrap();
    let u = laplacian.nodes().mapv(f64::sin);
    let y = laplacian.on::<f64, _>(&Reference).unwrap().apply(u.view()).unwrap();
    assert!(max_abs(&(&y - &u)) < 1e-10);
    let grid = Grid::uniform(24, PI / 25.0).unwrap();
    let f = dirichlet_nodes(grid).mapv(f64::sin);
    let y = apply(SpectralLaplacian::dirichlet(order(2.0)), grid, &f);
    assert!(max_abs(&(&y - &f)) < 1e-12);
}

#[test]
fn refuses_invalid_intervals() {
    for alpha in [0.0, 2.5] {
        let refused = IntervalLaplacian::new(4, (0.0, 1.0), order(alpha)).unwrap_err();
        assert!(matches!(refused, OperatorError::OutOfRange { .. }), "{refused}");
    }
    for (n, ends) in [
        (0, (0.0, 1.0)),
        (4, (1.0, 1.0)),
        (4, (1.0, 0.0)),
        (4, (0.0, f64::NAN)),
        (4, (0.0, f64::INFINITY)),
    ] {
        let refused = IntervalLaplacian::new(n, ends, order(1.0)).unwrap_err();
        assert!(matches!(refused, OperatorError::Parameter { .. }), "{refused}");
    }
}
