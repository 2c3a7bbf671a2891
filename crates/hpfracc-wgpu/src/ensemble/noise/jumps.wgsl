// The number of jumps of a step, by inversion of a word of 64 bits: the place of the word among probabilities that
// decrease, from `first` on in the table. Two steps share a counter.
fn jump_count(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>, first: u32, length: u32) -> u32 {
    let bits = philox(vec4<u32>(step / 2u, path, stream), seed);
    let word = select(bits.xy, bits.zw, (step & 1u) == 1u);
    var low = 0u;
    var high = length;
    while low < high {
        let middle = (low + high) / 2u;
        let more = first + 2u * middle;
        let below = word.x < table[more] || (word.x == table[more] && word.y < table[more + 1u]);
        low = select(low, middle + 1u, below);
        high = select(middle, high, below);
    }
    return low;
}

// A number of the table.
fn number_of(place: u32) -> f32 {
    return bitcast<f32>(table[place]);
}

// -ln u of a number u between 0 and 1 of 52 bits, from the nearer end.
fn exponential_of(high: u32, low: u32) -> f32 {
    let rest = (low & 0xfffff000u) | 0x800u;
    let u = f32(high) * 0x1p-32f + f32(rest) * 0x1p-64f;
    let v = f32(~high) * 0x1p-32f + f32(~rest) * 0x1p-64f;
    let near = ln_1p_of(-v);
    return -select(ln_of(u), near, high >= 0x80000000u);
}

// The sum of exponential jumps upward or downward.
fn exponential_jumps(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>, count: u32, at: u32) -> f32 {
    var sum = 0.0;
    for (var jump = 0u; jump < count; jump++) {
        let bits = philox(vec4<u32>(step, path, stream + jump), seed);
        let low = bits.y & 0xfffff000u;
        let upward = bits.x < table[at] || (bits.x == table[at] && low < table[at + 1u]);
        let size = exponential_of(bits.z, bits.w);
        sum += select(number_of(at + 3u), number_of(at + 2u), upward) * size;
    }
    return sum;
}

// The normal of a step.
fn normal_of_step(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>) -> f32 {
    let normals = normals_of_block(step / 4u, path, stream, seed);
    let pair = select(normals.xy, normals.zw, (step & 2u) != 0u);
    return select(pair.x, pair.y, (step & 1u) != 0u);
}

