// Sizes of a batch of signals. `zero` is 0, which no compiler can know.

struct Shape {
    len: u32,
    batch: u32,
    reversed: u32,
    zero: u32,
}

