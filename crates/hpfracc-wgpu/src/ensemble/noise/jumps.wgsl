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

// Number k of those that begin at a place of the table.
fn number_of(place: u32, k: u32) -> real {
    let first = place + k * NUMBER_WORDS;
    return number_of_words(table[first], table[first + NUMBER_WORDS - 1u]);
}

// A number between 0 and 1 of 52 bits.
fn unit_of(high: u32, low: u32) -> real {
    let rest = (low & 0xfffff000u) | 0x800u;
    return add(multiply(real_of_word(high), TWO_TO_MINUS_32), multiply(real_of_word(rest), TWO_TO_MINUS_64));
}

// -ln u of a number u between 0 and 1, from the nearer end.
fn exponential_of(high: u32, low: u32) -> real {
    let near = ln_1p_of(negate(unit_of(~high, ~low)));
    return negate(choose(ln_of(unit_of(high, low)), near, high >= 0x80000000u));
}

// The sum of exponential jumps upward or downward, of which the words at a place of the table tell the share of upward ones,
// and those that follow the means.
fn exponential_jumps(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>, count: u32, at: u32) -> real {
    var sum = ZERO;
    for (var jump = 0u; jump < count; jump++) {
        let bits = philox(vec4<u32>(step, path, stream + jump), seed);
        let low = bits.y & 0xfffff000u;
        let upward = bits.x < table[at] || (bits.x == table[at] && low < table[at + 1u]);
        let mean = choose(number_of(at + 2u, 1u), number_of(at + 2u, 0u), upward);
        sum = add_product(sum, mean, exponential_of(bits.z, bits.w));
    }
    return sum;
}

// The normal of a step.
fn normal_of_step(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>) -> real {
    let z = normals_of_block(step / 4u, path, stream, seed);
    let late = (step & 2u) != 0u;
    return choose(choose(z.x, z.z, late), choose(z.y, z.w, late), (step & 1u) != 0u);
}

