// Series that fit a workgroup. Grid: SLOTS paths, THREADS invocations a path.

@compute @workgroup_size(WORKGROUP_SIZE)
fn along_steps(
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let slot = index % SLOTS;
    let t = index / SLOTS;
    let lane = group.x * SLOTS + slot;
//{each} var v$j = load(lane, $n);
    // Forward and inverse transform share the code: a second copy would exceed instruction caches.
    for (var step = 0u; step < TRANSFORMS; step++) {
//{transform}
        if CHIRPED && step == 0u {
//{each} v$j = conjugate(product(v$j, filter_at($n)));
        }
    }
//{each} store(lane, $n, v$j);
}
