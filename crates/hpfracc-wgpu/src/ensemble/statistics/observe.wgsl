// Observables of the state of a path: its components, then functions of them.
//
// Bindings: states: bits of the rows of one number for each path; values without time and with time of the functions;
// results, and sizes: paths, zero, and two numbers of the entry point.

struct Sizes { paths: u32, zero: u32, first: u32, words: u32 }

@group(0) @binding(0) var<storage, read> states: array<u32>;
@group(0) @binding(1) var<storage, read> shown_steady: array<f32>;
@group(0) @binding(2) var<storage, read> shown_timed: array<f32>;
@group(0) @binding(4) var<uniform> sizes: Sizes;

fn unknown_zero() -> u32 {
    return sizes.zero;
}

fn component(row: u32, path: u32) -> f32 {
    return bitcast<f32>(states[row * sizes.paths + path]);
}

