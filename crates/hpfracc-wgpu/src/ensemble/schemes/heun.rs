use super::super::PathEquation;
use super::{coefficients, later, with_noise};
use std::fmt::Write as _;

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    for (i, rows) in equation.noise.iter().enumerate() {
        let value = format!("add_product(s.x{i}, h, c.r{i})");
        let value = with_noise(equation, value, rows, |g| format!("c.r{g}"));
        let _ = writeln!(body, "    let end{i} = {value};");
    }
    let end = coefficients(equation, &later(equation, 1), |i| format!("end{i}"));
    let _ = writeln!(body, "    let e = {end};\n    let half_h = multiply(HALF, h);");
    for (i, rows) in equation.noise.iter().enumerate() {
        let value = format!("add_product(s.x{i}, half_h, add(c.r{i}, e.r{i}))");
        let mean = |g| format!("multiply(HALF, add(c.r{g}, e.r{g}))");
        let value = with_noise(equation, value, rows, mean);
        let _ = writeln!(body, "    let x{i} = {value};");
    }
    ("X + (f(X) + f(P)) h/2 + (g(X) + g(P)) dW/2, P = X + f h + g dW", body)
}
