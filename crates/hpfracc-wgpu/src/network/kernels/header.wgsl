// Bindings and sizes of every kernel of a network. Values of all layers lie in one buffer, their
// cotangents at the same places in another.

@group(0) @binding(0) var<storage, read> theta: array<f32>;
@group(0) @binding(1) var<storage, read_write> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> bars: array<f32>;
@group(0) @binding(3) var<storage, read_write> thetabar: array<f32>;
@group(0) @binding(4) var<uniform> words: array<vec4<u32>, 5>;

fn word(i: u32) -> u32 {
    return words[i / 4u][i % 4u];
}

// Index of an invocation or a workgroup in a grid of two dimensions.
fn flat(id: vec3<u32>, width: u32) -> u32 {
    return id.x + id.y * width;
}

// What the library of elementary functions asks for: the last word is always 0.
fn unknown_zero() -> u32 {
    return word(19u);
}
