//! The command `hpfracc`: fractional derivatives of records in CSV files, fractional differential
//! equations, stochastic models, neural equations learned from records, Mittag-Leffler values, pictures.
//!
//! The command is the crate's purpose; `hpfracc --help` is its manual. The parts are public so that
//! a program can solve one of the named [`systems`] and draw a [`plot::Sheet`] of its own, or read a
//! [`Record`] as the command does, take a uniform [`Series`] out of it and draw a [`plot::Picture`]:
//!
//! ```
//! use hpfracc::prelude::*;
//! use hpfracc_cli::{Choice, Missing, Record, Series};
//! use ndarray::aview1;
//!
//! let record = Record::parse("example", b"year,x\n2001,0\n2002,1\n2003,\n2004,3\n")?;
//! let choice = Choice { missing: Missing::Interpolate, ..Choice::default() };
//! let series = Series::new(&record, &choice)?;
//! assert_eq!(series.values, [0.0, 1.0, 2.0, 3.0]);
//!
//! let half = Caputo::l1(Order::new(0.5)?)?.on(series.grid, &Machine::detect())?;
//! let derivative = half.apply(aview1(&series.values))?;
//! // D^1/2 t = 2 sqrt(t / pi)
//! assert!((derivative[3] - 1.9544100476116797).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod args;
mod asked;
mod calendar;
mod causes;
mod clock;
mod columns;
mod columns_of_text;
pub mod complex;
mod devices;
mod diff;
mod environment;
mod equations;
mod error;
mod explain;
mod missing;
mod mittag_leffler;
mod operators;
pub mod output;
mod parameters;
mod place;
pub mod plot;
mod progress;
mod quantile;
mod record;
mod rows;
mod run;
mod schemes;
mod series;
mod simulate;
mod solve;
mod stream;
pub mod systems;
mod threads;
mod time_axis;
mod train;
mod transform;
mod uneven;
mod workloads;

pub use args::{Cli, values_last};
pub use causes::with_causes;
pub use clock::Clock;
pub use error::Error;
pub use missing::Missing;
pub use place::Place;
pub use record::{Record, is_missing};
pub use run::run;
pub use series::{Choice, Series};
pub use simulate::SimulationRefused;
pub use time_axis::TOLERANCE;
pub use train::{TrainingRefused, check_training};
pub use transform::TransformRefused;
