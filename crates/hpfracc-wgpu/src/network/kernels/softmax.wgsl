// Softmax over the rows of each column, an invocation for each column.

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let column = flat(id, word(2u));
    if (column >= columns) { return; }
    let x = word(3u) + column; let y = word(4u) + column;
    var largest = values[x];
    for (var i = 1u; i < rows; i++) { largest = max(largest, values[x + i * columns]); }
    var sum = 0.0;
    for (var i = 0u; i < rows; i++) {
        let e = exp_of(values[x + i * columns] - largest);
        values[y + i * columns] = e;
        sum += e;
    }
    for (var i = 0u; i < rows; i++) { values[y + i * columns] /= sum; }
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let column = flat(id, word(2u));
    if (column >= columns) { return; }
    let x = word(3u) + column; let y = word(4u) + column;
    var mean = 0.0;
    for (var i = 0u; i < rows; i++) {
        mean = fma(values[y + i * columns], bars[y + i * columns], mean);
    }
    for (var i = 0u; i < rows; i++) {
        let at = i * columns;
        bars[x + at] += values[y + at] * (bars[y + at] - mean);
    }
}

// Mean cross entropy of classes: loss of a column, and its cotangents times its weight.
@compute @workgroup_size(64)
fn cross_entropy(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let column = flat(id, word(2u));
    if (column >= columns) { return; }
    let y = word(3u) + column; let class_of = u32(values[word(4u) + column]);
    let weight = values[word(5u) + column]; let losses = word(6u);
    var largest = values[y];
    for (var i = 1u; i < rows; i++) { largest = max(largest, values[y + i * columns]); }
    var sum = 0.0;
    for (var i = 0u; i < rows; i++) { sum += exp_of(values[y + i * columns] - largest); }
    values[losses + column] = weight * (ln_of(sum) - (values[y + class_of * columns] - largest));
    for (var i = 0u; i < rows; i++) {
        let at = i * columns;
        let p = exp_of(values[y + at] - largest) / sum;
        bars[y + at] = weight * (p - select(0.0, 1.0, i == class_of));
    }
}

// Mean square over the rows: loss of a column, and its cotangents times its weight.
@compute @workgroup_size(64)
fn mean_square(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let column = flat(id, word(2u));
    if (column >= columns) { return; }
    let y = word(3u) + column; let target_of = word(4u) + column;
    let weight = values[word(5u) + column]; let losses = word(6u);
    var sum = 0.0;
    for (var i = 0u; i < rows; i++) {
        let d = values[y + i * columns] - values[target_of + i * columns];
        sum = fma(d, d, sum);
        bars[y + i * columns] = weight * 2.0 * d / f32(rows);
    }
    values[losses + column] = weight * sum / f32(rows);
}
