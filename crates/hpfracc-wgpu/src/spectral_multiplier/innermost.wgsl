// The last axis: the product of each line of the scratch array with its circulant matrix, in place.
//
//   y = F^-1 (s F x),   F the transform of POINTS points,   s a row of `spectrum`
//
// A line of n = lines.len entries, shorter than the transform, is padded with zeros and truncated
// afterwards; its row is then the transform of a circulant matrix with the n x n one as its corner.
// The spectrum includes the factors 1/n of all axes. Its conjugate gives the transpose.
//
// Bindings: scratch: lines of complex numbers, contiguous; spectrum: a row of POINTS complex
// numbers for each line of a signal; roots[j] = exp(-2 pi i j / POINTS). One workgroup: SLOTS
// lines, THREADS invocations a line.

struct Lines { len: u32, count: u32, per_signal: u32, transposed: u32 }

@group(0) @binding(0) var<storage, read_write> scratch: array<complex>;
@group(0) @binding(1) var<storage, read> spectrum: array<complex>;
@group(0) @binding(2) var<storage, read> roots: array<complex>;
@group(0) @binding(3) var<uniform> lines: Lines;

fn never() -> bool {
    return lines.transposed > 1u;
}

fn load(line: u32, n: u32) -> complex {
    if line >= lines.count || n >= lines.len {
        return complex();
    }
    return scratch[line * lines.len + n];
}

fn spectrum_at(line: u32, k: u32) -> complex {
    let s = spectrum[(line % lines.per_signal) * POINTS + k];
    if lines.transposed == 1u {
        return conjugate(s);
    }
    return s;
}

fn store(line: u32, n: u32, value: complex) {
    if line < lines.count && n < lines.len {
        scratch[line * lines.len + n] = conjugate(value);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let slot = index / THREADS;
    let t = index % THREADS;
    let line = (group.y * groups.x + group.x) * SLOTS + slot;
//{each} var v$j = load(line, $n);
    // Forward and inverse transform share the code: a second copy would exceed instruction caches.
    for (var step = 0u; step < 2u; step++) {
//{transform}
        if step == 0u {
//{each} v$j = conjugate(product(v$j, spectrum_at(line, $n)));
        }
    }
//{each} store(line, $n, v$j);
}
