// A statement for each number of arrays that begin at a, b and c.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = flat(id, word(1u));
    if (i >= word(0u)) { return; }
    let a = word(2u) + i; let b = word(3u) + i; let c = word(4u) + i;
    BODY
}
