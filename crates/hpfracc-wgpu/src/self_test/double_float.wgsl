// Double-float operations, for comparison with the host.
//
// Bindings: numbers: a[i], b[i], interleaved; computed: five results for each pair; sizes: number of
// pairs, and zero, unknown to the compiler. Workgroups of 64 invocations, one pair each.

@group(0) @binding(0) var<storage, read> numbers: array<real>;
@group(0) @binding(1) var<storage, read_write> computed: array<real>;
@group(0) @binding(2) var<uniform> sizes: vec4<u32>;

fn never() -> bool {
    return sizes.y != 0u;
}

@compute @workgroup_size(64)
fn self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i >= sizes.x {
        return;
    }
    let a = numbers[2u * i];
    let b = numbers[2u * i + 1u];
    var sum = real();
    var total = real();
    for (var k = 0u; k <= i; k++) {
        sum = multiply_add(numbers[k], numbers[i - k], sum);
        if k % 128u == 127u || k == i {
            carry(&total, &sum);
        }
    }
    computed[5u * i] = two_sum(a.high, b.high);
    computed[5u * i + 1u] = two_product(a.high, b.high);
    computed[5u * i + 2u] = add(a, b);
    computed[5u * i + 3u] = times(a, b);
    computed[5u * i + 4u] = total;
}
