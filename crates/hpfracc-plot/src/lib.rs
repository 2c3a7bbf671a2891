//! Pictures and tables of numerical results.
//!
//! A [`Sheet`] has [`Chart`]s of [`Curve`]s: lines, dots, rings, dashes and [bands](band), over
//! linear, logarithmic and date [axes](Axis). [`Picture`] stacks time series, [`Fan`] draws
//! quantiles, [`Bars`] compares ratios, [`NodeGraph`] draws nodes in layers, [`Multiples`] many
//! small charts. Fields have a colour for each pair of two numbers: [`HeatMap`] draws one of them,
//! also over space and time, [`HeatMaps`] one at several times, and an [`Animation`] is an animated
//! PNG of maps or of curves. A [`Table`] of columns becomes a CSV file or a chart of all of them:
//!
//! ```
//! use hpfracc_plot::Table;
//!
//! let t: Vec<f64> = (0..=100).map(|j| f64::from(j) / 10.0).collect();
//! let wave: Vec<f64> = t.iter().map(|t| t.sin()).collect();
//! let table = Table::new("t", t).with("sin t", wave);
//!
//! let folder = tempfile::tempdir()?;
//! table.write_csv(folder.path().join("wave.csv"))?;
//! table.plot(folder.path().join("wave.svg"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pictures are SVG or PNG. Texts are outlines of a built-in font, each with its text as a label
//! that screen readers and searches find: a picture is the same on every machine. [`write_file`]
//! writes a file completely or not at all.
#![forbid(unsafe_code)]

mod animation;
mod bars;
mod canvas;
mod chart;
mod error;
mod fan;
mod files;
mod format;
mod maps;
mod node_graph;
mod picture;
mod sheet;
mod table;

pub use animation::{Animation, Profile, Profiles};
pub use bars::Bars;
pub use chart::{Axis, AxisScale, Chart, Curve, Mark, Multiples, band};
pub use error::PlotError;
pub use fan::Fan;
pub use files::{PendingFile, remove_leftovers, resolve, write_file};
pub use format::Format;
pub use maps::{HeatMap, HeatMaps, MapFrame};
pub use node_graph::{GraphEdge, GraphNode, NodeGraph, NodeShape};
pub use picture::{Panel, Picture};
pub use sheet::Sheet;
pub use table::Table;

/// Compiles and runs the example of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
