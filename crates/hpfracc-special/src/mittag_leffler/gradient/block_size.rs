/// Arguments of a block: a multiple of the lanes of every instruction set.
pub(super) const BLOCK: usize = 32;

/// Numbers of a block.
pub(super) type Block = [f64; BLOCK];
