// a b + c by a multiply-add of the device, which has one rounding.

fn fused(a: float, b: float, c: float) -> float {
    return fma(a, b, c);
}

// a b less the rounded product.
fn lost_of_product(a: float, b: float, product: float) -> float {
    return fma(a, b, -product);
}
