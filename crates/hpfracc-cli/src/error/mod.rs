//! Errors of the commands; messages name the value and its position.

#[macro_use]
mod convert;
mod cell_position;
mod exit_code;
mod fields;
mod fitting;
mod long_memory;
mod mittag_leffler;
mod picture;
mod simulation;
mod training;
mod transform;

use crate::text::{mebibytes, rounded};
use hpfracc::{equation::EquationError, operators::OperatorError};
use std::io;
use thiserror::Error;

pub(crate) use training::by_keys;
pub use {cell_position::CellPosition, fields::FieldsError, fitting::FittingError};
pub use {long_memory::LongMemoryError, mittag_leffler::MittagLefflerError};
pub use {simulation::SimulationError, training::TrainingError, transform::TransformError};

/// Error of a command.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Ranks that do not work together, or an error of one of them.
    #[error("{0}")]
    Ranks(String),
    /// I/O error while reading an input.
    #[error("cannot read {name}: {source}")]
    Read {
        /// File as named on the command line, or `<stdin>`.
        name: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// I/O error while writing an output.
    #[error("cannot write {name}: {source}")]
    Write {
        /// File as named on the command line, or `<stdout>`.
        name: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Empty file.
    #[error("{name}: the file is empty; expected a line of column names, then one sample per line")]
    EmptyFile {
        /// The file.
        name: String,
    },
    /// First line of numbers and dates only: reading it as the header would lose a sample.
    #[error("{name}: row {row} holds numbers or dates only (`{cells}`); expected a line of column names{}",
        if *.row > 1 { ", without # at its start" } else { "" })]
    NoHeader {
        /// The file.
        name: String,
        /// The line, from 1.
        row: u64,
        /// The first line.
        cells: String,
    },
    /// Two columns with the same name.
    #[error("{name}: row 1: columns {first} and {second} are both named `{column}`")]
    DuplicateColumn {
        /// The file.
        name: String,
        /// The name that occurs twice.
        column: String,
        /// Number of the first of the two, from 1.
        first: usize,
        /// Number of the second.
        second: usize,
    },
    /// Row with too few or too many cells.
    #[error("{name}: row {row} has {found} cells, the header has {expected}")]
    RaggedRow {
        /// The file.
        name: String,
        /// The line, from 1.
        row: u64,
        /// Cells in this row.
        found: usize,
        /// Cells in the header.
        expected: usize,
    },
    /// Row longer than the limit.
    #[error("{name}: row {row} is longer than {longest} bytes, the maximum")]
    RowTooLong {
        /// The file.
        name: String,
        /// The line, from 1.
        row: u64,
        /// Maximum number of bytes of a row.
        longest: usize,
    },
    /// Memory that is not available.
    #[error("{what} needs {} of memory, {} are available; {instead}", mebibytes(*.needed), mebibytes(*.available))]
    Memory {
        /// What needs the memory.
        what: String,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that are available.
        available: u64,
        /// What to do instead.
        instead: &'static str,
    },
    /// Malformed CSV.
    #[error("{name}: {source}")]
    Csv {
        /// The file.
        name: String,
        /// Error of the CSV reader.
        source: csv::Error,
    },
    /// Unknown name.
    #[error("{owner}no {kind} `{name}`; the {kind}s are {known}{suggestion}")]
    Unknown {
        /// Start of the message: the file or the equation, or empty.
        owner: String,
        /// `column`, `system`, `parameter`, `component`, `scheme` or `model`.
        kind: &'static str,
        /// Requested name.
        name: String,
        /// Available names.
        known: String,
        /// `; did you mean ...?`, or empty.
        suggestion: String,
    },
    /// Unknown operator, scheme or parameter that resembles a known one.
    #[error("{source}{suggestion}")]
    Misspelt {
        /// Error of the operator.
        source: Box<OperatorError>,
        /// `; did you mean ...?`.
        suggestion: String,
    },
    /// No column, or more than one, qualifies as the input.
    #[error(
        "{name}: {count} columns qualify as the input, expected 1: choose one with --column; the columns are {known}"
    )]
    WhichColumn {
        /// The file.
        name: String,
        /// Numeric columns that are not the time.
        count: usize,
        /// Available names.
        known: String,
    },
    /// Same column for time and input.
    #[error("{name}: column `{column}` cannot be both the time and the input")]
    TimeIsInput {
        /// The file.
        name: String,
        /// The column.
        column: String,
    },
    /// Neither a time column nor a step size.
    #[error(
        "{name}: no time column: choose one with --time or set the step size with --dt; the columns are {known}"
    )]
    NoTime {
        /// The file.
        name: String,
        /// Available names.
        known: String,
    },
    /// Cell that is not a finite number.
    #[error("{place}: `{text}` is not a finite number")]
    NotANumber {
        /// Position of the cell.
        place: Box<CellPosition>,
        /// Text of the cell.
        text: String,
    },
    /// Cell that is not a time in the format of its column.
    #[error("{place}: `{text}` is not {expected}")]
    NotATime {
        /// Position of the cell.
        place: Box<CellPosition>,
        /// Text of the cell.
        text: String,
        /// Format of the column.
        expected: &'static str,
    },
    /// Missing value with `--missing error`.
    #[error(
        "{place}: the value is missing (`{text}`){also}; --missing interpolate fills such gaps, --missing drop removes them at the ends"
    )]
    MissingValue {
        /// Position of the cell.
        place: Box<CellPosition>,
        /// Text of the cell.
        text: String,
        /// Number of further missing values in words, or empty.
        also: String,
    },
    /// Missing value at an end, where interpolation lacks a second neighbour.
    #[error(
        "{place}: the value is missing (`{text}`) at the {end} of the time series, where interpolation has no second neighbour; --missing drop removes such rows"
    )]
    MissingAtEnd {
        /// Position of the cell.
        place: Box<CellPosition>,
        /// Text of the cell.
        text: String,
        /// `start` or `end`.
        end: &'static str,
    },
    /// Missing value inside the series, where dropping the row makes the grid non-uniform.
    #[error(
        "{place}: the value is missing (`{text}`) inside the time series; dropping the row would leave a non-uniform grid, --missing interpolate fills it"
    )]
    MissingInside {
        /// Position of the cell.
        place: Box<CellPosition>,
        /// Text of the cell.
        text: String,
    },
    /// Missing sample in a stream, which fills no gaps.
    #[error("{source}; --stream and --chunk do not support --missing: run without them")]
    NotFilled {
        /// The missing sample.
        source: Box<Error>,
    },
    /// Gap in the time column.
    #[error("{place}: the time goes from `{from}` to `{to}`, {skipped} {rows} of step {} missing; --missing interpolate inserts them", rounded(*.step), rows = if *.skipped == 1 { "row" } else { "rows" })]
    SkippedRows {
        /// Row after the gap.
        place: Box<CellPosition>,
        /// Last time before the gap.
        from: String,
        /// First time after the gap.
        to: String,
        /// Number of missing rows.
        skipped: usize,
        /// The step.
        step: f64,
    },
    /// Gaps longer than the file.
    #[error(
        "{place}: filling the gaps up to `{to}` would insert {inserted} rows into a file of {rows}; check the time"
    )]
    GapTooLong {
        /// Row after the gap.
        place: Box<CellPosition>,
        /// The first time after the gap.
        to: String,
        /// Rows to insert up to here.
        inserted: usize,
        /// Rows of the file.
        rows: usize,
    },
    /// Time that does not increase.
    #[error("{place}: the time `{to}` is not after `{from}`, the previous time")]
    TimeNotIncreasing {
        /// Row of the later time.
        place: Box<CellPosition>,
        /// Previous time.
        from: String,
        /// Time of the row.
        to: String,
    },
    /// Non-uniform steps.
    #[error(
        "{place}: the step from `{from}` to `{to}` is {}, the median step is {}; expected a uniform grid (set --dt if the rows are uniform)",
        rounded(*.step),
        rounded(*.median_step)
    )]
    NotUniform {
        /// The row at the end of the step.
        place: Box<CellPosition>,
        /// Previous time.
        from: String,
        /// Time of the row.
        to: String,
        /// This step.
        step: f64,
        /// The median step.
        median_step: f64,
    },
    /// Non-uniform steps with a scheme that is restricted to uniform grids.
    #[error(
        "{source}; {operator}, scheme {scheme}, requires one; non-uniform times are supported by {known}"
    )]
    NeedsGrid {
        /// Position and sizes of the steps.
        source: Box<Error>,
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
        /// Schemes or operators for non-uniform times, separated by commas.
        known: String,
    },
    /// Times whose difference overflows.
    #[error("{place}: the times from `{from}` to `{to}` are too far apart for double precision")]
    TimesTooFarApart {
        /// Row of the later time.
        place: Box<CellPosition>,
        /// The earlier time.
        from: String,
        /// The later time.
        to: String,
    },
    /// Times whose rounding error exceeds a thousandth of the step.
    #[error(
        "{place}: double precision resolves the time `{time}` to within {} only, more than a thousandth of the step, {}; count the times from the first one, or in whole numbers",
        rounded(*.rounding),
        rounded(*.step)
    )]
    TimesTooCoarse {
        /// The row of the time.
        place: Box<CellPosition>,
        /// The time.
        time: String,
        /// Spacing of double precision numbers at this time.
        rounding: f64,
        /// The median step.
        step: f64,
    },
    /// Gap in a time column with unequal steps, which leaves positions of missing rows
    /// undetermined.
    #[error(
        "{place}: the time goes from `{from}` to `{to}`, about {count} times the median step, {}; --dt does not accept missing rows among unequal steps: insert them with empty cells",
        rounded(*.median_step)
    )]
    SkippedUnequal {
        /// Row after the gap.
        place: Box<CellPosition>,
        /// Last time before the gap.
        from: String,
        /// First time after the gap.
        to: String,
        /// Length of the gap in median steps.
        count: f64,
        /// The median step.
        median_step: f64,
    },
    /// Time series of fewer than two samples.
    #[error("{name}: column `{column}` has {found} {}; expected at least 2", if *.found == 1 { "sample" } else { "samples" })]
    TooFewSamples {
        /// The file.
        name: String,
        /// The column.
        column: String,
        /// Number of samples.
        found: usize,
    },
    /// Sample outside the range of single precision.
    #[error(
        "{name}: column `{column}`: {value:e} at `{time}` is outside the range of f32; use --dtype f64"
    )]
    OutsideF32 {
        /// The file.
        name: String,
        /// The column.
        column: String,
        /// The sample.
        value: f64,
        /// Its time.
        time: String,
    },
    /// Invalid step size.
    #[error("--dt {}: expected a positive finite step", rounded(*.dt))]
    Step {
        /// Requested step.
        dt: f64,
    },
    /// Invalid order.
    #[error("--alpha: {0}")]
    Alpha(hpfracc::types::OrderError),
    /// Error of an operator.
    #[error(transparent)]
    Operator(OperatorError),
    /// First time outside the range of the operator.
    #[error(
        "{place}: {source}; the first time is the parameter `start` unless --set start=VALUE sets it"
    )]
    Start {
        /// Position of the time.
        place: Box<CellPosition>,
        /// Error of the operator.
        source: Box<OperatorError>,
    },
    /// Scheme without a sum-of-exponentials (SOE) form.
    #[error("--stream: {source}; supported schemes: {known}")]
    NoStream {
        /// Error of the operator.
        source: Box<OperatorError>,
        /// Schemes with such a form, separated by commas.
        known: String,
    },
    /// Unknown backend, and a suggestion `; did you mean ...?` or nothing.
    #[error("--backend: {0}{1}")]
    Backend(hpfracc::MachineError, String),
    /// Invalid environment variable, or a machine that it does not allow.
    #[error(transparent)]
    Environment(hpfracc::MachineError),
    /// Error of `hpfracc transform`.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// Error of `hpfracc mittag-leffler`.
    #[error(transparent)]
    MittagLeffler(#[from] MittagLefflerError),
    /// Error of `hpfracc hurst` and `hpfracc difference`.
    #[error(transparent)]
    LongMemory(#[from] LongMemoryError),
    /// Name of a result column with an order other than that of the command line.
    #[error("--operator: the column of `{operator}` has the order {of_name}, --alpha is {alpha}")]
    OtherOrder {
        /// Name of the definition.
        operator: String,
        /// Order in the name.
        of_name: f64,
        /// Order on the command line.
        alpha: f64,
    },
    /// Parameter that is not a name with a finite number.
    #[error("--set {text}: expected NAME=NUMBER with a finite number")]
    BadParameter {
        /// Text on the command line.
        text: String,
    },
    /// Invalid phase portrait.
    #[error("--phase {text}: expected the names of two components, X,Y, which differ")]
    BadPhase {
        /// Text on the command line.
        text: String,
    },
    /// Text that is no equation.
    #[error("{place}: {source}")]
    Equation {
        /// The file, the option, or the name in the catalogue.
        place: String,
        /// Error with the line and what to write instead.
        source: Box<EquationError>,
    },
    /// Neither a name nor a text.
    #[error("expected the name of an equation (hpfracc systems), or --equation TEXT|FILE")]
    NoEquation,
    /// Equation without a solver, or a parameter outside its range.
    #[error(transparent)]
    Library(Box<hpfracc::Error>),
    /// Option without effect next to the other options.
    #[error("{option} {value}: {reason}")]
    OptionUnused {
        /// The option.
        option: &'static str,
        /// Value of the option.
        value: String,
        /// Reason.
        reason: String,
    },
    /// Failure of the ODE solver.
    #[error("solve: {0}")]
    Solve(Box<hpfracc::ode::Failure>),
    /// Error of `hpfracc pde`.
    #[error(transparent)]
    Fields(#[from] FieldsError),
    /// Error of `hpfracc simulate`.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Error of `hpfracc fit`.
    #[error(transparent)]
    Fitting(#[from] FittingError),
    /// Error of `hpfracc train`.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// Thread pool that the operating system refuses.
    #[error("HPFRACC_THREADS: {reason}")]
    Threads {
        /// Error of the operating system.
        reason: String,
    },
    /// Unknown picture format.
    #[error("--plot {path}: the name must end in .svg or .png")]
    PictureFormat {
        /// File as named on the command line.
        path: String,
    },
    /// Same file for two purposes.
    #[error("{path} is named twice: {first} and {second}")]
    SameFile {
        /// The file.
        path: String,
        /// First purpose.
        first: &'static str,
        /// Second purpose.
        second: &'static str,
    },
    /// Error of the drawing library: its message.
    #[error("cannot draw the picture: {0}")]
    Drawing(String),
}
