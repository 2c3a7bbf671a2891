//! A backend made of backends: the right one for every workload, learned from this machine.
#![forbid(unsafe_code)]

mod candidate;
mod clock;
mod error;
mod experience;
mod explain;
mod features;
mod health;
mod history;
mod law;
mod level;
mod map;
mod measure;
mod model;
mod plan;
mod roster;
mod selector;
mod settings;
mod site;
mod summary;
mod tally;
mod task;
mod timer;
mod trial;
mod wisdom;

pub use candidate::{Candidate, FreeMemory, Place};
pub use clock::{Clock, SystemClock};
pub use error::{CandidatesError, WisdomError};
pub use experience::Experience;
pub use explain::{Explanation, Prediction, Row, Source};
pub use history::{Event, Occurrence};
pub use law::{Law, Prior};
pub use selector::Selector;
pub use settings::{Effort, Exploration, Limits, Settings};
pub use summary::{Summary, TimerUse, WorkloadUse};
pub use task::{Direction, Scalar, Task, Usage};
pub use timer::Timer;
