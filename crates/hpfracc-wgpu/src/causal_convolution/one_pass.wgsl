// Toeplitz products of signals that fit one workgroup, by a single transform of M points.
//
//   results[n] = Re sum_j g[n-j] x[j],   g[l] = i g[M+l] for l < 0,   n, j < len <= M
//
// With a = exp(i pi / (2 M)), the transform of x[n] a^n computes products modulo z^M - i: terms
// that wrap around are multiplied by i, so that no zero padding is needed (the right-angle
// convolution; right_angle.rs has the weights g). `spectrum` holds the transform of g[n] a^n
// divided by M. The inverse transform is the forward one between conjugations.
//
// Bindings: signals, results: batch rows of len scalars; spectrum, twist[n] = a^n: M complex
// numbers; roots[j] = exp(-2 pi i j / M). One workgroup: SLOTS rows, THREADS invocations a row.
// Reversed signals and results give the transpose.

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read> spectrum: array<complex>;
@group(0) @binding(3) var<storage, read> twist: array<complex>;
@group(0) @binding(4) var<storage, read> roots: array<complex>;
@group(0) @binding(5) var<uniform> shape: Shape;

fn load(row: u32, n: u32) -> complex {
    if row >= shape.batch || n >= shape.len {
        return complex();
    }
    return scaled(twist[n], signals[position(row, n)]);
}

fn store(row: u32, n: u32, value: complex) {
    if row < shape.batch && n < shape.len {
        // `value` is the conjugate of the inverse transform.
        results[position(row, n)] = real_part(value, twist[n]);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn convolve(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let slot = index / THREADS;
    let t = index % THREADS;
    let row = (group.y * groups.x + group.x) * SLOTS + slot;
//{each} var v$j = load(row, $n);
    // Forward and inverse transform share the code: a second copy would exceed instruction caches.
    for (var step = 0u; step < 2u; step++) {
//{transform}
        if step == 0u {
//{each} v$j = conjugate(product(v$j, spectrum[$n]));
        }
    }
//{each} store(row, $n, v$j);
}
