// Sum, product, quotient and square root of pairs in double precision, for comparison with the host.
//
// Bindings: pairs: a[i], b[i] one behind the other; found: four results for each pair; shape.count
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
        found[4u * i] = a + b;
        found[4u * i + 1u] = a * b;
        found[4u * i + 2u] = a / b;
        found[4u * i + 3u] = sqrt(abs(a));
    }
}
