// C = A B (+ bias of each row) or C += A B, then what follows for each number, in tiles of 64 x 64: an invocation holds
// 4 x 4 sums. The inner dimension may be divided into parts, each with a C of its own. The sums of the rows of A may be
// added to the gradient.

var<workgroup> left: array<vec4<f32>, 256>;
var<workgroup> right: array<vec4<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let rows = word(0u); let columns = word(1u); let inner = word(2u);
    let a = word(3u); let a_row = word(4u); let a_inner = word(5u);
    let b = word(6u); let b_inner = word(7u); let b_column = word(8u);
    let c = word(9u); let c_row = word(10u);
    let tiles = word(12u); let part = group.x / tiles;
    let first_row = group.y * 64u; let first_column = (group.x % tiles) * 64u;
    let first = part * word(13u); let last = min(first + word(13u), inner);
    let tx = me % 16u; let ty = me / 16u;
    var sums = array<vec4<f32>, 4>();
    var ones = vec4<f32>();
    for (var k = first; k < last; k += 16u) {
        // Each invocation loads four neighbours in a row of either tile.
        let p = k + me / 16u;
        var x = vec4<f32>(0.0);
        var w = vec4<f32>(0.0);
        for (var r = 0u; r < 4u; r++) {
            let i = first_row + 4u * tx + r;
            let j = first_column + 4u * tx + r;
            if (p < last && i < rows) { w[r] = A_BUFFER[a + i * a_row + p * a_inner]; }
            if (p < last && j < columns) { x[r] = B_BUFFER[b + p * b_inner + j * b_column]; }
        }
        left[me] = w;
        right[me] = x;
        workgroupBarrier();
        for (var q = 0u; q < 16u; q++) {
            let w = left[q * 16u + ty];
            let x = right[q * 16u + tx];
            ADD_TO_SUMS
            sums[0] = fma(vec4<f32>(w.x), x, sums[0]);
            sums[1] = fma(vec4<f32>(w.y), x, sums[1]);
            sums[2] = fma(vec4<f32>(w.z), x, sums[2]);
            sums[3] = fma(vec4<f32>(w.w), x, sums[3]);
        }
        workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
        let i = first_row + 4u * ty + r;
        for (var s = 0u; s < 4u; s++) {
            let j = first_column + 4u * tx + s;
            if (i < rows && j < columns) {
                let to = i * c_row + j; let at = c + to + part * word(14u);
                let z = START + sums[r][s];
                C_BUFFER[at] = z;
                THEN
            }
        }
        SUMS_OF_ROWS
    }
}
