//! Gradients of ensembles of equations as text, by adjoint sensitivity.

use super::discretisation::Discretisation;
use super::equations::{parsed, problem, solved, with_system};
use super::failure::{of_model, of_sde};
use super::schemes::{with_pathwise_scheme, with_scheme};
use super::settings::Settings;
use super::watch::{Watch, attended, watched};
use crate::arrays::Floats;
use crate::errors;
use hpfracc::equation::Execute;
use hpfracc::ndarray::{ArrayView3, Ix3};
use hpfracc::sde::models::Variate;
use hpfracc::sde::{
    Cotangents, DifferentiableStochasticSystem, EnsembleGradient, EquationModel,
    MonteCarloEstimates, StochasticGradient,
};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(gradient_paths, module)?)?;
    module.add_function(wrap_pyfunction!(gradient_equation, module)?)
}

/// States of all paths at the saved times, by path, time and component, of the solve that a gradient is taken of.
#[pyfunction]
fn gradient_paths<'py>(
    py: Python<'py>,
    text: &str,
    parameters: Vec<(String, f64)>,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    if settings.single {
        paths::<f32>(py, text, &parameters, &settings)
    } else {
        paths::<f64>(py, text, &parameters, &settings)
    }
}

fn paths<'py, T: Variate + Execute + numpy::Element>(
    py: Python<'py>,
    text: &str,
    parameters: &[(String, f64)],
    settings: &Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, steps) = parsed(text, parameters, settings.t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    let own = model.differentiable::<T>().map_err(of_model)?;
    let problem = problem(&model, &own, settings.seed)?;
    solved(py, (&model, &problem), steps, settings, &settings.statistics(None)?)
}

/// Gradient of a loss of an ensemble from its derivatives by path, saved time and component.
#[pyfunction]
fn gradient_equation<'py>(
    py: Python<'py>,
    text: &str,
    parameters: Vec<(String, f64)>,
    settings: Settings,
    cotangents: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let cotangents = Floats::of("the derivative of the loss", cotangents)?;
    match &cotangents {
        Floats::F32(array) if settings.single => {
            let array = array.as_array().into_dimensionality::<Ix3>();
            gradient::<f32>(py, text, &parameters, &settings, array.map_err(shape)?)
        }
        Floats::F64(array) if !settings.single => {
            let array = array.as_array().into_dimensionality::<Ix3>();
            gradient::<f64>(py, text, &parameters, &settings, array.map_err(shape)?)
        }
        _ => Err(errors::input("the derivative of the loss has another dtype than the paths")),
    }
}

fn shape(error: hpfracc::ndarray::ShapeError) -> PyErr {
    errors::input(format!(
        "the derivative of the loss: {error}, expected (paths, times, components)"
    ))
}

fn gradient<'py, T: Variate + Execute + numpy::Element>(
    py: Python<'py>,
    text: &str,
    parameters: &[(String, f64)],
    settings: &Settings,
    cotangents: ArrayView3<'_, T>,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, steps) = parsed(text, parameters, settings.t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    let own = model.differentiable::<T>().map_err(of_model)?;
    // Adjoints are compiled once for all equations: the coefficients stand behind a pointer.
    let system = own.system() as &dyn DifferentiableStochasticSystem<T>;
    let differentiable = with_system(&model, &own, system, settings.seed)?;
    let noise = settings.mirrored(model.noise::<T>(settings.seed).map_err(of_model)?)?;
    let forward = problem(&model, &own, settings.seed)?;
    let Discretisation { scheme, adaptive } = Discretisation::chosen(settings, &forward, &*noise)?;
    let ensemble = settings.ensemble(steps)?;
    let watch = Watch::default();
    let found = attended(py, &watch, settings.threads, settings.progress.as_ref(), || {
        let reporter = watch.reporter();
        let gradient = EnsembleGradient::new(watched(ensemble, &watch, &reporter));
        let gradient = if scheme.has_memory() { gradient.with_orders() } else { gradient };
        let loss = Cotangents(cotangents);
        let found = match &adaptive {
            None => with_scheme!(scheme, scheme => {
                gradient.solve(&differentiable, scheme, &*noise, &loss)
            }),
            Some(steps) => with_pathwise_scheme!(scheme, scheme => {
                let scheme = steps.of(scheme).map_err(of_sde)?;
                gradient.solve(&differentiable, &scheme, &steps.tree, &loss)
            })?,
        };
        found.map_err(of_sde)
    })?;
    into_dict(py, found)
}

fn into_dict<T>(py: Python<'_>, found: StochasticGradient<T>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let set = |name: &str, estimates: MonteCarloEstimates| {
        let arrays = (estimates.values.into_pyarray(py), estimates.errors.into_pyarray(py));
        dict.set_item(name, arrays)
    };
    set("parameters", found.parameters)?;
    set("start", found.start)?;
    set("orders", found.orders)?;
    Ok(dict)
}
