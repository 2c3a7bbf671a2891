//! What a machine tells of its choices, and what it remembers.

use crate::Machine;
use hpfracc_backend::{BackendError, Workload};
use hpfracc_selector::{
    Effort, Event, Experience, Explanation, Prediction, Summary, Task, Timer, WisdomError,
};
use hpfracc_types::Real;
use std::path::Path;
use std::sync::Arc;

impl Machine {
    /// Where a task would go now, and why; as text, a table of all backends.
    ///
    /// A workload alone stands for its forward map applied again and again. All backends that could
    /// take it are planned, on a GPU as well if it was listed or if the workload is one for which it
    /// would be.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero.
    pub fn explain<T: Real>(&self, task: impl Into<Task>) -> Result<Explanation, BackendError> {
        let task = task.into();
        self.selector::<T>(task.workload).explain(task)
    }

    /// Expected times of the backends for a task; nothing is planned or run.
    ///
    /// # Errors
    /// As [`Machine::explain`].
    pub fn predict<T: Real>(&self, task: impl Into<Task>) -> Result<Vec<Prediction>, BackendError> {
        let task = task.into();
        self.selector::<T>(task.workload).predict(task)
    }

    /// Name of the backend that a map of this workload, applied again and again, is expected to
    /// settle on; nothing is planned or run. None if no backend could take it.
    ///
    /// # Errors
    /// As [`Machine::explain`].
    pub fn chosen<T: Real>(&self, workload: Workload) -> Result<Option<String>, BackendError> {
        let selector = self.selector::<T>(workload);
        selector.predict(workload)?;
        Ok(selector.preferred(workload).map(str::to_owned))
    }

    /// Times the backends that could win, on buffers of its own: see
    /// [`Selector::measure`](crate::selector::Selector::measure).
    ///
    /// # Errors
    /// As there.
    pub fn measure<T: Real>(&self, workload: Workload, effort: Effort) -> Result<(), BackendError> {
        self.selector::<T>(workload).measure(workload, effort)
    }

    /// What was learned, by selectors of either precision.
    pub fn experience(&self) -> &Arc<Experience> {
        &self.parts.experience
    }

    /// The latest events, oldest first: choices that changed, trials, devices that failed.
    pub fn history(&self) -> Vec<Event> {
        self.parts.experience.history()
    }

    /// What was executed so far: counts and times by workload, and those of timers.
    pub fn summary(&self) -> Summary {
        self.parts.experience.summary()
    }

    /// Forgets all that was learned. Devices that rest after a failure go on resting.
    pub fn reset(&self) {
        self.parts.experience.reset();
    }

    /// Times the code until the guard is dropped; [`Machine::summary`] shows the sum by label.
    pub fn timer<'a>(&'a self, label: &'a str) -> Timer<'a> {
        self.parts.experience.timer(label)
    }

    /// Writes what was learned to a file that other processes may be writing, too: see
    /// [`Experience::save_wisdom`]. Adapters are listed first.
    ///
    /// A machine with [`Settings::wisdom`](crate::Settings::wisdom) does so by itself when its last
    /// clone is dropped, which does not happen where a process is ended by `std::process::exit` or the
    /// machine lies in a static variable.
    ///
    /// # Errors
    /// As there.
    pub fn save_wisdom(&self, path: impl AsRef<Path>) -> Result<(), WisdomError> {
        self.complete();
        self.parts.experience.save_wisdom(path)
    }

    /// Takes what a file holds, and returns how many timings that is: see
    /// [`Experience::load_wisdom`]. Adapters are listed first.
    ///
    /// # Errors
    /// As there.
    pub fn load_wisdom(&self, path: impl AsRef<Path>) -> Result<usize, WisdomError> {
        self.complete();
        self.parts.experience.load_wisdom(path)
    }

    /// Why the file of [`Settings::wisdom`](crate::Settings::wisdom) was left aside, if it was: it is
    /// for another machine, another version or other backends.
    pub fn wisdom_refused(&self) -> Option<&str> {
        self.parts.wisdom_refused.get().map(String::as_str)
    }
}
