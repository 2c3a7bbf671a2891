//! Reports of a machine: explanations, predictions, history, summary, wisdom files.

use crate::machine::Machine;
use hpfracc_backend::{BackendError, Work, Workload};
use hpfracc_selector::{
    Effort, Event, Experience, Explanation, Prediction, Summary, Task, Timer, WisdomError,
};
use hpfracc_types::Real;
use std::path::Path;
use std::sync::Arc;

impl Machine {
    /// The backend that a task would go to now, and why; as text, a table of all backends.
    ///
    /// A workload converts to the task of its forward map, applied many times. All backends that
    /// have an algorithm for it are planned, those on GPUs too if the adapters are listed or the
    /// workload is large enough to list them.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero.
    pub fn explain<T: Real>(&self, task: impl Into<Task>) -> Result<Explanation, BackendError> {
        let task = task.into();
        self.parts.selector::<T>(task.workload).explain(task)
    }

    /// The method that a piece of work of a solver would be given now, and why: see
    /// [`Autotuner`](crate::backend::Autotuner).
    pub fn explain_work(&self, work: &Work<'_>) -> Explanation {
        self.parts.experience.explain_work(work)
    }

    /// Expected times of the backends for a task; nothing is planned or run.
    ///
    /// # Errors
    /// Those of [`Machine::explain`].
    pub fn predict<T: Real>(&self, task: impl Into<Task>) -> Result<Vec<Prediction>, BackendError> {
        let task = task.into();
        self.parts.selector::<T>(task.workload).predict(task)
    }

    /// Name of the backend that a map of this workload, applied many times, is expected to settle
    /// on; nothing is planned or run. None if no backend has an algorithm for it.
    ///
    /// # Errors
    /// Those of [`Machine::explain`].
    pub fn chosen<T: Real>(&self, workload: Workload) -> Result<Option<String>, BackendError> {
        let selector = self.parts.selector::<T>(workload);
        selector.predict(workload)?;
        Ok(selector.preferred(workload).map(str::to_owned))
    }

    /// Measures the backends that could be the fastest, on internal buffers: see
    /// [`Selector::measure`](crate::selector::Selector::measure).
    ///
    /// # Errors
    /// Those of that function.
    pub fn measure<T: Real>(&self, workload: Workload, effort: Effort) -> Result<(), BackendError> {
        self.parts.selector::<T>(workload).measure(workload, effort)
    }

    /// The experience: all timings, of both precisions and of methods of solvers.
    pub fn experience(&self) -> &Arc<Experience> {
        &self.parts.experience
    }

    /// The latest events, oldest first: changes of choices, trials, failures of devices.
    pub fn history(&self) -> Vec<Event> {
        self.parts.experience.history()
    }

    /// Executions so far: counts and times by workload, and those of timers.
    pub fn summary(&self) -> Summary {
        self.parts.experience.summary()
    }

    /// Clears the experience. Devices that rest after a failure continue to rest.
    pub fn reset(&self) {
        self.parts.experience.reset();
    }

    /// Measures the time until the guard is dropped; [`Machine::summary`] has the sums by label.
    pub fn timer<'a>(&'a self, label: &'a str) -> Timer<'a> {
        self.parts.experience.timer(label)
    }

    /// Writes all timings to a wisdom file, which several processes may write at once: see
    /// [`Experience::save_wisdom`]. Lists the adapters first.
    ///
    /// A machine with [`Settings::wisdom`](crate::Settings::wisdom) writes the file when its last
    /// clone is dropped, which does not happen if the process ends by `std::process::exit` or the
    /// machine is a static variable.
    ///
    /// # Errors
    /// Those of [`Experience::save_wisdom`].
    pub fn save_wisdom(&self, path: impl AsRef<Path>) -> Result<(), WisdomError> {
        self.parts.complete();
        self.parts.experience.save_wisdom(path)
    }

    /// Adds the timings of a wisdom file and returns their number: see
    /// [`Experience::load_wisdom`]. Lists the adapters first.
    ///
    /// # Errors
    /// Those of [`Experience::load_wisdom`].
    pub fn load_wisdom(&self, path: impl AsRef<Path>) -> Result<usize, WisdomError> {
        self.parts.complete();
        self.parts.experience.load_wisdom(path)
    }

    /// Why the file of [`Settings::wisdom`](crate::Settings::wisdom) was ignored, if it was: it is
    /// for another machine, another version or other backends.
    pub fn wisdom_refused(&self) -> Option<&str> {
        self.parts.wisdom_refused.get().map(String::as_str)
    }
}
