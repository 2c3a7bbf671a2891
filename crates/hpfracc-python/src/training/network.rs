//! Networks: their sizes, and their outputs.

use super::problem::network;
use crate::arrays::Floats;
use crate::errors::input;
use crate::running::fork;
use hpfracc::ndarray::{Array2, ArrayViewD, Ix2};
use hpfracc::nn::{Forward, Layer, Network, Pass, Scalar, Shape};
use hpfracc::sde::{Rows, RowsMut};
use numpy::{Element, IntoPyArray, PyReadonlyArrayDyn};
use pyo3::prelude::*;

/// Samples of a tile.
const LANES: usize = 64;

/// Inputs, outputs, parameters, and blocks of a network.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a call from Python")]
pub(super) fn network_facts(
    text: &str,
) -> PyResult<(usize, usize, usize, Vec<(String, Vec<usize>)>)> {
    let network = network(text)?;
    let blocks = network.blocks().into_iter().map(|block| (block.name, block.shape)).collect();
    Ok((network.inputs(), network.outputs(), network.parameters(), blocks))
}

/// Outputs of a network for samples by features, in evaluation mode.
#[pyfunction]
pub(super) fn network_outputs<'py>(
    py: Python<'py>,
    text: &str,
    theta: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    fork::ready();
    let network = network(text)?;
    match (Floats::of("parameters", theta)?, Floats::of("x", x)?) {
        (Floats::F32(theta), Floats::F32(x)) => {
            outputs(py, &network, &parameters_of(&theta)?, x.as_array())
        }
        (Floats::F64(theta), Floats::F64(x)) => {
            outputs(py, &network, &parameters_of(&theta)?, x.as_array())
        }
        (Floats::F32(_), Floats::F64(_)) => {
            Err(input("x is float64 and parameters are float32, expected the same type"))
        }
        (Floats::F64(_), Floats::F32(_)) => {
            Err(input("x is float32 and parameters are float64, expected the same type"))
        }
    }
}

/// Parameters, one after the other.
pub(super) fn parameters_of<T: Element + Copy>(
    theta: &PyReadonlyArrayDyn<'_, T>,
) -> PyResult<Vec<T>> {
    let theta = theta.as_array();
    if theta.ndim() == 1 {
        return Ok(theta.iter().copied().collect());
    }
    Err(input(format!("parameters has {} axes, expected 1", theta.ndim())))
}

fn outputs<'py, T: Scalar + Element>(
    py: Python<'py>,
    network: &Network,
    theta: &[T],
    x: ArrayViewD<'_, T>,
) -> PyResult<Bound<'py, PyAny>>
where
    Network: Layer<T>,
{
    let shape = x.shape().to_vec();
    let x = x.into_dimensionality::<Ix2>();
    let x = x.map_err(|_| input(format!("x has {} axes, expected 2", shape.len())))?;
    let sizes = network.sizes();
    if x.ncols() != sizes.inputs {
        return Err(input(format!("x has {} features, expected {}", x.ncols(), sizes.inputs)));
    }
    if theta.len() != sizes.parameters {
        let (found, expected) = (theta.len(), sizes.parameters);
        return Err(input(format!("parameters has {found} numbers, expected {expected}")));
    }
    let y = py.detach(|| {
        let mut result = Array2::zeros((x.nrows(), sizes.outputs));
        for first in (0..x.nrows()).step_by(LANES) {
            let lanes = LANES.min(x.nrows() - first);
            let mut rows = vec![T::zero(); sizes.inputs * lanes];
            for (i, row) in rows.chunks_exact_mut(lanes).enumerate() {
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = x[[first + lane, i]];
                }
            }
            let mut saved = vec![T::zero(); sizes.saved * lanes];
            let mut y = vec![T::zero(); sizes.outputs * lanes];
            network.forward(Forward {
                pass: Pass::Evaluate,
                theta,
                x: Rows::new(&rows, lanes),
                saved: RowsMut::new(&mut saved, lanes),
                y: RowsMut::new(&mut y, lanes),
            });
            for (i, row) in y.chunks_exact(lanes).enumerate() {
                for (lane, value) in row.iter().enumerate() {
                    result[[first + lane, i]] = *value;
                }
            }
        }
        result
    });
    Ok(y.into_pyarray(py).into_any())
}
