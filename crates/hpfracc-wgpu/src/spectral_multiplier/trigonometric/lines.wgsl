// Real transforms of lines of a field by complex Fourier transforms of as many points.
//
//   c[k] = Re(after[k] Z[k]),   Z[k] = sum_p exp(-2 pi i k p / n) before[p] x[place(p)]
//   x[place(p)] = Re(before[p] sum_k exp(-2 pi i k p / n) after[k] c[k]),   k, p < n = axis.len
//
// The first line gives coefficients of values, the second values of coefficients. Either n is the
// number of points of the transform below, or the sum is a convolution with a chirp (Bluestein), see
// axis.wgsl. Consecutive entries of a line are `axis.stride` apart, and the lines of a block are
// adjacent. The first pass reads `signals`, later ones transform `field` in place: a workgroup reads
// all entries of its lines before it writes any.
//
// Bindings: signals, field: real arrays; multipliers: a real number for each mode of a signal;
// roots[j] = exp(-2 pi i j / POINTS); factors: before, after, and, if n < POINTS, the chirp and the
// filter of axis.wgsl. One workgroup: SLOTS lines, THREADS invocations a line.

struct Axis { len: u32, stride: u32, lines: u32, per_signal: u32 }

@group(0) @binding(0) var<storage, read> signals: array<real>;
@group(0) @binding(1) var<storage, read_write> field: array<real>;
@group(0) @binding(2) var<storage, read> multipliers: array<real>;
@group(0) @binding(3) var<storage, read> roots: array<complex>;
@group(0) @binding(4) var<storage, read> factors: array<complex>;
@group(0) @binding(5) var<uniform> axis: Axis;

fn never() -> bool {
    return axis.per_signal == 0u;
}

// Entry n of a line.
fn position(line: u32, n: u32) -> u32 {
    return ((line / axis.stride) * axis.len + n) * axis.stride + line % axis.stride;
}

fn inside(line: u32, n: u32) -> bool {
    return line < axis.lines && n < axis.len;
}

// Position of the value that is entry p of the Fourier transform.
fn place(p: u32) -> u32 {
    //{place}
}

fn before(p: u32) -> complex {
    return factors[p];
}

fn after(k: u32) -> complex {
    return factors[axis.len + k];
}

fn load_value(line: u32, p: u32) -> complex {
    if !inside(line, p) {
        return complex();
    }
    return scaled(before(p), $source[position(line, place(p))]);
}

fn store_value(line: u32, p: u32, value: complex) {
    if inside(line, p) {
        field[position(line, place(p))] = real_part(before(p), value);
    }
}

fn load_mode(line: u32, k: u32) -> complex {
    if !inside(line, k) {
        return complex();
    }
    return scaled(after(k), $source[position(line, k)]);
}

fn store_mode(line: u32, k: u32, value: complex) {
    if inside(line, k) {
        field[position(line, k)] = real_part(after(k), value);
    }
}

// A coefficient times its multiplier, before the transform to values.
fn multiplied(line: u32, k: u32, value: complex) -> complex {
    if !inside(line, k) {
        return complex();
    }
    let multiplier = multipliers[position(line % axis.per_signal, k)];
    return scaled(scaled(after(k), real_part(after(k), value)), multiplier);
}

fn chirp_at(n: u32) -> complex {
    if n >= axis.len {
        return complex();
    }
    return factors[2u * axis.len + n];
}

fn filter_at(n: u32) -> complex {
    return factors[3u * axis.len + n];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn transform_lines(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let slot = $slot;
    let t = $invocation;
    let line = (group.y * groups.x + group.x) * SLOTS + slot;
//{steps}
}
