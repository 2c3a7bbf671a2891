// Convolution along time: z_o(n) = b_o + sum_c sum_k w_ock x_c(n stride + k dilation - front), x = 0 outside the series.

fn length() -> u32 { return word(0u); }
fn columns() -> u32 { return word(1u); }
fn channels() -> u32 { return word(7u); }
fn filters() -> u32 { return word(8u); }
fn length_out() -> u32 { return word(9u); }
fn kernel() -> u32 { return word(10u); }
fn stride() -> u32 { return word(11u); }
fn dilation() -> u32 { return word(12u); }
fn front() -> u32 { return word(13u); }

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = flat(id, word(2u));
    if (i >= filters() * length_out() * columns()) { return; }
    let n = i / columns() % length_out(); let filter_index = i / columns() / length_out();
    var sum = theta[word(6u) + filter_index];
    for (var c = 0u; c < channels(); c++) {
        let x = word(3u) + c * length() * columns() + i % columns();
        let w = word(5u) + (filter_index * channels() + c) * kernel();
        for (var k = 0u; k < kernel(); k++) {
            let t = n * stride() + k * dilation() - front();
            // Before the start it wraps around.
            if (t < length()) { sum = fma(theta[w + k], values[x + t * columns()], sum); }
        }
    }
    values[word(4u) + i] = sum;
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = flat(id, word(2u));
    if (i >= channels() * length() * columns()) { return; }
    let t = i / columns() % length(); let c = i / columns() / length();
    var sum = 0.0;
    for (var o = 0u; o < filters(); o++) {
        let z = word(4u) + o * length_out() * columns() + i % columns();
        let w = word(5u) + (o * channels() + c) * kernel();
        for (var k = 0u; k < kernel(); k++) {
            let steps = t + front() - k * dilation();
            let n = steps / stride();
            if (t + front() >= k * dilation() && steps % stride() == 0u && n < length_out()) {
                sum = fma(theta[w + k], bars[z + n * columns()], sum);
            }
        }
    }
    bars[word(3u) + i] += sum;
}

var<workgroup> part: array<f32, 64>;

// The gradient with respect to each weight by a workgroup.
@compute @workgroup_size(64)
fn weights(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let weight = flat(group, word(2u));
    let inside = weight < filters() * channels() * kernel();
    let k = weight % kernel(); let c = weight / kernel() % channels(); let o = weight / kernel() / channels();
    let x = word(3u) + c * length() * columns(); let z = word(4u) + o * length_out() * columns();
    var sum = 0.0;
    for (var i = me; inside && i < length_out() * columns(); i += 64u) {
        let t = i / columns() * stride() + k * dilation() - front();
        if (t < length()) { sum = fma(bars[z + i], values[x + t * columns() + i % columns()], sum); }
    }
    part[me] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (me < half) { part[me] += part[me + half]; }
        workgroupBarrier();
    }
    if (me == 0u && inside) { thetabar[word(5u) + weight] += part[0]; }
}
