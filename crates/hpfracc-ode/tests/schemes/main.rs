//! Schemes: orders of convergence, exact solutions, stability and limits.

mod adams_bashforth_moulton;
mod adaptive_steps;
mod collocation;
mod exact_solutions;
mod extreme_orders;
mod features;
mod implicit_exact_solutions;
mod implicit_limits;
mod implicit_orders;
mod newton;
mod variable_steps;
