//! Programs give the bits of `evaluate`.

mod agreement;
mod random;
mod structure;
