//! Self-attention as steps.

use super::program::{Input, NotOnGpu, Program};
use super::step::{self, Place, Step, Then, bits};
use hpfracc_nn::{MultiHeadAttention, Rotary, Shape, Times};

/// Most features of a head: four for each invocation of a workgroup.
const LARGEST_HEAD: usize = 256;

/// Appends the layer; the place of its output.
pub(super) fn append(
    program: &mut Program,
    layer: &MultiHeadAttention,
    input: Input,
) -> Result<Place, NotOnGpu> {
    let (heads, length, lanes) = (layer.heads(), layer.length(), input.columns);
    let features = layer.outputs() / length;
    let head = features / heads;
    check(layer, head)?;
    let columns = length * lanes;
    let projection = features * (features + 1);
    let affine = |program: &mut Program, k: usize, x: Place| {
        let weight = input.theta + k * projection;
        let place = (weight, weight + features * features);
        program.affine((features, features), place, Input { x, columns, ..input }, &Then::default())
    };
    let [q, k, v] = [0, 1, 2].map(|i| affine(program, i, input.x));
    if let Some(rotary) = layer.rotary_positions() {
        let turns = program.array(head * length);
        program.constants.push((turns, angles(rotary, head, length)));
        for series in [q, k] {
            let others = [lanes, turns, head / 2, series];
            let pairs = features / 2;
            program.forward.push(turn([pairs, columns], &others, "values", "1.0"));
            program.then_backward([turn([pairs, columns], &others, "bars", "-1.0")]);
        }
    }
    let out = program.stored(features * columns);
    let of_queries = heads * columns;
    let saved = program.array(3 * of_queries);
    let scale = bits(1.0 / (head as f64).sqrt());
    let causal = usize::from(layer.is_causal());
    let others = [head, q, k, v, out, saved, scale, causal, of_queries];
    let kernel = |entry| step::attention([heads, length, lanes], entry, &others);
    program.forward.push(kernel("forward"));
    program.then_backward([kernel("backward_query"), kernel("backward_key")]);
    Ok(affine(program, 3, out))
}

fn check(layer: &MultiHeadAttention, head: usize) -> Result<(), NotOnGpu> {
    let refused = |reason: &str| Err(NotOnGpu::new("MultiHeadAttention", reason));
    if layer.window_length().is_some() {
        return refused("it has a window; leave that out or train on the CPU");
    }
    if layer.is_padded() {
        return refused("it has a channel of padding; train on the CPU");
    }
    if layer.rotary_positions().is_some_and(|rotary| rotary.times == Times::Channel) {
        return refused("its times are a channel; give them once, or train on the CPU");
    }
    if head > LARGEST_HEAD {
        return refused("a head has more than 256 features; use more heads");
    }
    Ok(())
}

/// Cosines, then sines, at all times, for each pair of rows of a head.
fn angles(rotary: &Rotary, head: usize, length: usize) -> Vec<f32> {
    let mut turns = Vec::with_capacity(head * length);
    for pair in 0..head / 2 {
        let angle = |i: usize| {
            let time = match &rotary.times {
                Times::Given(times) => times[i],
                _ => i as f64,
            };
            rotary.frequency(pair, head) * time
        };
        turns.extend((0..length).map(|i| angle(i).cos() as f32));
        turns.extend((0..length).map(|i| angle(i).sin() as f32));
    }
    turns
}

fn turn(sizes: [usize; 2], others: &[usize], buffer: &str, sign: &str) -> Step {
    let body = include_str!("kernels/rotary.wgsl").replace("BUFFER", buffer).replace("SIGN", sign);
    step::each((sizes[0] * sizes[1], 0), (&body, "main"), sizes, others)
}
