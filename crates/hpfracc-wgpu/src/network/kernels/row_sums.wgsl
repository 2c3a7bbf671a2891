// thetabar[i] += sum_j bars[i, j] FACTOR, a workgroup for each row and each part of the columns.

var<workgroup> part: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = group.x; let columns = word(0u); let to = word(1u);
    let bar = word(2u) + row * columns;
    var sum = 0.0;
    let first = group.y * word(13u); let last = min(first + word(13u), columns);
    for (var j = first + me; j < last; j += 64u) {
        sum += FACTOR;
    }
    part[me] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (me < half) { part[me] += part[me + half]; }
        workgroupBarrier();
    }
    if (me == 0u) { thetabar[to + row + group.y * word(14u)] += part[0]; }
}
