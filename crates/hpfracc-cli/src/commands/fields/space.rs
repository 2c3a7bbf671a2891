//! Boxes: `--box 0:1:200 --boundary dirichlet`.

use crate::Error;
use crate::error::FieldsError;
use clap::{Args, ValueEnum};
use hpfracc::spatial::{Axis, Boundary, BoxGrid, Discretisation};
use serde::Deserialize;

/// Names of the coordinates.
const NAMES: [&str; 3] = ["x", "y", "z"];

/// Box in space.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SpaceArgs {
    /// Axis of the box with its number of points; repeatable, for x, y and z
    #[arg(long = "box", value_name = "FROM:TO:N", allow_hyphen_values = true)]
    #[serde(rename = "box")]
    pub(crate) axes: Vec<String>,
    /// Boundary of all axes, or of each axis: periodic, dirichlet, neumann or robin:BETA, or two of
    /// them, such as dirichlet,neumann, for the two ends
    #[arg(long, value_name = "KIND")]
    pub(crate) boundary: Vec<String>,
    /// Points of the box, which say the order of accuracy
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    pub(crate) points: PointsKind,
}

/// Points of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PointsKind {
    /// Centres of equal cells, order 2
    #[default]
    Cells,
    /// Centres of equal cells, order 4 inside and at periodic ends
    Fourth,
    /// Legendre points, exact for polynomials: for smooth fields on few points
    Legendre,
}

impl SpaceArgs {
    /// Number of axes.
    pub(crate) fn dimensions(&self) -> Result<usize, Error> {
        match self.axes.len() {
            1..=3 => Ok(self.axes.len()),
            _ => Err(FieldsError::Box { text: self.axes.join(" --box ") }.into()),
        }
    }

    /// Names of the coordinates.
    pub(crate) fn names(&self) -> Result<&'static [&'static str], Error> {
        self.dimensions().map(|dimensions| &NAMES[..dimensions])
    }

    /// The grid.
    pub(crate) fn grid(&self) -> Result<BoxGrid, Error> {
        let intervals = self.intervals()?;
        let dimensions = intervals.len();
        let count = self.boundary.len();
        if count != 1 && count != dimensions {
            return Err(FieldsError::Boundaries { found: count, axes: dimensions }.into());
        }
        let axes = intervals.into_iter().enumerate().map(|(k, (from, to, n))| {
            let boundaries = parse_boundaries(&self.boundary[k.min(count - 1)])?;
            let axis = Axis::new(from, to, n, boundaries).map_err(Error::library)?;
            axis.with(self.points.discretisation()).map_err(Error::library)
        });
        BoxGrid::new(axes.collect::<Result<_, Error>>()?).map_err(Error::library)
    }

    /// Ends and numbers of points of the axes.
    pub(crate) fn intervals(&self) -> Result<Vec<(f64, f64, usize)>, Error> {
        self.dimensions()?;
        self.axes.iter().map(|text| parse_axis(text)).collect()
    }
}

impl PointsKind {
    fn discretisation(self) -> Discretisation {
        match self {
            Self::Cells => Discretisation::Second,
            Self::Fourth => Discretisation::Fourth,
            Self::Legendre => Discretisation::Legendre,
        }
    }
}

fn parse_axis(text: &str) -> Result<(f64, f64, usize), Error> {
    let bad = || FieldsError::Box { text: text.to_owned() };
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let [from, to, n] = parts[..] else { return Err(bad().into()) };
    let number = |text: &str| text.parse::<f64>().map_err(|_| bad());
    Ok((number(from)?, number(to)?, n.parse().map_err(|_| bad())?))
}

fn parse_boundaries(text: &str) -> Result<[Boundary; 2], Error> {
    let (lower, upper) = text.split_once(',').unwrap_or((text, text));
    Ok([parse_boundary(lower)?, parse_boundary(upper)?])
}

fn parse_boundary(text: &str) -> Result<Boundary, Error> {
    let bad = || FieldsError::Boundary { text: text.to_owned() };
    match text.trim() {
        "periodic" => Ok(Boundary::Periodic),
        "dirichlet" => Ok(Boundary::Dirichlet),
        "neumann" => Ok(Boundary::Neumann),
        robin => {
            let beta = robin.strip_prefix("robin:").ok_or_else(bad)?;
            Ok(Boundary::Robin(beta.trim().parse().map_err(|_| bad())?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_and_boundaries() {
        assert_eq!(parse_axis("-1:2.5:30").unwrap(), (-1.0, 2.5, 30));
        for text in ["", "0:1", "0:1:2:3", "a:1:3", "0:1:2.5", "0:1:-3"] {
            assert!(parse_axis(text).is_err(), "{text}");
        }
        let ends = parse_boundaries("dirichlet, robin:2").unwrap();
        assert_eq!(ends, [Boundary::Dirichlet, Boundary::Robin(2.0)]);
        for text in ["", "open", "robin", "robin:x", "neumann,"] {
            assert!(parse_boundaries(text).is_err(), "{text}");
        }
    }
}
