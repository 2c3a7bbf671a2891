//! The reversible Heun scheme: a second value of each path, at which the coefficients are.

use super::super::PathEquation;
use super::{StateRow, coefficients, later};
use std::fmt::Write as _;

/// Rows of the second values.
pub(super) fn rows(equation: &PathEquation) -> Vec<StateRow> {
    (0..equation.dim).map(|i| StateRow::starting(format!("y{i}"), i)).collect()
}

/// Times of step n: the end of the step before, rounded as there, and its own end.
pub(super) fn times((t0, h): (f64, f64), n: u32) -> [f64; 2] {
    let end = |n: u32| (t0 + f64::from(n) * h) + h;
    [n.checked_sub(1).map_or(t0, end), end(n)]
}

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let dim = equation.dim;
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.y{i}")));
    for (i, rows) in equation.noise.iter().enumerate() {
        let _ = writeln!(
            body,
            "    let moved{i} = multiply(h, c.r{i});\n    \
             var y{i} = add(subtract(multiply(TWO, s.x{i}), s.y{i}), moved{i});\n    \
             var x{i} = add_product(s.x{i}, HALF, moved{i});"
        );
        for row in rows {
            let (j, g) = (row.noise, dim + row.diffusion);
            let _ = writeln!(
                body,
                "    let moved{i}_{j} = multiply(c.r{g}, dw{j});\n    \
                 y{i} = add(y{i}, moved{i}_{j});\n    \
                 x{i} = add_product(x{i}, HALF, moved{i}_{j});"
            );
        }
    }
    let end = coefficients(equation, &later(equation, 1), |i| format!("y{i}"));
    let _ = writeln!(body, "    let e = {end};");
    for (i, rows) in equation.noise.iter().enumerate() {
        let _ = writeln!(body, "    x{i} = add_product(x{i}, multiply(HALF, h), e.r{i});");
        for row in rows {
            let (j, g) = (row.noise, dim + row.diffusion);
            let _ = writeln!(body, "    x{i} = add_product(x{i}, multiply(HALF, e.r{g}), dw{j});");
        }
    }
    ("Y' = 2 X - Y + f(Y) h + g(Y) dW, X + (f(Y) + f(Y')) h/2 + (g(Y) + g(Y')) dW/2", body)
}
