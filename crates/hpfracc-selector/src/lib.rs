//! An autotuner: a backend made of backends that learns which one is the fastest for each workload.
//!
//! A [`Selector`] is a [`Backend`](hpfracc_backend::Backend) that passes each workload to one of
//! its [`Candidate`]s. The [`Experience`], shared by the selectors of single and of double
//! precision, owns everything that was learned:
//!
//! | part | content |
//! |---|---|
//! | cost models | expected time of a candidate for any size of a kind of work, with its uncertainty: [`UnitCosts`] fitted to timings, and the residual interpolated between neighbouring sizes |
//! | timings | times of each candidate for one workload, forward and transposed; the preferred candidate; the next trial |
//! | health | devices that failed, and how long they rest |
//! | history | changes of choices and their reasons: [`Experience::history`] |
//!
//! **Choosing.** A new map is bound to the candidate that is fastest for the mean number of
//! applications of the workload. It adds up what it loses by not running the fastest one per
//! application, and moves there when the loss reaches the price of binding it: the ski rental rule,
//! which never pays more than twice the least possible. A settled choice costs two loads and a
//! comparison.
//!
//! **Exploration.** A candidate that is not expected to be the fastest is tried when the expected
//! improvement under its uncertainty, times the expected number of future executions (four for each
//! past one), exceeds the price of the trial, and all trials together stay within [`Exploration`].
//! A candidate that was not run for long becomes uncertain again, so that a device that has become
//! free is noticed.
//!
//! **Methods of solvers.** [`Experience`] is an [`Autotuner`](hpfracc_backend::Autotuner): a solver
//! that has several methods for a piece of work asks it by sizes and reports the time. Cost models,
//! exploration rule, history, explanations ([`Experience::explain_work`]) and wisdom are the same.
//!
//! **Wisdom.** [`Experience::save_wisdom`] and [`Experience::load_wisdom`] store timings in a file.
//!
//! ```
//! use hpfracc_backend::{Backend, Reference, Workload};
//! use hpfracc_selector::{Candidate, Experience, Prior, Selector, Settings};
//!
//! let experience = Experience::new(Settings::default());
//! let loops = Candidate::new(Reference, Prior::LOOPS);
//! let selector = Selector::<f32>::new(vec![loops], experience)?;
//! let expected = selector.predict(Workload::Dense { rows: 64, cols: 64, batch: 8 })?;
//! assert!(expected[0].low < expected[0].seconds && expected[0].seconds < expected[0].high);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Times come from a [`Clock`], which tests simulate. The crate reads no environment variable and
//! has no global state except a counter of threads.
#![forbid(unsafe_code)]

mod autotuner;
mod candidate;
mod choice;
mod clock;
mod cost;
mod error;
mod experience;
mod memory_limits;
mod report;
mod settings;
mod task;
mod wisdom;

pub use candidate::{Candidate, FreeMemory, Place};
pub use choice::selector::Selector;
pub use clock::{Clock, SystemClock};
pub use cost::prior::{Prior, UnitCosts};
pub use error::{CandidatesError, WisdomError};
pub use experience::Experience;
pub use experience::events::{Event, Occurrence};
pub use experience::timers::Timer;
pub use hpfracc_backend::Direction;
pub use memory_limits::MemoryLimits;
pub use report::explain::{ExplainedTask, Explanation, Prediction, Row, Source};
pub use report::summary::{SubjectUse, Summary, TimerUse};
pub use settings::{Effort, Exploration, Settings};
pub use task::{Scalar, Subject, Task, Usage, WorkSizes};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
