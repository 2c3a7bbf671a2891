// Long sums of single numbers: `value` is `real`.

alias value = real;

// sum + w x
fn multiply_add(w: real, x: value, sum: value) -> value {
    return near_sum(sum, times(w, x));
}

fn sum_of(a: value, b: value) -> value {
    return add(a, b);
}

// As in native_sums.wgsl.
fn carry(total: ptr<function, value>, partial: ptr<function, value>) {
    let t = add(*total, *partial);
    *partial = add(*partial, negated(add(t, negated(*total))));
    *total = t;
}
