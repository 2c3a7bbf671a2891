// Sizes of a batch of signals. `zero` is 0, unknown to the compiler.

struct Shape {
    len: u32,
    batch: u32,
    reversed: u32,
    zero: u32,
}

