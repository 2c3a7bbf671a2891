//! At alpha = 1 each implicit scheme gives the numbers of a classical one, and near it nearly
//! those.

use hpfracc_ode::{
    Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle, ProductTrapezoid, Scheme,
    Steps, solve,
};

const N: usize = 50;
const H: f64 = 2.0 / N as f64;

fn rhs(t: f64, y: f64) -> f64 {
    t.cos() - y * y
}

/// Solves `y = known + c rhs(t, y)`, a quadratic equation.
fn implicit(known: f64, c: f64, t: f64) -> f64 {
    let right = known + c * t.cos();
    2.0 * right / (1.0 + (1.0 + 4.0 * c * right).sqrt())
}

fn by(scheme: &dyn Scheme, alpha: f64) -> Vec<f64> {
    let f = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = rhs(t, y[0]);
    let problem = Problem::new(&[alpha], (0.0, 2.0), &[&[0.5]], f).unwrap();
    let solution = solve(&problem, scheme, &Steps::Uniform(N), Options::default()).unwrap();
    solution.states().iter().copied().collect()
}

fn t(n: usize) -> f64 {
    H * n as f64
}

fn backward_euler() -> Vec<f64> {
    (1..=N).fold(vec![0.5], |mut y, n| {
        y.push(implicit(y[n - 1], H, t(n)));
        y
    })
}

fn trapezoidal_rule() -> Vec<f64> {
    (1..=N).fold(vec![0.5], |mut y, n| {
        let known = y[n - 1] + 0.5 * H * rhs(t(n - 1), y[n - 1]);
        y.push(implicit(known, 0.5 * H, t(n)));
        y
    })
}

/// The first step by the trapezoidal rule, as the starting weights have it.
fn bdf2() -> Vec<f64> {
    (2..=N).fold(trapezoidal_rule()[..2].to_vec(), |mut y, n| {
        let known = (4.0 * y[n - 1] - y[n - 2]) / 3.0;
        y.push(implicit(known, 2.0 / 3.0 * H, t(n)));
        y
    })
}

fn exponential_euler(lambda: f64) -> Vec<f64> {
    (1..=N).fold(vec![0.5], |mut y, n| {
        let last = y[n - 1];
        let forcing = rhs(t(n - 1), last) - lambda * last;
        y.push((lambda * H).exp() * last + (lambda * H).exp_m1() / lambda * forcing);
        y
    })
}

#[test]
fn classical_schemes() {
    let cases: [(&dyn Scheme, Vec<f64>); 7] = [
        (&ProductRectangle::Implicit, backward_euler()),
        (&L1, backward_euler()),
        (&ProductTrapezoid, trapezoidal_rule()),
        (&LinearMultistep::Trapezoidal, trapezoidal_rule()),
        (&LinearMultistep::NewtonGregory, trapezoidal_rule()),
        (&LinearMultistep::Bdf2, bdf2()),
        (&Exponential::rectangle(&[-2.0]), exponential_euler(-2.0)),
    ];
    for (scheme, classical) in cases {
        for (alpha, most) in [(1.0, 1e-14), (1.0 - 1e-7, 3e-6)] {
            let found = by(scheme, alpha);
            let worst =
                found.iter().zip(&classical).map(|(y, c)| (y - c).abs()).fold(0.0, f64::max);
            println!("{} {alpha}: {worst:.1e}", scheme.name());
            assert!(found.len() == N + 1 && worst < most, "{} {alpha}: {worst:e}", scheme.name());
        }
    }
}

/// Given nodes that are equal, and a graded mesh of exponent 1, are uniform steps to L1.
#[test]
fn direct_sums_and_histories_agree_for_l1() {
    let f = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (rhs(t, y[0]) - y[1], y[0] - y[1]);
    };
    let problem = Problem::new(&[0.4, 0.9], (0.0, 2.0), &[&[0.5, 1.0]], f).unwrap();
    let by = |steps: Steps| solve(&problem, &L1, &steps, Options::default()).unwrap();
    let uniform = by(Steps::Uniform(N));
    for steps in [Steps::Graded { n: N, exponent: 1.0 }, Steps::Given(uniform.times().to_vec())] {
        let other = by(steps);
        let difference = (&uniform.states() - &other.states()).mapv(f64::abs);
        let worst = difference.fold(0.0, |most: f64, d| most.max(*d));
        assert!(worst < 1e-14, "{worst:e}");
    }
}
