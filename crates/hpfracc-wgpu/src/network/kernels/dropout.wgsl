// Inverted dropout with the masks of the CPU: a number is dropped where its random word is below a threshold. Factors
// are saved for the backward pass.

// Whether numbers are dropped, the two words of the draw, and the number of the first sample.
@group(0) @binding(5) var<uniform> draw: vec4<u32>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let i = flat(id, word(2u));
    if (i >= rows * columns) { return; }
    let x = word(3u) + i; let factor = word(4u) + i; let y = word(5u) + i;
    let threshold = word(6u); let seed = vec2<u32>(word(7u), word(8u)); let purpose = word(9u);
    values[factor] = 1.0;
    if (draw.x != 0u) {
        let key = philox(vec4<u32>(draw.y, draw.z, 0u, purpose), seed).xy;
        let row = i / columns;
        let sample = draw.w + i % columns;
        let bits = philox(vec4<u32>(row / 4u, sample, 0u, purpose), key);
        values[factor] = select(bitcast<f32>(word(10u)), 0.0, bits[row % 4u] < threshold);
    }
    values[y] = values[x] * values[factor];
}
