//! Published values of solutions.

use crate::point::{Point, equation};
use hpfracc_equation::Equation;
use hpfracc_equation::catalogue::named;

/// Values of the components at a time, for some values of the parameters.
struct Published {
    name: &'static str,
    parameters: &'static [(&'static str, f64)],
    t: f64,
    values: &'static [f64],
}

/// Order 1 in all cases. Source: Mazzia and Magherini, Test Set for Initial Value Problem Solvers
/// (2008); the value of Robertson's reactions at t = 40 is that of the example `cvRoberts_dns` of
/// SUNDIALS (Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363, DOI 10.1145/1089014.1089020).
const PUBLISHED: [Published; 5] = [
    Published {
        name: "hires",
        parameters: &[("alpha", 1.0)],
        t: 321.8122,
        values: &[
            0.737_131_257_332_566_8e-3,
            0.144_248_572_631_618_5e-3,
            0.588_872_974_096_757_5e-4,
            0.117_565_134_328_314_9e-2,
            0.238_635_619_883_133_1e-2,
            0.623_896_825_274_279_6e-2,
            0.284_999_839_518_576_9e-2,
            0.285_000_160_481_423_1e-2,
        ],
    },
    Published {
        name: "robertson",
        parameters: &[("alpha", 1.0)],
        t: 40.0,
        values: &[0.715_827, 9.1855e-6, 0.284_164],
    },
    Published {
        name: "robertson",
        parameters: &[("alpha", 1.0)],
        t: 1e11,
        values: &[0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505],
    },
    Published {
        name: "oregonator",
        parameters: &[("alpha", 1.0)],
        t: 360.0,
        values: &[0.100_081_487_031_852_3e1, 0.122_817_852_154_991_7e4, 0.132_055_494_284_670_6e3],
    },
    Published {
        name: "van-der-pol",
        parameters: &[("alpha", 1.0), ("mu", 1e3)],
        t: 2e3,
        values: &[0.170_616_773_217_046_9e1, -0.892_809_701_024_812_5e-3],
    },
];

fn case(published: &Published) -> Equation {
    let mut equation = equation(named(published.name).unwrap());
    for (name, value) in published.parameters {
        equation.set(name, *value).unwrap();
    }
    equation
}

#[test]
fn values_are_given_for_every_component() {
    for published in &PUBLISHED {
        let equation = case(published);
        assert_eq!(equation.states().len(), published.values.len(), "{}", published.name);
        for state in equation.states() {
            assert_eq!(equation.value(state.order()), 1.0, "{}", published.name);
        }
    }
}

/// The two that an explicit method of order 4 solves.
#[test]
fn runge_kutta_reaches_the_published_values() {
    for (index, steps, tolerance) in [(0, 60_000, 1e-10), (1, 160_000, 1e-5)] {
        let published = &PUBLISHED[index];
        let equation = case(published);
        let found = runge_kutta(&equation, published.t, steps);
        for (found, expected) in found.iter().zip(published.values) {
            let error = (found / expected - 1.0).abs();
            assert!(error < tolerance, "{}: {found} {expected} {error:e}", published.name);
        }
    }
}

fn runge_kutta(equation: &Equation, end: f64, steps: u32) -> Vec<f64> {
    let start = equation.states().iter().map(|state| equation.value(state.initial()[0].unwrap()));
    let mut y: Vec<f64> = start.collect();
    let h = end / f64::from(steps);
    let rate = |y: &[f64]| Point { t: 0.0, y, lagged: &[], lower: &[] }.drift(equation);
    let moved = |y: &[f64], k: &[f64], h: f64| -> Vec<f64> {
        y.iter().zip(k).map(|(y, k)| y + h * k).collect()
    };
    for _ in 0..steps {
        let k1 = rate(&y);
        let k2 = rate(&moved(&y, &k1, h / 2.0));
        let k3 = rate(&moved(&y, &k2, h / 2.0));
        let k4 = rate(&moved(&y, &k3, h));
        for (i, y) in y.iter_mut().enumerate() {
            *y += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    y
}
