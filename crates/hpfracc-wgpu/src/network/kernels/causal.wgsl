// Causal sums along time with the weights of a fractional derivative: three rows of weights for each table.
//
//     y_n = sum_{j<=n} w_{n-j} (x_j - x_0) + r_n x_0
//
// Series lie behind one another, each with `columns` numbers for each time.

// Place of the weights of a channel.
fn table_of(channel: u32) -> u32 {
    return word(5u) + channel * word(6u);
}

// The first number of a series, where weights act on differences from it.
fn first_of(series: u32) -> f32 {
    return select(0.0, values[series], word(7u) != 0u);
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let length = word(0u); let columns = word(1u);
    let i = flat(id, word(2u));
    if (i >= word(8u) * length * columns) { return; }
    let n = i / columns % length; let channel = i / columns / length;
    let series = word(3u) + channel * length * columns + i % columns;
    let w = table_of(channel);
    let first = first_of(series);
    var sum = theta[w + length + n] * first;
    for (var j = 0u; j <= n; j++) {
        sum = fma(theta[w + n - j], values[series + j * columns] - first, sum);
    }
    values[word(4u) + i] = sum;
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let length = word(0u); let columns = word(1u);
    let i = flat(id, word(2u));
    if (i >= word(8u) * length * columns) { return; }
    let j = i / columns % length; let channel = i / columns / length;
    let series = word(4u) + channel * length * columns + i % columns;
    let w = table_of(channel);
    var sum = 0.0;
    for (var n = j; n < length; n++) {
        sum = fma(theta[w + n - j], bars[series + n * columns], sum);
    }
    if (j == 0u) {
        for (var n = 0u; n < length; n++) {
            sum = fma(theta[w + 2u * length + n], bars[series + n * columns], sum);
        }
    }
    bars[word(3u) + i] += sum;
}

var<workgroup> part: array<f32, 64>;

// Gradients with respect to w_k and r_k, each by a workgroup, for tables of `word(9u)` channels.
@compute @workgroup_size(64)
fn weights(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let length = word(0u); let columns = word(1u);
    let index = flat(group, word(2u));
    let row = index % (2u * length); let table = index / (2u * length);
    let inside = table * word(9u) < word(8u);
    let k = row % length;
    let of_weight = row < length;
    var sum = 0.0;
    for (var c = 0u; inside && c < word(9u); c++) {
        let series = (table * word(9u) + c) * length * columns;
        let x = word(3u) + series; let y = word(4u) + series;
        let numbers = select(1u, length - k, of_weight) * columns;
        for (var i = me; i < numbers; i += 64u) {
            let first = first_of(x + i % columns);
            let factor = select(first, values[x + i] - first, of_weight);
            sum = fma(bars[y + k * columns + i], factor, sum);
        }
    }
    part[me] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (me < half) { part[me] += part[me + half]; }
        workgroupBarrier();
    }
    if (me == 0u && inside) { thetabar[word(5u) + table * 3u * length + row] += part[0]; }
}
