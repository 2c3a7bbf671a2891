// Four neighbours an invocation; arrays are padded to a multiple of four.

fn load(at: u32) -> value {
    return value(values[at], values[at + 1u], values[at + 2u], values[at + 3u]);
}

fn load_bars(at: u32) -> value {
    return value(bars[at], bars[at + 1u], bars[at + 2u], bars[at + 3u]);
}

fn store(at: u32, x: value) {
    values[at] = x.x; values[at + 1u] = x.y; values[at + 2u] = x.z; values[at + 3u] = x.w;
}

fn store_bars(at: u32, x: value) {
    bars[at] = x.x; bars[at + 1u] = x.y; bars[at + 2u] = x.z; bars[at + 3u] = x.w;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = 4u * flat(id, word(1u));
    if (i >= word(0u)) { return; }
    let a = word(2u) + i; let b = word(3u) + i; let c = word(4u) + i;
    BODY
}
