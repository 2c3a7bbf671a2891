use super::combined::add;
use super::planned::PlannedMaps;
use super::signal_map::{Call, Direction, Pending, SignalMap, narrow};
use crate::bound::scratch::Scratch;
use crate::{OperatorError, Result, StartCorrection, Toeplitz};
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_special::DoubleDouble;
use hpfracc_types::Real;
use std::sync::Arc;

/// A [`Toeplitz`] matrix with its differences and start corrections, ready to run.
pub(super) struct BoundToeplitz<T> {
    causal: PlannedMaps<T>,
    differences: usize,
    two_sided: bool,
    advance: T,
    starts: Vec<Start<T>>,
    scratch: Scratch<T>,
}

/// A [`StartCorrection`] in the scalar type.
pub(crate) struct Start<T> {
    pub(crate) column: Vec<T>,
    pub(crate) stencil: Vec<T>,
}

impl<T: Real> Start<T> {
    pub(crate) fn new(start: StartCorrection) -> Result<Self> {
        Ok(Self { column: narrow(start.column)?, stencil: narrow(start.stencil)? })
    }

    /// The sum of the first samples with the stencil, a difference of nearly equal numbers: products
    /// and sums in twice the precision.
    pub(crate) fn coefficient(&self, samples: &[T]) -> T {
        let zero = DoubleDouble::from(0.0);
        let terms = self.stencil.iter().zip(samples);
        let sum =
            terms.fold(zero, |sum, (a, b)| sum.plus(DoubleDouble::product(a.widen(), b.widen())));
        T::narrow(sum.hi)
    }
}

impl<T: Real> BoundToeplitz<T> {
    pub(super) fn new(toeplitz: Toeplitz, backend: &Arc<dyn Backend<T>>) -> Result<Self> {
        toeplitz.check()?;
        let Toeplitz { differences, causal, two_sided, advance, starts } = toeplitz;
        let len = causal.len();
        let of_batch = move |batch| Workload::CausalConvolution { len, batch };
        let shape = Shape::line(len);
        Ok(Self {
            causal: PlannedMaps::new(shape, narrow(causal)?, of_batch, backend)?,
            differences,
            two_sided,
            advance: narrow([advance])?[0],
            starts: starts.into_iter().map(Start::new).collect::<Result<_>>()?,
            scratch: Scratch::new(),
        })
    }

    /// Differences of the signals in place, of order q.
    ///
    /// In the transpose the map runs on differences too, with which it commutes except for the
    /// first q entries: differences of its results would have lost digits to rounding. The last q
    /// differences, jumps to the zero beyond the last entry among small ones, do not go through it,
    /// which would round relative to them.
    fn difference(&self, direction: Direction, signals: &mut [T]) {
        let (n, q) = (self.shape().last(), self.differences);
        signals.chunks_exact_mut(n).for_each(|s| match direction {
            Direction::Forward => difference(s, q),
            Direction::Transposed => {
                difference_ahead(s, q);
                s[n - q..].fill(T::zero());
            }
        });
    }

    /// Adds the lag -1 of the differences s.
    fn add_advance(&self, direction: Direction, s: &[T], y: &mut [T]) {
        let n = self.shape().last();
        if direction == Direction::Forward && self.advance != T::zero() {
            for (s, y) in s.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
                add_scaled(&mut y[..n - 1], self.advance, &s[1..]);
            }
        }
    }

    /// Adds the rest of the formula after the convolutions.
    fn complete(&self, direction: Direction, from: &[T], to: &mut [T]) {
        let n = self.shape().last();
        for (from, to) in from.chunks_exact(n).zip(to.chunks_exact_mut(n)) {
            match direction {
                Direction::Forward => self.complete_forward(from, to),
                Direction::Transposed => self.complete_transposed(from, to),
            }
        }
    }

    fn complete_forward(&self, x: &[T], y: &mut [T]) {
        let Self { differences, advance, starts, .. } = self;
        if *advance != T::zero() {
            let beyond = binomials::<T>(*differences).skip(1).zip(x.iter().rev());
            let beyond = beyond.fold(T::zero(), |sum, (c, x)| sum + c * *x);
            y[x.len() - 1] += *advance * beyond;
        }
        for start in starts {
            add_scaled(y, start.coefficient(x), &start.column);
        }
    }

    fn complete_transposed(&self, y: &[T], x: &mut [T]) {
        let Self { differences, advance, starts, .. } = self;
        let (n, q) = (y.len(), *differences);
        // The first q samples enter only the differences from q on, and those never the last q
        // weights. Subtracting the contribution of the others would leave its rounding error, of
        // any size.
        x[..q].fill(T::zero());
        for m in q..n.min(2 * q) {
            let through = dot(self.causal.kernel(), &y[m..]);
            let back = binomials::<T>(q).enumerate().filter(|(j, _)| m - j < q);
            back.for_each(|(j, c)| x[m - j] += c * through);
        }
        for last in n - q..n {
            let terms = binomials::<T>(q).zip(&y[last..]);
            let jump = terms.fold(T::zero(), |sum, (c, y)| sum + c * *y);
            let kernel = self.causal.kernel().iter().rev().skip(n - 1 - last);
            let reached = x[..=last].iter_mut().zip(kernel).skip(q);
            reached.for_each(|(x, w)| *x += jump * *w);
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
}

impl<T: Real> SignalMap<T> for BoundToeplitz<T> {
    fn shape(&self) -> Shape {
        self.causal.shape()
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        let map = self.causal.of(batch)?;
        if self.differences > 0 {
            self.scratch.lend(from.len(), |s| {
                s.copy_from_slice(from);
                self.difference(direction, s);
                direction.apply(map.as_ref(), s, to)?;
                self.add_advance(direction, s, to);
                Ok::<(), OperatorError>(())
            })?;
        } else {
            direction.apply(map.as_ref(), from, to)?;
            self.add_advance(direction, from, to);
        }
        if self.two_sided {
            self.scratch.lend(from.len(), |mirrored| {
                direction.reversed().apply(map.as_ref(), from, mirrored)?;
                add(to, mirrored);
                Ok::<(), OperatorError>(())
            })?;
        }
        self.complete(direction, from, to);
        Ok(())
    }

    fn run_async<'a>(&'a self, Call { direction, from, to, batch }: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move {
            let map = self.causal.of(batch)?;
            let mut s = from.to_vec();
            if self.differences > 0 {
                self.difference(direction, &mut s);
            }
            direction.apply_async(map.as_ref(), &s, to).await?;
            self.add_advance(direction, &s, to);
            if self.two_sided {
                let mirrored = &mut s;
                direction.reversed().apply_async(map.as_ref(), from, mirrored).await?;
                add(to, mirrored);
            }
            self.complete(direction, from, to);
            Ok(())
        })
    }
}

/// (-1)^i C(q, i) for i = 0..=q. From i = 1 on also the weights, from the last sample back, of the
/// difference one step after the last sample, where f is zero.
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
