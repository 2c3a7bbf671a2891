//! Rößler's scheme SRI1W1, for one noise or one for each component.

use super::super::PathEquation;
use super::{FIRST, H, coefficients, later};
use std::fmt::Write as _;

const A_0: f64 = 0.75;
const A_1: [f64; 4] = [0.0, 0.25, 1.0, 0.25];
const B_1: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 0.0, 0.0], [-5.0, 3.0, 0.5]];
const BETA_1: [f64; 4] = [-1.0, 4.0 / 3.0, 2.0 / 3.0, 0.0];
const BETA_2: [f64; 4] = [-1.0, 4.0 / 3.0, -1.0 / 3.0, 0.0];
const BETA_3: [f64; 4] = [2.0, -4.0 / 3.0, -2.0 / 3.0, 0.0];
const BETA_4: [f64; 4] = [-2.0, 5.0 / 3.0, -2.0 / 3.0, 1.0];

/// Places of the numbers of the scheme.
const STAGES: usize = FIRST + 5;
const WEIGHTS: usize = STAGES + 12;

/// Numbers of the scheme: those of the drift and its stage, `3 h`; for each stage of g the factor of f and three of g; for
/// each stage the four parts of its weight.
pub(super) fn numbers(h: f64) -> Vec<f64> {
    let mut numbers = vec![A_0 * h, 1.5 / h, (1.0 / 3.0) * h, (2.0 / 3.0) * h, 3.0 * h];
    for stage in 1..4 {
        numbers.push(A_1[stage] * h);
        numbers.extend(B_1[stage].map(|b| b * h.sqrt()));
    }
    for stage in 0..4 {
        numbers.extend([
            BETA_1[stage],
            BETA_2[stage] / (2.0 * h.sqrt()),
            BETA_3[stage] / h,
            BETA_4[stage] / (6.0 * h),
        ]);
    }
    numbers
}

/// Times of the coefficients from the start of a step on.
pub(super) fn times(h: f64) -> [f64; 4] {
    [0.0, 0.25 * h, A_0 * h, h]
}

/// Index of the time of a stage of g.
const TIME: [usize; 4] = [0, 1, 3, 1];

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let (dim, number) = (equation.dim, |k: usize| format!("numbers[{k}]"));
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    for (i, rows) in equation.noise.iter().enumerate() {
        let stage = format!("add_product(s.x{i}, {}, c.r{i})", number(FIRST));
        let stage = rows.iter().fold(stage, |stage, row| {
            let g = dim + row.diffusion;
            format!(
                "add_product({stage}, {}, multiply(c.r{g}, di{}))",
                number(FIRST + 1),
                row.noise
            )
        });
        let _ = writeln!(body, "    let k{i} = {stage};");
    }
    let at_k = coefficients(equation, &later(equation, 2), |i| format!("k{i}"));
    let _ = writeln!(body, "    let m = {at_k};");
    for stage in 1..4 {
        let first = STAGES + 4 * (stage - 1);
        for i in 0..dim {
            let value = format!("add_product(s.x{i}, {}, c.r{i})", number(first));
            let value = (0..stage).fold(value, |value, before| {
                let g = of_stage(before, dim + i);
                format!("add_product({value}, {}, {g})", number(first + 1 + before))
            });
            let _ = writeln!(body, "    let stage{stage}_{i} = {value};");
        }
        let at = later(equation, TIME[stage]);
        let values = coefficients(equation, &at, |i| format!("stage{stage}_{i}"));
        let _ = writeln!(body, "    let g{stage} = {values};");
    }
    weights(&mut body, equation);
    for (i, rows) in equation.noise.iter().enumerate() {
        let mut value = format!(
            "add(s.x{i}, add_product(multiply({}, c.r{i}), {}, m.r{i}))",
            number(FIRST + 2),
            number(FIRST + 3)
        );
        for stage in 0..4 {
            for row in rows {
                let g = of_stage(stage, dim + row.diffusion);
                value = format!("add_product({value}, weight{stage}_{}, {g})", row.noise);
            }
        }
        let _ = writeln!(body, "    let x{i} = {value};");
    }
    ("SRI1W1: X + (f(X) + 2 f(K)) h/3 + sum_i weight_i g(H_i), weights of dW and I", body)
}

/// Row of the coefficients at a stage.
fn of_stage(stage: usize, row: usize) -> String {
    if stage == 0 { format!("c.r{row}") } else { format!("g{stage}.r{row}") }
}

/// Weights of the stages, for each noise.
fn weights(body: &mut String, equation: &PathEquation) {
    for j in 0..equation.noises() {
        let _ = writeln!(
            body,
            "    let square{j} = multiply(dw{j}, dw{j});\n    \
             let second{j} = subtract(square{j}, {H});\n    \
             let third{j} = subtract(square{j}, numbers[{}]);",
            FIRST + 4
        );
        for stage in 0..4 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| WEIGHTS + 4 * stage + k);
            let _ = writeln!(
                body,
                "    let weight{stage}_{j} = add_product(add_product(add_product(multiply(numbers[{a}], dw{j}), \
                 numbers[{b}], second{j}), numbers[{c}], di{j}), multiply(numbers[{d}], dw{j}), third{j});"
            );
        }
    }
}
