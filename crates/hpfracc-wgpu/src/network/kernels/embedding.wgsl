// Vectors of classes, an invocation for each number of a vector or of the table.

fn is_class(number: f32, classes: u32) -> bool {
    return number >= 0.0 && number < f32(classes) && floor(number) == number;
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let features = word(0u); let columns = word(1u);
    let i = flat(id, word(2u));
    if (i >= features * columns) { return; }
    let x = word(3u); let y = word(4u); let table = word(5u);
    let number = values[x + i % columns];
    var found = bitcast<f32>(word(7u));
    if (is_class(number, word(6u))) { found = theta[table + u32(number) * features + i / columns]; }
    values[y + i] = found;
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let features = word(0u); let columns = word(1u);
    let i = flat(id, word(2u));
    if (i >= features * word(6u)) { return; }
    let x = word(3u); let y = word(4u); let table = word(5u);
    let class_of = f32(i / features); let feature = i % features;
    var sum = 0.0;
    for (var j = 0u; j < columns; j++) {
        if (values[x + j] == class_of) { sum += bars[y + feature * columns + j]; }
    }
    thetabar[table + i] += sum;
}
