/// Points in geometric progression, ends included.
pub(crate) fn logarithmic_grid([a, b]: [f64; 2], density: f64) -> Vec<f64> {
    let width = (b / a).ln();
    let n = (width * density).ceil().max(16.0);
    (0..=n as usize).map(|k| b * (-width * (1.0 - k as f64 / n)).exp()).collect()
}
