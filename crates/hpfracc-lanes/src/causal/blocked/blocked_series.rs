//! Blocked online sums over contiguous series.

use super::{BlockStart, Blocks, Schedule};
use crate::causal::direct_series::{OnlineSeries, add_scaled};
use crate::causal::series_convolution::{FourierScalar, RealTransform};
use num_complex::Complex;
use pulp::Arch;

/// [`OnlineSeries`] by real transforms of complete blocks.
///
/// Several kernels share one series and its transforms: each sample is transformed forward once a
/// level.
///
/// Cost: O(N log^2 N) for each kernel and component. Storage: the samples, about 2 N numbers for
/// each table of weights and 2 N for each component. Error: rounding, relative to the largest sum
/// within a block.
#[derive(Debug)]
pub struct BlockedSeries<T: FourierScalar> {
    dim: usize,
    capacity: usize,
    pushed: usize,
    /// Component by component.
    samples: Vec<T>,
    /// By kernel and component, the index of a table.
    table_of: Vec<usize>,
    /// By table, the weights of the lags 1 .. block after [`BEFORE`] zeros.
    near: Vec<Vec<T>>,
    schedule: Schedule,
    levels: Vec<Level<T>>,
    padded: Vec<T>,
    product: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
    arch: Arch,
}

/// Blocks that make one of the next level.
const RADIX: usize = 8;

/// Zeros before the near weights, so that sums in registers may start on a multiple of this.
const BEFORE: usize = 8;

/// Transforms of one length, 2L.
#[derive(Debug)]
struct Level<T: FourierScalar> {
    blocks: Blocks,
    transform: RealTransform<T>,
    /// By sibling and component, the spectra of the samples of complete blocks.
    sources: Vec<Complex<T>>,
    /// By table and distance - 1, the spectra of the weights.
    weights: Vec<Complex<T>>,
    /// By kernel and component, what all earlier blocks of this and higher levels add to the sums
    /// of the present block; on the lowest level, the sums.
    sums: Vec<T>,
}

impl<T: FourierScalar> BlockedSeries<T> {
    /// Samples of a block of the lowest level.
    pub const BLOCK: usize = 256;

    /// Sums for up to `capacity` samples of `dim` components. `tables` have weights by lag from 0,
    /// of which the lag 0 takes no part; `table_of` has the table of each kernel and component.
    #[must_use]
    pub fn new(
        tables: &[impl AsRef<[T]>],
        table_of: Vec<usize>,
        dim: usize,
        capacity: usize,
    ) -> Self {
        Self::with_blocks(tables, table_of, (dim, capacity), (Self::BLOCK, RADIX))
    }

    /// Estimated numbers of `T` in memory for `targets` sums over the samples of `dim` components,
    /// by `tables` tables of weights, which are not included: within some 5 %.
    #[must_use]
    pub fn numbers(capacity: usize, dim: usize, tables: usize, targets: usize) -> f64 {
        let [n, dim, tables, targets] = [capacity, dim, tables, targets].map(|x| x as f64);
        let (mut len, mut levels) = ((Self::BLOCK as f64).min(n.max(1.0)), 0.0);
        loop {
            let siblings = (n / len).ceil().clamp(1.0, RADIX as f64);
            levels += (2.0 * (siblings - 1.0) * (tables + dim) + targets) * len;
            if (n / len).ceil() <= RADIX as f64 {
                break;
            }
            len *= RADIX as f64;
        }
        // A series and a spectrum of the largest blocks; scratch and tables of the transforms.
        let of_transforms = (4.0 + 6.9) * len;
        dim * n + levels + of_transforms
    }

    /// The same with blocks of `block` >= 1 samples, `radix` >= 2 of which make one of the next
    /// level.
    #[must_use]
    pub fn with_blocks(
        tables: &[impl AsRef<[T]>],
        table_of: Vec<usize>,
        (dim, capacity): (usize, usize),
        (block, radix): (usize, usize),
    ) -> Self {
        // Nothing is gained by a block longer than the series.
        let block = block.min(capacity.max(1));
        let (mut schedule, mut levels, mut len) = (Schedule::default(), Vec::new(), block);
        loop {
            let blocks = Blocks { len, siblings: capacity.div_ceil(len).clamp(1, radix) };
            schedule.levels.push(blocks);
            levels.push(Level::new(blocks, tables, dim, table_of.len()));
            if capacity.div_ceil(len) <= radix {
                break;
            }
            len *= radix;
        }
        let scratch = levels.iter().map(|level| level.transform.scratch_len()).max().unwrap_or(0);
        let zero = Complex::new(T::zero(), T::zero());
        Self {
            dim,
            capacity,
            pushed: 0,
            samples: vec![T::zero(); dim * capacity],
            table_of,
            near: tables.iter().map(|table| near(table.as_ref(), block)).collect(),
            schedule,
            levels,
            padded: vec![T::zero(); 2 * len],
            product: vec![zero; len + 1],
            scratch: vec![zero; scratch],
            arch: Arch::new(),
        }
    }

    /// Starts the blocks whose first sample is the next one, from the largest down.
    fn start_blocks(&mut self) {
        let now = self.pushed;
        for index in (0..self.levels.len()).rev() {
            let Some(BlockStart { place, inherited }) = self.schedule.start(index, now) else {
                continue;
            };
            let (smaller, larger) = self.levels.split_at_mut(index + 1);
            let level = &mut smaller[index];
            let len = level.blocks.len;
            if place > 0 {
                for component in 0..self.dim {
                    let source = &self.samples[component * self.capacity..][now - len..now];
                    let slot = (place - 1) * self.dim + component;
                    level.transform_source(slot, source, &mut self.padded, &mut self.scratch);
                }
            }
            for (target, table) in self.table_of.iter().enumerate() {
                if place > 0 {
                    let product = &mut self.product[..level.transform.bins()];
                    let component = (target % self.dim, self.dim);
                    level.multiply(self.arch, *table, place, component, product);
                    let padded = &mut self.padded[..2 * len];
                    level.transform.series(product, padded, &mut self.scratch);
                } else {
                    self.padded[len..2 * len].fill(T::zero());
                }
                let sums = &mut level.sums[target * len..][..len];
                let own = &self.padded[len..2 * len];
                match larger.first().zip(inherited) {
                    Some((parent, from)) => {
                        let inherited = &parent.sums[target * parent.blocks.len + from..][..len];
                        for ((sum, own), inherited) in sums.iter_mut().zip(own).zip(inherited) {
                            *sum = *own + *inherited;
                        }
                    }
                    None => sums.copy_from_slice(own),
                }
            }
        }
    }
}

impl<T: FourierScalar> OnlineSeries<T> for BlockedSeries<T> {
    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[T]) {
        let block = self.schedule.levels[0].len;
        let place = self.pushed % block;
        if place == 0 && self.pushed > 0 {
            self.start_blocks();
        }
        for (component, value) in f.iter().enumerate() {
            self.samples[component * self.capacity + self.pushed] = *value;
        }
        // Registers start on multiples of BEFORE: the sums before `place` have been read, and the
        // zeros before the weights leave them as they are.
        let from = place / BEFORE * BEFORE;
        for (target, table) in self.table_of.iter().enumerate() {
            let weights = &self.near[*table][BEFORE + from - place..];
            let sums = &mut self.levels[0].sums[target * block..][from..block];
            add_scaled(self.arch, f[target % self.dim], &weights[..block - from], sums);
        }
        self.pushed += 1;
    }

    fn sum(&self, kernel: usize, component: usize) -> T {
        let (level, target) = (&self.levels[0], kernel * self.dim + component);
        match self.pushed.checked_sub(1) {
            None => T::zero(),
            Some(last) => level.sums[target * level.blocks.len + last % level.blocks.len],
        }
    }
}

/// The weights of the lags 1 .. block after zeros.
fn near<T: FourierScalar>(weights: &[T], block: usize) -> Vec<T> {
    let mut near = vec![T::zero(); BEFORE + block];
    for (to, weight) in near[BEFORE..].iter_mut().zip(weights.iter().skip(1)) {
        *to = *weight;
    }
    near
}

impl<T: FourierScalar> Level<T> {
    /// The spectra of the weights of all distances, divided by the length of the transform.
    ///
    /// From a block to the one `distance` later, sample s and sum t have the lag
    /// `distance L + t - s + 1`; in a circular convolution of length 2L the sums are the outputs
    /// L + t of samples followed by zeros, and the weight at i = L + t - s is that of the lag
    /// `(distance - 1) L + i + 1`. The place i = 0 meets zeros only.
    fn new(blocks: Blocks, tables: &[impl AsRef<[T]>], dim: usize, targets: usize) -> Self {
        let Blocks { len, siblings } = blocks;
        let transform = RealTransform::new(2 * len);
        let (bins, zero) = (transform.bins(), Complex::new(T::zero(), T::zero()));
        let scale = T::narrow(1.0 / (2 * len) as f64);
        let mut weights = vec![zero; tables.len() * (siblings - 1) * bins];
        let mut padded = vec![T::zero(); 2 * len];
        let mut scratch = vec![zero; transform.scratch_len()];
        let places = tables.iter().flat_map(|table| (1..siblings).map(move |d| (table, d)));
        for ((table, distance), spectrum) in places.zip(weights.chunks_exact_mut(bins)) {
            padded.fill(T::zero());
            let first = (distance - 1) * len + 1;
            let weights = table.as_ref().get(first..).unwrap_or(&[]);
            for (to, weight) in padded.iter_mut().zip(weights).skip(1) {
                *to = scale * *weight;
            }
            transform.spectrum(&mut padded, spectrum, &mut scratch);
        }
        let sources = vec![zero; (siblings - 1) * dim * bins];
        Self { blocks, transform, sources, weights, sums: vec![T::zero(); targets * len] }
    }

    fn transform_source(
        &mut self,
        slot: usize,
        source: &[T],
        padded: &mut [T],
        scratch: &mut [Complex<T>],
    ) {
        let (len, bins) = (self.blocks.len, self.transform.bins());
        let padded = &mut padded[..2 * len];
        padded[..len].copy_from_slice(source);
        padded[len..].fill(T::zero());
        let spectrum = &mut self.sources[slot * bins..][..bins];
        self.transform.spectrum(padded, spectrum, scratch);
    }

    /// The spectrum of what the `place` earlier siblings add.
    fn multiply(
        &self,
        arch: Arch,
        table: usize,
        place: usize,
        (component, dim): (usize, usize),
        product: &mut [Complex<T>],
    ) {
        let bins = self.transform.bins();
        product.fill(Complex::new(T::zero(), T::zero()));
        for sibling in 0..place {
            let distance = place - sibling;
            let a = &self.sources[(sibling * dim + component) * bins..][..bins];
            let b = &self.weights[(table * (self.blocks.siblings - 1) + distance - 1) * bins..];
            add_product(arch, a, &b[..bins], product);
        }
    }
}

dispatched! {
    /// `sum[i] += a[i] b[i]`
    fn add_product<'a, T: FourierScalar>(
        simd: S, a: &'a [Complex<T>], b: &'a [Complex<T>], sum: &'a mut [Complex<T>],
    ) {
        let (a, a_rest) = T::complex_registers::<S>(a);
        let (b, b_rest) = T::complex_registers::<S>(b);
        let (sum, sum_rest) = T::complex_registers_mut::<S>(sum);
        for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
            *sum = T::complex_fused(simd, *a, *b, *sum);
        }
        for ((sum, a), b) in sum_rest.iter_mut().zip(a_rest).zip(b_rest) {
            *sum += *a * *b;
        }
    }
}
