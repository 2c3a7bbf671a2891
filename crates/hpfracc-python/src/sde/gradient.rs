//! Gradients of ensembles of equations as text, by adjoint sensitivity.

use super::equations::parsed;
use super::failure::{of_model, of_sde, unknown};
use super::settings::Settings;
use super::watch::{Watch, attended, watched};
use crate::arrays::Floats;
use crate::errors;
use hpfracc::equation::Execute;
use hpfracc::ndarray::{ArrayView3, Ix3};
use hpfracc::sde::models::Variate;
use hpfracc::sde::{
    Cotangents, EnsembleGradient, EquationModel, FractionalEulerMaruyama, GradientWorkspace,
    MonteCarloEstimates, PrecompiledScalar, PrecompiledScheme, StochasticGradient,
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

fn paths<'py, T: Variate + Execute + PrecompiledScalar + numpy::Element>(
    py: Python<'py>,
    text: &str,
    parameters: &[(String, f64)],
    settings: &Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, steps) = parsed(text, parameters, settings.t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    let problem = model.differentiable::<T>().map_err(of_model)?;
    let noise = model.noise::<T>(settings.seed).map_err(of_model)?;
    let scheme = scheme(settings.scheme.as_deref(), problem.orders())?;
    let ensemble = settings.ensemble(steps)?;
    let watch = Watch::default();
    let paths = attended(py, &watch, settings.threads, None, || {
        let reporter = watch.reporter();
        let ensemble = watched(ensemble, &watch, &reporter);
        ensemble.paths_precompiled(&problem, scheme, &*noise).map_err(of_sde)
    })?;
    let dict = PyDict::new(py);
    dict.set_item("paths", paths.into_pyarray(py))?;
    Ok(dict)
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

fn gradient<'py, T: Variate + Execute + PrecompiledScalar + numpy::Element>(
    py: Python<'py>,
    text: &str,
    parameters: &[(String, f64)],
    settings: &Settings,
    cotangents: ArrayView3<'_, T>,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, steps) = parsed(text, parameters, settings.t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    let problem = model.differentiable::<T>().map_err(of_model)?;
    let noise = model.noise::<T>(settings.seed).map_err(of_model)?;
    let scheme = scheme(settings.scheme.as_deref(), problem.orders())?;
    let ensemble = settings.ensemble(steps)?;
    let watch = Watch::default();
    let found = attended(py, &watch, settings.threads, settings.progress.as_ref(), || {
        let reporter = watch.reporter();
        let gradient = EnsembleGradient::new(watched(ensemble, &watch, &reporter));
        let gradient = match scheme {
            PrecompiledScheme::FractionalEulerMaruyama(_) => gradient.with_orders(),
            _ => gradient,
        };
        let workspace = GradientWorkspace::new();
        let loss = Cotangents(cotangents);
        gradient.solve_precompiled(&workspace, &problem, scheme, &*noise, &loss).map_err(of_sde)
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

/// Scheme of this name, or the default one of these orders.
fn scheme(name: Option<&str>, orders: &[f64]) -> PyResult<PrecompiledScheme> {
    let default = if orders.iter().any(|order| *order != 1.0) {
        "fractional-euler-maruyama"
    } else {
        "euler-maruyama"
    };
    match name.unwrap_or(default) {
        "euler-maruyama" => Ok(PrecompiledScheme::EulerMaruyama),
        "fractional-euler-maruyama" => {
            Ok(PrecompiledScheme::FractionalEulerMaruyama(FractionalEulerMaruyama::default()))
        }
        other => Err(unknown(
            "scheme with a gradient",
            other,
            ["euler-maruyama", "fractional-euler-maruyama"],
        )),
    }
}
