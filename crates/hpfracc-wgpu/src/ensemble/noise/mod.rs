//! Noises with independent increments other than Brownian motion: a function for each, and a table of their numbers.

use super::equation::{JumpSizes, PathEquation, PathJumps, PathNoise, PathStable};
use crate::precision::Arithmetic;
use std::fmt::Write as _;

/// Declaration of the table.
const TABLE: &str = "@group(0) @binding(6) var<storage, read> table: array<u32>;\n\n";

/// Functions `jumps0`, `jumps1`, ... of the increments, with what they call; empty without such noises.
pub(super) fn functions<P: Arithmetic>(equation: &PathEquation) -> String {
    if equation.jumps.is_empty() {
        return String::new();
    }
    let mut text = [TABLE, include_str!("jumps.wgsl"), include_str!("stable.wgsl")].concat();
    let mut place = 0;
    for (k, noise) in equation.jumps.iter().enumerate() {
        let body = match noise {
            PathNoise::Jumps(jumps) => jump_sum(jumps, place),
            PathNoise::Stable(stable) => {
                format!(
                    "    return stable_increment(step, path, {}u, seed, {place}u);\n",
                    stable.stream
                )
            }
        };
        let _ = write!(
            text,
            "fn jumps{k}(step: u32, path: vec2<u32>, seed: vec2<u32>) -> real {{\n{body}}}\n\n"
        );
        place += words::<P>(noise).len();
    }
    text
}

/// Words of the table of all noises.
pub(super) fn table<P: Arithmetic>(equation: &PathEquation) -> Vec<u32> {
    equation.jumps.iter().flat_map(words::<P>).collect()
}

fn words<P: Arithmetic>(noise: &PathNoise) -> Vec<u32> {
    match noise {
        PathNoise::Jumps(jumps) => jump_words::<P>(jumps),
        PathNoise::Stable(stable) => stable_words::<P>(stable),
    }
}

/// Numbers as words.
fn numbers<P: Arithmetic>(values: impl IntoIterator<Item = f64>) -> Vec<u32> {
    let numbers: Vec<P::Device> = values.into_iter().map(P::narrow).collect();
    bytemuck::pod_collect_to_vec(&numbers)
}

/// Probabilities as two words each, then the numbers of the distribution.
fn jump_words<P: Arithmetic>(jumps: &PathJumps) -> Vec<u32> {
    let probability = |more: &u64| [(more >> 32) as u32, *more as u32];
    let mut words: Vec<u32> = jumps.survival.iter().flat_map(probability).collect();
    let counts = || (0..=jumps.survival.len()).map(|count| count as f64);
    match jumps.distribution {
        JumpSizes::Constant(size) => words.extend(numbers::<P>(counts().map(|n| n * size))),
        JumpSizes::Normal { mean, standard_deviation } => {
            let of = |n: f64| [n * mean, n.sqrt() * standard_deviation];
            words.extend(numbers::<P>(counts().flat_map(of)));
        }
        JumpSizes::DoubleExponential { upward, mean_up, mean_down } => {
            let bound = upward_bound(upward);
            words.extend([(bound >> 32) as u32, bound as u32]);
            words.extend(numbers::<P>([mean_up, -mean_down]));
        }
    }
    words
}

/// Words of 64 bits below this one, without their last 12 bits, are upward: `(word / 2^12 + 1/2) / 2^52 < upward`.
fn upward_bound(upward: f64) -> u64 {
    let cells = (upward * 4_503_599_627_370_496.0 - 0.5).ceil().max(0.0) as u64;
    // All words where the probability is 1.
    if cells >= 1 << 52 { u64::MAX } else { cells << 12 }
}

fn stable_words<P: Arithmetic>(stable: &PathStable) -> Vec<u32> {
    let PathStable { e, inverse_index, k, least, scale, shift, .. } = *stable;
    numbers::<P>([e, inverse_index, k, least, scale, shift])
}

/// Body of the function of jumps whose words begin at this place.
fn jump_sum(jumps: &PathJumps, place: usize) -> String {
    let PathJumps { times, sizes, survival, distribution } = jumps;
    let length = survival.len();
    let numbers = place + 2 * length;
    let count =
        format!("    let count = jump_count(step, path, {times}u, seed, {place}u, {length}u);\n");
    let sum = match distribution {
        JumpSizes::Constant(_) => format!("    return number_of({numbers}u, count);\n"),
        JumpSizes::Normal { .. } => format!(
            "    if count == 0u {{\n        return ZERO;\n    }}\n    \
             let z = normal_of_step(step, path, {sizes}u, seed);\n    \
             let mean = number_of({numbers}u, 2u * count);\n    \
             return add_product(mean, number_of({numbers}u, 2u * count + 1u), z);\n"
        ),
        JumpSizes::DoubleExponential { .. } => {
            format!(
                "    return exponential_jumps(step, path, {sizes}u, seed, count, {numbers}u);\n"
            )
        }
    };
    count + &sum
}

#[cfg(test)]
mod tests {
    use super::upward_bound;
    use hpfracc_lanes::random::unit;

    #[test]
    fn words_are_upward_as_their_numbers_are() {
        for upward in [0.0, 1e-18, 0.3, 0.5, 1.0 - 1e-16, 1.0] {
            let bound = upward_bound(upward);
            for near in
                [0, bound, bound.wrapping_sub(1 << 12), bound.saturating_add(1 << 12), u64::MAX]
            {
                let number = unit((near >> 32) as u32, near as u32);
                assert_eq!(near >> 12 << 12 < bound, number < upward, "{upward} {near}");
            }
        }
    }
}
