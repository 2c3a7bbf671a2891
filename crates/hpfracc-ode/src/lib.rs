//! Fractional ordinary differential equations.
//!
//! `D^alpha y = f(t, y)`, `y^(j)(t0) = y_j` for j < ceil(alpha); alpha > 0, one for each component.
//!
//! A [`Scheme`] turns a [`Problem`] and [`Steps`] into a [`Stepper`]; [`solve`] drives it from node to
//! node, keeps the [`Trajectory`], and calls what looks on: progress, cancellation, [`Observer`]s.
//!
//! | scheme | order, smooth | order, y ~ t^alpha: at the end, over all nodes | for |
//! |---|---|---|---|
//! | [`AdamsBashforthMoulton`] | min(2, 1 + passes alpha) | 1 + alpha, 2 alpha | what is not stiff |
//! | [`ProductRectangle`] | 1 | 1, alpha | damping |
//! | [`ProductTrapezoid`] | 2 | 1 + alpha, 2 alpha | stiff problems |
//! | [`LinearMultistep`] | 2 | 2, 2 (alpha from 0.5 on) | accuracy on equal steps; BDF2 for stiff problems |
//! | [`L1`] | 2 - alpha | 1, alpha; graded 2 - alpha | stiff problems, graded steps, alpha <= 1 |
//! | [`Exponential`] | 2 | 1 + alpha, 2 alpha | stiff linear parts, steps of any length |
//! | [`Collocation`] | chosen for a tolerance | the same | six to fourteen digits, f smooth but for known breaks |
//!
//! | steps | taken by |
//! |---|---|
//! | [`Steps::Uniform`] | all but [`Collocation`] |
//! | [`Steps::Graded`], [`Steps::Given`] | [`AdamsBashforthMoulton`], [`ProductTrapezoid`]: order 2 over all nodes; [`L1`] |
//! | [`Steps::Adaptive`] | [`AdamsBashforthMoulton`], [`ProductTrapezoid`], [`Collocation`] |
//!
//! Equations of other kinds become such problems and are solved by the same schemes:
//!
//! | equation | becomes | read the solution from |
//! |---|---|---|
//! | [`MultiTerm`]: derivatives of several orders | a component for each derivative | the first components |
//! | [`RiemannLiouville`]: `D_RL^a y`, I^(1-a) y(t0) given | a problem for the regular part | [`RiemannLiouville::value`] |
//! | [`CaputoFabrizio`], [`AtanganaBaleanu`]: nonsingular kernels | a problem for y less a multiple of f | [`Nonsingular::value`] |
//! | [`DelayProblem`]: y(t - tau), tau constant or of the state | a right-hand side that knows the nodes | the states |
//! | `LinearSystem`: `A y + g(t)`, feature `matrix` | nothing: solved at any time without steps | `LinearSystem::at` |
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
//!
//! ```
//! use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
//!
//! // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
//! let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
//! let scheme = AdamsBashforthMoulton::default();
//! let solution = solve(&relaxation, &scheme, &Steps::Uniform(1000), Options::default())?;
//! assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use(formula)]
extern crate hpfracc_special;

mod adams_bashforth_moulton;
mod atangana_baleanu;
mod caputo_fabrizio;
mod cells;
mod collocation;
mod delay;
mod dense;
mod differentiable;
mod drive;
mod error;
mod event;
mod exponential;
mod gradient;
pub mod history;
mod l1;
mod lagged;
mod linear_multistep;
mod linear_step;
#[cfg(feature = "matrix")]
mod linear_system;

mod lyapunov;
mod multi_term;
mod newton;
mod nonsingular;
mod options;
mod past;
mod power_sum;
mod problem;
mod product_rules;
mod quadrature;
mod riemann_liouville;
mod root;
mod save_at;
mod scheme;
mod solution;
mod stability;
mod starting_weights;
mod step_control;
mod steps;
mod system;
mod trapezoid;
mod variable_trapezoid;

pub use adams_bashforth_moulton::AdamsBashforthMoulton;
pub use atangana_baleanu::AtanganaBaleanu;
pub use caputo_fabrizio::CaputoFabrizio;
pub use collocation::Collocation;
pub use delay::DelayProblem;
pub use dense::{DenseOutput, Volterra};
pub use differentiable::{Differentiable, Parametric};
pub use drive::{Failure, solve};
pub use error::OdeError;
pub use event::{Event, Found};
pub use exponential::Exponential;
pub use gradient::{Cotangents, DifferentiableScheme, Solved, Variation, gradient, tangent};
pub use l1::L1;
pub use lagged::{Delays, StateDependent};
pub use linear_multistep::LinearMultistep;
#[cfg(feature = "matrix")]
pub use linear_system::LinearSystem;
pub use lyapunov::{Lyapunov, LyapunovOptions, TangentMemory, lyapunov_exponents};
pub use multi_term::MultiTerm;
pub use ndarray;
pub use nonsingular::{Nonsingular, Start};
pub use options::{Keep, Observer, Options, Progress, Verdict};
pub use past::Interpolation;
pub use problem::Problem;
pub use product_rules::{ProductRectangle, ProductTrapezoid};
pub use riemann_liouville::RiemannLiouville;
pub use save_at::SaveAt;
pub use scheme::{Node, Scheme, Stepper};
pub use solution::{Solution, StabilityHint, Statistics, Status, Trajectory};
pub use steps::{Steps, UniformGrid};
pub use system::{Rhs, System, WithJacobian};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
