// Sums of two numbers, the second below the rounding of the first.
//
// Sources: T. J. Dekker, Numer. Math. 18 (1971) 224, DOI 10.1007/BF01397083; M. Joldes, J.-M. Muller and V. Popescu, ACM
// Trans. Math. Softw. 44 (2017) 15res, DOI 10.1145/3121432.

struct Pair {
    high: float,
    low: float,
}

// a + b exactly.
fn pair_of_sum(a: float, b: float) -> Pair {
    let sum = opaque(a + b);
    let b_part = opaque(sum - a);
    let a_part = opaque(sum - b_part);
    return Pair(sum, opaque(a - a_part) + opaque(b - b_part));
}

// a + b exactly, for |a| >= |b| or a = 0.
fn ordered_sum(a: float, b: float) -> Pair {
    let sum = opaque(a + b);
    return Pair(sum, opaque(a - sum) + b);
}

// a b exactly.
fn pair_of_product(a: float, b: float) -> Pair {
    let product = opaque(a * b);
    return Pair(product, lost_of_product(a, b, product));
}

fn pair_sum(a: Pair, b: Pair) -> Pair {
    let high = pair_of_sum(a.high, b.high);
    let low = pair_of_sum(a.low, b.low);
    let first = ordered_sum(high.high, opaque(high.low + low.high));
    return ordered_sum(first.high, opaque(first.low + low.low));
}

// Within a rounding of the larger term.
fn near_pair_sum(a: Pair, b: Pair) -> Pair {
    let high = pair_of_sum(a.high, b.high);
    return ordered_sum(high.high, opaque(high.low + opaque(a.low + b.low)));
}

fn pair_product(a: Pair, b: Pair) -> Pair {
    let product = pair_of_product(a.high, b.high);
    return ordered_sum(product.high, opaque(product.low + sum_of_products(a.high, b.low, a.low, b.high)));
}

// e ln 2 of a whole number.
fn pair_of_exponent(e: float) -> Pair {
    let low = pair_of_product(e, LN_2_LOW);
    return pair_sum(pair_of_sum(e * LN_2_HIGH, low.high), Pair(low.low, e * LN_2_LOWEST));
}

// x = n ln 2 + r: ROUND + n, and r.
struct PairReduced {
    rounded_sum: float,
    r: Pair,
}

fn pair_reduce(x: Pair) -> PairReduced {
    let rounded_sum = opaque(opaque(x.high * LOG2_E) + ROUND);
    let minus_n = ROUND - rounded_sum;
    let low = pair_of_product(minus_n, LN_2_LOW);
    // The product is exact.
    let high = pair_of_sum(x.high + minus_n * LN_2_HIGH, low.high);
    let rest = pair_of_sum(x.low, low.low + minus_n * LN_2_LOWEST);
    return PairReduced(rounded_sum, pair_sum(high, rest));
}
