//! Schemes: orders of convergence, exact solutions, stability and limits.

mod adams_bashforth_moulton;
mod adaptive_steps;
mod collocation;
mod exact_solutions;
mod extreme_orders;
mod features;
mod fields;
mod implicit_exact_solutions;
mod implicit_limits;
mod implicit_orders;
mod newton;
mod several_orders;
mod variable_steps;

use hpfracc_testkit::{Figure, record};

/// Row of the observed orders: names of scheme, solution and steps; the order of the largest error
/// over all nodes; order and error at the end.
fn record_orders(names: [&str; 3], alpha: f64, over_all: f64, at_end: (f64, f64)) {
    let [scheme, solution, steps] = names;
    let labels = [("scheme", scheme), ("solution", solution), ("steps", steps)];
    let alpha = alpha.to_string();
    record(
        "accuracy/orders",
        &[labels.as_slice(), &[("alpha", &alpha)]].concat(),
        &[
            ("order over all nodes", Figure::number(over_all, 2)),
            ("order at the end", Figure::number(at_end.0, 2)),
            ("error at the end", Figure::error(at_end.1)),
        ],
    );
}
