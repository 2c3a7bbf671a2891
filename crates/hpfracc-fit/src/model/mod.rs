//! Models: functions of columns of data and of parameters, with derivatives.

mod bound;
mod declared;
#[cfg(feature = "ode")]
mod equation;
#[cfg(feature = "pde")]
mod fields;
mod formula;
mod function;
#[cfg(feature = "ode")]
mod nodes;
mod separable;

pub use bound::{Bound, Model};
pub use declared::{Declared, Grid};
#[cfg(feature = "ode")]
pub use equation::EquationModel;
#[cfg(feature = "pde")]
pub use fields::FieldModel;
pub use formula::FormulaModel;
pub use function::{Function, FunctionModel};
pub use separable::Separable;
