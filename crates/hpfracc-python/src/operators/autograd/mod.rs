//! What automatic differentiation in PyTorch and JAX needs: histories of solvers, weights and their derivatives with
//! respect to the order, derivatives of operators with respect to the order, and increments of noise.

mod history;
mod noise_increments;
mod order_tangent;
mod product_weights;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<history::PyHistory>()?;
    module.add_function(wrap_pyfunction!(noise_increments::noise_increments, module)?)?;
    module.add_function(wrap_pyfunction!(order_tangent::order_tangent, module)?)?;
    module.add_function(wrap_pyfunction!(product_weights::product_weights, module)?)
}
