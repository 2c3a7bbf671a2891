// All operations of the shaders in double precision, for comparison with the host.
//
// Bindings: pairs: a[i], b[i], interleaved; computed: seven results for each pair; sizes: number of
// pairs. Workgroups of 64 invocations, one pair each.

@group(0) @binding(0) var<storage, read> pairs: array<f64>;
@group(0) @binding(1) var<storage, read_write> computed: array<f64>;
@group(0) @binding(2) var<uniform> sizes: vec4<u32>;

@compute @workgroup_size(64)
fn self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i < sizes.x {
        let a = pairs[2u * i];
        let b = pairs[2u * i + 1u];
        computed[7u * i] = a + b;
        computed[7u * i + 1u] = a * b;
        computed[7u * i + 2u] = a / b;
        computed[7u * i + 3u] = sqrt(abs(a));
        // Terms of one sign: a device may round the product.
        computed[7u * i + 4u] = fma(abs(a), abs(b), abs(b));
        let floor_a = floor(a);
        computed[7u * i + 5u] = floor_a;
        computed[7u * i + 6u] = ldexp(b, i32(select(floor_a, f64(7), abs(floor_a) > f64(300))));
    }
}
