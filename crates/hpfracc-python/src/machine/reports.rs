//! Reports of a machine as JSON and text.

use super::composition::Composition;
use super::settings::text;
use crate::arrays::number;
use crate::errors::{OrRaise, input};
use hpfracc::Machine;
use hpfracc::operators::{OperatorError, named};
use hpfracc::selector::{Direction, Effort, Explanation, Task, Usage, WisdomError};
use hpfracc::types::{Grid, Order, Real};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

/// Length of the grid whose weights tell the kinds of workloads: long enough for the first steps of every scheme. The
/// requested length may exceed the memory.
const SAMPLES: usize = 64;

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| input(error.to_string()))
}

/// Exception of a wisdom file: `FileNotFoundError` and its like where the file cannot be read or written.
pub(super) fn wisdom(error: &WisdomError) -> PyErr {
    match error {
        WisdomError::File { source, .. } => {
            PyErr::from(std::io::Error::new(source.kind(), error.to_string()))
        }
        _ => input(error.to_string()),
    }
}

/// An operator whose backends are explained.
pub(super) struct Request {
    name: String,
    scheme: Option<String>,
    alpha: f64,
    parameters: Vec<(String, f64)>,
    n: usize,
    batch: usize,
    single: bool,
    task: (Direction, Usage),
    measure: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    operator: &'static str,
    scheme: &'static str,
    workloads: &'a [Explanation],
    times: Vec<usize>,
    without: &'a [&'static str],
}

impl Request {
    pub(super) fn of(request: &Bound<'_, PyDict>) -> PyResult<Self> {
        let value =
            |name: &str| request.get_item(name)?.ok_or_else(|| input(format!("{name} is missing")));
        let count = |name: &str| -> PyResult<usize> {
            let found = value(name)?;
            let count = found.extract::<usize>().ok().filter(|count| *count > 0);
            count.ok_or_else(|| {
                input(format!("{name} is {found}, expected a whole number of at least 1"))
            })
        };
        let flag = |name: &str| value(name)?.is_truthy();
        let scheme = value("scheme")?;
        let mut parameters = vec![];
        for (name, parameter) in value("parameters")?.cast_into::<PyDict>()? {
            // Python reserves the word lambda.
            let name = text("the name of a parameter", &name)?.trim_end_matches('_').to_owned();
            let parameter = number(&name, &parameter)?;
            parameters.push((name, parameter));
        }
        let (transpose, once) = (flag("transpose")?, flag("once")?);
        let direction = if transpose { Direction::Transpose } else { Direction::Forward };
        Ok(Self {
            name: text("operator", &value("operator")?)?.replace('_', "-"),
            scheme: if scheme.is_none() { None } else { Some(text("scheme", &scheme)?) },
            alpha: number("alpha", &value("alpha")?)?,
            parameters,
            n: count("n")?,
            batch: count("batch")?,
            single: flag("single")?,
            task: (direction, if once { Usage::Once } else { Usage::Repeated }),
            measure: flag("measure")?,
        })
    }

    /// Explanations as JSON, and as text.
    pub(super) fn explain(&self, machine: &Machine) -> PyResult<(String, String)> {
        let parameters: Vec<(&str, f64)> =
            self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let order = Order::new(self.alpha).or_raise()?;
        let operator = named(&self.name, self.scheme.as_deref(), order, &parameters).or_raise()?;
        let weights = operator.weights(Grid::uniform(SAMPLES, 1.0).or_raise()?).or_raise()?;
        let mut made_of = Composition::default();
        made_of.add(&weights, self.n, self.batch);
        let one = |(workload, _): &(_, usize)| {
            let (direction, usage) = self.task;
            let task = Task { workload: *workload, direction, usage };
            if self.single {
                explain::<f32>(machine, task, self.measure)
            } else {
                explain::<f64>(machine, task, self.measure)
            }
        };
        let explanations: Vec<Explanation> =
            made_of.workloads.iter().map(one).collect::<PyResult<_>>()?;
        let (name, scheme) = operator.name();
        let document = Document {
            operator: name,
            scheme,
            workloads: &explanations,
            times: made_of.workloads.iter().map(|(_, times)| *times).collect(),
            without: &made_of.without,
        };
        let mut text = format!("{name}, scheme {scheme}\n");
        for (explanation, times) in explanations.iter().zip(&document.times) {
            if *times > 1 {
                text += &format!("applied {times} times: ");
            }
            text += &explanation.to_string();
        }
        for part in &made_of.without {
            text += &format!("without a backend: {part}\n");
        }
        Ok((json(&document)?, text))
    }
}

fn explain<T: Real>(machine: &Machine, task: Task, measure: bool) -> PyResult<Explanation> {
    if measure {
        let measured = machine.measure::<T>(task.workload, Effort::Measure);
        measured.map_err(OperatorError::Backend).or_raise()?;
    }
    machine.explain::<T>(task).map_err(OperatorError::Backend).or_raise()
}
