//! [`Weights`] rounded once to the scalar type and bound to a backend: a linear map of slices.

use crate::{OperatorError, StartCorrection, Toeplitz, Weights};
use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_types::Real;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct BoundWeights<T> {
    shape: Shape,
    kernel: Vec<T>,
    structure: Structure<T>,
    backend: Arc<dyn Backend<T>>,
    /// Maps by number of signals, bound when first asked for; the most recent come last.
    maps: Mutex<Vec<(usize, Map<T>)>>,
    scratch: Mutex<Vec<Vec<T>>>,
}

/// A training loop has two batch sizes, its own and the ragged last one; a server has any number.
const MAPS_KEPT: usize = 4;

type Map<T> = Arc<dyn LinearMap<T>>;

/// What surrounds the kernel; see [`Toeplitz`] for the formula.
enum Structure<T> {
    Toeplitz { differences: usize, two_sided: bool, advance: T, starts: Vec<Start<T>> },
    Symbol,
}

struct Start<T> {
    column: Vec<T>,
    stencil: Vec<T>,
}

impl<T: Real> BoundWeights<T> {
    pub(crate) fn new(
        weights: &Weights,
        backend: Arc<dyn Backend<T>>,
    ) -> Result<Self, OperatorError> {
        let (shape, kernel, structure) = match weights {
            Weights::Toeplitz(toeplitz) => {
                toeplitz.check()?;
                let Toeplitz { differences, causal, two_sided, advance, starts } = toeplitz;
                let start = |s: &StartCorrection| {
                    Ok(Start { column: narrow(&s.column)?, stencil: narrow(&s.stencil)? })
                };
                let structure = Structure::Toeplitz {
                    differences: *differences,
                    two_sided: *two_sided,
                    advance: narrow(&[*advance])?[0],
                    starts: starts.iter().map(start).collect::<Result<_, OperatorError>>()?,
                };
                (Shape::line(causal.len()), narrow(causal)?, structure)
            }
            Weights::Symbol(symbol) => {
                let pairs: Vec<f64> = symbol.half.iter().flat_map(|m| [m.re, m.im]).collect();
                (symbol.shape, narrow(&pairs)?, Structure::Symbol)
            }
        };
        let bound = Self {
            shape,
            kernel,
            structure,
            backend,
            maps: Mutex::new(Vec::new()),
            scratch: Mutex::new(Vec::new()),
        };
        // What the backend cannot plan is said now and not at the first signal.
        bound.backend.plan(bound.workload(1))?;
        Ok(bound)
    }

    /// Shape of one signal.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    fn workload(&self, batch: usize) -> Workload {
        match self.structure {
            Structure::Toeplitz { .. } => {
                Workload::CausalConvolution { len: self.shape.last(), batch }
            }
            Structure::Symbol => Workload::SpectralMultiplier { shape: self.shape, batch },
        }
    }

    /// The map for so many signals at once. The lock is not held while a map is bound.
    fn map(&self, batch: usize) -> Result<Map<T>, OperatorError> {
        let maps = || self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut maps = maps();
            if let Some(at) = maps.iter().position(|(known, _)| *known == batch) {
                maps[at..].rotate_left(1);
                return Ok(Arc::clone(&maps[maps.len() - 1].1));
            }
        }
        let plan = self.backend.plan(self.workload(batch))?;
        let map: Map<T> = Arc::from(plan.bind(&self.kernel)?);
        let mut maps = maps();
        if maps.len() == MAPS_KEPT {
            maps.remove(0);
        }
        maps.push((batch, Arc::clone(&map)));
        Ok(map)
    }

    /// `y = A x` for `batch` signals one behind the other.
    pub(crate) fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let map = self.map(batch)?;
        let Structure::Toeplitz { differences, two_sided, advance, starts } = &self.structure
        else {
            return Ok(map.apply(x, y)?);
        };
        let n = self.shape.last();
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
            self.with_scratch(x.len(), |s| {
                s.copy_from_slice(x);
                s.chunks_exact_mut(n).for_each(|s| difference(s, *differences));
                convolve(s, y)
            })?;
        }
        if *two_sided {
            self.with_scratch(x.len(), |t| {
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

    /// `x = A' y` for `batch` signals one behind the other.
    pub(crate) fn apply_transpose(
        &self,
        y: &[T],
        x: &mut [T],
        batch: usize,
    ) -> Result<(), OperatorError> {
        let map = self.map(batch)?;
        let Structure::Toeplitz { differences, two_sided, advance, starts } = &self.structure
        else {
            return Ok(map.apply_transpose(y, x)?);
        };
        let (n, q) = (self.shape.last(), *differences);
        if q == 0 {
            map.apply_transpose(y, x)?;
        } else {
            // The map runs on differences here too, with which it commutes but for the first entries:
            // differences of its results would have lost what it rounds them to.
            self.with_scratch(y.len(), |d| {
                d.copy_from_slice(y);
                d.chunks_exact_mut(n).for_each(|d| difference_ahead(d, q));
                map.apply_transpose(d, x)
            })?;
        }
        if *two_sided {
            self.with_scratch(y.len(), |t| {
                map.apply(y, t)?;
                add(x, t);
                Ok::<(), OperatorError>(())
            })?;
        }
        for (y, x) in y.chunks_exact(n).zip(x.chunks_exact_mut(n)) {
            for i in 0..q {
                // There are no differences at i < q: what would have come back through them.
                let through = dot(&self.kernel, &y[i..]);
                let back = binomials::<T>(q).zip(x[..=i].iter_mut().rev());
                back.for_each(|(c, x)| *x -= c * through);
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

    /// Lends a buffer that lives as long as the operator, so that applying it does not allocate.
    pub(crate) fn with_scratch<R>(&self, len: usize, use_it: impl FnOnce(&mut [T]) -> R) -> R {
        let pool = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = pool().pop().unwrap_or_default();
        if buffer.len() < len {
            buffer.resize(len, T::zero());
        }
        let result = use_it(&mut buffer[..len]);
        pool().push(buffer);
        result
    }
}

/// Rounds weights to the scalar type.
///
/// A step that is tiny for the order overflows, in `f32` from h^-alpha = 3e38 on.
fn narrow<T: Real>(weights: &[f64]) -> Result<Vec<T>, OperatorError> {
    let each = weights.iter().map(|&weight| {
        let narrowed = T::narrow(weight);
        let fits = narrowed.widen().is_finite();
        fits.then_some(narrowed).ok_or(OperatorError::Overflow { weight, scalar: T::NAME })
    });
    each.collect()
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
