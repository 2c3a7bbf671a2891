// The peak of fused products: x <- x f + t in CHAINS registers of four at once, over and over.
//
// Bindings: 0 a number that is written only if the impossible happens, so that nothing can be left
// out; 1 how often. Workgroups of 256 in a line.

@group(0) @binding(0) var<storage, read_write> sink: array<real>;
@group(0) @binding(1) var<uniform> rounds: vec4<u32>;

@compute @workgroup_size(256)
fn peak(@builtin(global_invocation_id) id: vec3<u32>) {
    let factor = vec4<real>(real(rounds.y) / real(rounds.z));
    let term = vec4<real>(real(id.x & 15u) / real(rounds.z));
    var a = term;
    var b = term + factor;
    var c = factor;
    var d = factor * factor;
    for (var k = 0u; k < rounds.x; k++) {
        a = fma(a, factor, term);
        b = fma(b, factor, term);
        c = fma(c, factor, term);
        d = fma(d, factor, term);
    }
    let sum = (a + b) + (c + d);
    if (sum.x + sum.y + sum.z + sum.w < real(0)) {
        sink[0] = sum.x;
    }
}
