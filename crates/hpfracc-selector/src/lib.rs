//! A backend made of backends: the right one for every workload, learned from this machine.
//!
//! A [`Selector`] is a [`Backend`](hpfracc_backend::Backend) that hands each workload to one of its
//! [`Candidate`]s. What it has learned is an [`Experience`], shared by the selectors of single and of
//! double precision:
//!
//! | part | what it knows |
//! |---|---|
//! | cost models | what a candidate takes for any size of a kind, and how uncertain that is: a [`Law`] fitted to timings, and the residual interpolated between neighbours |
//! | sites | what each candidate has taken for one workload, forward and transposed; which is preferred; what is worth trying |
//! | health | which devices have failed, and how long they rest |
//! | history | what changed, and why: [`Experience::history`] |
//!
//! **Choosing.** A new map is bound to the candidate that is quickest for as many applications as the
//! workload usually sees. It keeps count of what it loses by not running the quickest one, and moves
//! there when the loss reaches the price of binding it: the rule of ski rental, which never pays more
//! than twice the least possible. Once settled, a choice costs two loads and a comparison.
//!
//! **Trying.** A candidate that is not expected to win is run when the gain that its uncertainty leaves
//! room for, times the executions to be expected (four for each seen so far), exceeds the price of the trial, and all trials together
//! stay within [`Exploration`]. What was not run for long becomes uncertain again, so that a device that
//! has become free is noticed.
//!
//! **Remembering.** [`Experience::save_wisdom`] and [`Experience::load_wisdom`].
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
//! Times come from a [`Clock`], so that tests can decide how long things take. The crate reads no
//! environment variable and has no global state but a count of threads.
#![forbid(unsafe_code)]

mod autotuner;
mod candidate;
mod choice;
mod clock;
mod cost;
mod error;
mod experience;
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
pub use report::explain::{ExplainedTask, Explanation, Prediction, Row, Source};
pub use report::summary::{Summary, TimerUse, WorkUse, WorkloadUse};
pub use settings::{Effort, Exploration, Limits, Settings};
pub use task::{Direction, Scalar, Subject, Task, Usage, WorkSizes};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
