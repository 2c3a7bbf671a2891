//! `hpfracc hurst`: Hurst exponent of a time series, and diffusion of particles.

mod args;
mod report;
mod tracks;

use super::{failed, read};
use crate::input::CsvTable;
use crate::memory;
use crate::output::{Progress, diagnostic, json, write_stdout};
use crate::{Error, LongMemoryError};
pub(crate) use args::HurstArgs;
use args::Method;
use hpfracc::series::{
    Arfima, Fit, FractionalGaussianNoise, GewekePorterHudak, Likelihood, LocalWhittle, Mean,
    Record, Series, SeriesError, Wavelet, detrended_fluctuations, rescaled_range,
};
use report::{Described, Estimated, Failed, Report};

/// Length up to which the exact likelihood takes a second.
const EXACT_UP_TO: usize = 4096;
/// Distance of H from the ends of its range within which the other kind of record is likely.
const NEAR_END: f64 = 0.05;
/// Bytes of a value: spectra, wavelets and simulated noises.
const BYTES: u64 = 512;

pub(crate) fn run(args: &HurstArgs) -> Result<(), Error> {
    if let Some(particle) = &args.tracks {
        return tracks::run(args, particle);
    }
    let record = match (args.noise, args.path) {
        (true, _) => Record::Noise,
        (_, true) => Record::Path,
        (false, false) => return Err(LongMemoryError::NoiseOrPath.into()),
    };
    let progress = Progress::start(args.quiet);
    progress.step("reading");
    let input = args.series.table()?;
    let series = read(&input, &args.series)?;
    let n = series.values.len();
    let instead = "take fewer values, or a likelihood of --likelihood whittle";
    memory::require(format!("estimates of {n} values"), BYTES * n as u64, instead)?;
    let error = |source: SeriesError| failed(&input, &series, source);
    let noise = Series::new(&series.values, record).map_err(error)?;
    progress.step("computing");
    let mut report = estimate(args, &noise);
    if let (true, Some(Failed { reason, .. })) = (report.estimates.is_empty(), report.failed.pop())
    {
        return Err(error(reason).into());
    }
    (report.file, report.column) = (input.source_name(), &series.name);
    report.record = if record == Record::Noise { "noise" } else { "path" };
    (report.values, report.observations) = (n, noise.noise().len());
    let text = if args.json { json(&report)? } else { report.text() };
    drop(progress);
    if !args.quiet {
        notes(&input, &series.notes, report.doubt(NEAR_END));
    }
    write_stdout(text.as_bytes())
}

/// All estimates and descriptions that the series is long enough for.
fn estimate<'a>(args: &HurstArgs, series: &Series) -> Report<'a> {
    let likelihood = match args.likelihood {
        Method::Exact => Likelihood::Exact,
        Method::Auto if series.noise().len() <= EXACT_UP_TO => Likelihood::Exact,
        Method::Auto | Method::Whittle => Likelihood::Whittle,
    };
    let mean = Mean::Estimated;
    let noise = FractionalGaussianNoise.fit(series, likelihood, mean);
    let mut fits: Vec<(&'static str, Result<Fit, SeriesError>)> = vec![
        ("fractional Gaussian noise", noise),
        ("local Whittle estimator", LocalWhittle::default().fit(series)),
        ("Geweke-Porter-Hudak estimator", GewekePorterHudak::default().fit(series)),
        ("wavelet estimator", Wavelet::default().fit(series)),
    ];
    if let Some((ar, ma)) = args.arfima {
        fits.push(("ARFIMA", Arfima { ar, ma }.fit(series, likelihood, mean)));
    }
    let mut report = Report::default();
    for (method, fit) in fits {
        match fit {
            Ok(fit) => report.estimates.push(Estimated::new(&fit)),
            Err(reason) => report.failed.push(Failed { method, reason }),
        }
    }
    for (method, description) in
        [("rescaled range", rescaled_range(series)), ("DFA", detrended_fluctuations(series))]
    {
        match description {
            Ok(description) => report.descriptions.push(Described::new(&description)),
            Err(reason) => report.failed.push(Failed { method, reason }),
        }
    }
    report
}

/// Writes diagnostics.
fn notes(input: &CsvTable, of_series: &[String], doubt: Option<String>) {
    for note in of_series.iter().chain(&doubt) {
        diagnostic(&format!("{}: {note}", input.source_name()));
    }
}
