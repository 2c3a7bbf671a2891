//! Prabhakar's operators: closed forms, orders, composition, limits, bad parameters.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Caputo, Discrete, Operator, OperatorError, Prabhakar, PrabhakarKernel, RiemannLiouville,
    RlIntegral, named,
};
use hpfracc_special::{gamma, prabhakar};
use hpfracc_testkit::observed_order;
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

const KERNELS: [PrabhakarKernel; 4] = [
    PrabhakarKernel { rho: 0.6, gamma: 1.5, omega: -0.8 },
    PrabhakarKernel { rho: 0.9, gamma: -0.7, omega: -2.0 },
    PrabhakarKernel { rho: 0.7, gamma: 0.4, omega: 1.1 },
    PrabhakarKernel { rho: 1.4, gamma: 1.2, omega: -3.0 },
];

/// What becomes of t^q.
fn exact(name: &str, alpha: f64, kernel: PrabhakarKernel, q: f64, t: f64) -> f64 {
    if name == "prabhakar-caputo" && q == 0.0 {
        return 0.0;
    }
    let PrabhakarKernel { rho, gamma: c, omega } = kernel;
    let (signed, c) = if name == "prabhakar-integral" { (-alpha, c) } else { (alpha, -c) };
    let e = prabhakar(rho, q + 1.0 - signed, c, omega * t.powf(rho)).unwrap();
    gamma(q + 1.0) * t.powf(q - signed) * e
}

fn apply(name: &str, alpha: f64, kernel: PrabhakarKernel, grid: Grid, q: f64) -> Array1<f64> {
    let PrabhakarKernel { rho, gamma, omega } = kernel;
    let given = [("rho", rho), ("gamma", gamma), ("omega", omega)];
    let operator = named(name, None, order(alpha), &given).unwrap();
    let samples: Array1<f64> = grid.points().map(|t| t.powf(q)).collect();
    operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap()
}

/// Nearly 8 radians, or a growth of nearly exp(8), within a step: as much as is accepted.
#[test]
fn lines_are_exact_with_kernels_at_the_edge() {
    for (rho, gamma, omega, n) in
        [(2.0, 0.5, -60.0, 12), (2.0, -1.5, -60.0, 12), (1.0, 1.5, 7.5, 9)]
    {
        let kernel = PrabhakarKernel { rho, gamma, omega };
        let grid = Grid::uniform(n, 1.0).unwrap();
        for name in ["prabhakar-integral", "prabhakar-caputo"] {
            let y = apply(name, 0.5, kernel, grid, 1.0);
            let exact: Vec<f64> = (0..n).map(|k| exact(name, 0.5, kernel, 1.0, k as f64)).collect();
            for k in 1..n {
                let size = exact[..=k].iter().fold(1e-3, |m: f64, e| m.max(e.abs()));
                let error = (y[k] - exact[k]).abs() / size;
                assert!(error < 1e-9, "{name} {kernel:?} {k}: {} {}", y[k], exact[k]);
            }
        }
    }
}

#[test]
fn lines_are_exact_at_every_node() {
    let grid = Grid::uniform(300, 0.02).unwrap();
    for kernel in KERNELS {
        for (name, alpha) in [
            ("prabhakar-integral", 0.5),
            ("prabhakar-integral", 1.6),
            ("prabhakar-caputo", 0.4),
            ("prabhakar-riemann-liouville", 0.7),
        ] {
            for q in [0.0, 1.0] {
                let y = apply(name, alpha, kernel, grid, q);
                for n in 1..grid.n() {
                    let exact = exact(name, alpha, kernel, q, grid.t(n));
                    let error = (y[n] - exact).abs() / exact.abs().max(1.0);
                    assert!(error < 1e-11, "{name} {alpha} {kernel:?} t^{q} {n}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn orders_are_those_of_theory() {
    for kernel in KERNELS {
        for (name, alpha, q, theory) in [
            ("prabhakar-integral", 0.5, 2.0, 2.0),
            ("prabhakar-integral", 0.5, 0.3, 1.3),
            ("prabhakar-caputo", 0.6, 2.0, 1.4),
            ("prabhakar-riemann-liouville", 0.6, 2.0, 1.4),
        ] {
            let error = |n: usize| {
                let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
                let y = apply(name, alpha, kernel, grid, q);
                (grid.dt(), (y[n] - exact(name, alpha, kernel, q, 1.0)).abs())
            };
            let seen = observed_order(&[error(320), error(640), error(1280)]);
            println!("{name} {kernel:?} t^{q}: {seen:.2} ({theory})");
            assert!((seen - theory).abs() < 0.2, "{name} {kernel:?} t^{q}: {seen}");
        }
    }
}

/// Orders and gammas add: e^{g1}_{a1} * e^{g2}_{a2} = e^{g1+g2}_{a1+a2}.
#[test]
fn integrals_compose() {
    let error = |n: usize| {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let of = |alpha: f64, gamma: f64| {
            let kernel = PrabhakarKernel { rho: 0.8, gamma, omega: -1.0 };
            Prabhakar::integral(order(alpha), kernel)
                .unwrap()
                .on::<f64, _>(grid, &Reference)
                .unwrap()
        };
        let f: Array1<f64> = grid.points().map(|t| t * t).collect();
        let twice = of(0.7, 0.5).apply(of(0.6, 0.8).apply(f.view()).unwrap().view()).unwrap();
        let once = of(1.3, 1.3).apply(f.view()).unwrap();
        (grid.dt(), (twice[n] - once[n]).abs())
    };
    let pairs = [error(100), error(200), error(400)];
    let seen = observed_order(&pairs);
    assert!((seen - 2.0).abs() < 0.2, "{seen} {pairs:?}");
}

#[test]
fn without_gamma_or_omega_it_is_the_plain_operator() {
    let grid = Grid::uniform(100, 0.01).unwrap();
    let alpha = order(0.4);
    for (gamma, omega) in [(0.0, -1.0), (1.5, 0.0)] {
        let kernel = PrabhakarKernel { rho: 0.6, gamma, omega };
        let pairs: [(Prabhakar, Box<dyn Operator>); 3] = [
            (
                Prabhakar::integral(alpha, kernel).unwrap(),
                Box::new(RlIntegral::trapezoid(alpha).unwrap()),
            ),
            (Prabhakar::caputo(alpha, kernel).unwrap(), Box::new(Caputo::l1(alpha).unwrap())),
            (
                Prabhakar::riemann_liouville(alpha, kernel).unwrap(),
                Box::new(RiemannLiouville::l1(alpha).unwrap()),
            ),
        ];
        for (operator, plain) in pairs {
            assert_eq!(operator.weights(grid).unwrap(), plain.weights(grid).unwrap());
        }
    }
    // And near it.
    let near = PrabhakarKernel { rho: 0.6, gamma: 1e-9, omega: -1.0 };
    let plain = PrabhakarKernel { gamma: 0.0, ..near };
    let (near, plain) = (
        apply("prabhakar-caputo", 0.4, near, grid, 1.0),
        apply("prabhakar-caputo", 0.4, plain, grid, 1.0),
    );
    assert!(near.iter().zip(&plain).all(|(a, b)| (a - b).abs() < 1e-7));
}

#[test]
fn bad_parameters_are_named() {
    let good = KERNELS[0];
    for (what, kernel) in [
        ("rho", PrabhakarKernel { rho: 0.0, ..good }),
        ("rho", PrabhakarKernel { rho: 2.5, ..good }),
        ("rho", PrabhakarKernel { rho: f64::NAN, ..good }),
        ("gamma", PrabhakarKernel { gamma: 2.5, ..good }),
        ("gamma", PrabhakarKernel { gamma: f64::NAN, ..good }),
        ("omega", PrabhakarKernel { omega: f64::INFINITY, ..good }),
    ] {
        let refused = Prabhakar::integral(order(0.5), kernel).unwrap_err();
        assert!(
            matches!(refused, OperatorError::Parameter { what: w, .. } if w == what),
            "{refused}"
        );
    }
    for refused in [
        Prabhakar::integral(order(2.5), good).err(),
        Prabhakar::caputo(order(1.0), good).err(),
        Prabhakar::riemann_liouville(order(0.0), good).err(),
    ] {
        assert!(matches!(refused.unwrap(), OperatorError::OutOfRange { .. }));
    }
    // A kernel that grows beyond all numbers.
    let growing = PrabhakarKernel { rho: 0.5, gamma: 1.0, omega: 10.0 };
    let grid = Grid::uniform(1000, 0.05).unwrap();
    let refused = Prabhakar::integral(order(0.5), growing).unwrap().weights(grid).unwrap_err();
    assert!(matches!(refused, OperatorError::Overflow { .. }), "{refused}");
    // Kernels that turn, or grow, too far within a step for any rule to see.
    let grid = |dt: f64| Grid::uniform(5, dt).unwrap();
    for (rho, gamma, omega, most) in [(2.0, 0.5, -2e5, 0.017), (1.0, 1.5, 40.0, 0.19)] {
        let kernel = PrabhakarKernel { rho, gamma, omega };
        let integral = Prabhakar::integral(order(0.5), kernel).unwrap();
        assert!(integral.weights(grid(most)).is_ok());
        let refused = integral.weights(grid(10.0 * most)).unwrap_err();
        assert!(
            matches!(refused, OperatorError::Parameter { what: "omega", value, .. } if value == omega)
        );
        assert!(integral.order_derivative(&Discrete::Grid(grid(10.0 * most))).is_err());
    }
    // These do not turn, and the polynomials of gamma = -1 do not either.
    for (rho, gamma, omega) in [(0.8, 0.5, -2e5), (1.2, 0.5, -2e5), (2.0, -1.0, -2e5)] {
        let kernel = PrabhakarKernel { rho, gamma, omega };
        let y = apply("prabhakar-integral", 0.5, kernel, grid(1.0), 1.0);
        for n in 1..5 {
            let exact = exact("prabhakar-integral", 0.5, kernel, 1.0, n as f64);
            assert!((y[n] / exact - 1.0).abs() < 1e-9, "{kernel:?} {n}: {} {exact}", y[n]);
        }
    }
}
