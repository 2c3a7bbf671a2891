//! Functions of a matrix from its Schur form.

use nalgebra::{DMatrix, Schur};
use num_complex::Complex64;

use crate::{MittagLeffler, SpecialError};

/// Eigenvalues closer than this part of their size share a block: a smaller distance would
/// appear as a divisor in the recurrence.
const CLUSTER: f64 = 0.1;
/// Most terms of the series of a block, for one eigenvalue and for each further one.
const MOST_TERMS: usize = 60;

pub(super) fn of_matrix(
    e: &MittagLeffler,
    a: &DMatrix<Complex64>,
) -> Result<DMatrix<Complex64>, SpecialError> {
    let n = a.nrows();
    let steps = 1000 + 100 * n;
    let (mut q, mut t) = Schur::try_new(a.clone(), f64::EPSILON, steps)
        .ok_or(SpecialError::NotConverged { method: "Schur form", steps })?
        .unpack();
    t.fill_lower_triangle(Complex64::ZERO, 1);
    let blocks = gather(&mut q, &mut t, CLUSTER * e.alpha().min(1.0));
    let f = of_triangular(e, &t, &blocks)?;
    Ok(&q * f * q.adjoint())
}

/// Reorders the Schur form so that clusters of eigenvalues are contiguous; returns where the
/// blocks begin, and n.
fn gather(q: &mut DMatrix<Complex64>, t: &mut DMatrix<Complex64>, width: f64) -> Vec<usize> {
    let n = t.nrows();
    let values: Vec<Complex64> = t.diagonal().iter().copied().collect();
    let mut cluster: Vec<usize> = (0..n).collect();
    for i in 0..n {
        for j in 0..i {
            let size = values[i].norm().max(values[j].norm()).max(1.0);
            if (values[i] - values[j]).norm() <= width * size {
                // Transitive: the whole cluster of i joins that of j.
                let (from, to) = (cluster[i], cluster[j]);
                cluster.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
            }
        }
    }
    // Bubble sort: each exchange of neighbours is one rotation.
    for end in (1..n).rev() {
        for k in 0..end {
            if cluster[k] > cluster[k + 1] {
                exchange(q, t, k);
                cluster.swap(k, k + 1);
            }
        }
    }
    let mut begins: Vec<usize> =
        (0..n).filter(|&k| k == 0 || cluster[k] != cluster[k - 1]).collect();
    begins.push(n);
    begins
}

/// Exchanges the eigenvalues k and k+1 of a triangular matrix by a rotation (Golub and Van Loan,
/// Matrix Computations, 4th edition, section 7.6.2).
fn exchange(q: &mut DMatrix<Complex64>, t: &mut DMatrix<Complex64>, k: usize) {
    let n = t.nrows();
    let (first, second) = (t[(k, k)], t[(k + 1, k + 1)]);
    // The eigenvector of `second` in the plane of the two.
    let (x, y) = (t[(k, k + 1)], second - first);
    let norm = x.norm().hypot(y.norm());
    if norm == 0.0 {
        return;
    }
    let (x, y) = (x / norm, y / norm);
    for j in 0..n {
        let (a, b) = (t[(k, j)], t[(k + 1, j)]);
        t[(k, j)] = x.conj() * a + y.conj() * b;
        t[(k + 1, j)] = x * b - y * a;
    }
    for m in [t, q] {
        for i in 0..n {
            let (a, b) = (m[(i, k)], m[(i, k + 1)]);
            m[(i, k)] = a * x + b * y;
            m[(i, k + 1)] = b * x.conj() - a * y.conj();
        }
    }
}

/// f(T) of an upper triangular T whose blocks begin at the given places.
fn of_triangular(
    e: &MittagLeffler,
    t: &DMatrix<Complex64>,
    begins: &[usize],
) -> Result<DMatrix<Complex64>, SpecialError> {
    let n = t.nrows();
    let mut f = DMatrix::<Complex64>::zeros(n, n);
    let count = begins.len() - 1;
    let range = |b: usize| (begins[b], begins[b + 1] - begins[b]);
    let block = |m: &DMatrix<Complex64>, i: usize, j: usize| {
        let ((r, rows), (c, columns)) = (range(i), range(j));
        m.view((r, c), (rows, columns)).into_owned()
    };
    for b in 0..count {
        let (r, size) = range(b);
        let value = of_cluster(e, &block(t, b, b))?;
        f.view_mut((r, r), (size, size)).copy_from(&value);
    }
    // Block superdiagonals, from F T = T F.
    for distance in 1..count {
        for i in 0..count - distance {
            let j = i + distance;
            let (tii, tjj, tij) = (block(t, i, i), block(t, j, j), block(t, i, j));
            let mut right = block(&f, i, i) * &tij - &tij * block(&f, j, j);
            for k in i + 1..j {
                right += block(&f, i, k) * block(t, k, j) - block(t, i, k) * block(&f, k, j);
            }
            let x = sylvester(&tii, &tjj, right);
            let ((r, rows), (c, columns)) = (range(i), range(j));
            f.view_mut((r, c), (rows, columns)).copy_from(&x);
        }
    }
    Ok(f)
}

/// X with A X - X B = C, A and B upper triangular without common eigenvalues.
fn sylvester(
    a: &DMatrix<Complex64>,
    b: &DMatrix<Complex64>,
    mut c: DMatrix<Complex64>,
) -> DMatrix<Complex64> {
    for column in 0..b.ncols() {
        for earlier in 0..column {
            for row in 0..a.nrows() {
                let known = c[(row, earlier)] * b[(earlier, column)];
                c[(row, column)] += known;
            }
        }
        for row in (0..a.nrows()).rev() {
            let mut sum = c[(row, column)];
            for k in row + 1..a.nrows() {
                sum -= a[(row, k)] * c[(k, column)];
            }
            c[(row, column)] = sum / (a[(row, row)] - b[(column, column)]);
        }
    }
    c
}

/// f(T) by Taylor's series around the mean of the eigenvalues.
fn of_cluster(
    e: &MittagLeffler,
    t: &DMatrix<Complex64>,
) -> Result<DMatrix<Complex64>, SpecialError> {
    let n = t.nrows();
    if n == 1 {
        return Ok(t.map(|z| e.eval_complex(z)));
    }
    let mean = t.trace() / n as f64;
    let shifted = t - DMatrix::identity(n, n) * mean;
    let most = MOST_TERMS + 2 * n;
    let mut len = 16 + n;
    loop {
        let coefficients = e.taylor_coefficients(mean, len);
        let mut power = DMatrix::<Complex64>::identity(n, n);
        let mut sum = DMatrix::<Complex64>::zeros(n, n);
        let mut small = 0;
        for c in coefficients {
            let term = &power * c;
            small = if term.norm() <= 1e-16 * sum.norm() { small + 1 } else { 0 };
            sum += term;
            // A power of the nilpotent part may vanish before the others have their say.
            if small == n + 1 {
                return Ok(sum);
            }
            power *= &shifted;
        }
        if len >= most {
            return Err(SpecialError::NotConverged { method: "series of a block", steps: len });
        }
        len = (2 * len).min(most);
    }
}
