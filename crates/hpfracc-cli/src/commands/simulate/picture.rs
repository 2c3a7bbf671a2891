//! Fan chart: quantiles as bands, the mean, and a few paths.

use super::statistics::{FAN, Statistics};
use crate::Error;
use hpfracc::sde::models::Named;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet, band};

/// Maximum number of times of a band; more are indistinguishable.
const NODES: usize = 600;
/// Number of rings that mark the exact mean.
const RINGS: usize = 24;

pub(super) fn draw(
    model: &Named,
    statistics: &Statistics,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let definition = model.definition();
    let times = &statistics.moments.times;
    let every = times.len().div_ceil(NODES).max(1);
    let sparse = |series: &[f64]| series.iter().copied().step_by(every).collect::<Vec<f64>>();
    let rings: Vec<f64> = times.iter().copied().step_by(times.len().div_ceil(RINGS)).collect();
    let known: Vec<_> = rings.iter().map(|t| model.known(*t)).collect::<Result<_, _>>()?;
    let at = sparse(times);
    let fans: Vec<Fan> = (0..definition.observables.len())
        .map(|observable| {
            let quantiles = statistics.quantiles(observable, &FAN);
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| sparse(&quantiles[k]));
            Fan {
                bands: [band(&at, &a, &d), band(&at, &b, &c)],
                mean: statistics.moments.mean.column(observable).to_vec(),
                exact: known.iter().filter_map(|known| known[observable].mean).collect(),
            }
        })
        .collect();
    let curves: Vec<Vec<Curve<'_>>> = (fans.iter().enumerate())
        .map(|(observable, fan)| {
            let [wide, narrow] = &fan.bands;
            // The legend is above the first chart.
            let name = |name: &'static str| if observable == 0 { name } else { "" };
            let mut curves = vec![
                Curve::line(name("5 to 95 %"), &wide.0, &wide.1, 0).marked(Mark::Band),
                Curve::line(name("25 to 75 %"), &narrow.0, &narrow.1, 0).marked(Mark::Band),
            ];
            curves.extend(statistics.first.iter().enumerate().map(|(k, path)| {
                let name = if k == 0 { name("paths") } else { "" };
                Curve::line(name, times, &path[observable], 4).marked(Mark::Hair)
            }));
            curves.push(Curve::line(name("mean"), times, &fan.mean, 1));
            if fan.exact.len() == rings.len() {
                let exact = Curve::line(name("exact mean"), &rings, &fan.exact, 1);
                curves.push(exact.marked(Mark::Rings));
            }
            curves
        })
        .collect();
    let charts = definition.observables.iter().zip(&curves);
    let charts = charts.map(|(name, curves)| ("", Axis::linear(name), &curves[..]));
    let charts = Chart::stacked(Axis::linear("t"), charts);
    let title = format!("{}, {} paths", definition.title, statistics.moments.paths);
    Ok(Sheet { title: &title, columns: &[&charts] }.draw(format)?)
}

struct Fan {
    bands: [(Vec<f64>, Vec<f64>); 2],
    mean: Vec<f64>,
    exact: Vec<f64>,
}
