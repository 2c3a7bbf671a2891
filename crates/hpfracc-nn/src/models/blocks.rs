use crate::{ParameterBlock, Scalar};

/// Blocks of parameters inside the network of a model.
pub(super) fn within(
    name: &'static str,
    blocks: Vec<ParameterBlock>,
) -> impl Iterator<Item = ParameterBlock> {
    blocks.into_iter().map(move |block| block.within(name))
}

/// Rounds gradients to the scalar of the parameters.
pub(super) fn narrow<T: Scalar>(from: &[f64], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = T::narrow(*from));
}
