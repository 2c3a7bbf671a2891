use super::{Maps, Part, narrow};
use crate::scratch::Scratch;
use crate::{OperatorError, StartCorrection, Toeplitz};
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// A Toeplitz matrix with what surrounds it; see [`Toeplitz`] for the formula.
pub(super) struct BoundToeplitz<T> {
    causal: Maps<T>,
    differences: usize,
    two_sided: bool,
    advance: T,
    starts: Vec<Start<T>>,
    scratch: Scratch<T>,
}

struct Start<T> {
    column: Vec<T>,
    stencil: Vec<T>,
}

impl<T: Real> BoundToeplitz<T> {
    pub(super) fn new(
        toeplitz: &Toeplitz,
        backend: &Arc<dyn Backend<T>>,
    ) -> Result<Self, OperatorError> {
        toeplitz.check()?;
        let Toeplitz { differences, causal, two_sided, advance, starts } = toeplitz;
        let start = |s: &StartCorrection| {
            Ok(Start { column: narrow(&s.column)?, stencil: narrow(&s.stencil)? })
        };
        let len = causal.len();
        let of_batch = move |batch| Workload::CausalConvolution { len, batch };
        let shape = Shape::line(len);
        Ok(Self {
            causal: Maps::new(shape, narrow(causal)?, Box::new(of_batch), backend)?,
            differences: *differences,
            two_sided: *two_sided,
            advance: narrow(&[*advance])?[0],
            starts: starts.iter().map(start).collect::<Result<_, OperatorError>>()?,
            scratch: Scratch::new(),
        })
    }
}

impl<T: Real> Part<T> for BoundToeplitz<T> {
    fn shape(&self) -> Shape {
        self.causal.shape()
    }

    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let map = self.causal.of(batch)?;
        let Self { differences, two_sided, advance, starts, .. } = self;
        let n = self.shape().last();
        let convolve = |s: &[T], y: &mut [T]| {
            map.apply(s, y)?;
            if *advance != T::zero() {
                for (s, y) in s.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
                    add_scaled(&mut y[..n - 1], *advance, &s[1..]);
                }
            }
            Ok::<(), OperatorError>(())
        };
        if *differences == 0 {
            convolve(x, y)?;
        } else {
            self.scratch.lend(x.len(), |s| {
                s.copy_from_slice(x);
                s.chunks_exact_mut(n).for_each(|s| difference(s, *differences));
                convolve(s, y)
            })?;
        }
        if *two_sided {
            self.scratch.lend(x.len(), |t| {
                map.apply_transpose(x, t)?;
                add(y, t);
                Ok::<(), OperatorError>(())
            })?;
        }
        for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
            if *advance != T::zero() {
                let beyond = binomials::<T>(*differences).skip(1).zip(x.iter().rev());
                y[n - 1] += *advance * beyond.fold(T::zero(), |sum, (c, x)| sum + c * *x);
            }
            for start in starts {
                add_scaled(y, dot(&start.stencil, x), &start.column);
            }
        }
        Ok(())
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let map = self.causal.of(batch)?;
        let Self { differences, two_sided, advance, starts, .. } = self;
        let (n, q) = (self.shape().last(), *differences);
        if q == 0 {
            map.apply_transpose(y, x)?;
        } else {
            // The map runs on differences here too, with which it commutes but for the first q entries:
            // differences of its results would have lost what it rounds them to.
            self.scratch.lend(y.len(), |d| {
                d.copy_from_slice(y);
                d.chunks_exact_mut(n).for_each(|d| difference_ahead(d, q));
                map.apply_transpose(d, x)
            })?;
        }
        if *two_sided {
            self.scratch.lend(y.len(), |t| {
                map.apply(y, t)?;
                add(x, t);
                Ok::<(), OperatorError>(())
            })?;
        }
        for (y, x) in y.chunks_exact(n).zip(x.chunks_exact_mut(n)) {
            // These meet the differences from q on alone, and those never the last q weights. Taking what the
            // others would bring off again would leave what it was rounded to, by any weights.
            x[..q].fill(T::zero());
            for m in q..n.min(2 * q) {
                let through = dot(self.causal.kernel(), &y[m..]);
                let back = binomials::<T>(q).enumerate().filter(|(j, _)| m - j < q);
                back.for_each(|(j, c)| x[m - j] += c * through);
            }
            if *advance != T::zero() {
                let first = q.max(1);
                for (i, c) in binomials::<T>(q).enumerate() {
                    add_scaled(&mut x[first - i..], c * *advance, &y[first - 1..n - 1]);
                }
                let last = *advance * y[n - 1];
                let beyond = binomials::<T>(q).skip(1).zip(x.iter_mut().rev());
                beyond.for_each(|(c, x)| *x += c * last);
            }
            for start in starts {
                add_scaled(x, dot(&start.column, y), &start.stencil);
            }
        }
        Ok(())
    }
}

/// (-1)^i C(q, i) for i = 0..=q. From i = 1 on also the weights, from the last sample back, of the
/// difference one step beyond the record, where f is zero.
fn binomials<T: Real>(q: usize) -> impl Iterator<Item = T> {
    let mut c = 1.0;
    (0..=q).map(move |i| {
        let this = c;
        c = -c * (q - i) as f64 / (i + 1) as f64;
        T::narrow(this)
    })
}

/// Backward difference of order q in place; the first q entries, which lack a past, become zero.
fn difference<T: Real>(s: &mut [T], q: usize) {
    for _ in 0..q {
        for n in (1..s.len()).rev() {
            s[n] -= s[n - 1];
        }
    }
    s[..q].fill(T::zero());
}

/// Transpose of a backward difference of order q, in place, with zero beyond the last entry.
fn difference_ahead<T: Real>(y: &mut [T], q: usize) {
    for _ in 0..q {
        for n in 0..y.len() - 1 {
            y[n] -= y[n + 1];
        }
    }
}

fn add<T: Real>(y: &mut [T], t: &[T]) {
    for (y, &t) in y.iter_mut().zip(t) {
        *y += t;
    }
}

/// `y += a v`, over the shorter of the two.
fn add_scaled<T: Real>(y: &mut [T], a: T, v: &[T]) {
    for (y, &v) in y.iter_mut().zip(v) {
        *y += a * v;
    }
}

/// Inner product over the shorter of the two, summed in double precision.
fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    T::narrow(a.iter().zip(b).map(|(a, b)| a.widen() * b.widen()).sum())
}
