/// A quantile of values in order: between the two about the place `(n - 1) level`, on a line.
pub(crate) fn interpolated_quantile(values: &[f64], level: f64) -> f64 {
    let place = (values.len() - 1) as f64 * level;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    let share = place - place.floor();
    values[below] * (1.0 - share) + values[above] * share
}
