/// Most sweeps for an eigenvalue.
const SWEEPS: usize = 60;

/// Eigenvalues of a symmetric tridiagonal matrix and its orthonormal eigenvectors, the k-th in
/// `vectors[k * m..(k + 1) * m]`, by the implicit QL algorithm. Source: J. H. Wilkinson, C. Reinsch,
/// Linear Algebra (1971), contribution II/4.
pub(crate) fn tridiagonal_eigen(diagonal: &[f64], off_diagonal: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let m = diagonal.len();
    let mut d = diagonal.to_vec();
    let mut e = off_diagonal.to_vec();
    e.resize(m, 0.0);
    let mut vectors = vec![0.0; m * m];
    for k in 0..m {
        vectors[k * m + k] = 1.0;
    }
    for low in 0..m {
        // Two sweeps an eigenvalue are usual; the limit only ends those of numbers that are NaN.
        for _ in 0..SWEEPS {
            let small = |k: usize| e[k].abs() <= f64::EPSILON * (d[k].abs() + d[k + 1].abs());
            let high = (low..m - 1).find(|&k| small(k)).unwrap_or(m - 1);
            if high == low {
                break;
            }
            sweep(&mut d, &mut e, &mut vectors, low, high);
        }
    }
    (d, vectors)
}

/// One implicit QL sweep with Wilkinson's shift on the rows low..=high.
fn sweep(d: &mut [f64], e: &mut [f64], vectors: &mut [f64], low: usize, high: usize) {
    let m = d.len();
    let half = (d[low + 1] - d[low]) / (2.0 * e[low]);
    let root = half.hypot(1.0);
    let mut g = d[high] - d[low] + e[low] / (half + root.copysign(half));
    let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
    for k in (low..high).rev() {
        let (f, b) = (sine * e[k], cosine * e[k]);
        let r = f.hypot(g);
        e[k + 1] = r;
        if r == 0.0 {
            d[k + 1] -= shift;
            e[high] = 0.0;
            return;
        }
        (sine, cosine) = (f / r, g / r);
        g = d[k + 1] - shift;
        let r = (d[k] - g) * sine + 2.0 * cosine * b;
        shift = sine * r;
        d[k + 1] = g + shift;
        g = cosine * r - b;
        let (lower, upper) = vectors[k * m..(k + 2) * m].split_at_mut(m);
        for (a, b) in lower.iter_mut().zip(upper) {
            (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
        }
    }
    d[low] -= shift;
    e[low] = g;
    e[high] = 0.0;
}
