//! Elimination from both ends.

use super::Tridiagonal;
use crate::scalar::Scalar;

/// Factors by elimination from both ends to the middle row: two recurrences that do not wait for
/// each other, in half of the time of one. Without pivoting.
pub(super) struct BothEnds<T> {
    /// Rows before the middle one, from the first.
    top: Half<T>,
    /// Rows after the middle one, from the last; at most one row less.
    bottom: Half<T>,
    /// Multipliers of the last row of each half in the elimination of the middle row.
    middle: [T; 2],
    /// Reciprocal pivot of the middle row.
    inverse: T,
}

/// Rows of a half, from its end to the middle.
struct Half<T> {
    /// Multiplier of the row before, 0 for the first.
    multipliers: Vec<T>,
    /// Reciprocal pivots.
    inverses: Vec<T>,
    /// Coupling to the next row, divided by the pivot.
    couplings: Vec<T>,
}

impl<T: Scalar> Half<T> {
    fn zeros(rows: usize) -> Self {
        let zeros = || vec![T::default(); rows];
        Self { multipliers: zeros(), inverses: zeros(), couplings: zeros() }
    }

    fn rows(&mut self) -> impl Iterator<Item = (&mut T, &mut T, &mut T)> {
        let rows = self.multipliers.iter_mut().zip(&mut self.inverses).zip(&mut self.couplings);
        rows.map(|((multiplier, inverse), coupling)| (multiplier, inverse, coupling))
    }
}

/// The last eliminated row of a half.
struct Eliminated<T> {
    inverse: T,
    /// Its coupling to the next row.
    next: T,
    /// Whether all pivots were at least as large as the entries that they eliminated.
    stable: bool,
}

impl<T: Scalar> Eliminated<T> {
    fn none() -> Self {
        Self { inverse: T::default(), next: T::default(), stable: true }
    }

    /// Eliminates the entry `back` of a row with the last one, and returns multiplier and pivot.
    fn eliminate(&mut self, back: T, diagonal: T) -> (T, T) {
        let multiplier = back * self.inverse;
        self.stable &= multiplier.norm_sqr() <= 1.0;
        (multiplier, diagonal - multiplier * self.next)
    }

    /// Goes to a row with its entries before, on and after the diagonal, and writes its factors.
    fn take(&mut self, [back, diagonal, next]: [T; 3], row: (&mut T, &mut T, &mut T)) {
        let (multiplier, pivot) = self.eliminate(back, diagonal);
        (self.inverse, self.next) = (T::from(1.0) / pivot, next);
        *row.0 = multiplier;
        *row.1 = self.inverse;
        *row.2 = next * self.inverse;
    }
}

impl<T: Scalar> BothEnds<T> {
    /// Factors of the leading n rows and columns of `z + A`. None if the elimination needs
    /// pivoting.
    pub(super) fn new(a: &Tridiagonal, z: T, n: usize) -> Option<Self> {
        let middle = n / 2;
        let (mut top, mut bottom) = (Half::zeros(middle), Half::zeros(n - 1 - middle));
        let (mut first, mut last) = (Eliminated::none(), Eliminated::none());
        // Corners do not belong to the rows.
        let lower = |i: usize| T::from(if i == 0 { 0.0 } else { a.lower[i] });
        let upper = |i: usize| T::from(if i + 1 == n { 0.0 } else { a.upper[i] });
        let diagonal = |i: usize| z + T::from(a.diagonal[i]);
        let mut from_bottom = bottom.rows();
        for (i, row) in top.rows().enumerate() {
            first.take([lower(i), diagonal(i), upper(i)], row);
            if let Some(row) = from_bottom.next() {
                let j = n - 1 - i;
                last.take([upper(j), diagonal(j), lower(j)], row);
            }
        }
        drop(from_bottom);
        let (from_first, pivot) = first.eliminate(lower(middle), diagonal(middle));
        let (from_last, pivot) = last.eliminate(upper(middle), pivot);
        let inverse = T::from(1.0) / pivot;
        // Not for infinite pivots and NaN.
        let holds = first.stable && last.stable && inverse.norm_sqr().is_normal();
        holds.then_some(Self { top, bottom, middle: [from_first, from_last], inverse })
    }

    pub(super) fn len(&self) -> usize {
        self.top.inverses.len() + 1 + self.bottom.inverses.len()
    }

    pub(super) fn solve(&self, x: &mut [T]) {
        let (from_first, rest) = x.split_at_mut(self.top.inverses.len());
        let Some((middle, from_last)) = rest.split_first_mut() else { return };
        let [first, last] = eliminate(&self.top, &self.bottom, from_first, from_last);
        let value = *middle - self.middle[0] * first - self.middle[1] * last;
        *middle = value * self.inverse;
        substitute(&self.top, &self.bottom, *middle, from_first, from_last);
    }
}

/// Eliminates from both ends to the middle, and returns the last values.
fn eliminate<T: Scalar>(
    top: &Half<T>,
    bottom: &Half<T>,
    from_first: &mut [T],
    from_last: &mut [T],
) -> [T; 2] {
    let [mut first, mut last] = [T::default(); 2];
    let mut bottom = from_last.iter_mut().rev().zip(&bottom.multipliers);
    for (x, m) in from_first.iter_mut().zip(&top.multipliers) {
        first = *x - *m * first;
        *x = first;
        if let Some((x, m)) = bottom.next() {
            last = *x - *m * last;
            *x = last;
        }
    }
    [first, last]
}

/// Substitutes from the value in the middle to both ends.
fn substitute<T: Scalar>(
    top: &Half<T>,
    bottom: &Half<T>,
    middle: T,
    from_first: &mut [T],
    from_last: &mut [T],
) {
    let [mut first, mut last] = [middle; 2];
    let mut bottom = from_last.iter_mut().zip(bottom.inverses.iter().zip(&bottom.couplings).rev());
    let top = from_first.iter_mut().zip(top.inverses.iter().zip(&top.couplings)).rev();
    for (x, (inverse, coupling)) in top {
        first = *x * *inverse - *coupling * first;
        *x = first;
        if let Some((x, (inverse, coupling))) = bottom.next() {
            last = *x * *inverse - *coupling * last;
            *x = last;
        }
    }
}
