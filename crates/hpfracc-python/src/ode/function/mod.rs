//! Functions of Python as right-hand sides, with their derivatives where they are given.

mod callable;
mod differentiable;

pub(super) use callable::{Callable, Coefficient, Form, array};
pub(super) use differentiable::DifferentiableCallable;
