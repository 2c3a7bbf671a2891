//! Arguments that several commands share.

use crate::Error;
use crate::input::{CsvTable, Missing, SeriesOptions};
use crate::output::{publish, refuse_shared_files, write_stdout};
use clap::Args;
use hpfracc_plot::Format;
use std::path::{Path, PathBuf};

/// Input of a time series.
#[derive(Debug, Args)]
pub(crate) struct SeriesArgs {
    /// CSV file, or - for standard input
    #[arg(value_name = "INPUT.csv")]
    pub(crate) input: PathBuf,
    /// Value column; by default the only numeric one besides the time
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Time column; by default the first one named t, time, date or year
    #[arg(long, value_name = "NAME")]
    pub(crate) time: Option<String>,
    /// Step size, in the time unit of the result
    ///
    /// Required without a time column. With one it sets the length of a step, such as 0.0191650 for
    /// weeks in years, while the times still determine missing rows. Non-uniform steps, such as
    /// months, are counted row by row, with a diagnostic, unless one of them spans several others.
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// Treatment of missing values and missing rows
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) missing: Missing,
    /// Further missing value, such as -999, as text or as a number equal to it; repeatable
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) missing_value: Vec<String>,
}

impl SeriesArgs {
    /// Options for a column, by default the one of the arguments.
    pub(crate) fn options(&self, column: Option<&String>) -> SeriesOptions {
        let column = column.or(self.column.as_ref()).cloned();
        SeriesOptions { column, time: self.time.clone(), dt: self.dt, missing: self.missing }
    }

    /// Table of the input.
    pub(crate) fn table(&self) -> Result<CsvTable, Error> {
        CsvTable::open_with(&self.input, &self.missing_value)
    }
}

/// Output files.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Picture to draw, SVG or PNG by its extension
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Suppress diagnostics except errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl OutputArgs {
    /// Format of the picture; checks that no file is named twice.
    pub(crate) fn check(&self, input: Option<&Path>) -> Result<Option<Format>, Error> {
        let format = self.plot.as_deref().map(Format::of).transpose()?;
        refuse_shared_files(&[
            ("the input", input),
            ("--output", Some(self.output.as_path())),
            ("--plot", self.plot.as_deref()),
        ])?;
        Ok(format)
    }

    /// Files to write, without standard output.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let output = Some(self.output.as_path()).filter(|output| output.as_os_str() != "-");
        output.into_iter().chain(self.plot.as_deref())
    }

    /// Writes the files, then the diagnostics of `report` unless they are suppressed, and the table
    /// last if it goes to standard output.
    pub(crate) fn finish(
        &self,
        table: Vec<u8>,
        picture: Option<Vec<u8>>,
        report: impl FnOnce(),
    ) -> Result<(), Error> {
        self.finish_with(table, picture, None, report)
    }

    /// The same with a further file.
    pub(crate) fn finish_with(
        &self,
        table: Vec<u8>,
        picture: Option<Vec<u8>>,
        further: Option<(&Path, Vec<u8>)>,
        report: impl FnOnce(),
    ) -> Result<(), Error> {
        let to_stdout = self.output.as_os_str() == "-";
        let file = (!to_stdout).then(|| (self.output.as_path(), table.clone()));
        let picture = self.plot.as_deref().zip(picture);
        publish([file, picture, further].into_iter().flatten())?;
        if !self.quiet {
            report();
        }
        if to_stdout { write_stdout(&table) } else { Ok(()) }
    }
}
