//! The command `hpfracc`: fractional derivatives of time series in CSV files, fractional
//! differential equations, stochastic models, neural equations learned from time series,
//! Mittag-Leffler values, pictures.
//!
//! `hpfracc --help` is the manual of the command. Its parts are public: a program can read a
//! [`CsvTable`] and extract a uniform [`Series`]; `hpfracc-plot` draws it.
//!
//! ```
//! use hpfracc::prelude::*;
//! use hpfracc_cli::{CsvTable, Missing, Series, SeriesOptions};
//! use ndarray::aview1;
//!
//! let table = CsvTable::parse("example", b"year,x\n2001,0\n2002,1\n2003,\n2004,3\n")?;
//! let options = SeriesOptions { missing: Missing::Interpolate, ..SeriesOptions::default() };
//! let series = Series::new(&table, &options)?;
//! assert_eq!(series.values, [0.0, 1.0, 2.0, 3.0]);
//!
//! let half = Caputo::l1(Order::new(0.5)?)?.on(series.grid, &Machine::detect())?;
//! let derivative = half.apply(aview1(&series.values))?;
//! // D^1/2 t = 2 sqrt(t / pi)
//! assert!((derivative[3] - 1.9544100476116797).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "commands"),
    expect(dead_code, unused_imports, reason = "only the commands use all parts")
)]

#[cfg(feature = "commands")]
mod cli;
#[cfg(feature = "commands")]
mod commands;
#[cfg(feature = "commands")]
mod compute;
#[cfg(feature = "commands")]
mod equations;
mod error;
mod input;
mod memory;
pub mod output;
#[cfg(feature = "commands")]
mod ranks;
pub mod text;

#[cfg(feature = "commands")]
pub use cli::{Cli, run};
#[cfg(feature = "commands")]
pub use commands::{functions::mittag_leffler::values_last, train::check_training};
pub use error::{
    CellPosition, Error, FieldsError, FittingError, LongMemoryError, MittagLefflerError,
    SimulationError, TrainingError, TransformError,
};
pub use input::time_axis::TOLERANCE;
pub use input::{ClockFormat, CsvTable, Missing, Series, SeriesOptions, TimeFormat, is_missing};
#[cfg(feature = "commands")]
pub use ranks::Ranks;
