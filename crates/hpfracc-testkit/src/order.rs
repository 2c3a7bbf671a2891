/// The observed order of accuracy: the slope of log(error) over log(step), by least squares.
///
/// # Panics
/// If there are fewer than two pairs, or an error is not positive: an exact result has no order.
pub fn observed_order(steps_and_errors: &[(f64, f64)]) -> f64 {
    assert!(steps_and_errors.len() >= 2, "a slope needs two points");
    let logs: Vec<(f64, f64)> = steps_and_errors
        .iter()
        .map(|&(h, e)| {
            assert!(e > 0.0, "error {e} at step {h} has no logarithm");
            (h.ln(), e.ln())
        })
        .collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let variance: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_has_its_exponent_as_slope() {
        let pairs: Vec<(f64, f64)> =
            [0.1f64, 0.05, 0.025].iter().map(|&h| (h, 3.0 * h.powf(1.4))).collect();
        assert!((observed_order(&pairs) - 1.4).abs() < 1e-12);
    }
}
