//! Picture of a scan: late maxima, a quantity against the parameter, or a heat map of two parameters.

use super::range::Range;
use super::summary::{Summary, columns};
use crate::Error;
use crate::equations::Case;
use hpfracc_plot::{Axis, Chart, Curve, Format, HeatMap, Mark, Sheet};

/// What is drawn.
pub(super) enum Content {
    /// Local maxima of the first state over the second half.
    Maxima,
    /// Column of the table by its name.
    Column(String),
}

/// Name of a column and its numbers.
pub(super) type Column = (String, Vec<f64>);

/// Most maxima of a solution in the picture.
const MAXIMA: usize = 200;
/// Most cells of a heat map.
const CELLS: usize = 100_000;

impl Content {
    /// The requested column, or by default the maxima of the first state: all of them for one parameter,
    /// the largest for two.
    pub(super) fn new(
        case: &Case,
        ranges: &[Range],
        requested: Option<&str>,
        known: &[String],
    ) -> Result<Self, Error> {
        let cells: usize = ranges.iter().map(|range| range.values.len()).product();
        if ranges.len() == 2 && cells > CELLS {
            let reason = format!("the scans have {cells} cells, a heat map at most {CELLS}");
            let value = cells.to_string();
            return Err(Error::OptionUnused { option: "--plot", value, reason });
        }
        match requested {
            Some(name) if known.iter().any(|column| column == name) => {
                Ok(Self::Column(name.to_owned()))
            }
            Some(name) => {
                let owner = format!("the scan of {} has ", case.name);
                Err(Error::unknown(owner, "column", name, known.iter().map(String::as_str)))
            }
            None if ranges.len() == 1 => Ok(Self::Maxima),
            None => {
                let [_, _, largest] = columns(&case.components()[0]);
                Ok(Self::Column(largest))
            }
        }
    }

    /// Number of maxima to store of each solution.
    pub(super) fn maxima(&self) -> usize {
        if matches!(self, Self::Maxima) { MAXIMA } else { 0 }
    }

    pub(super) fn draw(
        &self,
        case: &Case,
        ranges: &[Range],
        (all, table): (&[Option<Summary>], &[Column]),
        format: Format,
    ) -> Result<Vec<u8>, Error> {
        let state = case.components().swap_remove(0);
        let column = |name: &str| table.iter().find(|(known, _)| known == name).map(|(_, c)| c);
        match (self, ranges) {
            (Self::Column(name), [x, y]) => {
                let values = column(name).map_or(&[][..], |values| values);
                // The table has the values of the second parameter one after the other.
                let (columns, rows) = (x.values.len(), y.values.len());
                let transposed: Vec<f64> = (0..rows)
                    .flat_map(|row| (0..columns).map(move |column| column * rows + row))
                    .map(|place| values[place])
                    .collect();
                let map = HeatMap {
                    title: &case.title,
                    x: Axis::linear(&x.parameter),
                    y: Axis::linear(&y.parameter),
                    name,
                    xs: &x.values,
                    ys: &y.values,
                    values: &transposed,
                };
                Ok(map.draw(format)?)
            }
            (Self::Column(name), _) => {
                let values = column(name).map_or(&[][..], |values| values);
                let curve = Curve::line("", &ranges[0].values, values, 0);
                chart(&case.title, (&ranges[0].parameter, name), curve, format)
            }
            (Self::Maxima, _) => {
                let (mut x, mut y) = (Vec::new(), Vec::new());
                for (value, summary) in ranges[0].values.iter().zip(all) {
                    for maximum in summary.iter().flat_map(|summary| &summary.maxima) {
                        x.push(*value);
                        y.push(*maximum);
                    }
                }
                let title = format!("{}, maxima of {state}", case.title);
                let curve = Curve::line("", &x, &y, 0).marked(Mark::Dots);
                chart(&title, (&ranges[0].parameter, &state), curve, format)
            }
        }
    }
}

fn chart(
    title: &str,
    (x, y): (&str, &str),
    curve: Curve<'_>,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let (x, y) = (Axis::linear(x), Axis::linear(y));
    let chart = Chart { title: "", x, y, curves: &[curve], equal: false };
    Ok(Sheet { title, columns: &[&[chart]] }.draw(format)?)
}
