//! Equations that become Caputo problems, or need no steps: their exact solutions, the order with
//! which schemes reach them, classical limits, and errors.

mod delay;
mod linear_system;
mod multi_term;
mod nonsingular;
mod of_function;
mod riemann_liouville;

use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Solution, Steps, System, solve};
use hpfracc_testkit::observed_order;

fn pece<S: System>(problem: &Problem<S>, passes: usize, n: usize) -> Solution {
    let scheme = AdamsBashforthMoulton { passes };
    solve(problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap()
}

/// The order seen when n is doubled, and the last error.
fn order(name: &str, numbers: &[usize], error: impl Fn(usize) -> f64) -> (f64, f64) {
    let pairs: Vec<(f64, f64)> = numbers.iter().map(|&n| (1.0 / n as f64, error(n))).collect();
    let (order, last) = (observed_order(&pairs), pairs[pairs.len() - 1]);
    println!("{name}: error {:.2e} at n = {:.0}, order {order:.2}", last.1, 1.0 / last.0);
    (order, last.1)
}

fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, |most, error| if error.abs() <= most { most } else { error.abs() })
}
