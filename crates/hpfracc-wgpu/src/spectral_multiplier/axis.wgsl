// Transforms along an axis other than the last, of many lines side by side.
//
//   X[k] = sum_j x[j] exp(-2 pi i j k / n),   j, k < n = axis.len
//
// Either n is the number of points of the transform below, or the sum is written as a convolution
// with a chirp (Bluestein): with c[j] = exp(-i pi j^2 / n),
//
//   X[k] = c[k] sum_j (c[j] x[j]) conj(c[k-j]),
//
// cyclic in POINTS >= 2 n - 1 points. The inverse transform, without the factor 1/n, is the same
// between conjugations. Consecutive entries of a line are `axis.stride` apart, and the lines of a
// block are adjacent. Along the first axis signals are real; of its Hermitian transform the scratch
// array has k = 0 .. n/2. Other axes are transformed in place.
//
// Bindings: signals, results: real arrays; scratch: complex numbers; roots[j] = exp(-2 pi i j /
// POINTS); chirp: c[0 .. n], then the transform of conj(c), cyclic in POINTS points, divided by
// POINTS (unused if n = POINTS). One workgroup: SLOTS adjacent lines, THREADS invocations a line.

struct Axis { len: u32, stride: u32, lines: u32, zero: u32 }

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read_write> scratch: array<complex>;
@group(0) @binding(3) var<storage, read> roots: array<complex>;
@group(0) @binding(4) var<storage, read> chirp: array<complex>;
@group(0) @binding(5) var<uniform> axis: Axis;

fn never() -> bool {
    return axis.zero != 0u;
}

// Entry n of a line in an array whose lines have `entries` entries.
fn position(line: u32, n: u32, entries: u32) -> u32 {
    return ((line / axis.stride) * entries + n) * axis.stride + line % axis.stride;
}

fn inside(line: u32, n: u32) -> bool {
    return line < axis.lines && n < axis.len;
}

fn load_signal(line: u32, n: u32) -> complex {
    if !inside(line, n) {
        return complex();
    }
    return complex(signals[position(line, n, axis.len)], real());
}

fn store_half(line: u32, k: u32, value: complex) {
    if line < axis.lines && k <= axis.len / 2u {
        scratch[position(line, k, axis.len / 2u + 1u)] = value;
    }
}

fn load_scratch(line: u32, n: u32) -> complex {
    if !inside(line, n) {
        return complex();
    }
    return scratch[position(line, n, axis.len)];
}

fn store_scratch(line: u32, k: u32, value: complex) {
    if inside(line, k) {
        scratch[position(line, k, axis.len)] = value;
    }
}

fn load_conjugate(line: u32, k: u32) -> complex {
    return conjugate(load_scratch(line, k));
}

fn store_conjugate(line: u32, n: u32, value: complex) {
    store_scratch(line, n, conjugate(value));
}

// The conjugate of entry k; for k > n/2 that is the stored entry n - k.
fn load_half(line: u32, k: u32) -> complex {
    if !inside(line, k) {
        return complex();
    }
    let half = axis.len / 2u;
    if k <= half {
        return conjugate(scratch[position(line, k, half + 1u)]);
    }
    return scratch[position(line, axis.len - k, half + 1u)];
}

// Stores the real part: the conjugate of a real number is the number itself.
fn store_result(line: u32, n: u32, value: complex) {
    if inside(line, n) {
        results[position(line, n, axis.len)] = value.x;
    }
}

fn chirp_at(n: u32) -> complex {
    if n >= axis.len {
        return complex();
    }
    return chirp[n];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn along_axis(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let line = (group.y * groups.x + group.x) * SLOTS + slot;
//{each} var v$j = $load(line, $n);
//{passes}
//{each} $store(line, $n, v$j);
}
