//! Functions of operators against eigenvalues in closed form.

mod backends;
mod derivatives;
mod edge_weights;
mod not_finite;
mod null_spaces;
mod operators;
mod partial_fractions;
mod plugging_in;
mod powers;
mod refusals;
mod relaxation;
mod self_adjoint;
