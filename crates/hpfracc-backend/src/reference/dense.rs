//! `y = W x` and its transpose `x = W' y`, W row-major.

pub(super) fn apply(w: &[f64], x: &[f64], y: &mut [f64]) {
    for (row, y) in w.chunks_exact(x.len()).zip(y) {
        *y = row.iter().zip(x).map(|(w, x)| w * x).sum();
    }
}

pub(super) fn apply_transpose(w: &[f64], y: &[f64], x: &mut [f64]) {
    let cols = x.len();
    for j in 0..cols {
        x[j] = y.iter().enumerate().map(|(i, y)| w[i * cols + j] * y).sum();
    }
}
