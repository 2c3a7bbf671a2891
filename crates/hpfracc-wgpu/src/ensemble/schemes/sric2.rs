//! Rößler's scheme SRI2 with the integrals of commuting noise.

use super::super::PathEquation;
use super::{FIRST, H, ZERO, coefficients, later, with_noise};
use std::fmt::Write as _;

/// Numbers of the scheme.
pub(super) fn numbers(h: f64) -> [f64; 3] {
    [0.5 * h, 0.5 / h.sqrt(), 0.5 * h.sqrt()]
}

/// Times of the coefficients from the start of a step on.
pub(super) fn times(h: f64) -> [f64; 2] {
    [0.0, h]
}

pub(super) fn step(equation: &PathEquation, additive: bool) -> (&'static str, String) {
    let number = |k: usize| format!("numbers[{}]", FIRST + k);
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    for i in 0..equation.dim {
        let _ = writeln!(body, "    let end{i} = add_product(s.x{i}, h, c.r{i});");
    }
    let at_end = coefficients(equation, &later(equation, 1), |i| format!("end{i}"));
    let _ = writeln!(body, "    let e = {at_end};");
    for (i, rows) in equation.noise.iter().enumerate() {
        let value = format!("add_product(s.x{i}, {}, add(c.r{i}, e.r{i}))", number(0));
        let value = with_noise(equation, value, rows, |g| format!("c.r{g}"));
        let _ = writeln!(body, "    var x{i} = {value};");
    }
    if !additive {
        corrections(&mut body, equation);
    }
    ("X + (f(X) + f(P)) h/2 + g dW + sum_k (g_k(H_k+) - g_k(H_k-)) sqrt(h)/2, P = X + f h", body)
}

/// Differences of g at the stages of each column.
fn corrections(body: &mut String, equation: &PathEquation) {
    let dim = equation.dim;
    let general = equation.noise.iter().any(|rows| rows.len() > 1);
    let columns = if general { equation.noises() } else { 1 };
    let number = |k: usize| format!("numbers[{}]", FIRST + k);
    for k in 0..columns {
        for (i, rows) in equation.noise.iter().enumerate() {
            let apart = rows.iter().fold(ZERO.to_owned(), |apart, row| {
                let (l, second) = (row.noise, if general { k } else { row.noise });
                let variance = if l == second { H } else { ZERO };
                let product = format!("subtract(multiply(dw{l}, dw{second}), {variance})");
                let integral = format!("multiply({}, {product})", number(1));
                format!("add_product({apart}, {integral}, c.r{})", dim + row.diffusion)
            });
            let _ = writeln!(body, "    let apart{k}_{i} = {apart};");
        }
        for (name, operation) in [("above", "add"), ("below", "subtract")] {
            let stage = |i: usize| format!("{operation}(end{i}, apart{k}_{i})");
            let values = coefficients(equation, &later(equation, 1), stage);
            let _ = writeln!(body, "    let {name}{k} = {values};");
            for (i, rows) in equation.noise.iter().enumerate() {
                for row in rows.iter().filter(|row| !general || row.noise == k) {
                    let g = dim + row.diffusion;
                    let weight = number(2);
                    let weight = if name == "above" { weight } else { format!("negate({weight})") };
                    let _ =
                        writeln!(body, "    x{i} = add_product(x{i}, {weight}, {name}{k}.r{g});");
                }
            }
        }
    }
}
