//! Text of the solve of a path.

use super::PathEquation;
use super::fractional_brownian;
use super::noise::functions;
use super::schemes::{increments, integral_factors, rows, step, timed_values};
use super::stops;
use hpfracc_equation::wgsl::{Capabilities, Library, Rounding, WeightMemory};
use std::fmt::Write as _;

/// Paths of a workgroup.
pub(super) const WIDTH: usize = 64;

/// Names of the steps of a block in a vector of four.
const OF_BLOCK: [char; 4] = ['x', 'y', 'z', 'w'];

/// Statement before the first step of paths that events stop.
const BEGIN: &str = "    if span.first == 0u {\n        s = begun(s);\n    }";

/// Source of the shader, with the weights of networks in this memory.
pub(crate) fn source(
    equation: &PathEquation,
    (device, rounding): (Capabilities, Rounding),
    (width, weights): (usize, WeightMemory),
) -> String {
    let body = include_str!("ensemble.wgsl")
        .replace("//{begin}", if equation.stops.is_some() { BEGIN } else { "" })
        .replace("//{weights}", load_weights(equation, weights))
        .replace("//{normals}", &normals(equation))
        .replace("//{steps}", &steps(equation));
    let own = [
        &equation.coefficients.weights_in(weights),
        equation.coefficients.text(),
        "\n",
        &functions(equation),
        &fractional_brownian::functions(equation, if equation.jumps.is_empty() { 6 } else { 7 }),
        &state(equation),
        &step(equation),
        &stops::functions(equation),
        &body,
    ]
    .concat();
    format!("const WIDTH = {width}u;\n\n{}{own}", Library::new(device, rounding).needed_by(&own))
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
    let rows = rows(equation).into_iter().enumerate().filter(|(_, row)| row.in_registers);
    let rows: Vec<(usize, String)> = rows.map(|(k, row)| (k, row.name)).collect();
    let fields: String = rows.iter().map(|(_, row)| format!("    {row}: f32,\n")).collect();
    let loads: Vec<String> =
        rows.iter().map(|(k, _)| format!("states[{k}u * sizes.paths + lane]")).collect();
    let store =
        |(k, row): &(usize, String)| format!("    states[{k}u * sizes.paths + lane] = s.{row};\n");
    let stores: String = rows.iter().map(store).collect();
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
             let scaled{j} = root_h * first{j};\n        \
             let normals{j} = vec4<f32>(rounded(scaled{j}.x), rounded(scaled{j}.y), rounded(scaled{j}.z), \
             rounded(scaled{j}.w));"
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
                "add_product(add_product(0.0, {first}, first{j}.{step}), {further}, further{j}.{step})"
            )
        };
        let steps: Vec<String> = OF_BLOCK.iter().map(of_step).collect();
        let _ = writeln!(
            text,
            "        let further{j} = normals_of_block(block, path, {stream}u, seed);\n        \
             let integrals{j} = vec4<f32>({});",
            steps.join(", ")
        );
    }
    text
}

/// The steps of a block that belong to the span.
fn steps(equation: &PathEquation) -> String {
    let timed = timed_values(equation);
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
        let stepped = format!("step(s, {timed}u * (n + {i}u - span.first), lane{noise})");
        let (live, stepped) = match &equation.stops {
            None => ("", stepped),
            Some(stops) => {
                let timed = stops.functions.uniform_values().1;
                let at = format!("{timed}u * (n + {}u - span.first)", i + 1);
                (" && s.stopped == 0.0", format!("checked(s, {stepped}, {at}, n + {i}u)"))
            }
        };
        let _ = write!(
            text,
            "        if n + {i}u >= span.first && n + {i}u < span.last{live} {{\n            \
             s = {stepped};\n        }}\n"
        );
    }
    text
}
