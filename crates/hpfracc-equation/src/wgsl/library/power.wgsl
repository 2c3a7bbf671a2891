// Powers of all numbers, from `power_of` of those that are not negative.

fn pow_of(x: real, y: real) -> real {
    let a = abs_of(x);
    var value = choose(power_of(a, y), ONE, is_equal(a, ONE));
    let half = multiply(HALF, y);
    let integer = is_equal(floor_of(y), y);
    let odd = integer && !is_equal(floor_of(half), half);
    value = choose(value, negate(value), is_negative(high_part(x)) && odd);
    let undefined = high_part(x) < 0.0 && high_part(x) > -infinity() && !integer;
    let none = is_not_a_number(high_part(x)) || is_not_a_number(high_part(y));
    value = choose(value, real_of(not_a_number()), undefined || none);
    return choose(value, ONE, is_equal(y, ZERO) || is_equal(x, ONE));
}

fn sign_of(x: real) -> real {
    return choose(choose(x, negate(ONE), is_less(x, ZERO)), ONE, is_less(ZERO, x));
}
