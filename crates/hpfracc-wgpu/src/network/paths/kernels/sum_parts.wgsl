// Adds the gradients of all parts to that of the first: an invocation for each parameter.

@compute @workgroup_size(64)
fn sum_parts(@builtin(global_invocation_id) id: vec3<u32>) {
    let parameters = word(0u); let parts = word(1u);
    let i = flat(id, word(2u));
    if (i >= parameters) { return; }
    var sum = thetabar[i];
    for (var part = 1u; part < parts; part++) { sum += thetabar[part * parameters + i]; }
    thetabar[i] = sum;
}
