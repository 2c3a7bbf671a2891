//! Special functions and transforms of NumPy arrays.
//!
//! `argument` and `output` convert arrays; `elementwise` applies a formula to broadcast arrays, `grouped` a function
//! that is prepared once for its parameters; `work` runs either without the interpreter's lock.

mod argument;
mod elementwise;
mod functions;
mod grouped;
mod matrix;
mod mittag_leffler;
mod output;
mod place;
mod prepared;
mod transforms;
mod weights;
mod work;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions::register(module)?;
    mittag_leffler::register(module)?;
    weights::register(module)?;
    matrix::register(module)?;
    transforms::register(module)
}
