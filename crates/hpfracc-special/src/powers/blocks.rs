//! Sequences that are one polynomial on each block of indices.
//!
//! In a block around the index m, with t = (k-m)/m and h = 1/m, a sequence whose terms are powers
//! of k has entries `Σ_l q_l t^l`, where each `q_l` is a polynomial in h whose coefficients do not
//! depend on the block. Blocks grow with m, so that their number is logarithmic; the polynomial in
//! t vectorises.

/// |t| <= 1/TAPER in a block.
const TAPER: usize = 16;
/// Degree in t: 16^-16 is 5e-20.
pub(crate) const DEGREE: usize = 15;
/// Index of the first block, of five entries.
pub(crate) const FIRST_BLOCK: usize = 32;

/// Coefficients of a polynomial in t.
pub(crate) type Polynomial = [f64; DEGREE + 1];

/// Σ_p `rows[p]` h^p.
#[inline(always)]
pub(crate) fn in_powers_of(h: f64, rows: &[Polynomial]) -> Polynomial {
    let mut q = [0.0; DEGREE + 1];
    for row in rows.iter().rev() {
        for (q, coefficient) in q.iter_mut().zip(row) {
            *q = *q * h + coefficient;
        }
    }
    q
}

/// Writes the entries from the index `start` on: of each block, `polynomials` has those of the
/// values and of the derivatives for m and h.
#[inline(always)]
pub(crate) fn fill<T>(
    mut start: usize,
    mut out: &mut [T],
    polynomials: impl Fn(f64, f64) -> [Polynomial; 2],
    write: impl Fn(&mut T, f64, f64),
) {
    while !out.is_empty() {
        let half = start / (TAPER - 1);
        let (now, later) = out.split_at_mut((2 * half + 1).min(out.len()));
        let centre = (start + half) as f64;
        let h = 1.0 / centre;
        let [q, dq] = polynomials(centre, h);
        let left = half as f64 * h;
        start += now.len();
        for (j, entry) in now.iter_mut().enumerate() {
            // i32 to f64 is one vector instruction, usize to f64 is not; a block this long would
            // belong to an index beyond 1e10.
            let t = f64::from(j as i32) * h - left;
            let at = |q: &Polynomial| q.iter().rev().fold(0.0, |s, &c| s * t + c);
            write(entry, at(&q), at(&dq));
        }
        out = later;
    }
}
