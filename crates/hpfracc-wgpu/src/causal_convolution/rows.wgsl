// The pass between those of columns.wgsl: transforms along the rows, the product with the spectrum
// of the weights, and the inverse transforms with the conjugate twiddle factors.
//
// Bindings: scratch: batch matrices of M = R C complex numbers; spectrum[k1 C + k2] is the
// transform of the twisted weights g[n] a^n at k1 + R k2, divided by M; roots[j] = exp(-2 pi i j /
// C); coarse, fine as in columns.wgsl. One workgroup: SLOTS rows, THREADS invocations a row.

@group(0) @binding(0) var<storage, read_write> scratch: array<complex>;
@group(0) @binding(1) var<storage, read> spectrum: array<complex>;
@group(0) @binding(2) var<storage, read> roots: array<complex>;
@group(0) @binding(3) var<storage, read> coarse: array<complex>;
@group(0) @binding(4) var<storage, read> fine: array<complex>;
@group(0) @binding(5) var<uniform> shape: Shape;

@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index / THREADS;
    let t = index % THREADS;
    let k1 = group.x * SLOTS + slot;
    let start = group.y * POINTS + k1 * COLUMNS;
//{each} var v$j = scratch[start + $n];
    // Forward and inverse transform share the code: a second copy would exceed instruction caches.
    for (var step = 0u; step < 2u; step++) {
//{transform}
        if step == 0u {
//{each} v$j = conjugate(product(v$j, spectrum[k1 * COLUMNS + $n]));
        }
    }
//{each} scratch[start + $n] = product(v$j, quarter_root(4u * $n * k1));
}
