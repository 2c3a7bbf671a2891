// sin(x)/x and cos(x).
fn sinc_cos_of(x: f32) -> vec2<f32> {
    let both = sin_cos_of(x);
    return vec2<f32>(select(both.sin / x, 1.0, abs(x) < 1e-4), both.cos);
}

// An increment of stable noise: hpfracc_sde::noise::StableLevy in single precision. The numbers at a place of the table are
// e = 1 - alpha, 1/alpha, k, the least A, scale and shift.
fn stable_increment(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>, at: u32) -> f32 {
    let bits = philox(vec4<u32>(step, path, stream), seed);
    let e = number_of(at);
    let k = number_of(at + 2u);
    // The angle V = pi u, and the distance of u from its nearer end, both with all their digits.
    let rest = (bits.y & 0xfffff000u) | 0x800u;
    let positive = bits.x >= 0x80000000u;
    let high = select(~bits.x, bits.x, positive);
    let low = select(~rest, rest, positive);
    let distance = f32(high - 0x80000000u) * 0x1p-32f + f32(low) * 0x1p-64f;
    let edge = f32(~high) * 0x1p-32f + f32(~low) * 0x1p-64f;
    let half_angle = HALF_PI_HIGH * negated_if(distance, !positive);
    let of_half = sinc_cos_of(half_angle);
    let sin_v = 2.0 * half_angle * of_half.x * of_half.y;
    let half_edge = HALF_PI_HIGH * edge;
    let of_edge = sinc_cos_of(half_edge);
    let cos_v = 2.0 * half_edge * of_edge.x * of_edge.y;
    let turned = sinc_cos_of(e * half_angle);
    let sin_per_e = half_angle * turned.x;
    let sine = 2.0 * e * sin_per_e * turned.y;
    let cos_less_one_per_e = -2.0 * e * sin_per_e * sin_per_e;
    let w = exponential_of(bits.z, bits.w);
    let a = max(1.0 + e * cos_less_one_per_e + k * (2.0 * sin_per_e * turned.y), number_of(at + 3u) * edge);
    let log = number_of(at + 1u) * (ln_of(a / cos_v) - ln_of(w));
    let less_one = exp_m1_of(e * log);
    let p = 1.0 + less_one;
    let less_one_per_e = select(less_one / e, log, abs(e) < 1e-6);
    let z = (a * (sin_v / cos_v) - sine) * p + k * (cos_less_one_per_e * p + less_one_per_e);
    return number_of(at + 4u) * (z + number_of(at + 5u));
}

