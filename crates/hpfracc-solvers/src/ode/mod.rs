//! Fractional ordinary differential equations.
//!
//! ```text
//! D^alpha y = f(t, y),  y^(j)(t0) = y_j for j < ceil(alpha)    (Caputo; alpha > 0, one for each component)
//! ```
//!
//! A [`Scheme`] turns a [`Problem`] and [`Steps`] into a [`Stepper`]; [`solve`] drives it from node to
//! node, keeps the [`Trajectory`], and calls what looks on: progress, cancellation, [`Observer`]s.
//!
//! [`gradient`] and [`tangent`] are the derivatives of what was computed, exact, for a right-hand side
//! that is [`Differentiable`] and a [`DifferentiableScheme`]; [`lyapunov_exponents`] follow from them.
//!
//! A new scheme is one file. Its [`prepare`](Scheme::prepare) asks [`Steps`] for a grid or for nodes,
//! makes its weights, and builds a history of them with
//! [`HistoryChoice::build`](crate::history::HistoryChoice::build); its stepper's
//! [`advance`](Stepper::advance) pushes the value of the last node, asks the history for its sums,
//! adds the [free term](Problem::free_term), and solves for the next node. If f is not linear between
//! the nodes for it, it also has a [`DenseOutput`] of its own.

mod adams_bashforth_moulton;
mod dense;
mod differentiable;
mod drive;
mod exponential;
mod gradient;
mod l1;
mod linear_multistep;
mod linear_step;
mod lu;
mod lyapunov;
mod newton;
mod options;
mod problem;
mod product_rules;
mod quadrature;
mod scheme;
mod solution;
mod starting_weights;
mod steps;
mod system;
mod trapezoid;

pub use adams_bashforth_moulton::AdamsBashforthMoulton;
pub use dense::{DenseOutput, Volterra};
pub use differentiable::{Differentiable, Parametric};
pub use drive::{Failure, solve};
pub use exponential::Exponential;
pub use gradient::{Cotangents, DifferentiableScheme, Solved, Variation, gradient, tangent};
pub use l1::L1;
pub use linear_multistep::LinearMultistep;
pub use lyapunov::{Lyapunov, LyapunovOptions, TangentMemory, lyapunov_exponents};
pub use options::{Observer, Options, Progress, Verdict};
pub use problem::Problem;
pub use product_rules::{ProductRectangle, ProductTrapezoid};
pub use scheme::{Node, Scheme, Stepper};
pub use solution::{Solution, StabilityHint, Statistics, Status, Trajectory};
pub use steps::{Steps, UniformGrid};
pub use system::{Rhs, System, WithJacobian};
