//! What the Fourier transforms of the backends share: planners, lengths, roots, products.

pub(crate) mod lengths;
pub(crate) mod planners;
pub(crate) mod pointwise;
pub(crate) mod roots_of_unity;
