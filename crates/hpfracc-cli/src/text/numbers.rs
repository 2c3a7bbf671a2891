//! Numbers as text.

use hpfracc::types::shortest;

/// Number for a message, rounded to 12 significant digits.
pub(crate) fn rounded(x: f64) -> String {
    shortest(format!("{x:.11e}").parse().unwrap_or(x))
}

/// Number of bytes in MiB, rounded up.
pub(crate) fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

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
