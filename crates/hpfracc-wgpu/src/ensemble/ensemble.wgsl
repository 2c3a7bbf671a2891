// Paths of a stochastic equation: one path for each invocation, its state in registers from the first to the last step
// of a span. The state is stored between spans, so that a cut changes no bit.
//
// Bindings: states: rows of one number for each path; numbers of the scheme; values without time and with time of the
// coefficients, the latter from the first step of the span on; sizes; span. Grid: workgroups of WIDTH paths.

struct Sizes { paths: u32, zero: u32, seed_low: u32, seed_high: u32 }
struct Span { first: u32, last: u32, path_low: u32, path_high: u32 }

@group(0) @binding(0) var<storage, read_write> states: array<real>;
@group(0) @binding(1) var<storage, read> numbers: array<real>;
@group(0) @binding(2) var<storage, read> coefficients_steady: array<real>;
@group(0) @binding(3) var<storage, read> coefficients_timed: array<real>;
@group(0) @binding(4) var<uniform> sizes: Sizes;
@group(0) @binding(5) var<uniform> span: Span;

fn unknown_zero() -> u32 {
    return sizes.zero;
}

@compute @workgroup_size(WIDTH)
fn solve(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
//{weights}
    let lane = id.x;
    if lane >= sizes.paths {
        return;
    }
    let path_low = span.path_low + lane;
    let path = vec2<u32>(path_low, span.path_high + select(0u, 1u, path_low < lane));
    let seed = vec2<u32>(sizes.seed_low, sizes.seed_high);
    let root_h = numbers[1];
    var s = load(lane);
//{begin}
    // Four steps have one counter.
    let last_block = (span.last - 1u) / 4u;
    for (var block = span.first / 4u; block <= last_block; block++) {
//{normals}
        let n = 4u * block;
//{steps}
    }
    save(lane, s);
}
