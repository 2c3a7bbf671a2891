/// The largest magnitude, or NaN if a value is NaN.
pub fn max_abs<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |m: f64, v| if v.is_nan() { *v } else { m.max(v.abs()) })
}

/// The largest difference relative to the largest magnitude of `exact`.
///
/// # Panics
/// If the lengths differ.
pub fn relative_max_error(found: &[f64], exact: &[f64]) -> f64 {
    assert_eq!(found.len(), exact.len(), "lengths differ");
    let differences: Vec<f64> = found.iter().zip(exact).map(|(a, b)| a - b).collect();
    max_abs(&differences) / max_abs(exact)
}
