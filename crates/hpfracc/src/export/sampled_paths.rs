use super::Export;
use hpfracc_operators::ndarray::{Array3, ArrayView3, Axis as Dimension};
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, PlotError, Sheet, Table};
use hpfracc_sde::noise::{Noise, Tile};
use hpfracc_sde::{RowsMut, SdeError};
use hpfracc_types::{MemoryError, Real, check_memory};

/// Paths at their times, of an ensemble or of a noise.
///
/// ```
/// use hpfracc::prelude::*;
/// # let home = tempfile::tempdir()?;
/// # let folder = home.path();
///
/// // Eight paths of fractional Brownian motion up to t = 1, in 500 steps.
/// let noise = FractionalBrownian::<f64>::new(7, &[0.8])?;
/// let paths = SampledPaths::of_noise(&noise, 1.0, 500, 8)?;
/// paths.write_csv(folder.join("fbm.csv"))?;
/// paths.plot(folder.join("fbm.svg"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SampledPaths {
    times: Vec<f64>,
    /// By path, time and component.
    values: Array3<f64>,
}

/// Most paths of a picture.
const SHOWN: usize = 50;

impl SampledPaths {
    /// Paths of an ensemble, by path, time and component as collected by
    /// [`Paths`](crate::sde::Paths), and the saved times.
    ///
    /// # Errors
    /// [`PlotError::Length`] if the number of times differs.
    pub fn new<T: Real>(times: &[f64], paths: ArrayView3<'_, T>) -> Result<Self, PlotError> {
        let (_, found, _) = paths.dim();
        if found != times.len() {
            let (column, first, expected) = ("paths".into(), "times".into(), times.len());
            return Err(PlotError::Length { column, found, first, expected });
        }
        Ok(Self { times: times.to_vec(), values: paths.mapv(Real::widen) })
    }

    /// Paths of a noise from 0 at t = 0 up to `t1`.
    ///
    /// # Errors
    /// [`SdeError::TooLarge`] if all paths exceed the available memory; those of
    /// [`Noise::increments`].
    pub fn of_noise(
        noise: &impl Noise<f64>,
        t1: f64,
        steps: usize,
        paths: usize,
    ) -> Result<Self, SdeError> {
        let components = noise.components();
        let numbers = paths as f64 * (steps as f64 + 2.0) * components as f64 + steps as f64;
        check_memory(numbers).map_err(|MemoryError { needed, available }| SdeError::TooLarge {
            what: "the array of all paths",
            bytes: needed,
            available,
        })?;
        let h = t1 / steps as f64;
        let tile = Tile { first_path: 0, lanes: paths, steps, h };
        let mut increments = noise.increments(tile, &[])?;
        let mut values = Array3::zeros((paths, steps + 1, components));
        let mut dz = vec![0.0; components * paths];
        for step in 0..steps {
            increments.write(step, RowsMut::new(&mut dz, paths));
            for (i, dz) in dz.chunks_exact(paths).enumerate() {
                for (path, dz) in dz.iter().enumerate() {
                    values[[path, step + 1, i]] = values[[path, step, i]] + dz;
                }
            }
        }
        let times = (0..=steps).map(|n| t1 * (n as f64 / steps as f64)).collect();
        Ok(Self { times, values })
    }

    /// Times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values by path, time and component.
    pub fn values(&self) -> ArrayView3<'_, f64> {
        self.values.view()
    }
}

impl Export for SampledPaths {
    fn table(&self) -> Result<Table, PlotError> {
        let dim = self.values.dim().2;
        let mut table = Table::new("t", self.times.iter().copied());
        for (k, path) in self.values.outer_iter().enumerate() {
            for (i, values) in path.columns().into_iter().enumerate() {
                let name = if dim == 1 { format!("x[{k}]") } else { format!("x{i}[{k}]") };
                table = table.with(name, values.iter().copied());
            }
        }
        Ok(table)
    }

    fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let (paths, _, dim) = self.values.dim();
        let shown = paths.min(SHOWN);
        let mark = if shown > 8 { Mark::Hair } else { Mark::Line };
        let series: Vec<Vec<Vec<f64>>> = (0..dim)
            .map(|i| {
                let component = self.values.index_axis(Dimension(2), i);
                component.outer_iter().take(shown).map(|path| path.to_vec()).collect()
            })
            .collect();
        let curves: Vec<Vec<Curve<'_>>> = (series.iter())
            .map(|paths| {
                let lines = paths.iter().enumerate();
                lines.map(|(k, path)| Curve::line("", &self.times, path, k).marked(mark)).collect()
            })
            .collect();
        let names: Vec<String> =
            (0..dim).map(|i| if dim == 1 { "x".to_owned() } else { format!("x{i}") }).collect();
        let charts = names.iter().zip(&curves);
        let charts = charts.map(|(name, curves)| ("", Axis::linear(name), &curves[..]));
        let charts = Chart::stacked(Axis::linear("t"), charts);
        let title = match paths {
            all if all == shown => format!("{all} paths"),
            all => format!("{shown} of {all} paths"),
        };
        Sheet { title: &title, columns: &[&charts] }.draw(format)
    }
}
