use super::super::PathEquation;
use super::{coefficients, noise};
use std::fmt::Write as _;

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    for (i, rows) in equation.noise.iter().enumerate() {
        let noise = noise(equation, rows, |g| format!("c.r{g}"));
        let _ = writeln!(body, "    let x{i} = s.x{i} + h * c.r{i}{noise};");
    }
    ("X + f h + g dW", body)
}
