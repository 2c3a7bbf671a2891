// Transforms along the columns of a signal seen as a matrix of R rows and C columns, M = R C.
//
//   n = n1 C + n2,   k = k1 + R k2
//   X[k] = sum_{n2} w_C^(n2 k2) [ w_M^(n2 k1) sum_{n1} w_R^(n1 k1) x[n] ],   w_L = exp(-2 pi i / L)
//
// `forward` computes the inner sum and the twiddle factor of the twisted signal x[n] a^n, a = exp(i
// pi / (2 M)); `backward` inverts it, between conjugations, and takes the real part of the
// untwisted result (see one_pass.wgsl for the right-angle convolution). rows.wgsl is the pass
// between them.
//
// Bindings: signals, results: batch rows of len scalars; scratch: batch matrices of M complex
// numbers; roots[j] = exp(-2 pi i j / R); coarse, fine: exp(-2 pi i j / (4 M)) for j = 1024 h and j
// = l. One workgroup: SLOTS adjacent columns, THREADS invocations a column.

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> results: array<real>;
@group(0) @binding(2) var<storage, read_write> scratch: array<complex>;
@group(0) @binding(3) var<storage, read> roots: array<complex>;
@group(0) @binding(4) var<storage, read> coarse: array<complex>;
@group(0) @binding(5) var<storage, read> fine: array<complex>;
@group(0) @binding(6) var<uniform> shape: Shape;

fn load(row: u32, n: u32) -> complex {
    if n >= shape.len {
        return complex();
    }
    return scaled(conjugate(quarter_root(n)), signals[position(row, n)]);
}

fn store(row: u32, n: u32, value: complex) {
    if n < shape.len {
        // `value` is the conjugate of the inverse transform.
        results[position(row, n)] = real_part(value, conjugate(quarter_root(n)));
    }
}

fn entry(row: u32, n: u32, column: u32) -> u32 {
    return row * POINTS + n * COLUMNS + column;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn forward(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let column = group.x * SLOTS + slot;
    let row = group.y;
//{each} var v$j = load(row, $n * COLUMNS + column);
    {
//{transform}
    }
//{each} scratch[entry(row, $n, column)] = product(v$j, quarter_root(4u * $n * column));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn backward(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let column = group.x * SLOTS + slot;
    let row = group.y;
//{each} var v$j = scratch[entry(row, $n, column)];
    {
//{transform}
    }
//{each} store(row, $n * COLUMNS + column, v$j);
}
