//! Symbols, prepared on the host in double precision.

use hpfracc_backend::Shape;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;

/// The symbol at all frequencies, row-major: missing values are the conjugates of their mirror
/// images.
pub(super) fn full(symbol: &[f64], shape: Shape) -> Vec<Complex64> {
    let (lens, stored) = (shape.lens(), shape.half_spectrum().last());
    let n = shape.last();
    let at = |row: usize, k: usize| {
        let pair = 2 * (row * stored + k);
        Complex64::new(symbol[pair], symbol[pair + 1])
    };
    let mut values = Vec::with_capacity(shape.len().unwrap_or(0));
    for row in 0..symbol.len() / (2 * stored) {
        let partner = mirrored_row(row, &lens[..lens.len() - 1]);
        let missing = (stored..n).map(|k| at(partner, n - k).conj());
        values.extend((0..stored).map(|k| at(row, k)).chain(missing));
    }
    values
}

/// The row whose index along each of these axes is the negative, modulo the length.
fn mirrored_row(mut row: usize, lens: &[usize]) -> usize {
    let (mut partner, mut stride) = (0, 1);
    for &n in lens.iter().rev() {
        partner += (n - row % n) % n * stride;
        stride *= n;
        row /= n;
    }
    partner
}

/// The first column h of the circulant matrix of one axis, `y[n] = sum_j h[(n-j) mod N] x[j]`: the
/// inverse transform of the symbol.
pub(crate) fn impulse_response(symbol: &[f64], shape: Shape) -> Vec<f64> {
    let mut values = full(symbol, shape);
    let n = values.len();
    FftPlanner::new().plan_fft_inverse(n).process(&mut values);
    // The imaginary parts of a Hermitian symbol's response are rounding errors.
    values.iter().map(|h| h.re / n as f64).collect()
}

/// For each row of n symbol values, the spectrum of a circulant matrix of `points` rows with the
/// row's n x n circulant matrix in its corner, times `factor / points`.
///
/// For `points = n` that is the row itself, else `points >= 2 n - 1`: the first column has lags
/// 0 .. n-1 at its beginning and lags -(n-1) .. -1 at its end.
pub(super) fn embedded(
    rows: &[Complex64],
    n: usize,
    points: usize,
    factor: f64,
) -> impl Iterator<Item = Complex64> {
    let mut planner = FftPlanner::new();
    let (inverse, forward) = (planner.plan_fft_inverse(n), planner.plan_fft_forward(points));
    rows.chunks_exact(n).flat_map(move |row| {
        let mut line = row.to_vec();
        let mut scale = factor / points as f64;
        if points != n {
            inverse.process(&mut line);
            line.resize(points, Complex64::default());
            line.copy_within(1..n, points - n + 1);
            forward.process(&mut line);
            scale /= n as f64;
        }
        line.into_iter().map(move |s| s * scale)
    })
}
