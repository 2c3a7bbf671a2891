//! Ticks and ranges of axes.

use hpfracc_types::without_zeros;
use std::ops::Range;

/// Label of a tick, with enough decimals to distinguish neighbouring ticks.
pub(super) fn text(value: f64, range: &Range<f64>) -> String {
    // Minus sign in place of a hyphen.
    digits(value, range).replace('-', "\u{2212}")
}

fn digits(value: f64, range: &Range<f64>) -> String {
    let span = range.end - range.start;
    let largest = range.start.abs().max(range.end.abs());
    // Key points of the chart are at least a twentieth of the range apart.
    let finest = span / 20.0;
    let value = if value.abs() < finest * 1e-6 { 0.0 } else { value };
    if !(1e-3..1e6).contains(&largest) {
        let decimals = (largest / finest).log10().ceil().clamp(0.0, 16.0) as usize;
        let text = format!("{value:.decimals$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = without_zeros(mantissa);
        return if exponent == "0" {
            mantissa.to_owned()
        } else {
            format!("{mantissa}·10{}", superscript(exponent))
        };
    }
    let decimals = (-finest.log10()).ceil().clamp(0.0, 16.0) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// Smallest and largest finite value; infinities in wrong order if there is none.
pub(crate) fn extremes(values: &[f64]) -> (f64, f64) {
    let finite = values.iter().filter(|v| v.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)))
}

/// Range of values with a margin.
pub(crate) fn with_margin((low, high): (f64, f64)) -> Range<f64> {
    if low > high {
        return -1.0..1.0;
    }
    let span = high - low;
    // The span of a constant is 0, and that of the whole range of f64 overflows.
    let margin = if span > 0.0 && span.is_finite() { 0.06 * span } else { 0.1 * high.abs() };
    let margin = if margin > 0.0 { margin } else { 1.0 };
    (low - margin).max(f64::MIN / 4.0)..(high + margin).min(f64::MAX / 4.0)
}

/// Whole decades around logarithms, at least one.
pub(super) fn decades((low, high): (f64, f64)) -> Range<f64> {
    if low > high {
        return 0.0..1.0;
    }
    low.floor()..high.ceil().max(low.floor() + 1.0)
}

/// Power of ten at a tick of a logarithmic axis; empty between whole decades.
pub(super) fn decade(logarithm: f64) -> String {
    let whole = logarithm.round();
    if (logarithm - whole).abs() > 1e-6 {
        return String::new();
    }
    match whole as i32 {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        exponent => format!("10{}", superscript(&exponent.to_string())),
    }
}

/// Digits and signs as superscripts.
fn superscript(digits: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    digits.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_follow_the_range() {
        for (value, range, expected) in [
            (320.0, 310.0..375.0, "320"),
            (0.30000000000000004, 0.0..1.0, "0.3"),
            (-1e-19, -1.0..1.0, "0"),
            (0.0025, 0.0..0.01, "0.0025"),
            (2.5e7, 0.0..5e7, "2.5·10⁷"),
            (-2e-5, -1e-4..1e-4, "\u{2212}2·10⁻⁵"),
            (1000.5, 1000.0..1001.0, "1000.5"),
        ] {
            assert_eq!(text(value, &range), expected);
        }
        for (logarithm, expected) in
            [(0.0, "1"), (1.0, "10"), (-3.0, "10⁻³"), (12.0, "10¹²"), (0.5, "")]
        {
            assert_eq!(decade(logarithm), expected);
        }
    }

    #[test]
    fn ranges_hold_their_values() {
        let value_range = |values: &[f64]| with_margin(extremes(values));
        let range = value_range(&[1.0, f64::NAN, 3.0, f64::INFINITY]);
        assert!(range.start < 1.0 && range.start > 0.8 && range.end > 3.0 && range.end < 3.2);
        assert_eq!(value_range(&[]), -1.0..1.0);
        let decades = |logarithms: &[f64]| decades(extremes(logarithms));
        assert_eq!((decades(&[]), decades(&[2.0, 2.0])), (0.0..1.0, 2.0..3.0));
        assert_eq!(decades(&[-0.5, f64::NEG_INFINITY, 1.2]), -1.0..2.0);
        assert_eq!(value_range(&[0.0, 0.0]), -1.0..1.0);
        let wide = value_range(&[f64::MIN, f64::MAX]);
        assert!((wide.end - wide.start).is_finite());
    }
}
