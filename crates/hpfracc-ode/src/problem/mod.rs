//! Problems: right-hand sides, and what makes an initial value problem of one.

mod shifted_jacobian;
mod statement;
mod system;

pub use shifted_jacobian::{ComplexShifts, ShiftedJacobian};
pub use statement::Problem;
pub(crate) use statement::{check_orders, checked_dim, distinct, of_component, taylor};
pub use system::{Rhs, System, WithJacobian};
pub(crate) use system::{add_product, add_transposed, forward_differences, product};
