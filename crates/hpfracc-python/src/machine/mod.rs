//! The machine: backends of this computer and what was learned about them.

mod composition;
mod devices;
mod reports;
mod settings;

use crate::errors::OrRaise;
use crate::running::fork;
use hpfracc::Machine;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyMachine>()?;
    devices::register(module)
}

/// The machine of this process, with the settings of the environment.
///
/// # Errors
/// `InputError` for an invalid environment variable.
pub(crate) fn default() -> PyResult<&'static Machine> {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    fork::ready();
    if let Some(machine) = MACHINE.get() {
        return Ok(machine);
    }
    let machine = Machine::from_env().or_raise()?;
    Ok(MACHINE.get_or_init(|| machine))
}

/// The machine of an argument `machine=`, or that of this process.
///
/// # Errors
/// Those of [`default`].
pub(crate) fn of(machine: Option<&Bound<'_, PyMachine>>) -> PyResult<Machine> {
    match machine {
        Some(machine) => Ok(machine.get().machine().clone()),
        None => default().cloned(),
    }
}

/// Base of the class `hpfracc.Machine`.
#[pyclass(name = "MachineCore", module = "hpfracc._hpfracc", frozen, subclass)]
pub(crate) struct PyMachine {
    machine: Machine,
}

impl PyMachine {
    pub(crate) fn machine(&self) -> &Machine {
        fork::ready();
        &self.machine
    }
}

#[pymethods]
impl PyMachine {
    /// A machine with the settings of a dict, or that of this process.
    #[new]
    fn new(py: Python<'_>, arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let machine = match arguments {
            None => default()?.clone(),
            Some(arguments) => {
                fork::ready();
                let settings = settings::of(arguments)?;
                py.detach(|| Machine::with(&settings)).or_raise()?
            }
        };
        Ok(Self { machine })
    }

    /// Names of the backends that a machine can be restricted to.
    #[staticmethod]
    fn backend_names() -> Vec<String> {
        Machine::backend_names().to_vec()
    }

    /// Explanations of the workloads of an operator, as JSON and text.
    fn explain_operator(
        &self,
        py: Python<'_>,
        request: &Bound<'_, PyDict>,
    ) -> PyResult<(String, String)> {
        let request = reports::Request::of(request)?;
        py.detach(|| request.explain(self.machine()))
    }

    /// Executions so far, as JSON and text.
    fn summary_texts(&self) -> PyResult<(String, String)> {
        let summary = self.machine().summary();
        Ok((reports::json(&summary)?, summary.to_string()))
    }

    /// Latest events, as text.
    fn history(&self) -> Vec<String> {
        self.machine().history().iter().map(ToString::to_string).collect()
    }

    /// Forgets all timings.
    fn reset(&self) {
        self.machine().reset();
    }

    fn save_wisdom(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.machine().save_wisdom(&path)).map_err(|e| reports::wisdom(&e))
    }

    fn load_wisdom(&self, py: Python<'_>, path: PathBuf) -> PyResult<usize> {
        py.detach(|| self.machine().load_wisdom(&path)).map_err(|e| reports::wisdom(&e))
    }

    fn wisdom_refused(&self) -> Option<String> {
        self.machine().wisdom_refused().map(str::to_owned)
    }
}
