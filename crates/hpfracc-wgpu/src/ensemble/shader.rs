//! Text of the solve of a path.

use super::PathEquation;
use super::fractional_brownian;
use super::noise::functions;
use super::schemes::{increments, integral_factors, rows, step, times};
use crate::precision::Arithmetic;
use hpfracc_equation::wgsl::{Capabilities, Library, Rounding, WeightMemory};
use std::fmt::Write as _;

/// Paths of a workgroup.
pub(super) const WIDTH: usize = 64;

/// Names of the steps of a block in a vector of four.
const OF_BLOCK: [char; 4] = ['x', 'y', 'z', 'w'];

/// Source of the shader, with the weights of networks in this memory.
pub(crate) fn source<P: Arithmetic>(
    equation: &PathEquation,
    (device, rounding): (Capabilities, Rounding),
    (width, weights): (usize, WeightMemory),
) -> String {
    let body = include_str!("ensemble.wgsl")
        .replace("//{weights}", load_weights(equation, weights))
        .replace("//{normals}", &normals(equation))
        .replace("//{steps}", &steps(equation));
    let own = [
        &equation.coefficients.weights_in(weights),
        &equation.coefficients.text(P::FORMAT),
        "\n",
        &functions::<P>(equation),
        &fractional_brownian::functions(equation, if equation.jumps.is_empty() { 6 } else { 7 }),
        &state(equation),
        &step(equation),
        &body,
    ]
    .concat();
    format!(
        "const WIDTH = {width}u;\n\n{}{own}",
        Library::new(P::FORMAT, device, rounding).needed_by(&own)
    )
}

/// Statements that load the weights of networks.
fn load_weights(equation: &PathEquation, memory: WeightMemory) -> &'static str {
    match memory {
        WeightMemory::Workgroup if equation.coefficients.weight_vectors() > 0 => {
            "    coefficients_load_weights(invocation, WIDTH);\n    workgroupBarrier();"
        }
        _ => "",
    }
}

/// Structure of the state, and how it is loaded and stored.
fn state(equation: &PathEquation) -> String {
    let rows: Vec<String> = rows(equation).into_iter().map(|row| row.name).collect();
    let fields: String = rows.iter().map(|row| format!("    {row}: real,\n")).collect();
    let loads: Vec<String> =
        (0..rows.len()).map(|k| format!("states[{k}u * sizes.paths + lane]")).collect();
    let stores: String = rows
        .iter()
        .enumerate()
        .map(|(k, row)| format!("    states[{k}u * sizes.paths + lane] = s.{row};\n"))
        .collect();
    format!(
        "struct State {{\n{fields}}}\n\n\
         fn load(lane: u32) -> State {{\n    return State({});\n}}\n\n\
         fn save(lane: u32, s: State) {{\n{stores}}}\n\n",
        loads.join(", ")
    )
}

/// Normals of the steps of a block.
fn normals(equation: &PathEquation) -> String {
    let mut text = String::new();
    for (j, stream) in equation.streams.iter().enumerate() {
        let _ = writeln!(
            text,
            "        let first{j} = normals_of_block(block, path, {stream}u, seed);\n        \
             let normals{j} = scaled_quad(first{j}, root_h);"
        );
    }
    text + &integrals(equation)
}

/// Integrals of the steps of a block.
fn integrals(equation: &PathEquation) -> String {
    let mut text = String::new();
    let [first, further] = integral_factors(equation);
    for (j, stream) in equation.integrals.iter().flat_map(|of| &of.streams).enumerate() {
        let of_step = |step: &char| {
            format!(
                "add_product(add_product(ZERO, {first}, first{j}.{step}), {further}, further{j}.{step})"
            )
        };
        let steps: Vec<String> = OF_BLOCK.iter().map(of_step).collect();
        let _ = writeln!(
            text,
            "        let further{j} = normals_of_block(block, path, {stream}u, seed);\n        \
             let integrals{j} = quad({});",
            steps.join(", ")
        );
    }
    text
}

/// The steps of a block that belong to the span.
fn steps(equation: &PathEquation) -> String {
    let timed = equation.coefficients.uniform_values().1 * times(equation, (0.0, 1.0), 0).len();
    let mut text = String::new();
    for (i, of_block) in OF_BLOCK.iter().enumerate() {
        let mut increments = increments(equation, |j| format!("normals{j}.{of_block}"));
        let fractional = |j: usize| format!("fractional{j}(n + {i}u, lane)");
        increments.extend((0..equation.fractional.len()).map(fractional));
        increments
            .extend((0..equation.jumps.len()).map(|k| format!("jumps{k}(n + {i}u, path, seed)")));
        if equation.integrals.is_some() {
            let integrals = |j| format!("integrals{j}.{of_block}");
            increments.extend(super::schemes::increments(equation, integrals));
        }
        let noise: String = increments.iter().map(|increment| format!(", {increment}")).collect();
        let _ = write!(
            text,
            "        if n + {i}u >= span.first && n + {i}u < span.last {{\n            \
             s = step(s, {timed}u * (n + {i}u - span.first){noise});\n        }}\n"
        );
    }
    text
}
