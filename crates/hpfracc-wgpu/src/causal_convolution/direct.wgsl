// Causal convolution by its own formula, as a product with a triangular Toeplitz matrix in tiles.
//
//   y[n] = sum_{j <= n} w[n-j] x[j],   n < len
//
// A workgroup of 128 invocations makes OUTPUTS = 128 outputs of SIGNALS signals. Invocation (tn,
// row) holds 8 consecutive outputs from n0 = 8 tn of the tile on, of a `value`: one signal, or four
// in a vector (times some). Against 8 samples j0 .. j0+7 it needs the 15 weights w[n0-j0-7 ..
// n0-j0+7], of which the upper half stays in registers from the 8 samples before. Blocks of 8 x 8
// lie before the diagonal, on it, or beyond: those on it are triangles written out, those beyond
// are left out, so that no sample, be it NaN, meets an output that does not depend on it.
//
// Rows are lanes of signals (LANES = 8), or slices of a longer tile of samples (SLICES = 8) whose
// sums are added at the end, where there are too few signals to occupy a device otherwise.
//
// After CHUNK samples the sums are carried over to totals, so that rounding grows with CHUNK rather
// than with len. (Where registers are scarce a compiler may keep the totals in memory: they are
// rarely touched.)
//
// Bindings: signals, results: batch rows of len scalars; weights: len scalars. Reversed signals and
// results give the transpose. Grid: tiles of outputs, tiles of signals.

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read> weights: array<real>;
@group(0) @binding(3) var<uniform> shape: Shape;

// samples[j SAMPLE_STRIDE + lane]; afterwards results on their way out. The stride is odd, so that
// the vectors of consecutive j go to different banks.
var<workgroup> samples: array<value, SAMPLES_LEN>;
// w[tile_start - j_tile - TILE + i], four at a time, spread by one in eight: the invocations of a
// quarter of a subgroup read every second vector.
var<workgroup> window: array<quad, WINDOW_LEN>;

fn never() -> bool {
    return shape.zero != 0u;
}

fn window_at(i: u32) -> u32 {
    return i + (i >> 3u);
}

fn position(signal: u32, n: u32) -> u32 {
    return signal * shape.len + select(n, shape.len - 1u - n, shape.reversed == 1u);
}

fn sample(signal: u32, n: u32) -> real {
    if signal >= shape.batch || n >= shape.len {
        return real();
    }
    return signals[position(signal, n)];
}

// Before the first weight the difference wraps around to a large number.
fn weight(k: u32) -> real {
    if k >= shape.len {
        return real();
    }
    return weights[k];
}

fn store(signal: u32, n: u32, sum: real) {
    if signal < shape.batch && n < shape.len {
        results[position(signal, n)] = sum;
    }
}

//{access}

@compute @workgroup_size(128)
fn convolve(
    @builtin(local_invocation_index) t: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let tn = t % 16u;
    let row = t / 16u;
    let lane = row % LANES;
    let slice = row / LANES;
    let first_signal = group.y * SIGNALS;
    // The last tile has the longest sums: it starts first.
    let tile_start = (groups.x - 1u - group.x) * OUTPUTS;
    let tile_end = min(tile_start + OUTPUTS, shape.len);
    let n0 = tile_start + 8u * tn;

//{clear}
    for (var chunk = 0u; chunk < tile_end; chunk += CHUNK) {
        let chunk_end = min(chunk + CHUNK, tile_end);
        for (var j_tile = chunk; j_tile < chunk_end; j_tile += TILE) {
            for (var i = t; i < TILE * VALUES; i += 128u) {
                let j = i % TILE;
                let v = i / TILE;
                samples[j * SAMPLE_STRIDE + v] = load(first_signal, v, j_tile + j);
            }
            for (var i = t; i < (OUTPUTS + TILE) / 4u; i += 128u) {
                let k = tile_start - j_tile - TILE + 4u * i;
                window[window_at(i)] =
                    quad(weight(k), weight(k + 1u), weight(k + 2u), weight(k + 3u));
            }
            workgroupBarrier();

            let j0 = j_tile + 32u * slice;
            let before = clamp((i32(n0) - i32(j0)) / 8, 0, 4);
            var x_at = 32u * slice * SAMPLE_STRIDE + lane;
            var w_at = 2u * tn + 8u * (SLICES - slice);
            var high0 = window[window_at(w_at)];
            var high1 = window[window_at(w_at + 1u)];
            for (var block = 0; block < before; block++) {
                let low0 = window[window_at(w_at - 2u)];
                let low1 = window[window_at(w_at - 1u)];
//{block}
                high0 = low0;
                high1 = low1;
                w_at -= 2u;
                x_at += 8u * SAMPLE_STRIDE;
            }
            if n0 >= j0 && n0 - j0 < 32u {
//{triangle}
            }
            workgroupBarrier();
        }
//{carry}
    }
//{store}
}
