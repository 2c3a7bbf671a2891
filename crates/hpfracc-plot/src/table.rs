use crate::{Axis, Chart, Curve, Format, PlotError, Sheet, write_file};
use hpfracc_types::shortest;
use std::path::Path;

/// Columns of equal lengths, the first of which is the abscissa.
///
/// ```
/// use hpfracc_plot::Table;
///
/// let table = Table::new("t", vec![0.0, 0.1]).with("y", vec![1.0, 1.0 / 3.0]);
/// assert_eq!(table.to_csv()?, b"t,y\n0,1\n0.1,0.3333333333333333\n");
/// # Ok::<(), hpfracc_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    title: String,
    log: bool,
    columns: Vec<(String, Vec<f64>)>,
}

impl Table {
    /// A table of one column, the abscissa: times, frequencies, steps.
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let columns = vec![(name.into(), values.into_iter().collect())];
        Self { title: String::new(), log: false, columns }
    }

    /// Appends a column.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        self.columns.push((name.into(), values.into_iter().collect()));
        self
    }

    /// Sets the title of the picture.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Draws the columns over a logarithmic vertical axis.
    #[must_use]
    pub fn logarithmic(self) -> Self {
        Self { log: true, ..self }
    }

    /// Names and values of the columns, the abscissa first.
    pub fn columns(&self) -> &[(String, Vec<f64>)] {
        &self.columns
    }

    /// CSV: a line of names, then a line for each row. Numbers are the shortest decimals that read
    /// back to the same bits.
    ///
    /// # Errors
    /// [`PlotError::Length`] if the columns differ in length.
    pub fn to_csv(&self) -> Result<Vec<u8>, PlotError> {
        let rows = self.check()?;
        let failed =
            |e: csv::Error| PlotError::Write { name: "the table".into(), source: e.into() };
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.columns.iter().map(|(name, _)| name)).map_err(failed)?;
        for row in 0..rows {
            let cells = self.columns.iter().map(|(_, values)| shortest(values[row]));
            writer.write_record(cells).map_err(failed)?;
        }
        writer.into_inner().map_err(|e| failed(e.into_error().into()))
    }

    /// Writes the [CSV](Self::to_csv), completely or not at all.
    ///
    /// # Errors
    /// Those of [`Table::to_csv`]; [`PlotError::Write`].
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        write_file(path.as_ref(), self.to_csv()?)
    }

    /// Draws all columns over the first one: as lines of one chart, or as a chart each if their
    /// sizes differ by more than a factor of 20.
    ///
    /// # Errors
    /// [`PlotError::Length`] if the columns differ in length; [`PlotError::Drawing`].
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        self.check()?;
        let (abscissa, columns) = self.columns.split_at(1);
        let (x_name, x) = &abscissa[0];
        let axis = |name| if self.log { Axis::log(name) } else { Axis::linear(name) };
        let lines: Vec<Curve<'_>> = (columns.iter().enumerate())
            .map(|(color, (name, values))| Curve::line(name, x, values, color))
            .collect();
        let shown = if x_name.is_empty() { "t" } else { x_name };
        let together = self.log || columns.len() < 2 || comparable(columns);
        let groups: Vec<&[Curve<'_>]> = match together {
            true => vec![&lines[..]],
            false => lines.chunks(1).collect(),
        };
        let charts = groups.iter().map(|curves| {
            let name = if curves.len() == 1 { curves[0].name } else { "" };
            ("", axis(name), *curves)
        });
        let charts = Chart::stacked(Axis::linear(shown), charts);
        Sheet { title: &self.title, columns: &[&charts] }.draw(format)
    }

    /// Writes the [picture](Self::draw), SVG or PNG by the extension of the name, completely or not
    /// at all.
    ///
    /// # Errors
    /// [`PlotError::Format`] for another extension; those of [`Table::draw`];
    /// [`PlotError::Write`].
    pub fn plot(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        let format = Format::of(path.as_ref())?;
        write_file(path.as_ref(), self.draw(format)?)
    }

    /// Number of rows.
    fn check(&self) -> Result<usize, PlotError> {
        let (first, values) = &self.columns[0];
        let expected = values.len();
        match self.columns.iter().find(|(_, values)| values.len() != expected) {
            None => Ok(expected),
            Some((column, values)) => Err(PlotError::Length {
                column: column.clone(),
                found: values.len(),
                first: first.clone(),
                expected,
            }),
        }
    }
}

/// Ratio of sizes above which columns get separate charts.
const COMPARABLE: f64 = 20.0;

/// Whether the columns are of similar size, so that they share an axis.
fn comparable(columns: &[(String, Vec<f64>)]) -> bool {
    let size = |values: &[f64]| {
        values.iter().filter(|y| y.is_finite()).fold(0.0, |size: f64, y| size.max(y.abs()))
    };
    let sizes = columns.iter().map(|(_, values)| size(values));
    let (low, high) =
        sizes.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), y| (low.min(y), high.max(y)));
    high <= COMPARABLE * low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        let values = [0.1, -0.0, 1.0 / 3.0, 5e-324, f64::MAX, 1e22, -2.5e-9, 123456789.123456789];
        let csv = Table::new("x", values).to_csv().unwrap();
        let text = String::from_utf8(csv).unwrap();
        let read: Vec<u64> =
            text.lines().skip(1).map(|x| x.parse::<f64>().unwrap().to_bits()).collect();
        assert_eq!(read, values.map(f64::to_bits));
        assert!(text.starts_with("x\n0.1\n-0\n0.3333333333333333\n5e-324\n"), "{text}");
    }

    #[test]
    fn names_are_quoted() {
        let csv = Table::new("a,b", [1.0]).with("say \"x\"", [2.0]).to_csv().unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), "\"a,b\",\"say \"\"x\"\"\"\n1,2\n");
    }

    #[test]
    fn lengths_are_compared() {
        let table = Table::new("t", [0.0, 1.0]).with("y", [0.0]);
        let error = table.to_csv().unwrap_err();
        assert_eq!(error.to_string(), "column `y` has 1 values, column `t` has 2");
        assert!(matches!(table.draw(Format::Svg), Err(PlotError::Length { .. })));
    }

    #[test]
    fn an_unknown_format_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let table = Table::new("t", [0.0, 1.0]).with("y", [0.0, 2.0]);
        let refused = table.plot(folder.path().join("y.pdf"));
        assert!(matches!(refused, Err(PlotError::Format { .. })));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = table.write_csv(folder.path().join("no/y.csv"));
        assert!(matches!(missing, Err(PlotError::Write { .. })));
        for name in ["y.svg", "y.png"] {
            table.plot(folder.path().join(name)).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// One large column does not flatten the others.
    #[test]
    fn sizes_decide_the_charts() {
        let charts = |large: f64| {
            let table = Table::new("t", [0.0, 1.0]).with("a", [0.0, 1.0]).with("b", [0.0, large]);
            let svg = String::from_utf8(table.draw(Format::Svg).unwrap()).unwrap();
            // With two charts the names are those of the axes too.
            svg.matches("aria-label=\"a\"").count()
        };
        assert_eq!((charts(2.0), charts(1e3)), (1, 2));
        let empty = Table::new("t", []).with("y", []);
        assert!(empty.draw(Format::Svg).is_ok());
    }
}
