//! Discrete adjoint and forward sensitivities: exact derivatives of the numerical solution.
//!
//! The nodes of a scheme are a function of the initial values, the parameters and the orders. For
//! that function, and not for the continuous equation, [`gradient`] is the transposed derivative
//! applied to cotangents and [`tangent`] the derivative applied to a direction, both to rounding.
//!
//! With scaled weights c (product trapezoid, `a_{0,n}` the one of f_0) and b (product rectangle, by
//! lag from 1), `l_n = dL/dy_n`, and the predictor-corrector method with one pass,
//!
//! ```text
//! Fbar_n   = sum_{m>n} (c_{m-n} u_m + b_{m-n} v_m)                       n = N, N-1, ..., 0
//! u_n      = l_n + f_y(y_n)^T Fbar_n                                     cotangent of the corrector
//! v_n      = c_0 f_y(p_n)^T u_n                                          cotangent of the predictor
//! thetabar = sum_n f_theta(y_n)^T Fbar_n + c_0 f_theta(p_n)^T u_n
//! y_jbar   = sum_n (u_n + v_n) (t_n - t0)^j / j!  +  (j = 0) (l_0 + f_y(y_0)^T Fbar_0)
//! abar     = sum_n F_n . sum_{m>n} (dc_{m-n} u_m + db_{m-n} v_m) + dc_0 u_n . f(t_n, p_n)
//! ```
//!
//! with a_{0,m} in place of c_m for n = 0, and db, dc the derivatives of the weights in alpha. The
//! sums run over later nodes: on reversed data they are the online convolutions of the solve, and
//! the same histories take them.
//!
//! More passes chain v through each of them; where the step is solved instead,
//! `u_n = (I - c_0 f_y)^-T (l_n + f_y^T Fbar_n)`. Components of different orders have weights of
//! their own, and each order its gradient.
//!
//! Multistep methods add starting weights, whose exponents depend on all orders; on unequal steps rows
//! of weights replace the convolution; an element of collocation is a block of states at once.
//!
//! Cost of either: two to three solves by the predictor-corrector method with the blocked history,
//! one to one and a half by the implicit product trapezoid, one by L1 (`ode/gradient` of the
//! benches); memory O(N). Source: the chain rule, applied backwards as in Griewank and Walther,
//! Evaluating Derivatives, 2nd ed., SIAM 2008, DOI 10.1137/1.9780898717761.

mod collocation;
mod differentiable;
mod differentiable_scheme;
mod forward_solution;
mod l1;
mod linear_block;
mod order_terms;
mod quadrature;
mod quadrature_tangents;
mod rules;
mod sums;
mod variation;

pub use differentiable::{Differentiable, Parametric};
pub use differentiable_scheme::{DifferentiableScheme, Recursion, gradient, tangent, tangents};
pub(crate) use differentiable_scheme::{gradient_with_lags, tangent_with_lags};
pub(crate) use forward_solution::LaggedNodes;
pub(crate) use linear_block::LinearBlock;
pub use variation::{Cotangents, Variation};
