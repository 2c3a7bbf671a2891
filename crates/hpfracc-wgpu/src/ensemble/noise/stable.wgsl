// sin(x)/x and cos(x).
struct SincCos {
    sinc: real,
    cos: real,
}

fn sinc_cos_of(x: real) -> SincCos {
    let both = sin_cos_of(x);
    return SincCos(choose(divide(both.sin, x), ONE, abs(high_part(x)) < 1e-8), both.cos);
}

// An increment of stable noise: hpfracc_sde::noise::StableLevy in the format of the shader. The numbers at a place of the
// table are e = 1 - alpha, 1/alpha, k, the least A, scale and shift.
fn stable_increment(step: u32, path: vec2<u32>, stream: u32, seed: vec2<u32>, at: u32) -> real {
    let bits = philox(vec4<u32>(step, path, stream), seed);
    let e = number_of(at, 0u);
    let k = number_of(at, 2u);
    // The angle V = pi u, and the distance of u from its nearer end, both with all their digits.
    let positive = bits.x >= 0x80000000u;
    let high = select(~bits.x, bits.x, positive);
    let low = select(~bits.y, bits.y, positive);
    let distance = unit_of(high - 0x80000000u, low);
    let edge = unit_of(~high, ~low);
    let half_angle = multiply(HALF_PI, choose(negate(distance), distance, positive));
    let of_half = sinc_cos_of(half_angle);
    let sin_v = multiply(multiply(multiply(TWO, half_angle), of_half.sinc), of_half.cos);
    let half_edge = multiply(HALF_PI, edge);
    let of_edge = sinc_cos_of(half_edge);
    let cos_v = multiply(multiply(multiply(TWO, half_edge), of_edge.sinc), of_edge.cos);
    let turned = sinc_cos_of(multiply(e, half_angle));
    let sin_per_e = multiply(half_angle, turned.sinc);
    let twice = multiply(TWO, multiply(e, sin_per_e));
    let sine = multiply(twice, turned.cos);
    let cos_less_one_per_e = negate(multiply(twice, sin_per_e));
    let w = exponential_of(bits.z, bits.w);
    let of_skewness = multiply(k, multiply(multiply(TWO, sin_per_e), turned.cos));
    let sum = add(add_product(ONE, e, cos_less_one_per_e), of_skewness);
    let least = multiply(number_of(at, 3u), edge);
    let a = choose(sum, least, is_less(sum, least));
    let log = multiply(number_of(at, 1u), subtract(ln_of(divide(a, cos_v)), ln_of(w)));
    let less_one = exp_m1_of(multiply(e, log));
    let p = add(ONE, less_one);
    let less_one_per_e = choose(divide(less_one, e), log, is_equal(e, ZERO));
    let symmetric = multiply(subtract(multiply(a, divide(sin_v, cos_v)), sine), p);
    let z = add(symmetric, multiply(k, add_product(less_one_per_e, cos_less_one_per_e, p)));
    return multiply(number_of(at, 4u), add(z, number_of(at, 5u)));
}

