//! Fields over boxes and graphs: operators, functions of operators, partial differential equations.

mod build;
mod compute;
mod energy;
pub(crate) mod equation;
mod expression;
mod function;
mod graph;
pub(crate) mod grid;
mod numbers;
mod operator;
mod poisson;
pub(crate) mod solve;
mod tree;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<grid::PyBox>()?;
    module.add_class::<equation::PyFieldEquation>()?;
    module.add_class::<operator::PyOperator>()?;
    module.add_class::<function::PyFunction>()?;
    module.add_class::<graph::PyGraph>()?;
    module.add_function(wrap_pyfunction!(build::laplacian_operator, module)?)?;
    module.add_function(wrap_pyfunction!(build::diffusion_operator, module)?)?;
    module.add_function(wrap_pyfunction!(build::advection_operator, module)?)?;
    module.add_function(wrap_pyfunction!(build::integral_operator, module)?)?;
    module.add_function(wrap_pyfunction!(build::skewed_operator, module)?)?;
    module.add_function(wrap_pyfunction!(expression::field_expression, module)?)?;
    module.add_function(wrap_pyfunction!(equation::field_catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(equation::nearest_field_equation, module)?)?;
    module.add_function(wrap_pyfunction!(expression::expression_parameters, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_fields, module)?)?;
    module.add_function(wrap_pyfunction!(solve::gradient::field_gradient, module)?)?;
    module.add_function(wrap_pyfunction!(energy::field_energy, module)?)?;
    module.add_function(wrap_pyfunction!(poisson::poisson_spectral, module)?)?;
    module.add_function(wrap_pyfunction!(poisson::poisson_integral, module)?)
}
