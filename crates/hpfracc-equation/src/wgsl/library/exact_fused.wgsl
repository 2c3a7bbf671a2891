// a b + c with one rounding, without a multiply-add of the device, where a b is neither infinite nor subnormal.
//
// Source: Boldo and Melquiond, IEEE Trans. Comput. 57 (2008) 462, DOI 10.1109/TC.2007.70819, figure 6.

// The leading half of the digits.
fn head(a: float) -> float {
    return bitcast<float>((bitcast<float_bits>(a) + FLOAT_HEAD_ROUNDED) & FLOAT_HEAD);
}

// a b less the rounded product.
fn lost_of_product(a: float, b: float, product: float) -> float {
    let a_head = head(a);
    let b_head = head(b);
    let a_tail = a - a_head;
    let b_tail = b - b_head;
    var error = opaque(a_head * b_head - product);
    error = opaque(error + a_head * b_tail);
    error = opaque(error + a_tail * b_head);
    return opaque(error + a_tail * b_tail);
}

// a b + c d to rounding.
fn sum_of_products(a: float, b: float, c: float, d: float) -> float {
    return a * b + c * d;
}

// The rounding error of a + b.
fn lost_of_sum(a: float, b: float, sum: float) -> float {
    let b_part = opaque(sum - a);
    let a_part = opaque(sum - b_part);
    return opaque(a - a_part) + opaque(b - b_part);
}

// a + b with the last bit set unless it is exact.
fn sum_rounded_to_odd(a: float, b: float) -> float {
    let sum = opaque(a + b);
    let lost = lost_of_sum(a, b, sum);
    let bits = bitcast<float_bits>(sum);
    let next = select(bits - 1, bits + 1, (lost > 0.0) == (sum > 0.0));
    return select(sum, bitcast<float>(next), lost != 0.0 && (bits & 1) == 0);
}

fn fused(a: float, b: float, c: float) -> float {
    let product = opaque(a * b);
    let sum = product + c;
    let error = lost_of_product(a, b, product);
    let low_sum = opaque(c + error);
    let low_lost = lost_of_sum(c, error, low_sum);
    let high_sum = opaque(product + low_sum);
    let high_lost = lost_of_sum(product, low_sum, high_sum);
    let exact = high_sum + sum_rounded_to_odd(low_lost, high_lost);
    // Infinities and NaN, whose errors are NaN.
    return select(sum, exact, abs(sum) < FLOAT_LARGE && abs(product) < FLOAT_LARGE);
}
