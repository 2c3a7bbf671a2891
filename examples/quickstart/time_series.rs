//! The two time series, their half-derivatives, and the pictures of both.

use hpfracc::prelude::*;
use hpfracc_cli::{CsvTable, Missing, Series, SeriesOptions};
use hpfracc_plot::{Panel, Picture};
use ndarray::aview1;
use pictures::Outcome;
use std::path::Path;

pub(crate) const DAYS_PER_YEAR: f64 = 365.25;

pub(crate) const SUNSPOTS: Source = Source {
    stem: "sunspots",
    title: "Sunspot numbers and their half-derivative",
    unit: "sunspot number",
    half_unit: "sunspot number / √year",
    weekly: false,
};

pub(crate) const CO2: Source = Source {
    stem: "co2",
    title: "CO₂ at Mauna Loa and its half-derivative",
    unit: "ppm",
    half_unit: "ppm / √year",
    weekly: true,
};

/// A time series in `examples/data`, and the texts of its picture.
pub(crate) struct Source {
    pub(crate) stem: &'static str,
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
    half_unit: &'static str,
    /// Weekly data: the unit of time is a year, and missing weeks are interpolated.
    weekly: bool,
}

impl Source {
    pub(crate) fn read(&self) -> Outcome<Series> {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let dt = Some(7.0 / DAYS_PER_YEAR);
        let choice = match self.weekly {
            true => SeriesOptions { missing: Missing::Interpolate, dt, ..SeriesOptions::default() },
            false => SeriesOptions::default(),
        };
        Ok(Series::new(&CsvTable::open(&data.join(format!("{}.csv", self.stem)))?, &choice)?)
    }

    /// A half-derivative as a panel of the picture.
    pub(crate) fn half<'a>(&self, values: &'a [f64]) -> Curve<'a> {
        let title = "its half-derivative (Caputo, scheme L1)";
        Curve { title, unit: self.half_unit, values }
    }
}

/// Caputo's half-derivative: it depends on changes since the first sample, not on its level.
pub(crate) fn half_per_year(series: &Series, machine: &Machine) -> Outcome<Vec<f64>> {
    let half = Caputo::l1(Order::new(0.5)?)?.on(series.grid, machine)?;
    Ok(half.apply(aview1(&series.values))?.to_vec())
}

/// A result in a picture.
#[derive(Clone, Copy)]
pub(crate) struct Curve<'a> {
    pub(crate) title: &'a str,
    pub(crate) unit: &'a str,
    pub(crate) values: &'a [f64],
}

/// Calls a function with the picture of a time series and its derivatives below.
pub(crate) fn with_picture<T>(
    (series, title, unit): (&Series, &str, &str),
    results: &[Curve<'_>],
    draw: impl FnOnce(&Picture<'_>) -> Outcome<T>,
) -> Outcome<T> {
    let data = Panel {
        title: &format!("data: {}", series.name),
        label: unit,
        values: &series.values,
        filled: &series.filled,
    };
    let mut panels = vec![data];
    panels.extend(results.iter().map(|c| Panel {
        title: c.title,
        label: c.unit,
        values: c.values,
        filled: &[],
    }));
    let (time, times) = (series.time_format.axis("year"), &series.times[..]);
    draw(&Picture { title, time, times, panels: &panels })
}
