// Sizes of a batch of signals. `zero` is 0, unknown to the compiler.

struct Shape {
    len: u32,
    batch: u32,
    reversed: u32,
    zero: u32,
}

fn never() -> bool {
    return shape.zero != 0u;
}

fn position(signal: u32, n: u32) -> u32 {
    return signal * shape.len + select(n, shape.len - 1u - n, shape.reversed == 1u);
}

