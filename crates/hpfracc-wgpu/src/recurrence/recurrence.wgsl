// The recurrence of a sum of exponentials: one signal for each invocation, with its states in
// registers.
//
//   y[n] = d s[n] + sum_k c[k] z[k],   then   z[k] += s[n] - r[k] z[k]
//
// or, generated instead, its transpose, from the last sample to the first:
//
//   s[n] = d g[n] + sum_k z[k],        then   z[k] += c[k] g[n] - r[k] z[k]
//
// A dispatch computes one group of nodes over one span of samples. Groups after the first add to
// the results of the previous one, spans after the first continue with its states, which are stored
// before the results. Both are in the full precision of the scalar, so that a split changes no bit.
// (Drivers abort long shaders, and Mesa's software driver ends the loops of an invocation after
// 65535 iterations in all, without an error: therefore several spans.)
//
// TILE samples of each signal pass through workgroup memory, so that adjacent invocations read and
// write adjacent scalars. Strides are odd: signals are in different banks.
//
// Bindings: signals, results: batch rows of nodes + len scalars; weights: d, then for each group
// HELD of -r and HELD of c; sizes; range. Grid: tiles of WIDTH signals.

// `zero` is 0, unknown to the compiler; `begins` is 1 if states are read from the signals.
struct Sizes { nodes: u32, len: u32, batch: u32, zero: u32 }
struct Range { group: u32, first: u32, last: u32, begins: u32 }

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read> weights: array<real>;
@group(0) @binding(3) var<uniform> sizes: Sizes;
@group(0) @binding(4) var<uniform> range: Range;

const WIDTH = 64u;
const STRIDE = TILE + 1u;

var<workgroup> samples: array<real, WIDTH * STRIDE>;
// Sums of the previous groups, later including this one.
var<workgroup> sums: array<real, WIDTH * STRIDE>;

fn never() -> bool {
    return sizes.zero != 0u;
}

fn row(signal: u32) -> u32 {
    return signal * (sizes.nodes + sizes.len);
}

// Zero beyond the last node.
fn state(signal: u32, k: u32) -> real {
    if signal >= sizes.batch || k >= sizes.nodes {
        return real();
    }
    if range.begins == 1u {
        return signals[row(signal) + k];
    }
    return results[row(signal) + k];
}

fn save(signal: u32, k: u32, z: real) {
    if signal < sizes.batch && k < sizes.nodes {
        results[row(signal) + k] = z;
    }
}

@compute @workgroup_size(WIDTH)
fn stream(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) workgroup: vec3<u32>) {
    let first_signal = workgroup.x * WIDTH;
    let signal = first_signal + t;
    let first_node = range.group * HELD;
    let first_weight = 1u + 2u * first_node;
    let d = weights[0];
//{load}
    let count = range.last - range.first;
    for (var done = 0u; done < count; done += TILE) {
        let steps = min(TILE, count - done);
        let start = sizes.nodes + select(range.first + done, range.last - done - steps, BACKWARD);
        for (var i = t; i < WIDTH * TILE; i += WIDTH) {
            let m = i / TILE;
            let j = i % TILE;
            if first_signal + m < sizes.batch && j < steps {
                let position = row(first_signal + m) + start + j;
                samples[m * STRIDE + j] = signals[position];
                if range.group > 0u {
                    sums[m * STRIDE + j] = results[position];
                }
            }
        }
        workgroupBarrier();
        for (var step = 0u; step < steps; step++) {
            let at = t * STRIDE + select(step, steps - 1u - step, BACKWARD);
            let s = samples[at];
            var before = multiply_add(d, s, real());
            if range.group > 0u {
                before = sums[at];
            }
//{step}
            sums[at] = sum_of(before, sum);
        }
        workgroupBarrier();
        for (var i = t; i < WIDTH * TILE; i += WIDTH) {
            let m = i / TILE;
            let j = i % TILE;
            if first_signal + m < sizes.batch && j < steps {
                results[row(first_signal + m) + start + j] = sums[m * STRIDE + j];
            }
        }
        workgroupBarrier();
    }
//{save}
}
