// Random bits: hpfracc_lanes::random::Philox, and the normals of a path.

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

// Normals of the four steps of a block of a path.
fn normals_of_block(block: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>) -> quad {
    let bits = philox(vec4<u32>(block, path, stream), seed);
    let first = normal_pair(bits.x, bits.y);
    let second = normal_pair(bits.z, bits.w);
    return quad(first.x, first.y, second.x, second.y);
}

fn scaled_quad(z: quad, factor: real) -> quad {
    return quad(multiply(factor, z.x), multiply(factor, z.y), multiply(factor, z.z), multiply(factor, z.w));
}

struct NormalPair {
    x: real,
    y: real,
}
