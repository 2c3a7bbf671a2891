// exp(-2 pi i j / (4 M))
fn quarter_root(j: u32) -> complex {
    return product(coarse[j >> 10u], fine[j & 1023u]);
}
