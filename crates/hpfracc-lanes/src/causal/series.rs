//! Direct online sums over contiguous series.

use crate::Lanes;
use pulp::{Arch, Simd, WithSimd};

/// `s_k[n] = sum_{j < n} w_k[n-j] f[j]` for components that lie one after the other in time, as dot
/// products with reversed weights.
///
/// Cost: n products for each kernel and component at sample n. Storage: the samples and a table of
/// weights for each row.
#[derive(Debug, Clone)]
pub struct DirectSeries<T> {
    /// Most samples.
    capacity: usize,
    pushed: usize,
    /// Component by component.
    samples: Vec<T>,
    /// `tables[i][capacity - m]` has the lag m, so that both factors of a sum run forward in time.
    tables: Vec<Vec<T>>,
    arch: Arch,
}

impl<T: Lanes> DirectSeries<T> {
    /// Sums for up to `capacity` samples of `dim` components, with tables of weights by lag from 0, each
    /// `capacity + 1` long; the lag 0 takes no part.
    #[must_use]
    pub fn new(tables: &[impl AsRef<[T]>], dim: usize, capacity: usize) -> Self {
        let reversed = |table: &[T]| table.iter().rev().copied().collect();
        Self {
            capacity,
            pushed: 0,
            samples: vec![T::zero(); dim * capacity],
            tables: tables.iter().map(|table| reversed(table.as_ref())).collect(),
            arch: Arch::new(),
        }
    }

    /// Number of samples so far, n.
    #[must_use]
    pub fn pushed(&self) -> usize {
        self.pushed
    }

    /// Appends a sample.
    ///
    /// # Panics
    /// Panics beyond the capacity.
    pub fn push(&mut self, f: &[T]) {
        for (component, value) in f.iter().enumerate() {
            self.samples[component * self.capacity + self.pushed] = *value;
        }
        self.pushed += 1;
    }

    /// `s[n]` of a component with a table of weights.
    #[must_use]
    pub fn sum(&self, table: usize, component: usize) -> T {
        let samples = &self.samples[component * self.capacity..][..self.pushed];
        // The lags n .. 1.
        let weights = &self.tables[table][self.capacity - self.pushed..self.capacity];
        dot(self.arch, weights, samples)
    }

    /// Sample j of a component, to be changed.
    pub fn sample_mut(&mut self, component: usize, j: usize) -> &mut T {
        &mut self.samples[component * self.capacity + j]
    }
}

/// `sum a[i] b[i]`, eight registers of partial sums, fused where the instruction set is.
#[must_use]
pub fn dot<T: Lanes>(arch: Arch, a: &[T], b: &[T]) -> T {
    arch.dispatch(Dot { a, b })
}

/// `z[i] += factor * w[i]`.
pub(super) fn add_scaled<T: Lanes>(arch: Arch, factor: T, w: &[T], z: &mut [T]) {
    arch.dispatch(AddScaled { factor, w, z });
}

struct Dot<'a, T> {
    a: &'a [T],
    b: &'a [T],
}

/// A fused product takes four cycles and two start in each.
const SUMS: usize = 8;

impl<T: Lanes> WithSimd for Dot<'_, T> {
    type Output = T;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> T {
        let (a, a_rest) = T::registers::<S>(self.a);
        let (b, b_rest) = T::registers::<S>(self.b);
        let mut sums = [T::splat(simd, T::zero()); SUMS];
        let (a_chunks, b_chunks) = (a.chunks_exact(SUMS), b.chunks_exact(SUMS));
        let remainder = a_chunks.remainder().iter().zip(b_chunks.remainder());
        for (a, b) in a_chunks.zip(b_chunks) {
            for i in 0..SUMS {
                sums[i] = T::fused(simd, a[i], b[i], sums[i]);
            }
        }
        for (sum, (a, b)) in sums.iter_mut().zip(remainder) {
            *sum = T::fused(simd, *a, *b, *sum);
        }
        let mut width = SUMS / 2;
        while width > 0 {
            for i in 0..width {
                sums[i] = T::sum(simd, sums[i], sums[i + width]);
            }
            width /= 2;
        }
        let rest = a_rest.iter().zip(b_rest).fold(-T::zero(), |sum, (a, b)| sum + *a * *b);
        T::total(simd, sums[0]) + rest
    }
}

struct AddScaled<'a, T> {
    factor: T,
    w: &'a [T],
    z: &'a mut [T],
}

impl<T: Lanes> WithSimd for AddScaled<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (w, w_rest) = T::registers::<S>(self.w);
        let (z, z_rest) = T::registers_mut::<S>(self.z);
        let factor = T::splat(simd, self.factor);
        for (z, w) in z.iter_mut().zip(w) {
            *z = T::fused(simd, factor, *w, *z);
        }
        for (z, w) in z_rest.iter_mut().zip(w_rest) {
            *z += self.factor * *w;
        }
    }
}
