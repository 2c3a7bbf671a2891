//! Increments and paths of noise as arrays.

use super::NoiseSpec;
use crate::errors::{self, Kind};
use crate::sde::failure::of_sde;
use crate::sde::watch::{Watch, attended};
use hpfracc::ndarray::{Array1, Array3};
use hpfracc::noise::{
    FractionalBrownian, Gaussian, Noise, Tile, fractional_brownian_covariance,
    fractional_gaussian_covariances,
};
use hpfracc::sde::{RowsMut, SdeError};
use hpfracc::types::available_memory;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(noise_paths, module)?)?;
    module.add_function(wrap_pyfunction!(fbm_covariance, module)?)?;
    module.add_function(wrap_pyfunction!(fgn_covariance, module)?)
}

/// Grid, paths and seed of a noise.
#[derive(Debug, Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
struct Request {
    steps: usize,
    dt: f64,
    paths: usize,
    /// Number of the first path.
    first: u64,
    seed: u64,
    /// float32 instead of float64.
    single: bool,
    /// Increments instead of their sums from 0.
    increments: bool,
    threads: Option<usize>,
}

/// Array by path, component and time.
#[pyfunction]
fn noise_paths<'py>(
    py: Python<'py>,
    spec: NoiseSpec,
    request: Request,
) -> PyResult<Bound<'py, PyAny>> {
    if request.single { array::<f32>(py, &spec, request) } else { array::<f64>(py, &spec, request) }
}

/// Most paths that are made at once.
const LANES: usize = 64;
/// Most increments of them.
const STORED: usize = 1 << 20;
/// Most values that the calling thread makes by itself.
const FEW: usize = 1 << 12;
/// Bytes that are available always.
const SMALL: usize = 1 << 24;
/// Steps that are written to a path at once.
const BLOCK: usize = 32;

fn array<'py, T: Gaussian + numpy::Element>(
    py: Python<'py>,
    spec: &NoiseSpec,
    request: Request,
) -> PyResult<Bound<'py, PyAny>> {
    let Request { steps, dt, paths, first, seed, .. } = request;
    if paths == 0 {
        return Err(errors::input("paths is 0, expected at least 1"));
    }
    let noise = spec.build::<T>(seed)?;
    // Refuses steps and paths out of range.
    let tile = |path: usize, lanes: usize| Tile {
        first_path: first.wrapping_add(path as u64),
        lanes,
        steps,
        h: dt,
    };
    if first.checked_add(paths as u64).is_none() {
        return Err(errors::input(format!(
            "first is {first}, expected at most 2^64 less the paths"
        )));
    }
    let components = noise.components();
    let len = if request.increments { steps } else { steps.saturating_add(1) };
    let row = components.saturating_mul(len);
    let bytes = row.saturating_mul(paths).saturating_mul(size_of::<T>());
    if bytes > SMALL {
        // Asking the system takes longer than making few paths.
        let available = available_memory().unwrap_or(u64::MAX).min(isize::MAX as u64);
        if bytes as u64 > available {
            return Err(Kind::Memory.error(format!(
                "paths of noise: {bytes} bytes of memory are needed, {available} are available"
            )));
        }
    }
    let stored = noise.bytes_per_path(steps) / size_of::<T>();
    let lanes = (STORED / stored.max(1)).clamp(1, LANES);
    let plain = spec.plain_fbm();
    let watch = Watch::default();
    let make = || {
        let mut values = vec![T::zero(); row * paths];
        let threads = rayon::current_num_threads();
        let lanes = lanes.min(paths.div_ceil(2 * threads));
        let fbm = plain.map(|hurst| FractionalBrownian::<T>::new(seed, &[hurst])).transpose();
        let fbm = fbm.map_err(of_sde)?;
        let chunk = |(k, chunk): (usize, &mut [T])| {
            if watch.cancel.requested() {
                return Err(SdeError::Cancelled);
            }
            let tile = tile(k * lanes, chunk.len() / row);
            match &fbm {
                Some(fbm) => fill_fbm(fbm, tile, request.increments, chunk),
                None => fill(&*noise, tile, request.increments, chunk),
            }
        };
        let made = if values.len() <= FEW {
            values.chunks_mut(row * lanes).enumerate().try_for_each(chunk)
        } else {
            values.par_chunks_mut(row * lanes).enumerate().try_for_each(chunk)
        };
        made.map(|()| values).map_err(of_sde)
    };
    let values = if row * paths <= FEW {
        make()?
    } else {
        attended(py, &watch, request.threads, None, make)?
    };
    let array = Array3::from_shape_vec((paths, components, len), values);
    let array = array.map_err(|error| errors::input(error.to_string()))?;
    Ok(array.into_pyarray(py).into_any())
}

/// Paths of fractional Brownian motion, which are made one by one.
fn fill_fbm<T: Gaussian>(
    noise: &FractionalBrownian<T>,
    tile: Tile,
    increments: bool,
    out: &mut [T],
) -> Result<(), SdeError> {
    let Tile { lanes, steps, .. } = tile;
    if increments {
        return noise.fill_paths(tile, out);
    }
    noise.fill_paths(tile, &mut out[..lanes * steps])?;
    // From the last path on, so that each finds its increments unchanged.
    for lane in (0..lanes).rev() {
        let start = lane * (steps + 1);
        out.copy_within(lane * steps..(lane + 1) * steps, start + 1);
        out[start] = T::zero();
        let mut sum = 0.0;
        for value in &mut out[start + 1..][..steps] {
            sum += value.widen();
            *value = T::narrow(sum);
        }
    }
    Ok(())
}

/// Paths of any noise, which are made step by step.
fn fill<T: Gaussian>(
    noise: &dyn Noise<T>,
    tile: Tile,
    increments: bool,
    out: &mut [T],
) -> Result<(), SdeError> {
    let Tile { lanes, steps, .. } = tile;
    let mut made = noise.increments(tile, &[])?;
    let components = noise.components();
    let mut rows = vec![T::zero(); components * lanes];
    let mut sums = vec![0.0; rows.len()];
    let mut block = vec![T::zero(); rows.len() * BLOCK];
    let (len, offset) = if increments { (steps, 0) } else { (steps + 1, 1) };
    for first in (0..steps).step_by(BLOCK) {
        let count = BLOCK.min(steps - first);
        for k in 0..count {
            made.write(first + k, RowsMut::new(&mut rows, lanes));
            for ((sum, dz), block) in sums.iter_mut().zip(&rows).zip(block.chunks_exact_mut(BLOCK))
            {
                *sum += dz.widen();
                block[k] = if increments { *dz } else { T::narrow(*sum) };
            }
        }
        for (row, block) in block.chunks_exact(BLOCK).enumerate() {
            let (component, lane) = (row / lanes, row % lanes);
            let start = (lane * components + component) * len + offset + first;
            out[start..][..count].copy_from_slice(&block[..count]);
        }
    }
    Ok(())
}

/// Covariance of fractional Brownian motion at two times.
#[pyfunction]
fn fbm_covariance(hurst: f64, s: f64, t: f64) -> PyResult<f64> {
    fractional_brownian_covariance(hurst, s, t).map_err(of_sde)
}

/// Covariances of fractional Gaussian noise over steps of length 1, by lag.
#[pyfunction]
fn fgn_covariance(py: Python<'_>, hurst: f64, lags: usize) -> PyResult<Bound<'_, PyArray1<f64>>> {
    let covariances = py.detach(|| fractional_gaussian_covariances(hurst, lags));
    Ok(Array1::from(covariances.map_err(of_sde)?).into_pyarray(py))
}
