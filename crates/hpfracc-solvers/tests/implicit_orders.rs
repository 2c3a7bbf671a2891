//! The order with which the error of each implicit and exponential scheme falls, over all nodes and at
//! the end, on smooth and on weakly singular solutions.

use hpfracc_solvers::ode::{
    Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle, ProductTrapezoid, Scheme,
    Steps, solve,
};
use hpfracc_special::{gamma, mittag_leffler};
use hpfracc_testkit::observed_order;

/// The largest error over all nodes, and the one at the end.
fn errors(
    scheme: &dyn Scheme,
    steps: &Steps,
    alpha: f64,
    rhs: impl Fn(f64, f64) -> f64,
    exact: impl Fn(f64) -> f64,
) -> [f64; 2] {
    let f = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = rhs(t, y[0]);
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[exact(0.0)]], f).unwrap();
    let solution = solve(&problem, scheme, steps, Options::default()).unwrap();
    let error = |(&t, y): (&f64, &f64)| (y - exact(t)).abs();
    let all: Vec<f64> = solution.times().iter().zip(solution.states()).map(error).collect();
    [all.iter().copied().fold(0.0, f64::max), all[all.len() - 1]]
}

#[test]
fn explore() {
    let schemes: [(&str, &dyn Scheme); 7] = [
        ("rect", &ProductRectangle::Implicit),
        ("trap", &ProductTrapezoid),
        ("flmm trap", &LinearMultistep::trapezoidal()),
        ("flmm ng", &LinearMultistep::newton_gregory()),
        ("flmm bdf", &LinearMultistep::bdf2()),
        ("l1", &L1),
        ("exp", &Exponential::trapezoid(&[-1.0])),
    ];
    for (name, scheme) in schemes {
        for alpha in [0.15, 0.2, 0.3, 0.5, 0.8, 0.95] {
            let mut all = [Vec::new(), Vec::new()];
            for n in [40, 80, 160, 320, 640] {
                let e = errors(
                    scheme,
                    &Steps::Uniform(n),
                    alpha,
                    |_, y| -y,
                    |t| mittag_leffler(alpha, 1.0, -t.powf(alpha)).unwrap(),
                );
                (0..2).for_each(|i| all[i].push((1.0 / n as f64, e[i] + 1e-300)));
            }
            println!(
                "{name} {alpha}: max {:.2} end {:.2}; {:.1e} {:.1e}",
                observed_order(&all[0]),
                observed_order(&all[1]),
                all[0][4].1,
                all[1][4].1
            );
        }
    }
    let _ = gamma;
}
