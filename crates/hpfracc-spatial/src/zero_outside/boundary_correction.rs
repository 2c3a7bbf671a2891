//! Diagonal that makes a matrix exact for one function.

use hpfracc_operators::Dual;

/// Diagonal D for which `(A + D) w` is the constant `exact`, with its derivative with respect to
/// alpha, from products with A and with dA/dalpha.
///
/// Row i of the matrix then holds v = u/w constant in the error of the quadrature. If A is symmetric
/// without positive entries off the diagonal, and w and `exact` are positive, A + D is positive
/// definite: an M-matrix.
pub(crate) fn diagonal(
    w: &[Dual],
    exact: Dual,
    product: impl Fn(&[f64], &mut [f64]),
    derivative: impl Fn(&[f64], &mut [f64]),
) -> Vec<Dual> {
    let values: Vec<f64> = w.iter().map(|w| w.value).collect();
    let slopes: Vec<f64> = w.iter().map(|w| w.derivative).collect();
    let [mut image, mut by_matrix, mut by_function] = [(); 3].map(|()| vec![0.0; w.len()]);
    product(&values, &mut image);
    derivative(&values, &mut by_matrix);
    product(&slopes, &mut by_function);
    let entry = |i: usize| {
        let found = Dual { value: image[i], derivative: by_matrix[i] + by_function[i] };
        (exact - found) / w[i]
    };
    (0..w.len()).map(entry).collect()
}

/// Adds `D x` to y, with the values or the derivatives of D.
pub(crate) fn add(
    diagonal: Option<&Vec<Dual>>,
    part: impl Fn(&Dual) -> f64,
    x: &[f64],
    y: &mut [f64],
) {
    for ((y, x), d) in y.iter_mut().zip(x).zip(diagonal.into_iter().flatten()) {
        *y += part(d) * x;
    }
}

/// Largest entry, or 0.
pub(crate) fn largest(diagonal: Option<&Vec<Dual>>) -> f64 {
    diagonal.into_iter().flatten().fold(0.0, |most, d| d.value.max(most))
}

/// Lower bound min (A w)_i / w_i of the eigenvalues of a symmetric matrix without positive entries
/// off the diagonal, for positive w (Collatz and Wielandt); the margin is for rounding.
pub(crate) fn lower_bound(w: &[f64], product: impl Fn(&[f64], &mut [f64])) -> f64 {
    let mut image = vec![0.0; w.len()];
    product(w, &mut image);
    let lowest = image.iter().zip(w).fold(f64::INFINITY, |low, (y, w)| low.min(y / w));
    lowest.max(0.0) * (1.0 - 1e-9)
}
