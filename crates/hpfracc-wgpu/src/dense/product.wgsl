// Product of a batch of signals with a matrix, in tiles.
//
//   results[m][n] = sum_k signals[m][k] W(n, k),   k < inner
//
// with W(n, k) = weights[n inner + k], or, transposed, weights[k outputs + n]. After CHUNK of k the
// sums are added to totals, so that the rounding error grows with CHUNK instead of inner: for equal
// terms, whose errors have one sign, it stays below 128/3 of 2^-24 of the sum. (A compiler may
// spill the totals to memory: accesses are rare.)
//
// A workgroup of 128 invocations, TM times TN, computes 4 HELD TM signals times 8 TN outputs, in
// steps of TILE of k. Invocation (tm, tn) holds the quads tm, tm + TM, .. of signals and tn, tn +
// TN of outputs: adjacent invocations read adjacent vectors. The strides are odd, so that the
// vectors of consecutive k are in different banks when the tiles are filled.
//
// A dispatch covers one SPAN of k: drivers abort long shaders, and Mesa's software driver ends the
// loops of an invocation after 65535 iterations in all, without an error.
//
// Bindings: signals: batch rows of inner scalars; results: batch rows of outputs scalars; weights;
// sizes. Grid: tiles of outputs, tiles of signals.

// `span` is twice the index of the span of k, plus one if transposed.
struct Sizes { batch: u32, inner: u32, outputs: u32, span: u32 }

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read> weights: array<real>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const CHUNK = 128u;
const LEFT_STRIDE = HELD * TM + 1u;
const RIGHT_STRIDE = 2u * TN + 1u;

// Four signals and four outputs for each k.
var<workgroup> left: array<value, TILE * LEFT_STRIDE>;
var<workgroup> right: array<value, TILE * RIGHT_STRIDE>;

// Not a condition on `batch` or `inner`: where they are zero so are all sums, and a compiler may
// conclude that the condition has no effect, as llvmpipe's did.
fn never() -> bool {
    return sizes.span >= 0x80000000u;
}

// Both factors are zero beyond the last k.
fn signal(m: u32, k: u32) -> real {
    if m >= sizes.batch || k >= sizes.inner {
        return real();
    }
    return signals[m * sizes.inner + k];
}

fn weight(n: u32, k: u32) -> real {
    if n >= sizes.outputs || k >= sizes.inner {
        return real();
    }
    return weights[select(n * sizes.inner + k, k * sizes.outputs + n, (sizes.span & 1u) == 1u)];
}

// Adds the sum over a span to the results of the previous spans.
fn store(m: u32, n: u32, first: bool, sum: value) {
    if m >= sizes.batch || n >= sizes.outputs {
        return;
    }
    let start = m * sizes.outputs;
    let end = start + sizes.outputs - 1u;
    let at = vec4<u32>(start + n) + vec4<u32>(0u, 1u, 2u, 3u);
    // Indices beyond the end of the row repeat the last result.
    let place = min(at, vec4<u32>(end));
    var result = sum;
    if !first {
        let before =
            value(results[place.x], results[place.y], results[place.z], results[place.w]);
        result = sum_of(result, before);
    }
    results[at.x] = result.x;
    if at.y <= end {
        results[at.y] = result.y;
    }
    if at.z <= end {
        results[at.z] = result.z;
    }
    if at.w <= end {
        results[at.w] = result.w;
    }
}

@compute @workgroup_size(128)
fn multiply(
    @builtin(local_invocation_index) t: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let tn = t % TN;
    let tm = t / TN;
    let first_signal = group.y * 4u * HELD * TM;
    let first_output = group.x * 8u * TN;
    let transposed = (sizes.span & 1u) == 1u;
    let start = (sizes.span >> 1u) * SPAN;
    let end = min(start + SPAN, sizes.inner);
//{clear}
    for (var chunk = start; chunk < end; chunk += CHUNK) {
        let chunk_end = min(chunk + CHUNK, end);
        for (var k0 = chunk; k0 < chunk_end; k0 += TILE) {
            for (var i = t; i < TILE * HELD * TM; i += 128u) {
                let k = i % TILE;
                let quad = i / TILE;
                let m = first_signal + 4u * quad;
                left[k * LEFT_STRIDE + quad] = value(
                    signal(m, k0 + k), signal(m + 1u, k0 + k),
                    signal(m + 2u, k0 + k), signal(m + 3u, k0 + k));
            }
            for (var i = t; i < TILE * 2u * TN; i += 128u) {
                // Adjacent invocations read adjacent entries of the matrix, transposed or not.
                let k = select(i % TILE, i / (2u * TN), transposed);
                let quad = select(i / TILE, i % (2u * TN), transposed);
                let n = first_output + 4u * quad;
                right[k * RIGHT_STRIDE + quad] = value(
                    weight(n, k0 + k), weight(n + 1u, k0 + k),
                    weight(n + 2u, k0 + k), weight(n + 3u, k0 + k));
            }
            workgroupBarrier();
            let steps = min(TILE, end - k0);
            for (var k = 0u; k < steps; k += 4u) {
                let l = k * LEFT_STRIDE + tm;
                let r = k * RIGHT_STRIDE + tn;
//{steps}
            }
            workgroupBarrier();
        }
//{carry}
    }
    let first = start == 0u;
//{store}
}
