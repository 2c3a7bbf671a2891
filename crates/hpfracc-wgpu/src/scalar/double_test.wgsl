// All that shaders here compute with pairs in double precision, for comparison with the host.
//
// Bindings: pairs: a[i], b[i] one behind the other; found: seven results for each pair; shape.count
// pairs. Workgroups of 64 invocations, one pair each.

struct Shape {
    count: u32,
    unused_1: u32,
    unused_2: u32,
    unused_3: u32,
}

@group(0) @binding(0) var<storage, read> pairs: array<f64>;
@group(0) @binding(1) var<storage, read_write> found: array<f64>;
@group(0) @binding(2) var<uniform> shape: Shape;

@compute @workgroup_size(64)
fn self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i < shape.count {
        let a = pairs[2u * i];
        let b = pairs[2u * i + 1u];
        found[7u * i] = a + b;
        found[7u * i + 1u] = a * b;
        found[7u * i + 2u] = a / b;
        found[7u * i + 3u] = sqrt(abs(a));
        // Of one sign: a device may round the product by itself.
        found[7u * i + 4u] = fma(abs(a), abs(b), abs(b));
        let whole = floor(a);
        found[7u * i + 5u] = whole;
        found[7u * i + 6u] = ldexp(b, i32(select(whole, f64(7), abs(whole) > f64(300))));
    }
}
