// a b + c by a multiply-add of the device, which has one rounding.

fn fused(a: float, b: float, c: float) -> float {
    return fma(a, b, c);
}

// a b + c d to rounding.
fn sum_of_products(a: float, b: float, c: float, d: float) -> float {
    return fma(a, b, c * d);
}

// a b less the rounded product.
fn lost_of_product(a: float, b: float, product: float) -> float {
    return fma(a, b, -product);
}
