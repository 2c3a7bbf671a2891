//! Curves, thinned to distinguishable points.

use crate::canvas::CURVES;
use plotters::prelude::RGBColor;
use std::ops::Range;

/// Mark of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// A line.
    #[default]
    Line,
    /// Dashed line, which does not cover curves below.
    Dashes,
    /// Ring at each point.
    Rings,
    /// Dot at each point.
    Dots,
    /// Thin pale line, one of many.
    Hair,
    /// Thick line in a colour of its own: values filled where data are missing.
    Filled,
    /// Pale area inside the curve; see [`band`].
    Band,
}

/// Curve of points (x, y) with a name.
#[derive(Debug, Clone, Copy)]
pub struct Curve<'a> {
    /// Name in the legend; an empty name is omitted.
    pub name: &'a str,
    /// Abscissas.
    pub x: &'a [f64],
    /// Value for every abscissa. Points that are not finite break the line.
    pub y: &'a [f64],
    /// Mark.
    pub mark: Mark,
    /// Index of the colour, modulo their number.
    pub color: usize,
}

impl<'a> Curve<'a> {
    /// A line.
    pub fn line(name: &'a str, x: &'a [f64], y: &'a [f64], color: usize) -> Self {
        Self { name, x, y, mark: Mark::Line, color }
    }

    /// Sets the mark.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }

    pub(super) fn rgb(&self) -> RGBColor {
        CURVES[self.color % CURVES.len()]
    }
}

/// Outline of the area between two curves with the same abscissas, for [`Mark::Band`].
pub fn band(x: &[f64], low: &[f64], high: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let back = || x.iter().rev().copied();
    let around = low.iter().chain(high.iter().rev()).copied();
    (x.iter().copied().chain(back()).collect(), around.collect())
}

/// Runs of finite values.
pub(super) fn finite_runs(values: &[f64]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (k, value) in values.iter().enumerate() {
        match runs.last_mut() {
            _ if !value.is_finite() => {}
            Some(run) if run.end == k => run.end = k + 1,
            _ => runs.push(k..k + 1),
        }
    }
    runs
}

/// Points of a curve; of a long one the minimum and the maximum in each of many columns, in their
/// order: the same picture with far fewer points.
pub(super) fn thin(times: &[f64], values: &[f64], columns: usize) -> Vec<(f64, f64)> {
    let point = |k: usize| (times[k], values[k]);
    if values.len() <= 4 * columns {
        return (0..values.len()).map(point).collect();
    }
    let mut points = vec![point(0)];
    for column in 0..columns {
        let start = column * values.len() / columns;
        let end = (column + 1) * values.len() / columns;
        let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let least = (start..end).min_by(by_value).unwrap_or(start);
        let greatest = (start..end).max_by(by_value).unwrap_or(start);
        points.push(point(least.min(greatest)));
        points.push(point(least.max(greatest)));
    }
    points.push(point(values.len() - 1));
    points
}

/// Points of a curve in the plane without those closer to the previous one than the fraction
/// `least` of width and height: the same picture with fewer points.
pub(super) fn apart(
    points: &[(f64, f64)],
    (width, height): (f64, f64),
    least: f64,
) -> Vec<(f64, f64)> {
    let Some((&first, rest)) = points.split_first() else { return Vec::new() };
    let mut kept = vec![first];
    for (k, &(x, y)) in rest.iter().enumerate() {
        let (x0, y0) = kept[kept.len() - 1];
        if ((x - x0) / width).hypot((y - y0) / height) > least || k + 1 == rest.len() {
            kept.push((x, y));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_the_curve_where_it_is_not_finite() {
        let values = [f64::NAN, 1.0, 2.0, f64::INFINITY, 3.0];
        assert_eq!(finite_runs(&values), [1..3, 4..5]);
        assert!(finite_runs(&[]).is_empty());
    }

    #[test]
    fn thinning_keeps_every_spike() {
        let n = 100_000;
        let times: Vec<f64> = (0..n).map(f64::from).collect();
        let mut values = vec![0.0; n as usize];
        values[31_415] = 7.0;
        values[77_777] = -5.0;
        let points = thin(&times, &values, 1500);
        assert!(points.len() < 4000);
        assert!(points.contains(&(31_415.0, 7.0)) && points.contains(&(77_777.0, -5.0)));
        assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert_eq!(points.last(), Some(&(99_999.0, 0.0)));
    }

    #[test]
    fn indistinguishable_points_are_skipped() {
        let circle = |k: i32| (f64::from(k) / 5000.0).sin_cos();
        let points: Vec<(f64, f64)> = (0..100_000).map(circle).collect();
        let kept = apart(&points, (2.0, 2.0), 1e-3);
        // Three turns, of length pi in the unit of width and height each.
        assert!((8000..11_000).contains(&kept.len()), "{}", kept.len());
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
        assert!(apart(&[], (1.0, 1.0), 1e-3).is_empty());
    }
}
