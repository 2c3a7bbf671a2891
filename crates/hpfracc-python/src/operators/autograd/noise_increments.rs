//! Increments of Brownian and fractional Brownian motion by address: seed, component, path and step.

use crate::errors::{Kind, OrRaise, input};
use crate::running::fork;
use hpfracc::sde::SdeError;
use hpfracc::sde::noise::{Brownian, FractionalBrownian, Gaussian, Noise, Tile};
use hpfracc_lanes::RowsMut;
use ndarray::{Array3, ArrayViewMut3, Axis};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Paths of a task.
const TILE: usize = 64;

/// Increments over equal steps, an array of steps, paths and components; each component has a Hurst exponent.
#[pyfunction]
#[pyo3(signature = (seed, hurst, steps, dt, paths, *, dtype="float64"))]
pub(super) fn noise_increments<'py>(
    py: Python<'py>,
    seed: u64,
    hurst: Vec<f64>,
    steps: usize,
    dt: f64,
    paths: usize,
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    if hurst.is_empty() || steps == 0 || paths == 0 {
        let components = hurst.len();
        let text = format!("{components} components, {steps} steps and {paths} paths: none");
        return Err(input(text));
    }
    fork::ready();
    let extent = Extent { steps, dt, paths, components: hurst.len() };
    match dtype {
        "float32" => {
            let all = py.detach(|| increments::<f32>(seed, &hurst, extent))?;
            Ok(all.into_pyarray(py).into_any())
        }
        "float64" => {
            let all = py.detach(|| increments::<f64>(seed, &hurst, extent))?;
            Ok(all.into_pyarray(py).into_any())
        }
        _ => Err(input(format!("the dtype is {dtype:?}, expected \"float32\" or \"float64\""))),
    }
}

#[derive(Clone, Copy)]
struct Extent {
    steps: usize,
    dt: f64,
    paths: usize,
    components: usize,
}

fn increments<T: Gaussian>(seed: u64, hurst: &[f64], extent: Extent) -> PyResult<Array3<T>> {
    let noise: Box<dyn Noise<T>> = if hurst.iter().all(|hurst| *hurst == 0.5) {
        Box::new(Brownian::new(seed, hurst.len()).or_raise()?)
    } else {
        Box::new(FractionalBrownian::new(seed, hurst).or_raise()?)
    };
    let Extent { steps, paths, components, .. } = extent;
    let count = steps.checked_mul(paths).and_then(|count| count.checked_mul(components));
    let mut values: Vec<T> = Vec::new();
    let room = count.map(|count| (count, values.try_reserve_exact(count)));
    let Some((count, Ok(()))) = room else {
        let text = format!("{steps} steps of {paths} paths with {components} components");
        return Err(Kind::Memory.error(format!("{text}: more memory than is available")));
    };
    values.resize(count, T::zero());
    let shape = (steps, paths, components);
    let mut all = Array3::from_shape_vec(shape, values)
        .map_err(|error| Kind::Input.error(error.to_string()))?;
    let tiles: Vec<_> = all.axis_chunks_iter_mut(Axis(1), TILE).enumerate().collect();
    let done: Result<(), SdeError> = tiles
        .into_par_iter()
        .try_for_each(|(tile, out)| fill(noise.as_ref(), tile * TILE, extent, out));
    done.or_raise()?;
    Ok(all)
}

/// The increments of a tile of paths.
fn fill<T: Gaussian>(
    noise: &dyn Noise<T>,
    first: usize,
    Extent { steps, dt, components, .. }: Extent,
    mut out: ArrayViewMut3<'_, T>,
) -> Result<(), SdeError> {
    let lanes = out.len_of(Axis(1));
    let tile = Tile { first_path: first as u64, lanes, steps, h: dt };
    let mut increments = noise.increments(tile, &[])?;
    let mut rows = vec![T::zero(); components * lanes];
    for (step, mut out) in out.outer_iter_mut().enumerate() {
        increments.write(step, RowsMut::new(&mut rows, lanes));
        for (component, row) in rows.chunks_exact(lanes).enumerate() {
            for (to, value) in out.column_mut(component).iter_mut().zip(row) {
                *to = *value;
            }
        }
    }
    Ok(())
}
