// Counts of numbers in buckets by the leading bits of their magnitudes in double precision, a path for each invocation.
//
// windows: for each observable the key of the first bucket, the number of buckets of a side, the place of the count of
// tiny numbers, and that of the buckets of positive numbers; those of negative numbers follow the tiny ones.
// sizes.first: leading bits of the mantissa.

@group(0) @binding(3) var<storage, read> windows: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;

// Key of a magnitude, which may be subnormal.
fn key_of(magnitude: u32, digits: u32) -> u32 {
    let subnormal = magnitude < 0x00800000u;
    let shift = select(0u, countLeadingZeros(magnitude) - 8u, subnormal);
    let mantissa = (magnitude << shift) & 0x007fffffu;
    let exponent = select(magnitude >> 23u, 1u - shift, subnormal) + 896u;
    let key = (exponent << digits) | (mantissa >> (23u - digits));
    return select(key, 0u, magnitude == 0u);
}

fn count(observable: u32, x: f32) {
    let window = 4u * observable;
    let bits = bitcast<u32>(x);
    let bucket = key_of(bits & 0x7fffffffu, sizes.first) - windows[window];
    let positive = (bits & 0x80000000u) == 0u;
    let side = select(windows[window + 2u] + 1u, windows[window + 3u], positive);
    let place = select(windows[window + 2u], side + bucket, bucket < windows[window + 1u]);
    atomicAdd(&counts[place], 1u);
}

@compute @workgroup_size(WIDTH)
fn count_numbers(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= sizes.paths {
        return;
    }
    let o = observe(id.x);
//{counts}
}
