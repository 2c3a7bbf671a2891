// Normalisation of the rows of each column, an invocation for each column:
// y = g (x - m) / sqrt(mean (x - m)^2 + epsilon) + b, with m = 0 unless CENTRED.

fn entry(row: u32, columns: u32, column: u32) -> u32 {
    return row * columns + column;
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let column = flat(id, word(2u));
    if (column >= columns) { return; }
    let x = word(3u); let y = word(4u); let saved = word(5u); let gain = word(6u);
    let count = f32(rows);
    var mean = 0.0;
    if (CENTRED) {
        for (var i = 0u; i < rows; i++) { mean += values[x + entry(i, columns, column)]; }
        mean /= count;
    }
    var square = 0.0;
    for (var i = 0u; i < rows; i++) {
        let d = values[x + entry(i, columns, column)] - mean;
        square = fma(d, d, square);
    }
    let factor = 1.0 / sqrt(square / count + bitcast<f32>(word(7u)));
    values[saved + column] = mean;
    values[saved + columns + column] = factor;
    for (var i = 0u; i < rows; i++) {
        let at = entry(i, columns, column);
        var normal = (values[x + at] - mean) * factor * theta[gain + i];
        if (CENTRED) { normal += theta[gain + rows + i]; }
        values[y + at] = normal;
    }
}

// With h = g ybar and n the normalised x: xbar += (h - mean h - n mean(h n)) factor.
@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let rows = word(0u); let columns = word(1u);
    let column = flat(id, word(2u));
    if (column >= columns) { return; }
    let x = word(3u); let y = word(4u); let saved = word(5u); let gain = word(6u);
    let mean = values[saved + column];
    let factor = values[saved + columns + column];
    var plain = 0.0;
    var along = 0.0;
    for (var i = 0u; i < rows; i++) {
        let at = entry(i, columns, column);
        let h = theta[gain + i] * bars[y + at];
        if (CENTRED) { plain += h; }
        along = fma(h, (values[x + at] - mean) * factor, along);
    }
    plain /= f32(rows);
    along /= f32(rows);
    for (var i = 0u; i < rows; i++) {
        let at = entry(i, columns, column);
        let h = theta[gain + i] * bars[y + at];
        bars[x + at] += (h - plain - (values[x + at] - mean) * factor * along) * factor;
    }
}
