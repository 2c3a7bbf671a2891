// Rotates pairs of rows by the angles of their times, in place; cosines, then sines, at each time.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pairs = word(0u); let columns = word(1u);
    let i = flat(id, word(2u));
    if (i >= pairs * columns) { return; }
    let lanes = word(3u); let turns = word(4u); let pairs_of_head = word(5u);
    let pair = i / columns; let column = i % columns;
    let length = columns / lanes;
    let angle = turns + 2u * (pair % pairs_of_head) * length + column / lanes;
    let cosine = values[angle]; let sine = SIGN * values[angle + length];
    let even = word(6u) + 2u * pair * columns + column;
    let odd = even + columns;
    let a = BUFFER[even]; let b = BUFFER[odd];
    BUFFER[even] = a * cosine - b * sine;
    BUFFER[odd] = a * sine + b * cosine;
}
