//! Fractional ordinary differential equations.
//!
//! `D^alpha y = f(t, y)`, `y^(j)(t0) = y_j` for j < ceil(alpha); alpha > 0, one for each component.
//!
//! The equation is the weakly singular Volterra equation `y = g + I^alpha f`, g the Taylor
//! polynomial of the initial values; its simplest solution, Mittag-Leffler relaxation, describes
//! viscoelastic materials. A [`Scheme`] turns a [`Problem`] and [`Steps`] into a [`Stepper`];
//! [`solve`] advances it node by node, stores the [`Trajectory`], reports progress, checks for
//! cancellation, and calls the
//! [`Observer`]s: event location ([`Event`]) and values at requested times ([`SaveAt`]). A
//! [`Solution`] has dense output.
//!
//! | scheme | order, smooth | order, y ~ t^alpha: at the end, over all nodes | suited to |
//! |---|---|---|---|
//! | [`AdamsBashforthMoulton`], predictor-corrector (PECE) | min(2, 1 + passes alpha) | 1 + alpha, 2 alpha | nonstiff problems |
//! | [`ProductRectangle`] | 1 | 1, alpha | damping |
//! | [`ProductTrapezoid`], product integration | 2 | 1 + alpha, 2 alpha | stiff problems |
//! | [`LinearMultistep`] (FLMM), convolution quadrature | 2 | 2, 2 (alpha from 0.5 on) | accuracy on equal steps; BDF2 for stiff problems |
//! | [`L1`] | 2 - alpha | 1, alpha; graded 2 - alpha | stiff problems, graded steps, alpha <= 1 |
//! | [`Exponential`] | 2 | 1 + alpha, 2 alpha | stiff linear parts, steps of any length |
//! | [`Collocation`] | chosen for a tolerance | the same | six to fourteen digits, f smooth except at known breaks |
//!
//! | steps | schemes |
//! |---|---|
//! | [`Steps::Uniform`] | all except [`Collocation`] |
//! | [`Steps::Graded`], [`Steps::Given`] | [`AdamsBashforthMoulton`], [`ProductTrapezoid`]: order 2 over all nodes; [`L1`] |
//! | [`Steps::Adaptive`]: step size control with rtol and atol | [`AdamsBashforthMoulton`], [`ProductTrapezoid`], [`Collocation`] |
//!
//! Equations of other kinds reduce to such problems and are solved by the same schemes:
//!
//! | equation | reduction | solution |
//! |---|---|---|
//! | [`MultiTerm`]: derivatives of several orders | a component for each derivative | the first components |
//! | [`RiemannLiouville`]: `D_RL^a y`, I^(1-a) y(t0) given | a problem for the regular part | [`RiemannLiouville::value`] |
//! | [`CaputoFabrizio`], [`AtanganaBaleanu`]: nonsingular kernels | a problem for y minus a multiple of f | [`Nonsingular::value`] |
//! | [`DelayProblem`]: y(t - tau), tau constant or of the state | a right-hand side with access to the nodes | the states |
//! | [`LinearSystem`]: `A y + g(t)` | none: closed form at any time | [`LinearSystem::at`] |
//!
//! [`caputo_of_function`] and [`integral_of_function`] are the derivative and the integral of a
//! function that can be evaluated anywhere, to twelve digits.
//!
//! [`gradient`] (adjoint sensitivity) and [`tangent`] (forward sensitivity) are the exact
//! derivatives of the numerical solution, for a [`Differentiable`] right-hand side and any scheme;
//! [`lyapunov_exponents`] use them.
//!
//! [`AnyScheme`] is one of them by its name.
//!
//! A new scheme is one file. Its [`prepare`](Scheme::prepare) takes a grid or nodes from [`Steps`],
//! computes its weights, and builds their history with [`Setup::history`]; its stepper's
//! [`advance`](Stepper::advance) pushes the value of the last node, reads the sums of the history,
//! adds the [free term](Problem::free_term), and solves for the next node. A scheme that does not
//! interpolate f linearly also has its own [`DenseOutput`].
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

/// Implements `Debug` by the fields listed, for a type that has closures too.
macro_rules! debug_fields {
    ($name:ident<$($parameter:tt),*> { $($field:ident),* }) => {
        impl<$($parameter),*> std::fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct(stringify!($name));
                $(shown.field(stringify!($field), &self.$field);)*
                shown.finish_non_exhaustive()
            }
        }
    };
}

mod any_scheme;
mod equations;
mod error;
mod gradient;
pub mod history;
mod lyapunov;
mod observers;
mod options;
mod problem;
mod schemes;
mod solution;
mod solve;
mod steps;

pub use any_scheme::AnyScheme;
pub use equations::LinearSystem;
pub use equations::{
    AtanganaBaleanu, CaputoFabrizio, DelayProblem, Delays, DifferentiableEquation, EquationProblem,
    EquationProblemError, EquationSolution, EquationSystem, InitialConsistency, LaggedRhs,
    MultiTerm, Nonsingular, RiemannLiouville, SolutionTable, StateDependent, caputo_of_function,
    integral_of_function,
};
pub use error::OdeError;
pub use gradient::{
    Cotangents, Differentiable, DifferentiableScheme, Parametric, Recursion, Variation, gradient,
    tangent, tangents,
};
pub use history::Volterra;
pub use lyapunov::{Lyapunov, LyapunovOptions, TangentHistory, lyapunov_exponents};
pub use ndarray;
pub use observers::{Event, EventHit, Observer, ObserverAction, SaveAt};
pub use options::{Options, Progress};
pub use problem::{ComplexShifts, Problem, Rhs, ShiftedJacobian, System, WithJacobian};
pub use schemes::{
    AdamsBashforthMoulton, Collocation, Corrector, Exponential, Interpolation, L1, L1OfOrders,
    LinearMultistep, MemoryEstimate, ProductRectangle, ProductTrapezoid, Scheme, Setup, Stepper,
    TimeOrders,
};
pub use solution::{
    DenseOutput, Node, SaveNodes, Solution, StabilityHint, Statistics, Status, Trajectory,
};
pub use solve::{Failure, solve};
pub use steps::{Steps, UniformGrid};

/// Compiles and runs the example of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
