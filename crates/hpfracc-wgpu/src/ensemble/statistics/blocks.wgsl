// Sums over blocks of 4 WIDTH paths, a workgroup each, in trees of a fixed shape.
//
// Words of a block: the number of paths that are not finite, the first of them, then, as they are needed, for each
// observable the reference, scale and sum of deviations, and the sums of their products; for each observable the keys of
// the least and the greatest number and the least magnitude that is not zero. After all blocks, the rows of the first
// paths.

@group(0) @binding(3) var<storage, read_write> results: array<u32>;

var<workgroup> numbers: array<f32, WIDTH>;
var<workgroup> words: array<u32, WIDTH>;

fn sum_of(lane: u32, x: f32) -> f32 {
    numbers[lane] = x;
    workgroupBarrier();
    for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
        if lane < half {
            numbers[lane] += numbers[lane + half];
        }
        workgroupBarrier();
    }
    let sum = numbers[0];
    workgroupBarrier();
    return sum;
}

fn count_of(lane: u32, x: u32) -> u32 {
    words[lane] = x;
    workgroupBarrier();
    for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
        if lane < half {
            words[lane] += words[lane + half];
        }
        workgroupBarrier();
    }
    let sum = words[0];
    workgroupBarrier();
    return sum;
}

fn least_of(lane: u32, x: u32) -> u32 {
    words[lane] = x;
    workgroupBarrier();
    for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
        if lane < half {
            words[lane] = min(words[lane], words[lane + half]);
        }
        workgroupBarrier();
    }
    let least = words[0];
    workgroupBarrier();
    return least;
}

// Tested by its bits: compilers may assume that numbers are finite.
fn is_broken(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u;
}

// Whole numbers in the order of the numbers.
fn order_of(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

// Magnitude, as its bits; the largest word for zero.
fn magnitude_above_zero(x: f32) -> u32 {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    return select(bits, 0xffffffffu, bits == 0u);
}

// Largest power of two within a magnitude, as its bits, and not so small or large that its inverse is none.
fn scale_of(magnitude: u32) -> u32 {
    return clamp(magnitude & 0x7f800000u, 0x00800000u, 0x7e800000u);
}

fn inverse_of(scale: u32) -> f32 {
    return bitcast<f32>(0x7f000000u - scale);
}

@compute @workgroup_size(WIDTH)
fn reduce_block(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let begin = group.x * 4u * WIDTH;
    let block = min(sizes.paths - begin, 4u * WIDTH);
    let share = 1.0 / f32(block);
    let at = group.x * sizes.words;
//{reduce}
}
