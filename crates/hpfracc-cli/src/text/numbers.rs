//! Numbers as text.

/// Number with 17 significant digits, from which the same `f64` is parsed.
///
/// ```
/// use hpfracc_cli::text::digits17;
///
/// assert_eq!(digits17(316.1), "316.10000000000002");
/// assert_eq!(digits17(-1.5e-9), "-1.5000000000000000e-9");
/// assert_eq!(digits17(0.0), "0.0000000000000000");
/// ```
pub fn digits17(x: f64) -> String {
    let scientific = format!("{x:.16e}");
    let exponent: Option<i32> = scientific.rsplit_once('e').and_then(|(_, e)| e.parse().ok());
    match exponent {
        // Sixteen digits follow the first one at any position of the point.
        Some(e @ -4..=16) => format!("{x:.decimals$}", decimals = (16 - e) as usize),
        _ => scientific,
    }
}

/// Shortest text of a number, with an exponent for very large and small ones.
pub(crate) fn shortest(x: f64) -> String {
    if x == 0.0 || !x.is_finite() || (1e-5..1e17).contains(&x.abs()) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Number for a message, rounded to 12 significant digits.
pub(crate) fn rounded(x: f64) -> String {
    shortest(format!("{x:.11e}").parse().unwrap_or(x))
}

/// Decimal digits without zeros at the end.
pub(crate) fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seventeen_digits_at_every_size() {
        for (x, text) in [
            (1.0, "1.0000000000000000"),
            (0.1, "0.10000000000000001"),
            (-1234.5, "-1234.5000000000000"),
            (1e16, "10000000000000000"),
            (1e17, "1.0000000000000000e17"),
            (1e-4, "0.00010000000000000000"),
            (9.999999999999999e-5, "9.9999999999999991e-5"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(digits17(x), text);
        }
        for x in [std::f64::consts::PI, 1.0 / 3.0, 5e-324, f64::MAX, 1e22, 123456789.123456789] {
            assert_eq!(digits17(x).parse::<f64>().unwrap(), x);
        }
    }

    #[test]
    fn numbers_in_messages_are_short() {
        for (x, text) in [
            (0.1 + 0.2, "0.3"),
            (1e300, "1e300"),
            (-2.5e-9, "-2.5e-9"),
            (7.0, "7"),
            (0.0, "0"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(rounded(x), text);
        }
    }
}
