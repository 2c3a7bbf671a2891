//! Sequences of weights: binomials, and powers of whole numbers with their differences.

use super::output::zeros;
use super::work;
use crate::errors;
use hpfracc::special;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;

/// Sequences, each with its exponent, function and derivative.
macro_rules! sequences {
    ($($name:ident($exponent:ident), $of:path, $derivative:path;)+) => {
        $(
            #[pyfunction]
            #[pyo3(signature = ($exponent, n, derivative = false))]
            fn $name<'py>(
                py: Python<'py>,
                $exponent: f64,
                n: isize,
                derivative: bool,
            ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
                let of = if derivative { $derivative } else { $of };
                sequence(py, (stringify!($exponent), $exponent), n, of)
            }
        )+

        pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)+
            Ok(())
        }
    };
}

sequences! {
    binomial_weights(alpha), special::binomial_weights, special::binomial_weights_derivative;
    powers(c), special::powers, special::powers_derivative;
    forward_differences_of_powers(b), special::forward_differences_of_powers,
        special::forward_differences_of_powers_derivative;
    second_differences_of_powers(b), special::second_differences_of_powers,
        special::second_differences_of_powers_derivative;
}

fn sequence<'py>(
    py: Python<'py>,
    (name, exponent): (&str, f64),
    n: isize,
    of: fn(f64, &mut [f64]),
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    if !exponent.is_finite() {
        return Err(errors::input(format!("{name} is {exponent}, expected a finite number")));
    }
    let n = usize::try_from(n)
        .map_err(|_| errors::input(format!("n is {n}, expected a whole number from 0")))?;
    let array = zeros::<f64>(py, &[n])?;
    {
        let busy = |_| errors::input("the result is used at the same time");
        let mut write = array.try_readwrite().map_err(busy)?;
        let mut view = write.as_array_mut();
        if let Some(out) = view.as_slice_mut() {
            // No look for signals: a sequence that fits into memory takes a second.
            let nanoseconds = (10.0 * n as f64).min(1e6);
            work::run(py, nanoseconds, |_| of(exponent, out))?;
        }
    }
    Ok(array)
}
