//! `y_n = d s_n + sum_k c_k z_k`, then `z_k <- z_k + (s_n - r_k z_k)`; and the transpose, backwards
//! in time.

pub(super) fn apply(kernel: &[f64], nodes: usize, x: &[f64], y: &mut [f64]) {
    let (d, rates, c) = parts(kernel, nodes);
    let (before, samples) = x.split_at(nodes);
    let (z, y) = y.split_at_mut(nodes);
    z.copy_from_slice(before);
    for (y, s) in y.iter_mut().zip(samples) {
        *y = d * s + c.iter().zip(&*z).map(|(c, z)| c * z).sum::<f64>();
        for (z, r) in z.iter_mut().zip(rates) {
            *z += s - r * *z;
        }
    }
}

pub(super) fn apply_transpose(kernel: &[f64], nodes: usize, y: &[f64], x: &mut [f64]) {
    let (d, rates, c) = parts(kernel, nodes);
    let (after, y) = y.split_at(nodes);
    let (l, samples) = x.split_at_mut(nodes);
    l.copy_from_slice(after);
    for (s, g) in samples.iter_mut().zip(y).rev() {
        *s = d * g + l.iter().sum::<f64>();
        for ((l, r), c) in l.iter_mut().zip(rates).zip(c) {
            *l += c * g - r * *l;
        }
    }
}

/// `d`, the rates, and the coefficients.
fn parts(kernel: &[f64], nodes: usize) -> (f64, &[f64], &[f64]) {
    let (rates, c) = kernel[1..].split_at(nodes);
    (kernel[0], rates, c)
}
