//! Adjoint and forward sensitivities, and Lyapunov exponents.

mod adjoint_and_tangent;
mod case;
mod collocation;
mod delay;
mod equation;
mod failures;
mod lyapunov;
mod multi_term;
mod several_orders;
