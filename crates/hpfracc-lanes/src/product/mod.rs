//! Matrix products of rows of lanes, without allocation.
//!
//! The order of every sum depends on the sizes and the instruction set alone, not on threads.

mod block;
mod operands;
mod outer;
mod panel;

pub(crate) use block::few;
pub use operands::{Base, Left, Right};
pub use outer::outer;

use crate::Lanes;
use block::{Matrix, Product, lanes};
use panel::Panel;
use pulp::Arch;

/// `out = base + left right`: `left` is `rows x inner`, `right` `inner x columns`, `out`
/// `rows x columns` with rows `stride` apart.
///
/// # Panics
/// Panics if a slice is shorter than the sizes say.
pub fn product<T: Lanes>(
    arch: Arch,
    left: Left<'_, T>,
    right: Right<'_, T>,
    base: Base<'_, T>,
    out: &mut [T],
    stride: usize,
) {
    let Right { values, columns, step, .. } = right;
    let whole = columns / lanes::<T>(arch) * lanes::<T>(arch);
    let small = left.rows < PACKED || left.inner * columns <= SMALL;
    let direct = if small && right.is_matrix() { whole } else { 0 };
    if direct > 0 {
        let right = Matrix { values, columns: direct, step };
        Product { left, right, base, out, stride }.compute(arch);
    }
    let strips = left.down == 1 && left.rows > STRIP && columns > 2 * STRIP;
    let product = Product { left, right, base, out, stride };
    if direct == 0 && strips {
        product.in_strips(arch);
    } else if direct < columns {
        product.packed(arch, direct);
    }
}

/// Rows of the left factor from which it pays to copy the right one.
const PACKED: usize = 32;
/// Elements of the right factor up to which it does not pay.
const SMALL: usize = 1 << 17;

/// Rows of a transposed left factor that are copied together, so that a step along its columns does
/// not touch another page of memory each time.
const STRIP: usize = 128;

impl<'a, T: Lanes> Product<'a, T, Right<'a, T>> {
    /// The columns from `from` on, in panels of the right factor that fit the L1 cache (Goto and
    /// van de Geijn, ACM Trans. Math. Softw. 34 (2008) 12, DOI 10.1145/1356052.1356053).
    fn packed(self, arch: Arch, from: usize) {
        let Self { left, right, base, out, stride } = self;
        let mut panel = Panel::new(arch);
        for first in (0..left.inner).step_by(panel.depth()) {
            let inner = panel.depth().min(left.inner - first);
            let base = if first == 0 { base } else { Base::Present };
            let left = left.part(0, left.rows, first, inner);
            for column in (from..right.columns).step_by(panel.width()) {
                let right = panel.pack(&right, (first, inner), column);
                Product { left, right, base, out: &mut out[column..], stride }.compute(arch);
            }
        }
    }

    /// The same in strips of a transposed left factor.
    fn in_strips(self, arch: Arch) {
        let Self { left, right, base, out, stride } = self;
        let mut panel = Panel::new(arch);
        let mut strip = [T::zero(); STRIP * STRIP];
        let depth = panel.depth().min(STRIP);
        for first in (0..left.inner).step_by(depth) {
            let inner = depth.min(left.inner - first);
            for row in (0..left.rows).step_by(STRIP) {
                let rows = STRIP.min(left.rows - row);
                for (k, line) in (first..first + inner).zip(strip.chunks_exact_mut(STRIP)) {
                    line[..rows].copy_from_slice(&left.values[k * left.along + row..][..rows]);
                }
                let left = Left { values: &strip[..], rows, inner, down: 1, along: STRIP };
                let base = match base {
                    Base::Rows(base) if first == 0 => Base::Rows(&base[row..]),
                    _ => Base::Present,
                };
                for column in (0..right.columns).step_by(panel.width()) {
                    let right = panel.pack(&right, (first, inner), column);
                    let out = &mut out[row * stride + column..];
                    Product { left, right, base, out, stride }.compute(arch);
                }
            }
        }
    }
}

/// Small integers, whose sums are exact in any order.
#[cfg(test)]
pub(crate) fn numbers<T: Lanes>(n: usize) -> Vec<T> {
    (0..n).map(|i| T::narrow(((i * 37 + 11) % 23) as f64 - 11.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All shapes around the sizes of blocks, in small integers: sums are exact in any order.
    #[test]
    fn against_loops() {
        fn check<T: Lanes>() {
            let arch = Arch::new();
            let sizes = [1, 2, 4, 7, 8, 9, 13, 16, 17, 33, 70];
            for rows in sizes {
                for inner in [1, 3, 16, 19] {
                    for columns in sizes {
                        let (a, b) = (numbers::<T>(rows * inner), numbers::<T>(inner * columns));
                        let bias = numbers::<T>(rows);
                        let expected = |row: usize, column: usize, transposed: bool| {
                            let at = |k| if transposed { k * rows + row } else { row * inner + k };
                            (0..inner)
                                .fold(T::zero(), |s, k| s + a[at(k)] * b[k * columns + column])
                        };
                        let mut out = numbers::<T>(rows * columns);
                        let before = out.clone();
                        let straight = Left::new(&a, rows, inner);
                        let right = Right::new(&b, columns);
                        product(arch, straight, right, Base::Present, &mut out, columns);
                        for (i, found) in out.iter().enumerate() {
                            let exact = expected(i / columns, i % columns, false) + before[i];
                            assert_eq!(*found, exact, "{rows} {inner} {columns} {i}");
                        }
                        let back = Left::transposed(&a, rows, inner);
                        product(arch, back, right, Base::Rows(&bias), &mut out, columns);
                        for (i, found) in out.iter().enumerate() {
                            let exact =
                                expected(i / columns, i % columns, true) + bias[i / columns];
                            assert_eq!(*found, exact, "{rows} {inner} {columns} {i}");
                        }
                        // Rows of `a` against rows of the same length.
                        let c = numbers::<T>(columns * inner);
                        let mut out = before.clone();
                        outer(arch, &a, Right::new(&c, inner), &mut out);
                        for (i, found) in out.iter().enumerate() {
                            let (a, c) = (&a[i / columns * inner..], &c[i % columns * inner..]);
                            let exact = (0..inner).fold(before[i], |s, k| s + a[k] * c[k]);
                            assert_eq!(*found, exact, "{rows} {inner} {columns} {i}");
                        }
                    }
                }
            }
        }
        check::<f32>();
        check::<f64>();
    }

    /// Strips, panels and remaining columns, in small integers again.
    #[test]
    fn large() {
        fn check<T: Lanes>(rows: usize, inner: usize, columns: usize) {
            let (a, b) = (numbers::<T>(rows * inner), numbers::<T>(inner * columns));
            let bias = numbers::<T>(rows);
            let arch = Arch::new();
            for left in [Left::new(&a, rows, inner), Left::transposed(&a, rows, inner)] {
                let mut out = vec![T::NAN; rows * columns];
                let right = Right::new(&b, columns);
                product(arch, left, right, Base::Rows(&bias), &mut out, columns);
                let mut twice = out.clone();
                product(arch, left, right, Base::Present, &mut twice, columns);
                for row in 0..rows {
                    for column in 0..columns {
                        let at = |k: usize| left.values[row * left.down + k * left.along];
                        let sum =
                            (0..inner).fold(T::zero(), |s, k| s + at(k) * b[k * columns + column]);
                        let i = row * columns + column;
                        assert_eq!(out[i], sum + bias[row], "{row} {column}");
                        assert_eq!(twice[i], sum + sum + bias[row], "{row} {column}");
                    }
                }
            }
            // Rows of `a` against rows of the same length.
            let c = numbers::<T>(columns * inner);
            let mut out = vec![T::one(); rows * columns];
            outer(arch, &a, Right::new(&c, inner), &mut out);
            for (i, found) in out.iter().enumerate() {
                let (a, c) = (&a[i / columns * inner..], &c[i % columns * inner..]);
                let exact = (0..inner).fold(T::one(), |sum, k| sum + a[k] * c[k]);
                assert_eq!(*found, exact, "{i}");
            }
        }
        for (rows, inner, columns) in [(141, 500, 275), (141, 20, 275), (33, 500, 275)] {
            check::<f32>(rows, inner, columns);
            check::<f64>(rows, inner, columns);
        }
    }
}
