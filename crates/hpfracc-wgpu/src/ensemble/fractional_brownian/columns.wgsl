// The inner sums of a transform, with their twiddle factors.
@compute @workgroup_size(WORKGROUP_SIZE)
fn forward(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let lane = group.x * SLOTS + slot;
    let column = group.y;
//{each} var v$j = load(lane, $n * COLUMNS + column);
    {
//{transform}
    }
//{each} store_point(lane, $n * COLUMNS + column, product(v$j, quarter_root(4u * $n * column)));
}

// The last pass of a convolution.
@compute @workgroup_size(WORKGROUP_SIZE)
fn backward(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let lane = group.x * SLOTS + slot;
    let column = group.y;
//{each} var v$j = point(lane, $n * COLUMNS + column);
    {
//{transform}
    }
//{each} store(lane, $n * COLUMNS + column, v$j);
}
