//! Results as tables and pictures in files.

mod ensembles;
mod sampled_paths;
mod solutions;
mod trainings;

use hpfracc_plot::{Format, PlotError, Table, write_file};
pub use sampled_paths::SampledPaths;
use std::path::Path;

/// A result that can be written to files: as CSV, or as a picture, SVG or PNG by the extension.
///
/// | result | table | picture |
/// |---|---|---|
/// | [`Solution`](crate::ode::Solution), of any scheme and steps | states at the nodes | components over time, with dense output between the nodes |
/// | [`Trajectory`](crate::ode::Trajectory), [`Lyapunov`](crate::ode::Lyapunov) | states at the nodes; running exponents | curves over time |
/// | [`MeanAndCovariance`](crate::sde::MeanAndCovariance) | means, variances, covariances | fan chart: mean, bands of one and two standard deviations |
/// | [`QuantileTable`](crate::sde::QuantileTable) | quantiles, smallest and largest values | fan chart: a band for each pair of quantiles |
/// | [`SampledPaths`], of an ensemble or a noise | all paths | paths over time |
/// | [`Expectation`](crate::sde::Expectation), multilevel | steps, paths, means and variances of the levels | means and variances over the levels |
/// | `[Epoch]`, `[Step]` of a training | losses | losses over the steps |
/// | [`Table`]: any columns | the columns | curves over the first column |
///
/// Outputs of operators are arrays and become columns of a [`Table`] over the points of their grid
/// or mesh. Numbers in CSV are the shortest decimals that read back to the same bits. A file is
/// written completely or not at all.
///
/// ```
/// use hpfracc::prelude::*;
/// # let home = tempfile::tempdir()?;
/// # let folder = home.path();
///
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::adaptive(1e-12, 1e-12);
/// let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
/// solution.write_csv(folder.join("relaxation.csv"))?;
/// solution.plot(folder.join("relaxation.svg"))?;
///
/// let grid = Grid::uniform(1000, 0.01)?;
/// let signal: Array1<f64> = grid.points().map(f64::sin).collect();
/// let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &Machine::detect())?;
/// let derivative = half.apply(signal.view())?;
/// let table = Table::new("t", grid.points()).with("sin t", signal).with("D^1/2", derivative);
/// table.plot(folder.join("half.png"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Export {
    /// Columns of the CSV file, the abscissa first.
    ///
    /// # Errors
    /// [`PlotError::Empty`] if the result has no values.
    fn table(&self) -> Result<Table, PlotError>;

    /// Draws the picture into memory.
    ///
    /// # Errors
    /// Those of [`Export::table`]; [`PlotError::Drawing`].
    fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        self.table()?.draw(format)
    }

    /// Writes the table as CSV, completely or not at all.
    ///
    /// # Errors
    /// Those of [`Export::table`]; [`PlotError::Write`].
    fn write_csv(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        self.table()?.write_csv(path)
    }

    /// Writes the picture, completely or not at all.
    ///
    /// # Errors
    /// [`PlotError::Format`] unless the name ends in `.svg` or `.png`; those of [`Export::draw`];
    /// [`PlotError::Write`].
    fn plot(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        let format = Format::of(path.as_ref())?;
        write_file(path.as_ref(), self.draw(format)?)
    }
}
