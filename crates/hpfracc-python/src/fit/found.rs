//! Results of fits, which own their data.

use super::bootstrap::{PyBootstrap, scheme};
use super::failure::{of_fit, of_sample};
use super::model::SetModel;
use super::posterior::PyPosterior;
use super::problem::{DataSet, Problem, SetArguments, indices};
use super::settings::Settings;
use super::summary;
use super::watch::{self, Place, Watch};
use crate::{arrays, errors};
use hpfracc::fit::bootstrap::Resampling;
use hpfracc::fit::sample::Nuts;
use hpfracc::fit::{DetachedFound, Fit, FitError, Found, Interval};
use hpfracc::ndarray::Array2;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Result of a fit: data and models, and what the fit found, apart from them.
#[pyclass(frozen, name = "FitResult", module = "hpfracc._hpfracc")]
pub(super) struct PyFound {
    problem: Problem,
    detached: DetachedFound,
}

fn problem(py: Python<'_>, sets: Vec<SetArguments<'_>>) -> PyResult<Problem> {
    let sets = sets.into_iter().map(|set| DataSet::new(py, set)).collect::<PyResult<_>>()?;
    Ok(Problem { sets })
}

/// Fits sets of data.
#[pyfunction]
#[pyo3(signature = (sets, settings, progress))]
pub(super) fn fit_run(
    py: Python<'_>,
    sets: Vec<SetArguments<'_>>,
    settings: Settings,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyFound> {
    settings.check()?;
    let problem = problem(py, sets)?;
    let place = if problem.has_function() { Place::Caller } else { Place::Thread };
    let detached = watch::run(py, place, progress, |watch| {
        let mut hook = |at: hpfracc::fit::Progress| watch.progress(at.passes as u64, 0, at.cost);
        let fit = settings.apply(Fit::of(problem.sets())?)?;
        Ok::<_, FitError>(fit.cancel(watch.cancel()).progress(&mut hook).run()?.detach())
    })
    .and_then(|result| problem.finish_fit(result));
    Ok(PyFound { detached: problem.finish(detached)?, problem })
}

/// Memory that a fit takes beyond its data: threads, and bytes of its parts.
#[pyfunction]
#[pyo3(signature = (sets, settings))]
pub(super) fn fit_plan<'py>(
    py: Python<'py>,
    sets: Vec<SetArguments<'py>>,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    settings.check()?;
    let problem = problem(py, sets)?;
    let plan = Fit::of(problem.sets()).and_then(|fit| settings.apply(fit)).map_err(of_fit)?.plan();
    let all = PyDict::new(py);
    all.set_item("threads", plan.threads)?;
    all.set_item("bytes_per_thread", plan.bytes_per_thread)?;
    all.set_item("factor_bytes", plan.factor_bytes)?;
    all.set_item("sandwich_bytes", plan.sandwich_bytes)?;
    all.set_item("residual_bytes", plan.residual_bytes)?;
    all.set_item("bytes", plan.bytes())?;
    Ok(all)
}

/// Value, standard error, ends of the confidence interval and of the prediction interval of a response, by row.
type Band<'py> = [Bound<'py, PyArray1<f64>>; 6];

impl PyFound {
    /// Calls a function with the result, without the interpreter's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&Found<'_>) -> Result<T, FitError> + Send,
    ) -> PyResult<T> {
        let result = py
            .detach(|| self.detached.attach(self.problem.sets(), None).and_then(|found| f(&found)));
        self.problem.finish_fit(result)
    }

    /// The same for a long computation.
    fn run<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        exception: fn(E) -> PyErr,
        f: impl FnOnce(&Found<'_>, &Watch) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let result = watch::run(py, Place::Thread, progress, |watch| {
            let found = self.detached.attach(self.problem.sets(), Some(watch.cancel()));
            found.map_err(of_fit).and_then(|found| f(&found, watch).map_err(exception))
        })
        .and_then(|result| result);
        self.problem.finish(result)
    }

    /// Calls a function with the result, the set whose model is for new inputs, and these inputs, a column each.
    fn at<T: Send>(
        &self,
        py: Python<'_>,
        set: usize,
        (x, inputs): (&Bound<'_, PyAny>, Vec<Vec<f64>>),
        f: impl FnOnce(&Found<'_>, &[&[f64]]) -> Result<T, FitError> + Send,
    ) -> PyResult<T> {
        let Some(of) = self.problem.sets.get(set) else {
            return Err(errors::input(format!("there is no set {set}")));
        };
        let SetModel::Function(_) = of.model else {
            let columns: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
            return self.with(py, |found| f(found, &columns));
        };
        let inputs = indices(inputs.first().map_or(0, Vec::len));
        let other = (of.source.get().of_set(&inputs, x)?, inputs);
        let sets = self.problem.sets.iter().enumerate();
        let sets = sets.map(|(k, of)| of.set((k == set).then_some(&other))).collect();
        let columns: Vec<&[f64]> = other.1.iter().map(Vec::as_slice).collect();
        let result =
            py.detach(|| self.detached.attach(sets, None).and_then(|found| f(&found, &columns)));
        other.0.take_failure().map_or(result.map_err(of_fit), Err)
    }
}

fn columns(all: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<Vec<f64>>> {
    all.iter().map(|column| arrays::vector("x", column)).collect()
}

#[pymethods]
impl PyFound {
    /// Plain values of the result.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.detached.attach(self.problem.sets(), None).map_err(of_fit)?;
        summary::of_found(py, &found)
    }

    /// Report: a table of the estimates, and what limits their meaning.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |found| Ok(found.to_string()))
    }

    fn interval(&self, py: Python<'_>, name: &str, level: f64) -> PyResult<Option<(f64, f64)>> {
        self.with(py, |found| found.interval(name, level))
    }

    fn derived(&self, py: Python<'_>, expression: &str) -> PyResult<(f64, Option<f64>)> {
        self.with(py, |found| found.derived(expression))
    }

    /// Estimate, interval, points, and a lower cost than that of the fit.
    #[expect(clippy::type_complexity, reason = "a tuple for Python")]
    fn profile<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        level: f64,
    ) -> PyResult<(f64, (Option<f64>, Option<f64>), Bound<'py, PyArray2<f64>>, Option<f64>)> {
        let profile = self.run(py, None, of_fit, |found, _| found.profile(name, level))?;
        let points = &profile.points;
        let points = Array2::from_shape_fn((points.len(), 2), |(k, of)| {
            if of == 0 { points[k].0 } else { points[k].1 }
        });
        let points = PyArray2::from_owned_array(py, points);
        Ok((profile.estimate, profile.interval, points, profile.lower_cost))
    }

    fn bootstrap(
        &self,
        py: Python<'_>,
        resampling: (&str, Option<usize>),
        replicates: u32,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyBootstrap> {
        let settings = Resampling { scheme: scheme(resampling)?, replicates, seed };
        let names = self.with(py, |found| Ok(names(found)))?;
        let bootstrap = self.run(py, progress, of_fit, |found, watch| {
            let report = |at: hpfracc::fit::bootstrap::Progress| {
                watch.progress(at.replicates.into(), at.of.into(), f64::NAN);
            };
            found.bootstrap_watched(&settings, &report)
        })?;
        Ok(PyBootstrap { bootstrap, names })
    }

    #[expect(clippy::too_many_arguments, reason = "one for each keyword of the method")]
    fn sample(
        &self,
        py: Python<'_>,
        draws: u32,
        chains: u32,
        warm_up: u32,
        seed: u64,
        acceptance: f64,
        depth: u32,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPosterior> {
        let settings = Nuts { chains, draws, warm_up, seed, acceptance, depth };
        let all = u64::from(draws) + u64::from(warm_up);
        let posterior = self.run(py, progress, of_sample, |found, watch| {
            let report = |at: hpfracc::fit::sample::Progress| {
                if at.chain == 0 {
                    watch.progress(at.draws.into(), all, f64::NAN);
                }
            };
            found.sample_watched(&settings, &report)
        })?;
        Ok(PyPosterior { posterior })
    }

    /// Draws of an expression, chain by chain.
    fn derived_draws<'py>(
        &self,
        py: Python<'py>,
        posterior: &PyPosterior,
        expression: &str,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let draws = self.with(py, |found| found.derived_draws(&posterior.posterior, expression))?;
        let length = draws.first().map_or(0, Vec::len);
        let draws = Array2::from_shape_fn((draws.len(), length), |(chain, k)| draws[chain][k]);
        Ok(PyArray2::from_owned_array(py, draws))
    }

    /// Responses of a set at new inputs.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        set: usize,
        x: &Bound<'py, PyAny>,
        inputs: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyArray1<f64>>>> {
        let inputs = (x, columns(inputs)?);
        let all = self.at(py, set, inputs, |found, inputs| found.evaluate(set, inputs))?;
        Ok(all.into_iter().map(|column| PyArray1::from_vec(py, column)).collect())
    }

    /// Responses of a set at new inputs, with their intervals.
    fn band<'py>(
        &self,
        py: Python<'py>,
        set: usize,
        x: &Bound<'py, PyAny>,
        inputs: Vec<Bound<'py, PyAny>>,
        level: f64,
    ) -> PyResult<Vec<Band<'py>>> {
        let inputs = (x, columns(inputs)?);
        let all = self.at(py, set, inputs, |found, inputs| found.band(set, inputs, level))?;
        let column = |of: &[Interval], part: fn(&Interval) -> f64| {
            PyArray1::from_vec(py, of.iter().map(part).collect())
        };
        let band = |of: Vec<Interval>| {
            [
                column(&of, |at| at.value),
                column(&of, |at| at.standard_error),
                column(&of, |at| at.confidence.0),
                column(&of, |at| at.confidence.1),
                column(&of, |at| at.prediction.0),
                column(&of, |at| at.prediction.1),
            ]
        };
        Ok(all.into_iter().map(band).collect())
    }

    fn f_test(&self, py: Python<'_>, smaller: &Self) -> PyResult<f64> {
        self.with(py, |found| {
            let smaller = smaller.detached.attach(smaller.problem.sets(), None)?;
            found.f_test(&smaller)
        })
    }

    fn log_evidence(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |found| found.log_evidence())
    }

    /// Error of predictions, and that of each block.
    fn cross_validation(&self, py: Python<'_>, blocks: usize) -> PyResult<(f64, Vec<f64>)> {
        let of = self.run(py, None, of_fit, |found, _| found.cross_validation(blocks))?;
        Ok((of.error, of.blocks))
    }

    /// Name, estimate, refined estimate, standard error, and whether the change is small.
    #[expect(clippy::type_complexity, reason = "a tuple for Python")]
    fn discretisation(
        &self,
        py: Python<'_>,
    ) -> PyResult<Vec<(String, f64, f64, Option<f64>, bool)>> {
        let all = self.run(py, None, of_fit, |found, _| found.discretisation())?;
        let of = |of: hpfracc::fit::Discretisation| {
            let small = of.is_small();
            (of.name, of.value, of.refined, of.standard_error, small)
        };
        Ok(all.into_iter().map(of).collect())
    }

    /// Count, runs, expected runs, probability, autocorrelation, whether residuals are correlated, and inflation.
    #[expect(clippy::type_complexity, reason = "a tuple for Python")]
    fn residual_tests(
        &self,
        py: Python<'_>,
    ) -> PyResult<Option<(u64, u64, f64, f64, f64, bool, f64)>> {
        let tests = self.with(py, |found| found.residual_tests())?;
        Ok(tests.map(|of| {
            let (correlated, inflation) = (of.are_correlated(), of.inflation());
            let (runs, expected) = (of.runs, of.expected_runs);
            (of.count, runs, expected, of.probability, of.autocorrelation, correlated, inflation)
        }))
    }
}

fn names(found: &Found<'_>) -> Vec<String> {
    found.names().into_iter().map(str::to_owned).collect()
}
