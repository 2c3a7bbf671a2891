// fma of triples of numbers `real`, an alias declared before this text.
//
// Bindings: triples: a[i], b[i], c[i], interleaved; computed: one result for each; sizes: number of triples.

@group(0) @binding(0) var<storage, read> triples: array<real>;
@group(0) @binding(1) var<storage, read_write> computed: array<real>;
@group(0) @binding(2) var<uniform> sizes: vec4<u32>;

@compute @workgroup_size(64)
fn self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i < sizes.x {
        computed[i] = fma(triples[3u * i], triples[3u * i + 1u], triples[3u * i + 2u]);
    }
}
