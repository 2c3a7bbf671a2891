use crate::{ParameterBlock, Scalar};
use std::ops::Range;

/// Blocks of parameters inside the network of a model.
pub(super) fn within(
    name: &'static str,
    blocks: Vec<ParameterBlock>,
) -> impl Iterator<Item = ParameterBlock> {
    blocks.into_iter().map(move |block| block.within(name))
}

/// Consecutive ranges of these lengths.
pub(super) fn ranges<const N: usize>(lengths: [usize; N]) -> [Range<usize>; N] {
    let mut next = 0;
    lengths.map(|length| {
        next += length;
        next - length..next
    })
}

/// Rounds gradients to the scalar of the parameters.
pub(super) fn narrow<T: Scalar>(from: &[f64], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = T::narrow(*from));
}
