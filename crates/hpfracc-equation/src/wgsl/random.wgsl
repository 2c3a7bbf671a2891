// Random bits and normals: hpfracc_lanes::random, operation by operation. Nothing is fused, where operations are guarded.

fn philox_round(c: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    let first_high = mul_high(c.x, 0xd2511f53u);
    let second_high = mul_high(c.z, 0xcd9e8d57u);
    return vec4<u32>(second_high ^ c.y ^ key.x, c.z * 0xcd9e8d57u, first_high ^ c.w ^ key.y, c.x * 0xd2511f53u);
}

// The bits of one counter of Philox4x32-10. The rounds are written out: a driver may end an invocation after 65535
// iterations of its loops.
fn philox(counter: vec4<u32>, seed: vec2<u32>) -> vec4<u32> {
    let bump = vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
    var key = seed;
    var c = philox_round(counter, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    key += bump;
    c = philox_round(c, key);
    return c;
}

fn unfused_ln(f: f32, e: f32) -> f32 {
    let square = rounded(f * f);
    let ln = add_product(f - 0.5 * square, rounded(square * f), unfused_LN(f));
    return add_product(add_product(ln, e, LN_2_LOW), e, LN_2_HIGH);
}

// Two standard normals of two words, by Box and Muller.
fn normal_pair(x: u32, y: u32) -> vec2<f32> {
    let u = rounded(f32(x) + 0.5) * 0x1p-32f;
    let parts = fraction_and_exponent(u);
    // Near u = 1 the word itself has the digits that u has lost.
    let f = select(parts.f, rounded(f32(~x) + 0.5) * -0x1p-32f, parts.e == 0.0);
    let radius = sqrt(-2.0 * unfused_ln(f, parts.e));
    let quarter = (y + 0x20000000u) >> 30u;
    let rest = bitcast<i32>(y - (quarter << 30u));
    let a = rounded(rounded(f32(rest) + 0.5) * QUARTER_OF_A_CIRCLE);
    let square = rounded(a * a);
    let sin_a = add_product(a, rounded(a * square), unfused_SIN(square));
    let cos_a = add_product(1.0 - 0.5 * square, rounded(square * square), unfused_COS(square));
    let even = (quarter & 1u) == 0u;
    let s = select(cos_a, sin_a, even);
    let c = select(sin_a, cos_a, even);
    return vec2<f32>(
        rounded(radius * negated_if(c, ((quarter + 1u) & 2u) != 0u)),
        rounded(radius * negated_if(s, (quarter & 2u) != 0u)));
}

// Normals of the four steps of a block of a path.
fn normals_of_block(block: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>) -> vec4<f32> {
    let bits = philox(vec4<u32>(block, path, stream), seed);
    return vec4<f32>(normal_pair(bits.x, bits.y), normal_pair(bits.z, bits.w));
}
