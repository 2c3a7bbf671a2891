//! Numbers as decimal text.

/// Shortest decimal number from which the same `f64` is parsed, with an exponent for very large and
/// small ones.
///
/// ```
/// use hpfracc_types::shortest;
///
/// assert_eq!(shortest(316.1), "316.1");
/// assert_eq!(shortest(-1.5e-9), "-1.5e-9");
/// assert_eq!(shortest(0.1 + 0.2), "0.30000000000000004");
/// ```
pub fn shortest(x: f64) -> String {
    if x == 0.0 || !x.is_finite() || (1e-5..1e17).contains(&x.abs()) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Decimal digits without zeros at the end of their decimals.
///
/// ```
/// use hpfracc_types::without_zeros;
///
/// assert_eq!(["2.500", "3.0", "40"].map(without_zeros), ["2.5", "3", "40"]);
/// ```
pub fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_numbers_read_back_to_the_same_bits() {
        for (x, text) in [
            (1.0, "1"),
            (0.1, "0.1"),
            (-0.0, "-0"),
            (1e16, "10000000000000000"),
            (1e17, "1e17"),
            (1e-5, "0.00001"),
            (9.999999999999999e-6, "9.999999999999999e-6"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(shortest(x), text);
        }
        // All exponents and many mantissas.
        let mut bits = 1u64;
        for _ in 0..20_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let x = f64::from_bits(bits);
            if x.is_finite() {
                assert_eq!(shortest(x).parse::<f64>().unwrap().to_bits(), bits);
            }
        }
        for x in [5e-324, f64::MAX, f64::MIN_POSITIVE, 1e22, 123456789.123456789] {
            assert_eq!(shortest(x).parse::<f64>().unwrap(), x);
        }
    }
}
