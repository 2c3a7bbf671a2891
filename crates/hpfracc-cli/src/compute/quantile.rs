/// Quantile of sorted values by linear interpolation at the index `(n - 1) level`.
pub(crate) fn interpolated_quantile(values: &[f64], level: f64) -> f64 {
    let position = (values.len() - 1) as f64 * level;
    let (below, above) = (position.floor() as usize, position.ceil() as usize);
    let fraction = position - position.floor();
    values[below] * (1.0 - fraction) + values[above] * fraction
}
