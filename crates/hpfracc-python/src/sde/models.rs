//! Models by name: their table, exact moments, and ensembles.

use super::failure::{of_sde, unknown};
use super::settings::Settings;
use super::solve::finished;
use super::watch::{Watch, attended, watched};
use crate::errors;
use hpfracc::ndarray::Array2;
use hpfracc::sde::models::{Model, Named, Observed, Variate};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Evaluates an expression with a model as its type.
macro_rules! with_model {
    ($named:expr, $model:ident => $body:expr) => {
        $crate::sde::models::with_model!(@ $named, $model => $body;
            OrnsteinUhlenbeck FractionalOrnsteinUhlenbeck CaputoOrnsteinUhlenbeck GeometricBrownian
            CoxIngersollRoss FractionalLangevin InertialLangevin RoughBergomi RoughHeston BrownianMotion
            FractionalBrownianMotion RiemannLiouvilleBrownianMotion ColouredNoise CompoundPoissonProcess
            StableLevyMotion)
    };
    (@ $named:expr, $model:ident => $body:expr; $($variant:ident)+) => {
        match $named {
            $(hpfracc::sde::models::Named::$variant($model) => $body,)+
            other => Err($crate::errors::input(format!(
                "the model {} is not available from Python", other.definition().name
            ))),
        }
    };
}
pub(super) use with_model;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sde_models, module)?)?;
    module.add_function(wrap_pyfunction!(sde_exact, module)?)?;
    module.add_function(wrap_pyfunction!(simulate_model, module)?)
}

/// Definitions of all models.
#[pyfunction]
fn sde_models(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for model in Named::all() {
        list.append(definition(py, &model)?)?;
    }
    Ok(list)
}

fn definition<'py>(py: Python<'py>, model: &Named) -> PyResult<Bound<'py, PyDict>> {
    let (definition, dict) = (model.definition(), PyDict::new(py));
    dict.set_item("name", definition.name)?;
    dict.set_item("title", definition.title)?;
    dict.set_item("equation", definition.equation.to_vec())?;
    dict.set_item("scheme", definition.scheme)?;
    dict.set_item("observables", definition.observables.to_vec())?;
    let parameters = definition.parameters.iter();
    let parameters = parameters.map(|p| (p.name, p.meaning, p.range.text, p.default));
    dict.set_item("parameters", parameters.collect::<Vec<_>>())?;
    dict.set_item("t_end", definition.default_grid.t1)?;
    dict.set_item("steps", definition.default_grid.steps)?;
    Ok(dict)
}

/// Model of a name with values of its parameters.
///
/// # Errors
/// `InputError` for an unknown name and for values out of range.
pub(super) fn named(name: &str, parameters: &[(String, f64)]) -> PyResult<Named> {
    let mut model = Named::new(name).ok_or_else(|| {
        unknown("model", name, Named::all().iter().map(|model| model.definition().name))
    })?;
    for (parameter, value) in parameters {
        let changed = model.with(parameter, *value).ok_or_else(|| {
            let known = model.definition().parameters.iter().map(|p| p.name);
            unknown(&format!("parameter of {name}"), parameter, known)
        });
        model = changed?.map_err(of_sde)?;
    }
    Ok(model)
}

/// Exact mean and variance of the observables by time, NaN where there is no formula.
#[pyfunction]
fn sde_exact<'py>(
    py: Python<'py>,
    name: &str,
    parameters: Vec<(String, f64)>,
    elapsed: Vec<f64>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let model = named(name, &parameters)?;
    if let Some(t) = elapsed.iter().find(|t| !(t.is_finite() && **t >= 0.0)) {
        return Err(errors::input(format!("t is {t}, expected times from 0 on")));
    }
    let dim = model.definition().observables.len();
    let moments = py.detach(|| -> PyResult<[Array2<f64>; 2]> {
        let mut moments = [(); 2].map(|()| Array2::from_elem((elapsed.len(), dim), f64::NAN));
        for (time, t) in elapsed.iter().enumerate() {
            for (k, known) in model.known(*t).map_err(of_sde)?.into_iter().enumerate() {
                moments[0][[time, k]] = known.mean.unwrap_or(f64::NAN);
                moments[1][[time, k]] = known.variance.unwrap_or(f64::NAN);
            }
        }
        Ok(moments)
    })?;
    let [mean, variance] = moments.map(|moments| moments.into_pyarray(py).into_any());
    Ok((mean, variance))
}

/// Ensemble of a model.
#[pyfunction]
fn simulate_model<'py>(
    py: Python<'py>,
    name: &str,
    parameters: Vec<(String, f64)>,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let model = named(name, &parameters)?;
    if let Some(scheme) = &settings.scheme {
        return Err(errors::input(format!(
            "scheme='{scheme}': the model {name} has its own scheme, {}; equations as text take others",
            model.definition().scheme
        )));
    }
    if settings.tolerances.is_some() {
        return Err(errors::input(format!(
            "rtol, atol: the model {name} has its own scheme, on equal steps; equations as text take adaptive ones"
        )));
    }
    if settings.single {
        ensemble::<f32>(py, &model, &settings)
    } else {
        ensemble::<f64>(py, &model, &settings)
    }
}

fn ensemble<'py, T: Variate + numpy::Element>(
    py: Python<'py>,
    named: &Named,
    settings: &Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let grid = named.definition().default_grid;
    let interval = settings.t_span.unwrap_or((0.0, grid.t1));
    let statistics = settings.statistics::<T>(None)?;
    let ensemble = settings.ensemble(grid.steps)?;
    let watch = Watch::default();
    let solve = || {
        let reporter = watch.reporter();
        let ensemble = watched(ensemble, &watch, &reporter);
        with_model!(named, model => {
            let problem = model.problem::<T>(interval).map_err(of_sde)?;
            let noise = model.noise::<T>(settings.seed).map_err(of_sde)?;
            let noise = settings.mirrored(Box::new(noise))?;
            let collector = Observed::new(model, interval.0, &statistics);
            let scheme = model.scheme::<T>();
            let run = ensemble.run(&problem, &scheme, &*noise, &collector).map_err(of_sde)?;
            finished(run, settings)?.and_then(|collected| collected).map_err(of_sde)
        })
    };
    let collected = attended(py, &watch, settings.threads, settings.progress.as_ref(), solve)?;
    collected.into_dict(py)
}
