// Losses of solved paths, and their derivatives at the observed nodes.

fn observation(node: u32, component: u32, lane: u32) -> f32 {
    return paths[OBSERVATIONS + ((lane / PATHS_OF_SAMPLE) * NODE_COUNT + node) * OBSERVED + component];
}

fn state(node: u32, component: u32, lane: u32) -> f32 {
    return paths[STATES + counts[NODE_STEPS + node] * STATE + component * LANES + lane];
}

fn slope_at(node: u32, component: u32, lane: u32) -> u32 {
    return SLOPES + (node * OBSERVED + component) * LANES + lane;
}

// NaN if the last state of a path is not finite, else the loss.
fn of_finite(loss: f32, lane: u32) -> f32 {
    var finite = true;
    for (var i = 0u; i < DIM; i++) {
        finite = finite && is_finite(paths[STATES + STEPS * STATE + i * LANES + lane]);
    }
    return select(bitcast<f32>(0x7fc00000u | unknown_zero()), loss, finite);
}

// Losses of single values: an invocation for each path.
@compute @workgroup_size(64)
fn pointwise(@builtin(global_invocation_id) id: vec3<u32>) {
    let lane = flat(id, word(2u));
    if (lane >= LANES) { return; }
    let weight = select(0.0, paths[WEIGHTS + lane / PATHS_OF_SAMPLE], lane < counts[DISTINCT]);
    var loss = 0.0;
    for (var component = 0u; component < OBSERVED; component++) {
        let s = deviation(component);
        var of_deviation = 0.0;
        for (var node = 0u; node < NODE_COUNT; node++) {
            let y = observation(node, component, lane);
            let at = slope_at(node, component, lane);
            if (is_nan(y) || weight == 0.0) {
                paths[at] = 0.0;
                continue;
            }
            let of_value = loss_of(state(node, component, lane), s, y);
            loss += of_value.x;
            paths[at] = weight * of_value.y * paths[SCALE];
            of_deviation += weight * of_value.z * paths[SCALE];
        }
        paths[DEVIATIONS + component * LANES + lane] = of_deviation;
    }
    paths[LOSSES + lane] = of_finite(weight * loss, lane);
}

// thetabar += sum of the derivatives in the logarithm of a standard deviation: a workgroup for each component.
var<workgroup> part: array<f32, 64>;

@compute @workgroup_size(64)
fn sum_deviations(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    var sum = 0.0;
    for (var lane = me; lane < LANES; lane += 64u) {
        sum += paths[DEVIATIONS + group.x * LANES + lane];
    }
    part[me] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (me < half) { part[me] += part[me + half]; }
        workgroupBarrier();
    }
    if (me == 0u) { thetabar[LOSS_PARAMETERS + group.x] += part[0]; }
}

fn separation(node: u32, lane: u32, other: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < OBSERVED; i++) {
        if (is_nan(observation(node, i, lane))) { continue; }
        let d = state(node, i, lane) - state(node, i, other);
        sum = fma(d, d, sum);
    }
    return sqrt(sum);
}

// Energy score of the paths of a sample at a node: an invocation for each path and node takes its distance from the
// observation and half of those from the other paths.
@compute @workgroup_size(64)
fn energy_score(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = flat(id, word(2u));
    if (index >= NODE_COUNT * LANES) { return; }
    let node = index / LANES;
    let lane = index % LANES;
    let weight = select(0.0, paths[WEIGHTS + lane / PATHS_OF_SAMPLE], lane < counts[DISTINCT]);
    var square = 0.0;
    var seen = false;
    for (var i = 0u; i < OBSERVED; i++) {
        let y = observation(node, i, lane);
        paths[slope_at(node, i, lane)] = 0.0;
        if (is_nan(y)) { continue; }
        seen = true;
        let d = state(node, i, lane) - y;
        square = fma(d, d, square);
    }
    if (!seen || weight == 0.0) {
        paths[NODE_LOSSES + index] = 0.0;
        return;
    }
    let to_y = weight / f32(PATHS_OF_SAMPLE);
    let between = weight / (f32(PATHS_OF_SAMPLE) * f32(PATHS_OF_SAMPLE - 1u));
    let norm = sqrt(square);
    var score = to_y * norm;
    add_slopes(node, lane, lane, to_y, norm);
    let first = lane - lane % PATHS_OF_SAMPLE;
    for (var other = first; other < first + PATHS_OF_SAMPLE; other++) {
        if (other == lane) { continue; }
        let apart = separation(node, lane, other);
        score -= 0.5 * between * apart;
        add_slopes(node, lane, other, -between, apart);
    }
    paths[NODE_LOSSES + index] = score;
}

// Adds the derivatives of a norm times a factor: of the distance from another path, or from the observation.
fn add_slopes(node: u32, lane: u32, other: u32, factor: f32, norm: f32) {
    if (norm == 0.0) { return; }
    for (var i = 0u; i < OBSERVED; i++) {
        let y = observation(node, i, lane);
        if (is_nan(y)) { continue; }
        let to = select(state(node, i, other), y, other == lane);
        paths[slope_at(node, i, lane)] += factor * (state(node, i, lane) - to) / norm * paths[SCALE];
    }
}

@compute @workgroup_size(64)
fn sum_nodes(@builtin(global_invocation_id) id: vec3<u32>) {
    let lane = flat(id, word(2u));
    if (lane >= LANES) { return; }
    var loss = 0.0;
    for (var node = 0u; node < NODE_COUNT; node++) { loss += paths[NODE_LOSSES + node * LANES + lane]; }
    paths[LOSSES + lane] = of_finite(loss, lane);
}
