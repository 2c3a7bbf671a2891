//! Fan chart: quantiles as bands, the mean, and a few paths.

use super::statistics::{FAN, Statistics};
use super::subject::Subject;
use crate::Error;
use hpfracc_plot::{Axis, Curve, Fan, Format, Mark};

/// Maximum number of times of a band; more are indistinguishable.
const NODES: usize = 600;
/// Number of rings that mark the exact mean.
const RINGS: usize = 24;

pub(super) fn draw(
    subject: &Subject,
    statistics: &Statistics,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let observables = subject.observables();
    let times = &statistics.moments.times;
    let every = times.len().div_ceil(NODES).max(1);
    let sparse = |series: &[f64]| series.iter().copied().step_by(every).collect::<Vec<f64>>();
    let rings: Vec<f64> = times.iter().copied().step_by(times.len().div_ceil(RINGS)).collect();
    let known: Vec<_> = rings.iter().map(|t| subject.known(*t)).collect::<Result<_, _>>()?;
    let at = sparse(times);
    let fan = |observable: usize| {
        let quantiles = statistics.quantiles(observable, &FAN);
        let quantiles = FAN.iter().zip(&quantiles).map(|(level, values)| (*level, sparse(values)));
        let quantiles: Vec<(f64, Vec<f64>)> = quantiles.collect();
        let mut fan = Fan::new(&observables[observable]).with_quantiles(&at, &quantiles);
        for (k, path) in statistics.first.iter().enumerate() {
            let name = if k == 0 { "paths" } else { "" };
            fan = fan.with(Curve::line(name, times, &path[observable], 4).marked(Mark::Hair));
        }
        let mean = statistics.moments.mean.column(observable).to_vec();
        let fan = fan.with(Curve::line("mean", times, &mean, 1));
        let exact: Vec<f64> = known.iter().filter_map(|known| known[observable].mean).collect();
        if exact.len() < rings.len() {
            return fan;
        }
        fan.with(Curve::line("exact mean", &rings, &exact, 1).marked(Mark::Rings))
    };
    let fans: Vec<Fan> = (0..observables.len()).map(fan).collect();
    let title = format!("{}, {} paths", subject.title(), statistics.moments.paths);
    Ok(Fan::draw(&title, Axis::linear("t"), &fans, format)?)
}
