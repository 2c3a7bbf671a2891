//! Hadamard, Katugampola, Erdélyi–Kober: closed forms, orders, limits, gradients, bad input.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Bound, Caputo, Discrete, ErdelyiKober, Hadamard, Katugampola, MeshMemory, Operator,
    OperatorError, RiemannLiouville, RlIntegral, Weights,
};
use hpfracc_special::{gamma, gamma_ratio, recip_gamma};
use hpfracc_testkit::{max_abs, observed_order};
use hpfracc_types::{Grid, Mesh, Order};
use ndarray::Array1;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn on_grid(operator: impl Operator + Clone + 'static, grid: Grid, f: &Array1<f64>) -> Array1<f64> {
    let bound: Bound<f64> = operator.on(grid, &Reference).unwrap();
    bound.apply(f.view()).unwrap()
}

fn on_mesh(operator: impl Operator + Clone + 'static, mesh: &Mesh, f: &Array1<f64>) -> Array1<f64> {
    let bound: Bound<f64> = operator.on_mesh(mesh, &Reference).unwrap();
    bound.apply(f.view()).unwrap()
}

fn samples(mesh: &Mesh, f: impl Fn(f64) -> f64) -> Array1<f64> {
    mesh.points().iter().map(|t| f(*t)).collect()
}

/// The power q of x under an operator that adds `shift` to exponents.
fn power(q: f64, shift: f64, x: f64) -> f64 {
    gamma_ratio(q + 1.0, q + 1.0 + shift) * x.powf(q + shift)
}

#[track_caller]
fn close(found: f64, expected: f64, bound: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= bound * expected.abs(), "{what}: {found} expected {expected}, {error:e}");
}

/// 1 and log t are linear in log t: exact at every point, on every mesh and on uniform samples.
#[test]
fn hadamard_of_functions_linear_in_log_t() {
    let start = 0.7;
    let grid = Grid::uniform(300, 0.01).unwrap();
    let uniform = Mesh::uniform(grid, start).unwrap();
    let geometric = Mesh::geometric(300, start, 50.0).unwrap();
    for q in [0.0, 1.0] {
        for (operator, shift) in [
            (Hadamard::integral(order(0.6), start).unwrap(), 0.6),
            (Hadamard::integral(order(1.7), start).unwrap(), 1.7),
            (Hadamard::riemann_liouville(order(0.4), start).unwrap(), -0.4),
            (Hadamard::caputo(order(0.4), start).unwrap(), -0.4),
        ] {
            let name = operator.name().0;
            let of = |t: f64| {
                if q == 0.0 && name == "hadamard-caputo" {
                    0.0
                } else {
                    power(q, shift, (t / start).ln())
                }
            };
            let log = |t: f64| (t / start).ln().powf(q);
            for mesh in [&uniform, &geometric] {
                let y = on_mesh(operator, mesh, &samples(mesh, log));
                for (t, y) in mesh.points().iter().zip(&y).skip(1) {
                    close(*y, of(*t), 2e-11, &format!("{name} log^{q} at {t}"));
                }
            }
            let y = on_grid(operator, grid, &samples(&uniform, log));
            for (t, y) in uniform.points().iter().zip(&y).skip(1) {
                close(*y, of(*t), 2e-11, &format!("{name} log^{q} at {t} of a grid"));
            }
        }
    }
}

#[test]
fn a_geometric_mesh_is_a_convolution() {
    for n in [5, 1000, 100_000] {
        let mesh = Mesh::geometric(n, 1e-3, 1e4).unwrap();
        let weights = Hadamard::caputo(order(0.5), 1.0)
            .unwrap()
            .mesh_weights(&mesh, MeshMemory::default())
            .unwrap();
        assert!(matches!(weights, Weights::Toeplitz(_)), "{n}");
    }
    let mut points = Mesh::geometric(100, 1.0, 2.0).unwrap().points().to_vec();
    points[50] *= 1.0 + 1e-12;
    let mesh = Mesh::new(points).unwrap();
    let weights = Hadamard::caputo(order(0.5), 1.0)
        .unwrap()
        .mesh_weights(&mesh, MeshMemory::default())
        .unwrap();
    assert!(matches!(weights, Weights::Exponentials(_)));
}

/// (ln t)^q on uniform samples, at t = 3.
#[test]
fn hadamard_orders() {
    for (make, alpha, shift, q, expected) in [
        (Hadamard::integral as fn(_, _) -> _, 0.6, 0.6, 3.0, 2.0),
        (Hadamard::integral, 1.4, 1.4, 2.0, 2.0),
        (Hadamard::riemann_liouville, 0.6, -0.6, 3.0, 1.4),
        (Hadamard::caputo, 0.3, -0.3, 2.0, 1.7),
    ] {
        let error = |n: usize| {
            let grid = Grid::uniform(n + 1, 2.0 / n as f64).unwrap();
            let mesh = Mesh::uniform(grid, 1.0).unwrap();
            let operator: Hadamard = Result::<_, OperatorError>::unwrap(make(order(alpha), 1.0));
            let y = on_grid(operator, grid, &samples(&mesh, |t| t.ln().powf(q)));
            (grid.dt(), (y[n] - power(q, shift, 3f64.ln())).abs())
        };
        let pairs = [error(200), error(400), error(800)];
        let seen = observed_order(&pairs);
        assert!((seen - expected).abs() < 0.2, "{alpha} {q}: {seen} {pairs:?}");
    }
}

/// t^q, at t = 1.5 and at every point what is linear in t^rho.
#[test]
fn katugampola_on_powers() {
    for (rho, smooth) in [(0.5, 1.5), (1.0, 2.0), (2.0, 2.0), (3.5, 2.0)] {
        for (make, alpha, shift, best) in [
            (Katugampola::integral as fn(_, _, _) -> _, 0.6, 0.6, 2.0),
            (Katugampola::integral, 1.6, 1.6, 2.0),
            (Katugampola::riemann_liouville, 0.4, -0.4, 1.6),
            (Katugampola::caputo, 0.7, -0.7, 1.3),
        ] {
            let operator: Katugampola =
                Result::<_, OperatorError>::unwrap(make(order(alpha), rho, 0.0));
            let exact = |q: f64, t: f64| {
                rho.powf(-shift)
                    * gamma_ratio(q / rho + 1.0, q / rho + 1.0 + shift)
                    * t.powf(q + shift * rho)
            };
            let grid = |n: usize| Grid::uniform(n + 1, 1.5 / n as f64).unwrap();
            let at = |n: usize, q: f64| {
                let f = grid(n).points().map(|t| t.powf(q)).collect();
                on_grid(operator, grid(n), &f)
            };
            for (t, y) in grid(200).points().zip(at(200, rho)).skip(1) {
                let what = format!("{:?} {rho} at {t}", operator.name());
                close(y, exact(rho, t), 5e-11, &what);
            }
            // t^2 is linear in x for rho = 2, t for rho = 1.
            let q = if rho == 2.0 || rho == 1.0 { 3.0 } else { 1.0 };
            let error = |n: usize| (grid(n).dt(), (at(n, q)[n] - exact(q, 1.5)).abs());
            let pairs = [error(400), error(800), error(1600)];
            let (seen, theory) = (observed_order(&pairs), f64::min(smooth, best));
            println!("{:?} {alpha} rho {rho}: {seen:.2} ({theory})", operator.name());
            assert!(seen > theory - 0.2, "{:?} {alpha} {rho}: {seen} {pairs:?}", operator.name());
        }
    }
}

#[test]
fn katugampola_between_hadamard_and_riemann_liouville() {
    let grid = Grid::uniform(200, 0.01).unwrap();
    let from_one = Mesh::uniform(grid, 1.0).unwrap();
    let f = samples(&from_one, |t| (2.0 * t).sin() + 1.0);
    let same = |a: Array1<f64>, b: Array1<f64>, bound: f64, what: &str| {
        let difference = max_abs(&(&a - &b)) / max_abs(&b);
        assert!(difference < bound, "{what}: {difference:e}");
    };
    let (a, b) = (order(0.6), order(1.3));
    // rho to 0
    let near = |kind: fn(_, _, _) -> Result<Katugampola, OperatorError>, alpha| {
        on_grid(kind(alpha, 1e-9, 1.0).unwrap(), grid, &f)
    };
    let hadamard = |kind: fn(_, _) -> Result<Hadamard, OperatorError>, alpha| {
        on_grid(kind(alpha, 1.0).unwrap(), grid, &f)
    };
    same(near(Katugampola::integral, b), hadamard(Hadamard::integral, b), 1e-8, "integral");
    same(near(Katugampola::caputo, a), hadamard(Hadamard::caputo, a), 1e-8, "caputo");
    let (katugampola, log) =
        (near(Katugampola::riemann_liouville, a), hadamard(Hadamard::riemann_liouville, a));
    same(katugampola, log, 1e-8, "derivative");
    // rho = 1, whatever the start
    let one = |kind: fn(_, _, _) -> Result<Katugampola, OperatorError>, alpha| {
        on_grid(kind(alpha, 1.0, 1.0).unwrap(), grid, &f)
    };
    let plain = on_grid(RlIntegral::trapezoid(b).unwrap(), grid, &f);
    same(one(Katugampola::integral, b), plain, 3e-12, "rho = 1 integral");
    let plain = on_grid(Caputo::l1(a).unwrap(), grid, &f);
    same(one(Katugampola::caputo, a), plain, 3e-11, "rho = 1 caputo");
    let plain = on_grid(RiemannLiouville::l1(a).unwrap(), grid, &f);
    same(one(Katugampola::riemann_liouville, a), plain, 3e-11, "rho = 1 derivative");
}

/// 1 and t exactly, and t^q with order 2 at the end and near zero, whatever the weight.
#[test]
fn erdelyi_kober_on_powers() {
    for (alpha, g, beta) in [
        (0.5, 0.5, 2.0),
        (0.5, -0.7, 1.0),
        (1.6, 0.3, 0.6),
        (0.2, 2.5, 1.0),
        (1.0, 0.0, 1.0),
        (2.0, 0.0, 3.0),
    ] {
        let operator = ErdelyiKober::new(order(alpha), g, beta, 0.0).unwrap();
        let factor = |q: f64| gamma_ratio(g + 1.0 + q / beta, g + alpha + 1.0 + q / beta);
        let grid = |n: usize| Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let at = |n: usize, q: f64| {
            on_grid(operator, grid(n), &grid(n).points().map(|t| t.powf(q)).collect())
        };
        for q in [0.0, 1.0] {
            let y = at(100, q);
            for (t, y) in grid(100).points().zip(&y) {
                close(
                    *y,
                    factor(q) * t.powf(q),
                    1e-13,
                    &format!("{alpha} {g} {beta}, t^{q} at {t}"),
                );
            }
        }
        for q in [2.0, 3.0] {
            let error = |n: usize| (1.0 / n as f64, (at(n, q)[n] - factor(q)).abs());
            let seen = observed_order(&[error(100), error(200), error(400)]);
            println!("{alpha} {g} {beta} t^{q}: {seen:.2}");
            assert!(seen > 1.8, "{alpha} {g} {beta}, t^{q}: {seen}");
        }
        // Near zero the error is one of t^2 in units of the step, everywhere.
        for (n, y) in at(100, 2.0).iter().enumerate() {
            let error = (y - factor(2.0) * (n as f64 / 100.0).powi(2)).abs() * 1e4;
            assert!(error < 1.0, "{alpha} {g} {beta}, node {n}: {error} steps squared");
        }
    }
}

/// Powers of times that no number holds are none of its business: it has no unit of time.
#[test]
fn erdelyi_kober_in_any_unit_of_time() {
    let operator = ErdelyiKober::new(order(0.5), 20.0, 3.0, 0.0).unwrap();
    let exact = gamma(21.0) * recip_gamma(21.5);
    let ones = Array1::ones(50);
    let bound = |dt: f64| operator.on(Grid::uniform(50, dt).unwrap(), &Reference).unwrap();
    for dt in [1e-9, 1e30] {
        let y: Array1<f64> = bound(dt).apply(ones.view()).unwrap();
        assert!(y.iter().all(|y| (y / exact - 1.0).abs() < 1e-11), "{dt}: {y}");
    }
    let slopes =
        [1.0, (-60f64).exp2()].map(|dt| bound(dt).vjp_order(ones.view(), ones.view()).unwrap());
    assert_eq!(slopes[0], slopes[1]);
}

#[test]
fn erdelyi_kober_as_other_integrals() {
    let grid = Grid::uniform(300, 0.01).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (3.0 * t).cos() + t).collect();
    let alpha = 0.7;
    // Without a weight and a substitution: t^-alpha I^alpha.
    let found = on_grid(ErdelyiKober::new(order(alpha), 0.0, 1.0, 0.0).unwrap(), grid, &f);
    let plain = on_grid(RlIntegral::trapezoid(order(alpha)).unwrap(), grid, &f);
    for (n, t) in grid.points().enumerate().skip(1) {
        let what = format!("riemann-liouville at {t}");
        assert!((found[n] - t.powf(-alpha) * plain[n]).abs() < 1e-11, "{what}");
    }
    close(found[0], f[0] * recip_gamma(alpha + 1.0), 1e-14, "at zero");
    // Without a weight: Katugampola's but for the powers in front, both of order 2.
    let (beta, n) = (2.0, 299);
    let found = on_grid(ErdelyiKober::new(order(alpha), 0.0, beta, 0.0).unwrap(), grid, &f);
    let other = on_grid(Katugampola::integral(order(alpha), beta, 0.0).unwrap(), grid, &f);
    let factor = beta.powf(alpha) * grid.t(n).powf(-beta * alpha);
    close(found[n], factor * other[n], 1e-3, "katugampola");
    // From a later start, by a finer grid.
    let late = |n: usize| {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let f = grid.points().map(|t| (t + 0.5).sin()).collect();
        on_grid(ErdelyiKober::new(order(alpha), 1.5, 2.0, 0.5).unwrap(), grid, &f)[n]
    };
    let fine = late(6400);
    let pairs = [100, 200, 400].map(|n| (1.0 / n as f64, (late(n) - fine).abs()));
    assert!((observed_order(&pairs) - 2.0).abs() < 0.2, "{pairs:?}");
}

/// On meshes with either memory, and gradients with respect to the order.
#[test]
fn memories_agree_on_meshes() {
    let mesh = Mesh::graded(120, 3.0, 2.5).unwrap();
    let later = Mesh::new(mesh.points().iter().map(|t| t + 0.4).collect()).unwrap();
    let check = |operator: &dyn Fn(f64) -> std::sync::Arc<dyn Operator>,
                 alpha: f64,
                 mesh: &Mesh| {
        let f = samples(mesh, |t| (2.0 * t).cos() + 0.5);
        let with = |alpha: f64, memory| {
            let bound: Bound<f64> = operator(alpha).on_mesh_with(mesh, memory, &Reference).unwrap();
            bound
        };
        let exact = with(alpha, MeshMemory::Exact);
        let near = with(alpha, MeshMemory::default());
        let (y, z) = (exact.apply(f.view()).unwrap(), near.apply(f.view()).unwrap());
        let what = format!("{:?} {alpha}", operator(alpha).name());
        // Against the terms of the sums, which the slopes of the first cells make large.
        assert!(max_abs(&(&y - &z)) < 1e-10 * max_abs(&y), "{what}");
        let loss = |alpha: f64| with(alpha, MeshMemory::Exact).apply(f.view()).unwrap().dot(&f);
        let step = 2e-4;
        let expected = (8.0 * (loss(alpha + step) - loss(alpha - step))
            - (loss(alpha + 2.0 * step) - loss(alpha - 2.0 * step)))
            / (12.0 * step);
        for bound in [&exact, &near] {
            let found = bound.vjp_order(f.view(), f.view()).unwrap();
            let size = expected.abs() + loss(alpha).abs();
            assert!((found - expected).abs() < 1e-8 * size, "{what}: {found} {expected}");
        }
    };
    use std::sync::Arc;
    for alpha in [0.3, 0.8] {
        check(&|a| Arc::new(Hadamard::integral(order(a), 1.0).unwrap()), alpha + 0.9, &later);
        check(&|a| Arc::new(Hadamard::riemann_liouville(order(a), 1.0).unwrap()), alpha, &later);
        check(&|a| Arc::new(Hadamard::caputo(order(a), 1.0).unwrap()), alpha, &later);
        for mesh in [&mesh, &later] {
            check(
                &|a| Arc::new(Katugampola::integral(order(a), 1.4, 0.0).unwrap()),
                alpha + 0.9,
                mesh,
            );
            check(&|a| Arc::new(Katugampola::caputo(order(a), 1.4, 0.0).unwrap()), alpha, mesh);
            check(&|a| Arc::new(ErdelyiKober::new(order(a), 0.4, 1.4, 0.0).unwrap()), alpha, mesh);
            check(&|a| Arc::new(ErdelyiKober::new(order(a), -0.4, 0.7, 0.0).unwrap()), 1.5, mesh);
        }
    }
}

#[test]
fn whole_orders_are_classical() {
    let start = 2.0;
    let grid = Grid::uniform(400, 0.01).unwrap();
    let mesh = Mesh::uniform(grid, start).unwrap();
    let n = 399;
    let t = mesh.end();
    let once =
        on_grid(Hadamard::integral(order(1.0), start).unwrap(), grid, &samples(&mesh, |t| t));
    close(once[n], t - start, 1e-5, "int ds");
    let near = Hadamard::caputo(order(1.0 - 1e-9), start).unwrap();
    let slope = on_grid(near, grid, &samples(&mesh, |t| t * t));
    close(slope[n], 2.0 * t * t, 5e-3, "t d/dt t^2");
    let near = Hadamard::caputo(order(1e-9), start).unwrap();
    let change = on_grid(near, grid, &samples(&mesh, |t| t * t));
    close(change[n], t * t - start * start, 1e-6, "f - f(t0)");
    let rho = Katugampola::integral(order(1.0), 3.0, 0.0).unwrap();
    let unit = Grid::uniform(401, 0.0025).unwrap();
    close(on_grid(rho, unit, &Array1::ones(401))[400], 1.0 / 3.0, 1e-11, "int s^2 ds");
    assert!((gamma(1.0) - 1.0).abs() < 1e-15);
}

#[test]
fn times_and_parameters_outside_the_definitions() {
    let half = order(0.5);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for refused in [
            Hadamard::integral(half, bad),
            Hadamard::riemann_liouville(half, bad),
            Hadamard::caputo(half, bad),
        ] {
            let refused = refused.unwrap_err();
            assert!(matches!(refused, OperatorError::Parameter { .. }), "{refused}");
        }
        assert!(Katugampola::caputo(half, bad, 0.0).is_err());
        assert!(ErdelyiKober::new(half, 0.0, bad, 0.0).is_err());
    }
    for bad in [-0.5, f64::NAN, f64::INFINITY] {
        assert!(Katugampola::integral(half, 1.0, bad).is_err());
        assert!(ErdelyiKober::new(half, 0.0, 1.0, bad).is_err());
    }
    for bad in [-1.0, 101.0, f64::NAN] {
        assert!(ErdelyiKober::new(half, bad, 1.0, 0.0).is_err());
    }
    for alpha in [0.0, 2.1] {
        assert!(matches!(
            Hadamard::integral(order(alpha), 1.0),
            Err(OperatorError::OutOfRange { .. })
        ));
        assert!(ErdelyiKober::new(order(alpha), 0.0, 1.0, 0.0).is_err());
    }
    for alpha in [0.0, 1.0, 1.4] {
        assert!(Hadamard::caputo(order(alpha), 1.0).is_err());
        assert!(Katugampola::riemann_liouville(order(alpha), 1.0, 0.0).is_err());
    }
    // A mesh has its own first point.
    let from_zero = Mesh::graded(8, 1.0, 2.0).unwrap();
    let refused = Hadamard::caputo(half, 1.0)
        .unwrap()
        .mesh_weights(&from_zero, MeshMemory::default())
        .unwrap_err();
    assert!(matches!(refused, OperatorError::Parameter { value: 0.0, .. }), "{refused}");
    let before_zero = Mesh::new(vec![-1.0, 0.0, 1.0]).unwrap();
    assert!(
        Katugampola::caputo(half, 2.0, 0.0)
            .unwrap()
            .mesh_weights(&before_zero, MeshMemory::default())
            .is_err()
    );
    assert!(
        ErdelyiKober::new(half, 0.0, 2.0, 0.0)
            .unwrap()
            .mesh_weights(&before_zero, MeshMemory::default())
            .is_err()
    );
}

/// Steps far below the time, or powers that overflow, are errors of one line.
#[test]
fn steps_that_the_variable_does_not_have() {
    let (half, grid) = (order(0.5), Grid::uniform(9, 1.0).unwrap());
    let operators: [Box<dyn Operator>; 3] = [
        Box::new(Hadamard::caputo(half, 1e308).unwrap()),
        Box::new(Katugampola::caputo(half, 2000.0, 1.0).unwrap()),
        Box::new(ErdelyiKober::new(half, 0.0, 2000.0, 1.0).unwrap()),
    ];
    for operator in operators {
        for refused in [operator.weights(grid), operator.order_derivative(&Discrete::Grid(grid))] {
            let refused = refused.unwrap_err();
            let said = refused.to_string();
            assert!(matches!(refused, OperatorError::Parameter { .. }), "{said}");
            assert!(said.contains("variable of the definition") && said.len() < 200, "{said}");
        }
    }
}
