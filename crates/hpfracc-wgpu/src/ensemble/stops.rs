//! Events that stop paths, as text in single precision, and the stops of a part of the paths.

use super::schemes::{STOP, rows};
use super::{PathEquation, PathStops, StepStop};
use crate::Gpu;
use crate::GpuError;
use crate::device::PooledBuffer;
use hpfracc_equation::wgsl::{NumberFormat, WeightMemory};
use std::fmt::Write as _;

/// Name of the function of all events.
const NAME: &str = "stops";

/// Declarations and functions `begun` and `checked`, of the state at the start and after a step; empty without events.
pub(super) fn functions(equation: &PathEquation) -> String {
    let Some(stops) = &equation.stops else { return String::new() };
    let first = [!equation.jumps.is_empty(), !equation.fractional.is_empty()];
    let first = 6 + first.map(usize::from).iter().sum::<usize>();
    let x = |of: &str| -> String { (0..equation.dim).map(|i| format!(", {of}.x{i}")).collect() };
    let mut text = format!(
        "@group(0) @binding({first}) var<storage, read> {NAME}_steady: array<f32>;\n\
         @group(0) @binding({}) var<storage, read> {NAME}_timed: array<f32>;\n\n{}{}\n",
        first + 1,
        stops.functions.weights_in(WeightMemory::Storage),
        stops.functions.text(NumberFormat::Single)
    );
    let _ = write!(
        text,
        "// The state at the start, which stops where an event is zero.\n\
         fn begun(before: State) -> State {{\n    let g = {NAME}(0u{});\n    var s = before;\n",
        x("before")
    );
    let count = stops.directions.len();
    for k in (0..count).rev() {
        let _ = write!(text, "    if g.r{k} == 0.0 {{\n        s.stopped = {}.0;\n    }}\n", k + 1);
    }
    text += &after(count);
    let _ = write!(
        text,
        "// The state after step n, which stops where an event has crossed zero.\n\
         fn checked(before: State, after: State, at: u32, n: u32) -> State {{\n    \
         let g = {NAME}(at{});\n    var s = after;\n    var share = 2.0;\n",
        x("after")
    );
    for (k, direction) in stops.directions.iter().enumerate() {
        let _ = write!(
            text,
            "    if {} {{\n        \
             let part = rounded(before.g{k} / rounded(before.g{k} - g.r{k}));\n        \
             if part < share {{\n            share = part;\n            s.stopped = {}.0;\n        }}\n    }}\n",
            crossing(k, *direction),
            k + 1
        );
    }
    text += "    if s.stopped != 0.0 {\n        s.share = share;\n        \
             s.step_high = f32(n >> 16u);\n        s.step_low = f32(n & 0xffffu);\n";
    for i in 0..equation.dim {
        let _ = writeln!(
            text,
            "        s.x{i} = add_product(before.x{i}, share, rounded(after.x{i} - before.x{i}));"
        );
    }
    text + "    }\n" + &after(count)
}

/// Condition of a crossing in one of the directions, rising and falling.
fn crossing(k: usize, [rising, falling]: [bool; 2]) -> String {
    let rises = format!("(before.g{k} < 0.0 && g.r{k} >= 0.0)");
    let falls = format!("(before.g{k} > 0.0 && g.r{k} <= 0.0)");
    match (rising, falling) {
        (true, true) => format!("{rises} || {falls}"),
        (true, false) => rises,
        _ => falls,
    }
}

/// Statements that store the values of the events. A value that is not finite makes the path one that is not: it is found
/// at the next saved node.
fn after(count: usize) -> String {
    let mut text: String = (0..count).map(|k| format!("    s.g{k} = g.r{k};\n")).collect();
    let broken = |k: usize| format!("(bitcast<u32>(g.r{k}) & 0x7f800000u) == 0x7f800000u");
    let broken: Vec<String> = (0..count).map(broken).collect();
    let _ = write!(
        text,
        "    if {} {{\n        s.x0 = bitcast<f32>(0x7fc00000u | unknown_zero());\n    }}\n    return s;\n}}\n\n",
        broken.join(" || ")
    );
    text
}

/// Values with time of the events at the nodes from `first` to `last`.
pub(super) fn timed(
    stops: &PathStops,
    parameters: &[f64],
    (t0, h): (f64, f64),
    [first, last]: [u32; 2],
) -> Vec<f64> {
    if stops.functions.uniform_values().1 == 0 {
        return vec![];
    }
    let times: Vec<f64> = (first..=last).map(|node| t0 + f64::from(node) * h).collect();
    stops.functions.uniforms(&times, parameters).timed
}

/// Stops of all paths of a part, from its states.
pub(super) async fn read(
    gpu: &Gpu,
    equation: &PathEquation,
    states: &PooledBuffer,
    lanes: usize,
) -> Result<Vec<Option<StepStop>>, GpuError> {
    let row = rows(equation).iter().position(|row| row.name == STOP[0]).unwrap_or_default();
    let mut values = vec![0.0f32; STOP.len() * lanes];
    gpu.read(states, row * lanes, &mut values).await?;
    let stop = |lane: usize| {
        let [stopped, share, high, low] = [0, 1, 2, 3].map(|row| values[row * lanes + lane]);
        let event = (stopped as usize).checked_sub(1)?;
        Some(StepStop { event, step: (high as u32) << 16 | low as u32, share })
    };
    Ok((0..lanes).map(stop).collect())
}
