//! Right-hand sides and Jacobians of eight entries, written again by hand.

use crate::point::{Point, equation};
use hpfracc_equation::Equation;
use hpfracc_equation::catalogue::named;

/// System by hand. Its variables are the components of the state, then a lower derivative or a lagged
/// component.
struct System {
    name: &'static str,
    parameters: &'static [&'static str],
    variables: usize,
    drift: fn(&[f64], &[f64]) -> Vec<f64>,
    /// Row by row.
    jacobian: fn(&[f64], &[f64]) -> Vec<f64>,
}

const SYSTEMS: [System; 8] = [
    System {
        name: "relaxation",
        parameters: &["rate"],
        variables: 1,
        drift: |p, y| vec![-p[0] * y[0]],
        jacobian: |p, _| vec![-p[0]],
    },
    System {
        name: "oscillator",
        parameters: &["omega"],
        variables: 1,
        drift: |p, y| vec![-p[0] * p[0] * y[0]],
        jacobian: |p, _| vec![-p[0] * p[0]],
    },
    System {
        name: "brusselator",
        parameters: &["a", "b"],
        variables: 2,
        drift: |p, y| {
            let reaction = y[0] * y[0] * y[1];
            vec![p[0] - (p[1] + 1.0) * y[0] + reaction, p[1] * y[0] - reaction]
        },
        jacobian: |p, y| {
            let (in_x, in_y) = (2.0 * y[0] * y[1], y[0] * y[0]);
            vec![in_x - p[1] - 1.0, in_y, p[1] - in_x, -in_y]
        },
    },
    System {
        name: "lorenz",
        parameters: &["sigma", "rho", "beta"],
        variables: 3,
        drift: |p, y| {
            vec![p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]]
        },
        jacobian: |p, y| vec![-p[0], p[0], 0.0, p[1] - y[2], -1.0, -y[0], y[1], y[0], -p[2]],
    },
    System {
        name: "sir",
        parameters: &["beta", "gamma"],
        variables: 3,
        drift: |p, y| {
            let (infections, recoveries) = (p[0] * y[0] * y[1], p[1] * y[1]);
            vec![-infections, infections - recoveries, recoveries]
        },
        jacobian: |p, y| {
            let (in_s, in_i) = (p[0] * y[1], p[0] * y[0]);
            vec![-in_s, -in_i, 0.0, in_s, in_i - p[1], 0.0, 0.0, p[1], 0.0]
        },
    },
    System {
        name: "robertson",
        parameters: &["k1", "k2", "k3"],
        variables: 3,
        drift: |p, y| {
            let (slow, square, back) = (p[0] * y[0], p[1] * y[1] * y[1], p[2] * y[1] * y[2]);
            vec![back - slow, slow - back - square, square]
        },
        jacobian: |p, y| {
            let (square, in_2, in_3) = (2.0 * p[1] * y[1], p[2] * y[2], p[2] * y[1]);
            vec![-p[0], in_2, in_3, p[0], -in_2 - square, -in_3, 0.0, square, 0.0]
        },
    },
    System {
        name: "bagley-torvik",
        parameters: &["a", "b", "c"],
        variables: 2,
        drift: |p, y| vec![-(p[1] * y[1] + p[2] * y[0]) / p[0]],
        jacobian: |p, _| vec![-p[2] / p[0], -p[1] / p[0]],
    },
    System {
        name: "delay-logistic",
        parameters: &["rate", "capacity"],
        variables: 2,
        drift: |p, y| vec![p[0] * y[0] * (1.0 - y[1] / p[1])],
        jacobian: |p, y| vec![p[0] * (1.0 - y[1] / p[1]), -p[0] * y[0] / p[1]],
    },
];

/// Well spread numbers in (0.1, 2.1).
fn numbers() -> impl Iterator<Item = f64> {
    (1_u32..).map(|k| (f64::from(k) * 0.618_033_988_749_894_9).fract() * 2.0 + 0.1)
}

fn drift(equation: &Equation, variables: &[f64]) -> Vec<f64> {
    let (y, other) = variables.split_at(equation.states().len());
    Point { t: 0.0, y, lagged: other, lower: other }.drift(equation)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()))
}

#[test]
fn texts_equal_the_formulas() {
    let mut numbers = numbers();
    for system in &SYSTEMS {
        for _ in 0..50 {
            let mut equation = equation(named(system.name).unwrap());
            let p: Vec<f64> = system
                .parameters
                .iter()
                .map(|name| {
                    let value = equation.parameter(name).unwrap().value() * numbers.next().unwrap();
                    equation.set(name, value).unwrap();
                    value
                })
                .collect();
            let y: Vec<f64> = numbers.by_ref().take(system.variables).collect();
            let expected = (system.drift)(&p, &y);
            let scale = largest(&expected);
            for (found, expected) in drift(&equation, &y).iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-14 * scale, "{}", system.name);
            }
            let jacobian = (system.jacobian)(&p, &y);
            let scale = largest(&jacobian);
            for k in 0..system.variables {
                // Central differences of at most quadratic functions are exact.
                let step = 1.0 / 64.0;
                let (mut above, mut below) = (y.clone(), y.clone());
                above[k] += step;
                below[k] -= step;
                let (above, below) = (drift(&equation, &above), drift(&equation, &below));
                for (row, (above, below)) in above.iter().zip(&below).enumerate() {
                    let found = (above - below) / (2.0 * step);
                    let error = (found - jacobian[row * system.variables + k]).abs();
                    assert!(error < 1e-11 * scale, "{}: {error:e}", system.name);
                }
            }
        }
    }
}

#[test]
fn parameters_and_orders_of_the_eight_systems() {
    let expected: [(&str, &[(&str, f64)]); 8] = [
        ("relaxation", &[("rate", 1.0), ("y0", 1.0), ("alpha", 0.6)]),
        ("oscillator", &[("omega", 1.0), ("y0", 1.0), ("v0", 0.0), ("alpha", 1.8)]),
        ("brusselator", &[("a", 1.0), ("b", 3.0), ("x0", 1.2), ("y0", 2.8), ("alpha", 0.8)]),
        (
            "lorenz",
            &[
                ("sigma", 10.0),
                ("rho", 28.0),
                ("beta", 8.0 / 3.0),
                ("x0", 1.0),
                ("y0", 1.0),
                ("z0", 1.0),
                ("alpha", 0.995),
            ],
        ),
        ("sir", &[("beta", 0.4), ("gamma", 0.1), ("i0", 0.01), ("alpha", 0.9)]),
        ("robertson", &[("k1", 0.04), ("k2", 3e7), ("k3", 1e4), ("alpha", 0.9)]),
        ("bagley-torvik", &[("a", 1.0), ("b", 0.5), ("c", 1.0), ("y0", 1.0), ("alpha", 1.5)]),
        (
            "delay-logistic",
            &[("rate", 1.0), ("capacity", 1.0), ("tau", 2.0), ("y0", 0.5), ("alpha", 0.95)],
        ),
    ];
    for (name, parameters) in expected {
        let equation = equation(named(name).unwrap());
        let found: Vec<_> = equation.parameters().iter().map(|p| (p.name(), p.value())).collect();
        assert_eq!(found, parameters, "{name}");
    }
}
