// Attention of one head, sequence and query (or key) a workgroup, keys (or queries) in tiles of 64.
//
// Forward keeps the largest score and the sum of exponentials of each query (online softmax), from
// which the backward passes compute the weights again: nothing of size length^2 is stored.

var<workgroup> own: array<f32, 256>;
var<workgroup> other: array<f32, 256>;
var<workgroup> weight: array<f32, 64>;
var<workgroup> slope: array<f32, 64>;

struct Place { head: u32, at: u32, lane: u32, inside: bool }

fn place(group: vec3<u32>) -> Place {
    let index = flat(group, word(3u));
    let lanes = word(2u); let length = word(1u);
    return Place(index / (lanes * length), (index / lanes) % length, index % lanes,
        index < word(0u) * lanes * length);
}

// Index of feature f at a time.
fn entry(p: Place, f: u32, time: u32) -> u32 {
    return (p.head * word(4u) + f) * word(1u) * word(2u) + time * word(2u) + p.lane;
}

// Index of a number of a query.
fn of_query(p: Place, time: u32) -> u32 {
    return (p.head * word(1u) + time) * word(2u) + p.lane;
}

@compute @workgroup_size(64)
fn forward(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let p = place(group);
    if (!p.inside) { return; }
    let features = word(4u); let q = word(5u); let k = word(6u); let v = word(7u);
    let out = word(8u); let saved = word(9u); let scale = bitcast<f32>(word(10u));
    let keys = select(word(1u), p.at + 1u, word(11u) == 1u);
    for (var f = me; f < features; f += 64u) { own[f] = scale * values[q + entry(p, f, p.at)]; }
    workgroupBarrier();
    var largest = -3e38;
    var total = 0.0;
    var sums = vec4<f32>(0.0);
    for (var first = 0u; first < keys; first += 64u) {
        let count = min(64u, keys - first);
        var score = -3e38;
        if (me < count) {
            score = 0.0;
            for (var f = 0u; f < features; f++) {
                score = fma(own[f], values[k + entry(p, f, first + me)], score);
            }
        }
        weight[me] = score;
        workgroupBarrier();
        var top = largest;
        for (var c = 0u; c < count; c++) { top = max(top, weight[c]); }
        workgroupBarrier();
        weight[me] = select(0.0, exp_of(score - top), me < count);
        workgroupBarrier();
        let rescale = exp_of(largest - top);
        largest = top;
        total *= rescale;
        for (var c = 0u; c < count; c++) { total += weight[c]; }
        for (var r = 0u; r < 4u; r++) {
            let f = me + 64u * r;
            if (f < features) {
                var sum = sums[r] * rescale;
                for (var c = 0u; c < count; c++) {
                    sum = fma(weight[c], values[v + entry(p, f, first + c)], sum);
                }
                sums[r] = sum;
            }
        }
        workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
        let f = me + 64u * r;
        if (f < features) { values[out + entry(p, f, p.at)] = sums[r] / total; }
    }
    if (me == 0u) {
        values[saved + of_query(p, p.at)] = largest;
        values[saved + word(12u) + of_query(p, p.at)] = total;
    }
}

// Cotangents of a query; saves the product of its output with the cotangent of that.
@compute @workgroup_size(64)
fn backward_query(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let p = place(group);
    if (!p.inside) { return; }
    let features = word(4u); let q = word(5u); let k = word(6u); let v = word(7u);
    let out = word(8u); let saved = word(9u); let scale = bitcast<f32>(word(10u));
    let keys = select(word(1u), p.at + 1u, word(11u) == 1u);
    for (var f = me; f < features; f += 64u) {
        own[f] = scale * values[q + entry(p, f, p.at)];
        other[f] = bars[out + entry(p, f, p.at)];
    }
    workgroupBarrier();
    var product = 0.0;
    for (var f = 0u; f < features; f++) {
        product = fma(other[f], values[out + entry(p, f, p.at)], product);
    }
    if (me == 0u) { values[saved + 2u * word(12u) + of_query(p, p.at)] = product; }
    let largest = values[saved + of_query(p, p.at)];
    let total = values[saved + word(12u) + of_query(p, p.at)];
    var sums = vec4<f32>(0.0);
    for (var first = 0u; first < keys; first += 64u) {
        let count = min(64u, keys - first);
        if (me < count) {
            var score = 0.0;
            var along = 0.0;
            for (var f = 0u; f < features; f++) {
                score = fma(own[f], values[k + entry(p, f, first + me)], score);
                along = fma(other[f], values[v + entry(p, f, first + me)], along);
            }
            slope[me] = exp_of(score - largest) / total * (along - product);
        }
        workgroupBarrier();
        for (var r = 0u; r < 4u; r++) {
            let f = me + 64u * r;
            if (f < features) {
                for (var c = 0u; c < count; c++) {
                    sums[r] = fma(slope[c], values[k + entry(p, f, first + c)], sums[r]);
                }
            }
        }
        workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
        let f = me + 64u * r;
        if (f < features) { bars[q + entry(p, f, p.at)] += scale * sums[r]; }
    }
}

// Cotangents of a key and its value.
@compute @workgroup_size(64)
fn backward_key(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let p = place(group);
    if (!p.inside) { return; }
    let features = word(4u); let q = word(5u); let k = word(6u); let v = word(7u);
    let out = word(8u); let saved = word(9u); let scale = bitcast<f32>(word(10u));
    for (var f = me; f < features; f += 64u) {
        own[f] = scale * values[k + entry(p, f, p.at)];
        other[f] = values[v + entry(p, f, p.at)];
    }
    workgroupBarrier();
    var of_key = vec4<f32>(0.0);
    var of_value = vec4<f32>(0.0);
    for (var first = select(0u, p.at, word(11u) == 1u); first < word(1u); first += 64u) {
        let count = min(64u, word(1u) - first);
        if (me < count) {
            let query = of_query(p, first + me);
            var score = 0.0;
            var along = 0.0;
            for (var f = 0u; f < features; f++) {
                score = fma(own[f], values[q + entry(p, f, first + me)], score);
                along = fma(other[f], bars[out + entry(p, f, first + me)], along);
            }
            let w = exp_of(score - values[saved + query]) / values[saved + word(12u) + query];
            weight[me] = w;
            slope[me] = w * (along - values[saved + 2u * word(12u) + query]);
        }
        workgroupBarrier();
        for (var r = 0u; r < 4u; r++) {
            let f = me + 64u * r;
            if (f < features) {
                for (var c = 0u; c < count; c++) {
                    let at = entry(p, f, first + c);
                    of_key[r] = fma(slope[c], values[q + at], of_key[r]);
                    of_value[r] = fma(weight[c], bars[out + at], of_value[r]);
                }
            }
        }
        workgroupBarrier();
    }
    for (var r = 0u; r < 4u; r++) {
        let f = me + 64u * r;
        if (f < features) {
            bars[k + entry(p, f, p.at)] += scale * of_key[r];
            bars[v + entry(p, f, p.at)] += of_value[r];
        }
    }
}
