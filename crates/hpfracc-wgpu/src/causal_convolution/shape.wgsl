// Sizes of a batch of signals.

struct Shape {
    len: u32,
    batch: u32,
    reversed: u32,
    unused: u32,
}

