//! Errors of the command, with the value and its place.

mod cell_position;
mod chain;
mod simulation;
mod training;
mod transform;

use crate::text::rounded;
use hpfracc::backend::BackendError;
use hpfracc::operators::OperatorError;
use std::io;
use thiserror::Error;

pub use cell_position::CellPosition;
pub use chain::error_chain;
pub use simulation::SimulationError;
pub use training::TrainingError;
pub(crate) use training::by_keys;
pub use transform::TransformError;

/// What the command answers when it cannot do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    #[error("cannot read {name}: {source}")]
    Read {
        /// The file as it was named, or `<stdin>`.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// An output could not be written.
    #[error("cannot write {name}: {source}")]
    Write {
        /// The file as it was named, or `<stdout>`.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing in the file.
    #[error("{name}: the file is empty; expected a line of column names, then one sample a line")]
    EmptyFile {
        /// The file.
        name: String,
    },
    /// The first line holds numbers and dates only, so a sample would be lost as a header.
    #[error(
        "{name}: row 1 holds numbers or dates only (`{cells}`); expected a line of column names"
    )]
    NoHeader {
        /// The file.
        name: String,
        /// The first line.
        cells: String,
    },
    /// Two columns of one name.
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
    /// A row with too few or too many cells.
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
    /// A row without an end.
    #[error("{name}: row {row} is longer than {longest} bytes")]
    RowTooLong {
        /// The file.
        name: String,
        /// The line, from 1.
        row: u64,
        /// Bytes that a row may have.
        longest: usize,
    },
    /// A file that the CSV format cannot explain.
    #[error("{name}: {source}")]
    Csv {
        /// The file.
        name: String,
        /// What the CSV reader said.
        source: csv::Error,
    },
    /// A column that is not there.
    #[error("{name}: no column `{column}`; the columns are {known}")]
    UnknownColumn {
        /// The file.
        name: String,
        /// The name given.
        column: String,
        /// The names there are.
        known: String,
    },
    /// No column, or more than one, could be the one to differentiate.
    #[error(
        "{name}: {count} columns could be the input, name one with --column; the columns are {known}"
    )]
    WhichColumn {
        /// The file.
        name: String,
        /// Numeric columns that are not the time.
        count: usize,
        /// The names there are.
        known: String,
    },
    /// The record cannot be its own time.
    #[error("{name}: column `{column}` cannot be both the time and the input")]
    TimeIsInput {
        /// The file.
        name: String,
        /// The column.
        column: String,
    },
    /// Neither a time column nor a step.
    #[error(
        "{name}: no time column: name one with --time or give the step with --dt; the columns are {known}"
    )]
    NoTime {
        /// The file.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A cell that should hold a number.
    #[error("{place}: `{text}` is not a finite number")]
    NotANumber {
        /// Where.
        place: Box<CellPosition>,
        /// What stands there.
        text: String,
    },
    /// A cell that should hold a time.
    #[error("{place}: `{text}` is not {expected}")]
    NotATime {
        /// Where.
        place: Box<CellPosition>,
        /// What stands there.
        text: String,
        /// What the column holds otherwise.
        expected: &'static str,
    },
    /// A missing value where none is accepted.
    #[error(
        "{place}: the value is missing (`{text}`){also}; --missing interpolate fills such gaps, --missing drop removes them at the ends"
    )]
    MissingValue {
        /// Where.
        place: Box<CellPosition>,
        /// What stands there.
        text: String,
        /// How many more there are, in words, or nothing.
        also: String,
    },
    /// A gap at an end has one neighbour only.
    #[error(
        "{place}: the value is missing (`{text}`) at the {end} of the record, where interpolation has no second neighbour; --missing drop removes such rows"
    )]
    MissingAtEnd {
        /// Where.
        place: Box<CellPosition>,
        /// What stands there.
        text: String,
        /// `start` or `end`.
        end: &'static str,
    },
    /// Dropping this row would leave a grid that is not uniform.
    #[error(
        "{place}: the value is missing (`{text}`) inside the record; dropping the row would leave a non-uniform grid, --missing interpolate fills it"
    )]
    MissingInside {
        /// Where.
        place: Box<CellPosition>,
        /// What stands there.
        text: String,
    },
    /// A sample that is not there, in a record of which nothing is filled.
    #[error("{source}; but with --stream and --chunk there is no --missing: run without them")]
    NotFilled {
        /// What is missing.
        source: Box<Error>,
    },
    /// Rows that the time column leaves out.
    #[error("{place}: the time goes from `{from}` to `{to}`, {skipped} {rows} of step {} left out; --missing interpolate inserts them", rounded(*.step), rows = if *.skipped == 1 { "row" } else { "rows" })]
    SkippedRows {
        /// The row after the gap.
        place: Box<CellPosition>,
        /// The last time before it.
        from: String,
        /// The first time after it.
        to: String,
        /// Rows left out.
        skipped: usize,
        /// The step.
        step: f64,
    },
    /// More rows left out than there are.
    #[error(
        "{place}: filling the gaps up to `{to}` would insert {inserted} rows into a record of {rows}"
    )]
    GapTooLong {
        /// The row after the gap.
        place: Box<CellPosition>,
        /// The first time after the gap.
        to: String,
        /// Rows to be inserted so far.
        inserted: usize,
        /// Rows of the file.
        rows: usize,
    },
    /// A time that does not lie after the one before it.
    #[error("{place}: the time `{to}` does not lie after `{from}`, the time before it")]
    TimeNotIncreasing {
        /// The row of the later time.
        place: Box<CellPosition>,
        /// The time before.
        from: String,
        /// The time here.
        to: String,
    },
    /// Steps of different length.
    #[error(
        "{place}: the step from `{from}` to `{to}` is {}, the record's step is {}; a uniform grid is needed (or --dt, if the rows are uniform all the same)",
        rounded(*.step),
        rounded(*.usual)
    )]
    NotUniform {
        /// The row at the end of the step.
        place: Box<CellPosition>,
        /// The time before.
        from: String,
        /// The time here.
        to: String,
        /// This step.
        step: f64,
        /// The median step.
        usual: f64,
    },
    /// Steps of different length, for a scheme that has no form for them.
    #[error("{source}; {operator}, scheme {scheme}, needs one; for any times there are {known}")]
    NeedsGrid {
        /// Where the steps differ.
        source: Box<Error>,
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
        /// The schemes or operators that need none, separated by commas.
        known: String,
    },
    /// Times so far from each other that their difference is no number.
    #[error("{place}: the times from `{from}` to `{to}` are too far apart for double precision")]
    TimesTooFarApart {
        /// The row of the later time.
        place: Box<CellPosition>,
        /// The earlier time.
        from: String,
        /// The later time.
        to: String,
    },
    /// Times so far from zero that their own rounding hides the step.
    #[error(
        "{place}: double precision holds the time `{time}` to within {} only, more than a thousandth of the step, {}; count the times from the first one, or in whole numbers",
        rounded(*.rounding),
        rounded(*.step)
    )]
    TimesTooCoarse {
        /// The row of the time.
        place: Box<CellPosition>,
        /// The time.
        time: String,
        /// How far apart numbers of this size may lie.
        rounding: f64,
        /// The median step.
        step: f64,
    },
    /// Rows left out of a time column whose steps are not equal, so that it cannot say where the
    /// rows belong.
    #[error(
        "{place}: the time goes from `{from}` to `{to}`, about {count} of the usual step, {}; --dt is refused where rows are left out of unequal steps: add them, with empty cells",
        rounded(*.usual)
    )]
    SkippedUnequal {
        /// The row after the gap.
        place: Box<CellPosition>,
        /// The last time before it.
        from: String,
        /// The first time after it.
        to: String,
        /// Length of the gap in usual steps.
        count: f64,
        /// The median step.
        usual: f64,
    },
    /// A record needs two samples before it has a step.
    #[error("{name}: column `{column}` has {found} {}; at least 2 are needed", if *.found == 1 { "sample" } else { "samples" })]
    TooFewSamples {
        /// The file.
        name: String,
        /// The column.
        column: String,
        /// Samples there are.
        found: usize,
    },
    /// A sample outside the range of single precision.
    #[error("{name}: column `{column}`: {value:e} at `{time}` is outside the range of f32")]
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
    /// The step given is no step.
    #[error("--dt {}: the step must be positive and finite", rounded(*.dt))]
    Step {
        /// The step given.
        dt: f64,
    },
    /// The order given is no order.
    #[error("--alpha: {0}")]
    Alpha(hpfracc::types::OrderError),
    /// The operator cannot do this.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// The time of the first sample is none at which the operator may start.
    #[error("{place}: {source}; the first time is `start` unless --param start=VALUE gives it")]
    Start {
        /// Where the time stands.
        place: Box<CellPosition>,
        /// What the operator said.
        source: Box<OperatorError>,
    },
    /// The scheme is no sum of exponentials.
    #[error("--stream: {source}; there are ones for {known}")]
    NoStream {
        /// What the operator said.
        source: Box<OperatorError>,
        /// The schemes that have one, separated by commas.
        known: String,
    },
    /// No such backend.
    #[error("--backend: {0}")]
    Backend(hpfracc::MachineError),
    /// A variable of the environment that cannot be followed, or a machine that cannot be made of it.
    #[error(transparent)]
    Environment(hpfracc::MachineError),
    /// What `hpfracc transform` refuses.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// The function cannot be evaluated with these parameters.
    #[error("mittag-leffler: {0}")]
    Special(#[from] hpfracc::special::SpecialError),
    /// A word that is no complex number.
    #[error("{place}: `{text}` is not a finite number, real or complex as `re+imi`")]
    NotComplex {
        /// The argument or the line.
        place: String,
        /// What stands there.
        text: String,
    },
    /// Standard input among other values.
    #[error("`-` reads the values from standard input and cannot stand beside other values")]
    DashAmongValues,
    /// No system has that name.
    #[error("no system `{name}`; the systems are {known}")]
    UnknownSystem {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A system has no such parameter.
    #[error("{system} has no parameter `{name}`; the parameters are {known}")]
    UnknownParameter {
        /// The system.
        system: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A system has no such component.
    #[error("{system} has no component `{name}`; the components are {known}")]
    UnknownComponent {
        /// The system.
        system: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A parameter that is not a name and a number.
    #[error("--param {text}: expected NAME=NUMBER, the number finite")]
    BadParameter {
        /// What was given.
        text: String,
    },
    /// What should name two components does not.
    #[error("--phase {text}: expected the names of two components, X,Y")]
    BadPhase {
        /// What was given.
        text: String,
    },
    /// An order that a system does not take.
    #[error("--alpha {alpha}: the orders of {system} are above {above} and at most {up_to}")]
    SystemOrder {
        /// The system.
        system: &'static str,
        /// The order given.
        alpha: f64,
        /// Where the range starts; not in it.
        above: f64,
        /// Where it ends.
        up_to: f64,
    },
    /// No scheme has that name.
    #[error("no scheme `{name}`; the schemes are {known}")]
    UnknownScheme {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An option of `solve` that the others leave without a meaning.
    #[error("{option} {value}: {reason}")]
    OptionUnused {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// Why it means nothing here.
        reason: String,
    },
    /// The equation was not solved, or not to the end.
    #[error("solve: {0}")]
    Solve(Box<hpfracc::ode::Failure>),
    /// What `hpfracc simulate` refuses.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// What `hpfracc train` refuses.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// More threads than there can be.
    #[error("HPFRACC_THREADS: {reason}")]
    Threads {
        /// What the system said.
        reason: String,
    },
    /// A picture of an unknown kind.
    #[error("--plot {path}: the name must end in .svg or .png")]
    PictureFormat {
        /// The file as it was named.
        path: String,
    },
    /// Two of the files are one.
    #[error("{path} is named twice: {first} and {second}")]
    SameFile {
        /// The file.
        path: String,
        /// What it is first.
        first: &'static str,
        /// What it is as well.
        second: &'static str,
    },
    /// The drawing failed.
    #[error("cannot draw the picture: {reason}")]
    Drawing {
        /// What the drawing library said.
        reason: String,
    },
}

impl Error {
    pub(crate) fn of_solve(failure: impl Into<hpfracc::ode::Failure>) -> Self {
        Self::Solve(Box::new(failure.into()))
    }

    /// 1 if the system failed, 2 if the input or a parameter is wrong.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } | Self::Write { .. } | Self::Drawing { .. } => 1,
            Self::Operator(OperatorError::Backend(BackendError::Device { .. })) => 1,
            Self::Training(refused) => refused.exit_code(),
            _ => 2,
        }
    }

    /// Whether the reader of our output has gone, as `| head` does: no reason to complain.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
