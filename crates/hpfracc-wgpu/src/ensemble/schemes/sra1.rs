//! Rößler's scheme SRA1, for additive noise.

use super::super::PathEquation;
use super::{FIRST, add_noises, coefficients, later};
use std::fmt::Write as _;

/// Share of a step after which the stage is.
const A: f64 = 0.75;

/// Numbers of the scheme.
pub(super) fn numbers(h: f64) -> [f64; 6] {
    [A * h, 1.5 / h, h * (1.0 / 3.0), h * (2.0 / 3.0), -1.0 / h, 1.0 / h]
}

/// Times of the coefficients from the start of a step on.
pub(super) fn times(h: f64) -> [f64; 3] {
    [0.0, A * h, h]
}

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let number = |k: usize| format!("numbers[{}]", FIRST + k);
    let dim = equation.dim;
    let at_x = |at: &str| coefficients(equation, at, |i| format!("s.x{i}"));
    let mut body =
        format!("    let c = {};\n    let e = {};\n", at_x("at"), at_x(&later(equation, 2)));
    for (i, rows) in equation.noise.iter().enumerate() {
        let stage = format!("add_product(s.x{i}, {}, c.r{i})", number(0));
        let stage = rows.iter().fold(stage, |stage, row| {
            let g = dim + row.diffusion;
            format!("add_product({stage}, {}, multiply(e.r{g}, di{}))", number(1), row.noise)
        });
        let _ = writeln!(body, "    let stage{i} = {stage};");
    }
    let stage = coefficients(equation, &later(equation, 1), |i| format!("stage{i}"));
    let _ = writeln!(body, "    let m = {stage};");
    for (i, rows) in equation.noise.iter().enumerate() {
        let mut value = format!(
            "add(s.x{i}, add_product(multiply({}, c.r{i}), {}, m.r{i}))",
            number(2),
            number(3)
        );
        value = add_noises(value, rows, "dw", |g| format!("e.r{}", dim + g));
        value = add_noises(value, rows, "di", |g| {
            let g = dim + g;
            format!("add_product(multiply({}, e.r{g}), {}, c.r{g})", number(4), number(5))
        });
        let _ = writeln!(body, "    let x{i} = {value};");
    }
    ("X + (f(X) + 2 f(H)) h/3 + g dW - (g(t + h) - g(t)) I/h, H = X + 3/4 f h + 3/2 g I/h", body)
}
