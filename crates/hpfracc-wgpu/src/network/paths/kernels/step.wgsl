// Steps of the Euler-Maruyama method, forward and backward, an invocation for each component of a path:
//
//   X_{n+1} = X_n + h f + sum_j g_j dW_j
//   X_{n+1} = X_0 + (nearest u_n + S_n) + sum_m near_m (g dW)_{n-m}, u = f + g dW/h,   with a memory
//
// A step is two kernels with the networks between them. The first reads STEP, the second STEP_OF_SECOND, and each writes
// the other one, so that all steps are the same dispatches.

// Normal of a step: that of the same path on the CPU.
fn increment(n: u32, lane: u32, noise: u32) -> f32 {
    let low = counts[FIRST_PATH] + lane;
    let high = counts[FIRST_PATH + 1u] + select(0u, 1u, low < lane);
    let seed = vec2<u32>(counts[SEED], counts[SEED + 1u]);
    let bits = philox(vec4<u32>(n / 4u, low, high, STREAM + noise), seed);
    let late = (n & 2u) != 0u;
    let pair = normal_pair(select(bits.x, bits.z, late), select(bits.y, bits.w, late));
    return ROOT_H * select(pair.x, pair.y, (n & 1u) != 0u);
}

// State, time and noise of a step as arrays.
fn begin(i: u32, n: u32) {
    if (i == 0u) { counts[STEP_OF_SECOND] = n; }
    if (i < STATE) {
        values[X + i] = paths[STATES + n * STATE + i];
    } else if (i < INPUTS) {
        values[X + i] = paths[TIMES + n];
    } else if (i < INPUTS + NOISES * LANES) {
        let j = i - INPUTS;
        paths[NOISE + j] = increment(n, path_of(j % LANES), j / LANES);
    }
}

@compute @workgroup_size(64)
fn begin_forward(@builtin(global_invocation_id) id: vec3<u32>) {
    begin(flat(id, word(2u)), counts[STEP]);
}

// Cotangents of the networks begin at zero.
@compute @workgroup_size(64)
fn begin_backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = flat(id, word(2u));
    begin(i, counts[STEP]);
    if (i < BARS) { bars[X + INPUTS + i] = 0.0; }
}

// sum over the past of a memory, to which u is added as the value of a step.
fn remember(memory: u32, lane: u32, step: u32, u: f32) -> f32 {
    let terms = counts[memory + 1u];
    let weights = counts[memory + 2u];
    let states = counts[memory + 3u] + lane;
    var sum = 0.0;
    if (counts[memory] == EXPONENTIALS) {
        for (var k = 0u; k < terms; k++) {
            let at = states + k * LANES;
            let z = select(paths[at], 0.0, step == 0u);
            sum += paths[weights + 2u * k + 1u] * z;
            paths[at] = z + (u - paths[weights + 2u * k] * z);
        }
        return sum;
    }
    for (var m = 1u; m <= step; m++) {
        sum += paths[weights + m - 1u] * paths[states + (step - m) * LANES];
    }
    paths[states + step * LANES] = u;
    return sum;
}

// sum of the latest values of a ring, of which u is that of a step.
fn latest(memory: u32, lane: u32, step: u32, u: f32) -> f32 {
    let cells = counts[memory + 4u];
    let weights = counts[memory + 5u];
    let ring = counts[memory + 6u] + lane;
    if (cells == 0u) { return 0.0; }
    paths[ring + step % cells * LANES] = u;
    var sum = 0.0;
    for (var m = 0u; m < min(cells, step + 1u); m++) {
        sum += paths[weights + m] * paths[ring + (step - m) % cells * LANES];
    }
    return sum;
}

// Derivative with respect to the order of a component of a step: that of the weights, for the cotangents that its memory
// and its ring have.
fn by_order(memory: u32, lane: u32, step: u32, u: f32, noise: f32, bar: f32) -> f32 {
    let weights = counts[memory + 8u];
    let states = counts[memory + 3u] + lane;
    var sum = paths[counts[memory + 10u]] * bar;
    for (var m = 1u; m <= step; m++) {
        sum += paths[weights + m - 1u] * paths[states + (step - m) * LANES];
    }
    let cells = counts[memory + 4u];
    let ring = counts[memory + 6u] + lane;
    var of_noise = 0.0;
    for (var m = 0u; m < min(cells, step + 1u); m++) {
        of_noise += paths[counts[memory + 9u] + m] * paths[ring + (step - m) % cells * LANES];
    }
    return u * sum + noise * of_noise;
}

fn noise_of_step(component: u32, lane: u32) -> f32 {
    var noise = 0.0;
    for (var j = 0u; j < NOISES_OF_COMPONENT; j++) {
        noise += diffusion(row_of(component, j), lane) * paths[NOISE + noise_of(component, j) * LANES + lane];
    }
    return noise;
}

@compute @workgroup_size(64)
fn update(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = flat(id, word(2u));
    if (i >= STATE) { return; }
    let n = counts[STEP_OF_SECOND];
    if (i == 0u) { counts[STEP] = n + 1u; }
    let component = i / LANES;
    let lane = i % LANES;
    let memory = MEMORIES + component * WORDS_OF_MEMORY;
    let f = values[F + i];
    if (counts[memory] == NO_MEMORY) {
        var x = values[X + i] + H * f;
        for (var j = 0u; j < NOISES_OF_COMPONENT; j++) {
            x += diffusion(row_of(component, j), lane) * paths[NOISE + noise_of(component, j) * LANES + lane];
        }
        paths[STATES + (n + 1u) * STATE + i] = x;
        return;
    }
    let noise = noise_of_step(component, lane);
    let u = f + noise * PER_H;
    let sum = remember(memory, lane, n, u);
    let x = paths[STATES + i] + (paths[counts[memory + 7u]] * u + sum);
    paths[STATES + (n + 1u) * STATE + i] = x + latest(memory, lane, n, noise);
}

// Cotangents of drift and diffusion of a step, of those of the next node. With a memory the later ones of all nodes are
// summed by the same weights, on reversed steps.
@compute @workgroup_size(64)
fn adjoint(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = flat(id, word(2u));
    if (i >= STATE) { return; }
    let n = counts[STEP_OF_SECOND];
    if (i == 0u) { counts[STEP] = n - 1u; }
    let component = i / LANES;
    let lane = i % LANES;
    let step = STEPS - n - 1u;
    let memory = MEMORIES + component * WORDS_OF_MEMORY;
    var bar = select(bars[X + i], 0.0, step == 0u);
    let node = counts[NODES + n + 1u];
    if (node > 0u && component < OBSERVED) {
        bar += paths[SLOPES + ((node - 1u) * OBSERVED + component) * LANES + lane];
    }
    var drift = H * bar;
    var noise = bar;
    if (counts[memory] != NO_MEMORY) {
        let sum = remember(memory, lane, step, bar);
        drift = paths[counts[memory + 7u]] * bar + sum;
        noise = drift * PER_H + latest(memory, lane, step, bar);
        if (LEARNED) {
            let own = noise_of_step(component, lane);
            let order = by_order(memory, lane, step, values[F + i] + own * PER_H, own, bar);
            paths[ORDERS + i] = select(paths[ORDERS + i], 0.0, step == 0u) + order;
        }
    }
    bars[X + i] = select(0.0, bar, counts[memory] == NO_MEMORY);
    bars[F + i] = drift;
    for (var j = 0u; j < NOISES_OF_COMPONENT; j++) {
        let row = row_of(component, j);
        let of_diffusion = noise * paths[NOISE + noise_of(component, j) * LANES + lane];
        bars[G + row * LANES + lane] = of_diffusion * diffusion_slope(row, lane);
    }
}
