// The peak rate of fused multiply-adds: x <- x f + t, repeatedly, in four independent vectors of
// four.
//
// Bindings: 0 a number written under a condition that never holds, so that the compiler preserves the
// loop; 1 number of iterations, numerator and denominator of the factor. Workgroups of 256 in a
// line.

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
