//! Adjoint and forward sensitivities, and Lyapunov exponents.

mod adjoint_and_tangent;
mod failures;
mod lyapunov;
