//! Schemes: the trait, and one module for each family.

mod adams_bashforth_moulton;
mod collocation;
mod corrector_passes;
mod exponential;
mod implicit_quadrature;
mod l1;
mod linear_multistep;
mod newton;
mod product_integration;
mod scheme;
mod trapezoid_weights;
mod variable_trapezoid;

pub use adams_bashforth_moulton::AdamsBashforthMoulton;
pub use collocation::Collocation;
pub(crate) use collocation::{
    Block as CollocationBlock, Blocks as CollocationBlocks, PiecewiseSolution,
};
pub use exponential::Exponential;
pub(crate) use exponential::ModeTables;
pub(crate) use implicit_quadrature::Weights;
pub use l1::{L1, L1OfOrders, TimeOrders};
pub(crate) use l1::{l1_newest, l1_row};
pub use linear_multistep::LinearMultistep;
pub(crate) use linear_multistep::{Exponents, WeightDerivatives, exponents};
pub(crate) use newton::{CoupledStates, coupled_states};
pub use product_integration::{ProductRectangle, ProductTrapezoid};
pub(crate) use product_integration::{
    left_ends, left_ends_by_order, right_ends, right_ends_by_order, trapezoids, trapezoids_by_order,
};
pub use scheme::{Interpolation, MemoryEstimate, Scheme, Setup, Stepper};
pub(crate) use trapezoid_weights::TrapezoidWeights;
pub use variable_trapezoid::Corrector;
