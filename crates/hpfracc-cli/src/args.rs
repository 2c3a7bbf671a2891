//! The command line.

use crate::complex;
use crate::missing::Missing;
use crate::simulate::SimulateArgs;
use crate::train::TrainArgs;
use crate::transform::Kind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Fractional derivatives of records, fractional differential equations, stochastic models, neural
/// equations learned from records, and the functions that go with them.
///
/// Results go to standard output or to the files named, remarks to standard error. The exit code is
/// 0 on success, 2 if the input or a parameter is wrong, 1 if the system failed. A file appears
/// whole or not at all.
#[derive(Debug, Parser)]
#[command(name = "hpfracc", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  hpfracc diff --operator caputo --alpha 0.5 record.csv
  hpfracc transform --kind fractional-fourier --order 0.5 record.csv
  hpfracc solve lorenz --alpha 0.995 --phase x,z --plot lorenz.png --output lorenz.csv
  hpfracc simulate rough-bergomi --paths 10000 --moments --plot fan.svg --output moments.csv
  hpfracc train sunspots.toml --out run1
  hpfracc mittag-leffler --alpha 0.5 -1
  hpfracc operators
  hpfracc systems
  hpfracc devices
  hpfracc explain --operator caputo --n 1000 --batch 4

Environment:
  HPFRACC_BACKEND           the backend that computes, or auto
  HPFRACC_DISABLE           backends not to choose, with commas between
  HPFRACC_LEARNING          0: nothing is timed, tried or remembered
  HPFRACC_WISDOM            file of timings, to choose by what earlier runs took and tell later ones
  HPFRACC_THREADS           threads of backends that use several
  HPFRACC_GPU_MEMORY_LIMIT  what buffers may take on a GPU: a fraction of its memory, or bytes")]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(DiffArgs),
    Transform(TransformArgs),
    Solve(SolveArgs),
    /// List the equations and schemes that `solve` knows.
    Systems,
    Simulate(SimulateArgs),
    Train(TrainArgs),
    MittagLeffler(MittagLefflerArgs),
    Operators(OperatorsArgs),
    Devices(DevicesArgs),
    Explain(ExplainArgs),
}

/// Precision of the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dtype {
    /// Single precision, about 7 digits.
    F32,
    /// Double precision, about 16 digits.
    F64,
}

/// Differentiate or integrate a column of a CSV file.
///
/// The output has the time column as it stands in the file, the input column and the result, named
/// for example `caputo_l1_0.5(co2)`, the last two with 17 significant digits.
///
/// The input is CSV with a line of column names. Time is a column of numbers or of dates, written
/// YYYYMMDD or YYYY-MM-DD and counted in days. It must be uniform: steps may differ from the median
/// step by a millionth of it. Empty cells, NA, N/A, NaN and null are missing values; infinities are
/// refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc diff --operator caputo --alpha 0.5 sunspots.csv
  hpfracc diff --operator caputo --alpha 0.5 --missing interpolate co2.csv --plot co2.svg -o out.csv
  hpfracc diff --operator grunwald-letnikov --scheme bdf2 --alpha 0.9 --column x --dt 0.01 run.csv
  cut -d, -f1,3 wide.csv | hpfracc diff --operator riesz --alpha 1.5 -
  tail -n +1 record.csv | hpfracc diff --operator caputo --alpha 0.5 --stream --tolerance 1e-8 -
  hpfracc diff --operator rl-integral --alpha 0.5 --chunk 100000 record.csv --output integral.csv

Names of operators and schemes: hpfracc operators")]
pub(crate) struct DiffArgs {
    /// CSV file, or - for standard input
    #[arg(value_name = "INPUT.csv")]
    pub(crate) input: PathBuf,
    /// Definition of the derivative, such as caputo
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: String,
    /// Scheme; by default the operator's usual one at this order
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Order of the derivative or the integral
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// A parameter of the operator, such as lambda=0.5; may be given many times
    ///
    /// Which ones an operator has: hpfracc operators NAME. `start`, the time of the first sample, is
    /// taken from the time column if the times are numbers and it is not given.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// Column to differentiate; by default the only numeric one besides the time
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Time column; by default the first one named t, time, date or year
    #[arg(long, value_name = "NAME")]
    pub(crate) time: Option<String>,
    /// Time between rows, in the unit the result shall have
    ///
    /// Needed where there is no time column. Beside one it is the length of a step, such as
    /// 0.0191650 for weeks in years, while the column still tells which rows are left out. Steps that
    /// are no grid, such as months of unequal length, are counted row by row, with a remark, unless
    /// one of them spans a whole number of the others.
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// What to do with missing values and rows left out
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) missing: Missing,
    /// Row by row in constant memory, for a record of any length
    ///
    /// The operator becomes a sum of exponentials, whose weights are right within --tolerance; not every
    /// scheme has one. The step is that of the first 64 rows, or --dt. Rows go to standard output as
    /// they come, so that earlier ones are out when a later one is refused; a file appears whole.
    #[arg(long, conflicts_with_all = ["missing", "plot", "chunk"])]
    pub(crate) stream: bool,
    /// Relative error of the weights of --stream, 1e-12 to 0.1; 1e-10 by default
    #[arg(long, value_name = "TOL", requires = "stream", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Exactly, N rows at a time with the history of all before them
    ///
    /// Memory holds some 15 numbers a sample and none of the text. Rows are counted first: what comes
    /// through a pipe is kept in a temporary file. Only causal convolutions can, and sums of them.
    #[arg(long, value_name = "N", conflicts_with_all = ["missing", "plot"])]
    pub(crate) chunk: Option<usize>,
    /// Precision of the computation
    #[arg(long, value_name = "TYPE", value_enum, default_value = "f64")]
    pub(crate) dtype: Dtype,
    /// Backend that computes, see hpfracc explain; by default HPFRACC_BACKEND, or auto
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Picture to draw, SVG or PNG by its name
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Transform a column of a CSV file, or two columns that are one complex signal.
///
/// The output has the transformed coordinate, real part, imaginary part and modulus, with 17
/// significant digits. Between time and frequency, at --order 0 and 1, turn the fractional Fourier
/// transforms; their coordinate u is j/sqrt(n) for n samples, j = 0 in the middle, before and after.
/// The coordinate of the fractional DFT is the frequency in cycles per sample.
///
/// The input is as for `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc transform --kind fractional-fourier --order 0.5 record.csv
  hpfracc transform --kind discrete-fractional-fourier --order 0.25 --column x --imag y wide.csv
  hpfracc transform --kind fractional-dft --rate 0.001 --bins 99 sunspots.csv -p z.svg -o z.csv")]
pub(crate) struct TransformArgs {
    /// CSV file, or - for standard input
    #[arg(value_name = "INPUT.csv")]
    pub(crate) input: PathBuf,
    /// Kind of transform
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) kind: Kind,
    /// Order of a fractional Fourier transform: 1 is the Fourier transform, 2 reverses time
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) order: Option<f64>,
    /// Distance of the frequencies of the fractional DFT, in cycles per sample
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,
    /// First frequency of the fractional DFT, in cycles per sample; 0 by default
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) first: Option<f64>,
    /// Number of frequencies of the fractional DFT; as many as samples by default
    #[arg(long, value_name = "M")]
    pub(crate) bins: Option<usize>,
    /// Column to transform; by default the only numeric one besides the time
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Column of the imaginary part
    #[arg(long, value_name = "NAME", requires = "column")]
    pub(crate) imag: Option<String>,
    /// Time column; by default the first one named t, time, date or year
    #[arg(long, value_name = "NAME")]
    pub(crate) time: Option<String>,
    /// Time between rows, where there is no time column, or in another unit than it has
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// What to do with missing values and rows left out
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) missing: Missing,
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Picture to draw, SVG or PNG by its name
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Solve a fractional differential equation that is known by name.
///
/// The output has the time and the components in columns, and the exact solution where it is known,
/// with 17 significant digits: at the nodes of the scheme, or, of a scheme that chooses its own steps,
/// at as many times as --n says.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc solve relaxation --alpha 0.5 --plot relaxation.svg --output relaxation.csv
  hpfracc solve lorenz --alpha 0.995 --t1 50 --n 10000 --param rho=28 --phase x,z --plot lorenz.png
  hpfracc solve brusselator --alpha 0.8,0.7 --scheme trapezoid --output out.csv
  hpfracc solve robertson --scheme l1 --grading 12 --log-time --plot robertson.png --output out.csv

Names of equations, parameters and schemes: hpfracc systems")]
pub(crate) struct SolveArgs {
    /// The equation, such as lorenz
    #[arg(value_name = "NAME")]
    pub(crate) system: String,
    /// Order of the derivative, or one for each component, separated by commas
    #[arg(long, value_name = "ALPHA", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) alpha: Vec<f64>,
    /// A parameter or an initial value; may be given many times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// End of the interval, which starts at 0
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) t1: Option<f64>,
    /// Steps; of a scheme that chooses its own, rows of the output
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) n: Option<u32>,
    /// Exponent r of graded steps t1 (j/n)^r: small ones where the solution starts
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(crate) grading: Option<f64>,
    /// Scheme, such as pece; by default the equation's usual one
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// Error allowed to a scheme that chooses its own steps, relative and absolute; 1e-10 by default
    #[arg(long, value_name = "TOL", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// CSV file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.csv", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Picture to draw, SVG or PNG by its name: the components against time
    #[arg(short, long, value_name = "OUT.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Draw one component against another instead: a phase portrait
    #[arg(long, value_name = "X,Y", requires = "plot")]
    pub(crate) phase: Option<String>,
    /// Draw a logarithmic time axis
    #[arg(long, requires = "plot", conflicts_with = "phase")]
    pub(crate) log_time: bool,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Values of the Mittag-Leffler function.
///
/// E(z) = sum of (gamma)_k z^k / (k! Gamma(alpha k + beta)) over k = 0, 1, 2, ...; with gamma = 1
/// this is the function of two parameters. Each value is printed on a line of its own with 17
/// significant digits, as `re+imi` where the argument was written with an i.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc mittag-leffler --alpha 1 1              # e
  hpfracc mittag-leffler --alpha 0.5 -1 -10       # the first is exp(1) erfc(1)
  hpfracc mittag-leffler --alpha 0.8 --beta 0.8 -1-2.5i 2i 1e-3+2e5i
  seq -10 0 | hpfracc mittag-leffler --alpha 0.9 -")]
pub(crate) struct MittagLefflerArgs {
    /// First parameter, positive
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Second parameter
    #[arg(long, value_name = "B", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) beta: f64,
    /// Third parameter, of the Prabhakar function
    #[arg(long, value_name = "G", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) gamma: f64,
    /// Arguments, real or complex as re+imi; - reads them from standard input, one a line
    ///
    /// Lines are answered as they come. Blank lines are skipped; a line that is no number ends the
    /// command with its line number.
    #[arg(value_name = "Z", required = true)]
    pub(crate) values: Vec<String>,
}

/// List the operators and their schemes, or print one definition in full.
///
/// The list has the parameters, and the range of orders, the accuracy and the cost of each scheme; the
/// first scheme of an operator whose range holds the order is its usual one. With a name: formula,
/// what it makes of constants and of powers of t, how it stands to other definitions, the source, the
/// parameters with their meanings and ranges, and the schemes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc operators
  hpfracc operators caputo
  hpfracc operators riesz --json

Which one to take: docs/which-derivative.md in the repository")]
pub(crate) struct OperatorsArgs {
    /// Definition to print, such as caputo
    #[arg(value_name = "NAME")]
    pub(crate) operator: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the devices that can compute: GPUs and the processor.
///
/// Adapters are printed with their limits and what their shaders can do; a software adapter, which is
/// the processor pretending, is marked. Without an adapter the list is empty and that is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc devices
  hpfracc devices --benchmark
  hpfracc devices --json")]
pub(crate) struct DevicesArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Measure the kernels on each device, for less than 10 seconds in all
    ///
    /// Times are the least of several calls: of the whole call, samples from and to the host
    /// included, and of the device alone by its own clock. Beside them stand what the device can do
    /// at most, measured in the same run.
    #[arg(long)]
    pub(crate) benchmark: bool,
}

/// Tell which backend an operator goes to on this computer, and why.
///
/// Prints a table of the backends with the time that each is expected to take, what the expectation
/// rests on, and why it is chosen or not. With HPFRACC_WISDOM it rests on what earlier runs took.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc explain --operator caputo-l1 --n 10000
  hpfracc explain --operator riesz --n 4096 --batch 64 --f32 --measure
  hpfracc explain --operator weyl --n 100 --once --json

Names of operators and schemes: hpfracc operators
Backends that --backend and HPFRACC_BACKEND know: cpu-direct, cpu-fft, cpu-parallel-fft, cpu-gemm,
cpu-recurrence, cpu-parallel-recurrence, reference; wgpu-direct, wgpu-fft, wgpu-gemm,
wgpu-recurrence on the best adapter, wgpu-fft@1 on adapter 1; f64 as pairs of f32, wgpu-fft-df64;
f64 computed in f32, wgpu-fft-rounded-to-f32; batches split across several,
wgpu-fft@0+wgpu-fft@1.")]
pub(crate) struct ExplainArgs {
    /// Definition of the derivative, such as caputo, or with its scheme, such as caputo-l1
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: String,
    /// Scheme; by default the operator's usual one at this order
    #[arg(long, value_name = "NAME")]
    pub(crate) scheme: Option<String>,
    /// A parameter of the operator; those that are not given have example values
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// Order, where it decides on the usual scheme
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) alpha: Option<f64>,
    /// Samples of a signal
    #[arg(long, value_name = "N")]
    pub(crate) n: usize,
    /// Signals that go through at once
    #[arg(long, value_name = "B", default_value_t = 1)]
    pub(crate) batch: usize,
    /// In single precision
    #[arg(long)]
    pub(crate) f32: bool,
    /// Of the transpose, which gradients go through
    #[arg(long)]
    pub(crate) transpose: bool,
    /// Planned, bound and applied one time, instead of applied again and again
    #[arg(long)]
    pub(crate) once: bool,
    /// Time the backends that could win first, for about a second
    #[arg(long)]
    pub(crate) measure: bool,
    /// One backend, or auto for the choice among them; by default HPFRACC_BACKEND, or auto
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Moves the values of `mittag-leffler` behind a `--`, so that `-1-2.5i` is not taken for options
/// and options may stand before, between and after values.
pub fn values_last(args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).map(OsString::as_os_str) != Some(OsStr::new("mittag-leffler")) {
        return args;
    }
    let root = Cli::command();
    let takes_value = |word: &str| {
        let options = root.find_subcommand("mittag-leffler").map(|command| command.get_opts());
        options.into_iter().flatten().any(|o| o.get_long() == word.strip_prefix("--"))
    };
    let mut words = args.into_iter();
    let mut options: Vec<OsString> = words.by_ref().take(2).collect();
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => values.extend(words.by_ref()),
            Some(text) if text == "-" || !text.starts_with('-') => values.push(word),
            Some(text) if complex::parse(text).is_some() => values.push(word),
            Some(text) if takes_value(text) => {
                options.push(word);
                options.extend(words.next());
            }
            _ => options.push(word),
        }
    }
    if !values.is_empty() {
        options.push("--".into());
        options.extend(values);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(line: &str) -> String {
        let words = values_last(line.split(' ').map(OsString::from).collect());
        words.iter().map(|w| w.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn values_may_stand_anywhere() {
        for (line, expected) in [
            ("h mittag-leffler --alpha 1 -1-2i", "h mittag-leffler --alpha 1 -- -1-2i"),
            (
                "h mittag-leffler -1 --beta -2 3 --alpha=1",
                "h mittag-leffler --beta -2 --alpha=1 -- -1 3",
            ),
            ("h mittag-leffler --alpha 1 -- -x", "h mittag-leffler --alpha 1 -- -x"),
            ("h mittag-leffler --alpha 1 -", "h mittag-leffler --alpha 1 -- -"),
            ("h mittag-leffler -h", "h mittag-leffler -h"),
            ("h mittag-leffler --alpha 1 --bogus", "h mittag-leffler --alpha 1 --bogus"),
            ("h diff -1", "h diff -1"),
        ] {
            assert_eq!(moved(line), expected);
        }
    }
}
