// Long sums of vectors of four numbers.

alias value = quad;

// sum + w x
fn multiply_add(w: real, x: value, sum: value) -> value {
    return value(
        near_sum(sum.x, times(w, x.x)), near_sum(sum.y, times(w, x.y)),
        near_sum(sum.z, times(w, x.z)), near_sum(sum.w, times(w, x.w)));
}

fn sum_of(a: value, b: value) -> value {
    return value(add(a.x, b.x), add(a.y, b.y), add(a.z, b.z), add(a.w, b.w));
}

fn difference(a: value, b: value) -> value {
    return sum_of(a, value(negated(b.x), negated(b.y), negated(b.z), negated(b.w)));
}

// As in native_sums.wgsl.
fn carry(total: ptr<function, value>, partial: ptr<function, value>) {
    let t = sum_of(*total, *partial);
    *partial = difference(*partial, difference(t, *total));
    *total = t;
}
