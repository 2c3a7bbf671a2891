//! The fractional Euler-Maruyama method: exponentials and the latest noises in registers.

use super::super::{PathEquation, PathMemory};
use super::{StateRow, ZERO, coefficients, with_noise};
use std::fmt::Write as _;

/// First of the numbers of the memories; the one before is `1/h`.
const FIRST: usize = 3;

/// Rows of the memories: for each component its initial value, the states of the exponentials and earlier noises.
pub(super) fn rows(memories: &[Option<PathMemory>]) -> Vec<StateRow> {
    let mut rows = Vec::new();
    for (i, memory) in memories.iter().enumerate() {
        let Some(memory) = memory else { continue };
        rows.push(StateRow { name: format!("start{i}"), start: Some(i) });
        let zero = |name: String| StateRow { name, start: None };
        rows.extend((0..memory.exponentials.len()).map(|k| zero(format!("z{i}_{k}"))));
        for (group, near) in memory.near.iter().enumerate() {
            rows.extend((1..near.weights.len()).map(|m| zero(format!("noise{i}_{group}_{m}"))));
        }
    }
    rows
}

/// Numbers of the memories: for each component the nearest weight, losses and factors of the exponentials, and weights
/// of the latest noises.
pub(super) fn numbers(memories: &[Option<PathMemory>]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for memory in memories.iter().flatten() {
        numbers.push(memory.nearest);
        numbers.extend(memory.exponentials.as_flattened());
        numbers.extend(memory.near.iter().flat_map(|near| &near.weights));
    }
    numbers
}

pub(super) fn step(
    equation: &PathEquation,
    memories: &[Option<PathMemory>],
) -> (&'static str, String) {
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    let mut number = FIRST;
    for (i, memory) in memories.iter().enumerate() {
        match memory {
            Some(memory) => component(&mut body, equation, i, memory, &mut number),
            None => {
                let value = format!("add_product(s.x{i}, h, c.r{i})");
                let rows = &equation.noise[i];
                let value = with_noise(equation, value, rows, |g| format!("c.r{g}"));
                let _ = writeln!(body, "    let x{i} = {value};");
            }
        }
    }
    ("X_0 + (b_0 u + sum_k c_k z_k) + nearest noises, z_k + (u - loss_k z_k), u = f + g dW/h", body)
}

/// A component with memory, whose numbers begin at `number`.
fn component(
    body: &mut String,
    equation: &PathEquation,
    i: usize,
    memory: &PathMemory,
    number: &mut usize,
) {
    let mut next = || {
        *number += 1;
        format!("numbers[{}]", *number - 1)
    };
    let g = |g: usize| format!("c.r{g}");
    let rows = &equation.noise[i];
    let _ = match rows.is_empty() {
        true => writeln!(body, "    let u{i} = c.r{i};"),
        false => {
            let noise = with_noise(equation, ZERO.to_owned(), rows, g);
            writeln!(body, "    let u{i} = add_product(c.r{i}, numbers[2], {noise});")
        }
    };
    let nearest = next();
    let _ = writeln!(body, "    var sum{i} = ZERO;");
    for k in 0..memory.exponentials.len() {
        let (loss, factor) = (next(), next());
        let _ = write!(
            body,
            "    sum{i} = add_product(sum{i}, {factor}, s.z{i}_{k});\n    \
             let z{i}_{k} = add(s.z{i}_{k}, subtract(u{i}, multiply({loss}, s.z{i}_{k})));\n"
        );
    }
    let mut value = format!("add(s.start{i}, add_product(sum{i}, {nearest}, u{i}))");
    for (group, near) in memory.near.iter().enumerate() {
        let noise = with_noise(equation, ZERO.to_owned(), &near.sources, g);
        let _ = writeln!(body, "    let noise{i}_{group}_0 = {noise};");
        for m in 0..near.weights.len() {
            let of = if m == 0 { "" } else { "s." };
            value = format!("add_product({value}, {}, {of}noise{i}_{group}_{m})", next());
        }
    }
    let _ = writeln!(body, "    let start{i} = s.start{i};\n    let x{i} = {value};");
    for (group, near) in memory.near.iter().enumerate() {
        for m in 1..near.weights.len() {
            let of = if m == 1 { "" } else { "s." };
            let _ =
                writeln!(body, "    let noise{i}_{group}_{m} = {of}noise{i}_{group}_{};", m - 1);
        }
    }
}
