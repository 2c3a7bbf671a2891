use super::super::PathEquation;
use super::{coefficients, with_noise};
use std::fmt::Write as _;

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    for (i, rows) in equation.noise.iter().enumerate() {
        let value = format!("add_product(s.x{i}, h, c.r{i})");
        let value = with_noise(equation, value, rows, |g| format!("c.r{g}"));
        let _ = writeln!(body, "    let x{i} = {value};");
    }
    ("X + f h + g dW", body)
}
