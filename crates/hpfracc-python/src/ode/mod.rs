//! Fractional differential equations: texts, solved without the interpreter's lock, and functions of Python.

mod calls;
pub(crate) mod control;
mod delays;
pub(crate) mod equation;
mod events;
pub(crate) mod files;
mod function;
mod function_gradient;
mod method;
pub(crate) mod solution;
mod solve_equation;
mod solve_function;
mod value;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<equation::PyEquation>()?;
    module.add_class::<solution::PySolution>()?;
    module.add_function(wrap_pyfunction!(equation::equation_catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(equation::nearest_equation, module)?)?;
    module.add_function(wrap_pyfunction!(method::ode_scheme_names, module)?)?;
    module.add_function(wrap_pyfunction!(solve_equation::solve_equation, module)?)?;
    module.add_function(wrap_pyfunction!(solve_function::solve_function, module)?)?;
    module.add_function(wrap_pyfunction!(function_gradient::function_gradient, module)?)?;
    module.add_function(wrap_pyfunction!(function_gradient::function_sensitivities, module)?)
}
