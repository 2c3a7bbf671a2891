// The outer sums of a transform. Of a convolution: transforms along the rows, the product with the filter, whose
// frequency k1 + R k2 is at k1 C + k2, and the inverse transforms with the twiddle factors.
@compute @workgroup_size(WORKGROUP_SIZE)
fn along_rows(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let lane = group.x * SLOTS + slot;
    let row = group.y;
    let start = row * COLUMNS;
//{each} var v$j = point(lane, start + $n);
    for (var step = 0u; step < TRANSFORMS; step++) {
//{transform}
        if CHIRPED && step == 0u {
//{each} v$j = conjugate(product(v$j, filter_at(start + $n)));
        }
    }
    if CHIRPED {
//{each} store_point(lane, start + $n, product(v$j, quarter_root(4u * $n * row)));
    } else {
//{each} store(lane, row + ROWS * $n, v$j);
    }
}
