use super::{dates, ticks};
use std::ops::Range;

/// Axis of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis<'a> {
    /// Quantity with its unit. A horizontal axis without a name has no ticks either, and shares the
    /// axis of the chart below.
    pub name: &'a str,
    /// Scale.
    pub scale: AxisScale,
}

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic over whole decades; values that are not positive are skipped.
    Log,
    /// Dates, in days since 1970-01-01.
    Date,
}

impl<'a> Axis<'a> {
    /// Linear axis.
    pub fn linear(name: &'a str) -> Self {
        Self { name, scale: AxisScale::Linear }
    }

    /// Logarithmic axis over whole decades.
    pub fn log(name: &'a str) -> Self {
        Self { name, scale: AxisScale::Log }
    }

    /// Axis of dates, whose values are days since 1970-01-01.
    pub fn date(name: &'a str) -> Self {
        Self { name, scale: AxisScale::Date }
    }

    /// Position of a value: its logarithm, and a date as a decimal year, so that ticks are at whole
    /// years.
    pub(crate) fn position(self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Log if value > 0.0 => value.log10(),
            AxisScale::Log => f64::NAN,
            AxisScale::Date => dates::decimal_year(value),
        }
    }

    /// Range of the axis, without a margin if `tight`.
    pub(crate) fn range(self, (low, high): (f64, f64), tight: bool) -> Range<f64> {
        match self.scale {
            AxisScale::Log => ticks::decades((low, high)),
            _ if tight && low < high => low..high,
            _ => ticks::with_margin((low, high)),
        }
    }

    /// Number of labels that fit; on a logarithmic axis at most one per decade.
    pub(crate) fn count(self, length: i32, each: i32, range: &Range<f64>) -> usize {
        let room = (length / each).clamp(2, 12) as usize;
        match self.scale {
            AxisScale::Linear => room,
            AxisScale::Log => room.min((range.end - range.start).round() as usize + 1),
            // Dates are wider than numbers.
            AxisScale::Date => room.min(10),
        }
    }

    /// Label of a tick.
    pub(crate) fn text(self, position: f64, range: &Range<f64>) -> String {
        match self.scale {
            AxisScale::Log => ticks::decade(position),
            // Below two years, dates are more readable than fractions of a year.
            AxisScale::Date if range.end - range.start < 2.0 => dates::text(position),
            _ => ticks::text(position, range),
        }
    }

    /// Positions of ticks without labels: on a logarithmic axis the decades, and the multiples
    /// within them if these are apart.
    pub(crate) fn minor_ticks(self, range: &Range<f64>) -> Vec<f64> {
        /// Most decades of an axis on which multiples are apart.
        const DECADES: f64 = 9.0;
        if self.scale != AxisScale::Log {
            return Vec::new();
        }
        let most = if range.end - range.start <= DECADES { 9 } else { 1 };
        let decades = range.start.round() as i32..=range.end.round() as i32;
        let all = decades
            .flat_map(|decade| (1..=most).map(move |k| f64::from(decade) + f64::from(k).log10()));
        all.filter(|position| *position <= range.end + 1e-9).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonpositive_values_have_no_logarithmic_position() {
        let axis = Axis::log("t");
        assert_eq!(axis.position(1e-3), -3.0);
        assert!(axis.position(0.0).is_nan() && axis.position(-1.0).is_nan());
        assert_eq!(axis.range((-2.3, 0.5), true), -3.0..1.0);
    }

    #[test]
    fn dates_below_two_years_are_whole() {
        let axis = Axis::date("date");
        assert_eq!(axis.text(1970.0, &(1969.5..1970.5)), "1970-01-01");
        assert_eq!(axis.text(1970.0, &(1960.0..1990.0)), "1970");
    }

    #[test]
    fn minor_ticks_are_multiples_of_decades() {
        let ticks = Axis::log("t").minor_ticks(&(-1.0..1.0));
        let values: Vec<f64> =
            ticks.iter().map(|tick| (10f64.powf(*tick) * 1e3).round() / 1e3).collect();
        assert_eq!(&values[..4], &[0.1, 0.2, 0.3, 0.4]);
        assert_eq!((values.len(), values[18]), (19, 10.0));
        assert_eq!(Axis::log("t").minor_ticks(&(0.0..30.0)).len(), 31);
        assert!(Axis::linear("t").minor_ticks(&(0.0..1.0)).is_empty());
    }
}
