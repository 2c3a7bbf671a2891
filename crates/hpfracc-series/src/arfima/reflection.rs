//! Polynomials with all roots outside of the unit circle, by partial autocorrelations.

/// Coefficients c of `1 - sum_j c_j z^j`, whose roots are all outside of the unit circle, from any real
/// numbers: the partial autocorrelations are `tanh(u/2)`, the rest the Durbin-Levinson recursion.
pub(super) fn polynomial(free: &[f64]) -> Vec<f64> {
    let mut coefficients: Vec<f64> = Vec::new();
    for u in free {
        let partial = (0.5 * u).tanh();
        let mirrored: Vec<f64> = coefficients.iter().rev().copied().collect();
        for (c, other) in coefficients.iter_mut().zip(mirrored) {
            *c -= partial * other;
        }
        coefficients.push(partial);
    }
    coefficients
}

/// Partial autocorrelations of coefficients; `None` if a root is not outside of the unit circle.
pub(super) fn partial_autocorrelations(coefficients: &[f64]) -> Option<Vec<f64>> {
    let mut coefficients = coefficients.to_vec();
    let mut partial = vec![0.0; coefficients.len()];
    while let Some(last) = coefficients.pop() {
        if last.is_nan() || last.abs() >= 1.0 {
            return None;
        }
        partial[coefficients.len()] = last;
        let mirrored: Vec<f64> = coefficients.iter().rev().copied().collect();
        for (c, other) in coefficients.iter_mut().zip(mirrored) {
            *c = (*c + last * other) / ((1.0 - last) * (1.0 + last));
        }
    }
    Some(partial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_autocorrelations_are_restored() {
        let free = [0.3, -2.0, 1.1, 0.0, 4.0];
        let partial = partial_autocorrelations(&polynomial(&free)).unwrap();
        for (u, partial) in free.iter().zip(partial) {
            assert!(((0.5 * u).tanh() - partial).abs() < 1e-13);
        }
    }

    #[test]
    fn roots_inside_the_unit_circle_are_found() {
        // z = 1/0.9 and 1/0.5; z = 1/1.1 and 1/0.5.
        assert!(partial_autocorrelations(&[1.4, -0.45]).is_some());
        assert_eq!(partial_autocorrelations(&[1.6, -0.55]), None);
        assert_eq!(partial_autocorrelations(&[1.0]), None);
    }
}
