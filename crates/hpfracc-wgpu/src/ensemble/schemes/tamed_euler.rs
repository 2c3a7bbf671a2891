use super::super::PathEquation;
use super::{coefficients, with_noise};
use std::fmt::Write as _;

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let mut body = format!(
        "    let c = {};\n    var largest = ZERO;\n",
        coefficients(equation, "at", |i| format!("s.x{i}"))
    );
    for i in 0..equation.dim {
        let _ = writeln!(
            body,
            "    largest = choose(largest, abs_of(c.r{i}), is_less(largest, abs_of(c.r{i})));"
        );
    }
    body += "    let factor = divide(h, add(ONE, multiply(h, largest)));\n";
    for (i, rows) in equation.noise.iter().enumerate() {
        let value = format!("add_product(s.x{i}, factor, c.r{i})");
        let value = with_noise(equation, value, rows, |g| format!("c.r{g}"));
        let _ = writeln!(body, "    let x{i} = {value};");
    }
    ("X + f h/(1 + h |f|) + g dW, |f| the largest component", body)
}
