// Causal convolution by direct summation, as a tiled product with a triangular Toeplitz matrix.
//
//   y[n] = sum_{j <= n} w[n-j] x[j],   n < len
//
// A workgroup of 128 invocations computes OUTPUTS = 128 outputs of SIGNALS signals. Invocation (tn,
// row) holds 8 consecutive outputs, from n0 = 8 tn of the tile, of one or more `value`s, each a
// single signal or a vector of four. For 8 samples j0 .. j0+7 it needs the 15 weights w[n0-j0-7 ..
// n0-j0+7], whose upper half is in registers from the previous 8 samples. Blocks of 8 x 8 are below
// the diagonal, on it, or above: those on it are generated triangles, those above are skipped, so
// that no sample, not even NaN, reaches an output that does not depend on it.
//
// Rows are lanes of signals (LANES = 8) or, for batches too small to occupy a device, slices of a
// longer tile of samples (SLICES = 8), whose sums are added at the end.
//
// After CHUNK samples the sums are added to totals, so that the rounding error grows with CHUNK
// instead of len. (A compiler may spill the totals to memory: accesses are rare.)
//
// Bindings: signals, results: batch rows of len scalars; weights: len scalars. Reversed signals and
// results give the transpose. Grid: tiles of outputs, tiles of signals.

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read> weights: array<real>;
@group(0) @binding(3) var<uniform> shape: Shape;

// samples[j SAMPLE_STRIDE + lane]; at the end, staged results. The stride is odd, so that vectors
// of consecutive j are in different banks.
var<workgroup> samples: array<value, SAMPLES_LEN>;
// w[tile_start - j_tile - TILE + i] in vectors of four, with a gap after every eight: the
// invocations of a quarter of a subgroup read every second vector.
var<workgroup> window: array<quad, WINDOW_LEN>;

fn window_at(i: u32) -> u32 {
    return i + (i >> 3u);
}

fn sample(signal: u32, n: u32) -> real {
    if signal >= shape.batch || n >= shape.len {
        return real();
    }
    return signals[position(signal, n)];
}

// The index of a weight before the first one wraps around to a large number.
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
