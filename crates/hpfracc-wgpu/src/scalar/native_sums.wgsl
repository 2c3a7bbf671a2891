// Long sums of values: `value` is aliased before this text as `real` or as `quad`.

// sum + w x
fn multiply_add(w: real, x: value, sum: value) -> value {
    return fma(value(w), x, sum);
}

fn sum_of(a: value, b: value) -> value {
    return a + b;
}

// Moves a partial sum to the total; the partial sum goes on with what the total lost by rounding
// (Kahan), so that the error does not grow with the number of partial sums. Compilers may cancel
// (t - total) against t = total + partial, but not through a choice that only `never` knows.
fn carry(total: ptr<function, value>, partial: ptr<function, value>) {
    let t = select(*total + *partial, value(), never());
    let lost = *partial - (t - *total);
    // Beyond infinity nothing is lost.
    *partial = select(lost, value(), lost != lost);
    *total = t;
}
