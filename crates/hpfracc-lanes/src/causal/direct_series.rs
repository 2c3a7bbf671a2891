//! Direct online sums over contiguous series.

use crate::Lanes;
use pulp::Arch;

/// Online sums over contiguous series: `s_k[n] = sum_{j < n} w_k[n-j] f[j]`, each component of f a
/// series of its own.
pub trait OnlineSeries<T> {
    /// Number of samples so far, n.
    fn pushed(&self) -> usize;

    /// Appends a sample, a value for each component.
    ///
    /// # Panics
    /// Panics beyond the capacity.
    fn push(&mut self, f: &[T]);

    /// `s[n]` of a kernel and a component; zero before the first sample.
    fn sum(&self, kernel: usize, component: usize) -> T;
}

/// [`OnlineSeries`] as dot products with reversed weights.
///
/// Cost: n products for each kernel and component at sample n. Storage: the samples and a table of
/// weights for each row.
#[derive(Debug, Clone)]
pub struct DirectSeries<T> {
    dim: usize,
    /// Most samples.
    capacity: usize,
    pushed: usize,
    /// Component by component.
    samples: Vec<T>,
    /// By kernel and component, the index of a table.
    table_of: Vec<usize>,
    /// `tables[i][capacity - m]` has the lag m, so that both factors of a sum run forward in time.
    tables: Vec<Vec<T>>,
    arch: Arch,
}

impl<T: Lanes> DirectSeries<T> {
    /// Sums for up to `capacity` samples of `dim` components. `tables` have weights by lag from 0,
    /// each `capacity + 1` long, of which the lag 0 takes no part; `table_of` has the table of each
    /// kernel and component.
    #[must_use]
    pub fn new(
        tables: &[impl AsRef<[T]>],
        table_of: Vec<usize>,
        dim: usize,
        capacity: usize,
    ) -> Self {
        let reversed = |table: &[T]| table.iter().rev().copied().collect();
        let tables = tables.iter().map(|table| reversed(table.as_ref())).collect();
        let (samples, arch) = (vec![T::zero(); dim * capacity], Arch::new());
        Self { dim, capacity, pushed: 0, samples, table_of, tables, arch }
    }

    /// Sample j of a component, to be changed.
    pub fn sample_mut(&mut self, component: usize, j: usize) -> &mut T {
        &mut self.samples[component * self.capacity + j]
    }
}

impl<T: Lanes> OnlineSeries<T> for DirectSeries<T> {
    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[T]) {
        for (component, value) in f.iter().enumerate() {
            self.samples[component * self.capacity + self.pushed] = *value;
        }
        self.pushed += 1;
    }

    fn sum(&self, kernel: usize, component: usize) -> T {
        let samples = &self.samples[component * self.capacity..][..self.pushed];
        // The lags n .. 1.
        let table = &self.tables[self.table_of[kernel * self.dim + component]];
        dot(self.arch, &table[self.capacity - self.pushed..self.capacity], samples)
    }
}

/// A fused product takes four cycles and two start in each.
const SUMS: usize = 8;

dispatched! {
    /// `sum a[i] b[i]`, eight registers of partial sums, fused where the instruction set is.
    #[must_use]
    pub fn dot<'a, T: Lanes>(simd: S, a: &'a [T], b: &'a [T]) -> T {
        let (a, a_rest) = T::registers::<S>(a);
        let (b, b_rest) = T::registers::<S>(b);
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

dispatched! {
    /// `z[i] += factor * w[i]`.
    pub(super) fn add_scaled<'a, T: Lanes>(simd: S, factor: T, w: &'a [T], z: &'a mut [T]) {
        let (w, w_rest) = T::registers::<S>(w);
        let (z, z_rest) = T::registers_mut::<S>(z);
        let all = T::splat(simd, factor);
        for (z, w) in z.iter_mut().zip(w) {
            *z = T::fused(simd, all, *w, *z);
        }
        for (z, w) in z_rest.iter_mut().zip(w_rest) {
            *z += factor * *w;
        }
    }
}
