// Long sums of values: `value` is declared before this text as an alias of `real` or `quad`.

// sum + w x
fn multiply_add(w: real, x: value, sum: value) -> value {
    return fma(value(w), x, sum);
}

fn sum_of(a: value, b: value) -> value {
    return a + b;
}

// Adds a partial sum to the total; the next partial sum starts with the rounding error of the total
// (Kahan), so that the error does not grow with the number of partial sums. Compilers may simplify
// (t - total) with t = total + partial, but not through a `select` on `never`.
fn carry(total: ptr<function, value>, partial: ptr<function, value>) {
    let t = select(*total + *partial, value(), never());
    let lost = *partial - (t - *total);
    // No compensation of infinite totals.
    *partial = select(lost, value(), lost != lost);
    *total = t;
}
