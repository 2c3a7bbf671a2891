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
mod step_control;
mod trapezoid_weights;
mod variable_trapezoid;

pub use adams_bashforth_moulton::AdamsBashforthMoulton;
pub use collocation::Collocation;
pub use exponential::Exponential;
pub use l1::L1;
pub(crate) use l1::{l1_newest, l1_row};
pub use linear_multistep::LinearMultistep;
pub use product_integration::{ProductRectangle, ProductTrapezoid};
pub use scheme::{Interpolation, MemoryEstimate, Scheme, Setup, Stepper};
pub(crate) use trapezoid_weights::{TrapezoidWeights, rectangle_order_derivative};
pub use variable_trapezoid::Corrector;
