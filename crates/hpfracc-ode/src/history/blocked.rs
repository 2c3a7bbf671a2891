use super::lanes::Lanes;
use super::{Extent, History, Kernel, check_push, check_sum};
use crate::OdeError;
use num_complex::Complex64;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use std::fmt;
use std::sync::Arc;

/// Sums of blocks by Fourier transforms as soon as their samples are known, exact to rounding.
///
/// Time is cut into blocks of r samples; RADIX blocks make one of the next level, and so on. Within a
/// block of r the sums are taken directly. When a block starts, the blocks before it that have the
/// same parent are complete; what they add to all its sums is one inverse transform of
/// `sum_i F_i W_{c-i}`: the cached spectra of the c earlier siblings times those of the weights for
/// their distances. Each sample is transformed forward once a level, whatever the number of kernels.
///
/// With two blocks to a parent this is the scheme of Hairer, Lubich and Schlichte (SIAM J. Sci.
/// Stat. Comput. 6 (1985) 532). More of them need fewer transforms for more products of spectra:
/// with 8, 21 transforms of length 2L where three levels of two take 36 (two kernels).
///
/// Cost: O(N log^2 N) for each component. Memory: the samples, about 2 N numbers for each row of
/// weights and 2 N for each component. Error: rounding, relative to the largest sum within a block.
pub struct Blocked {
    extent: Extent,
    pushed: usize,
    /// Component by component.
    samples: Vec<f64>,
    /// By kernel and component, the index of a row.
    row_of: Vec<usize>,
    /// By row, the weights of the lags 1 .. r behind [`BEFORE`] zeros.
    near: Vec<Vec<f64>>,
    /// From the smallest blocks to the largest.
    levels: Vec<Level>,
    padded: Vec<f64>,
    product: Vec<Complex64>,
    scratch: Vec<Complex64>,
    lanes: Lanes,
}

/// Samples of a block of the lowest level.
const BLOCK: usize = 256;

/// Blocks that make one of the next level.
const RADIX: usize = 8;

/// Zeros before the near weights, so that sums in registers may start on a multiple of this.
const BEFORE: usize = 8;

/// Blocks of one length, and the parents that they make up.
struct Level {
    /// Samples of a block, L.
    len: usize,
    /// Blocks to a parent.
    siblings: usize,
    forward: Arc<dyn RealToComplex<f64>>,
    inverse: Arc<dyn ComplexToReal<f64>>,
    /// By sibling and component, the spectra of the samples of complete blocks.
    sources: Vec<Complex64>,
    /// By row and distance - 1, the spectra of the weights.
    weights: Vec<Complex64>,
    /// By kernel and component, what all earlier blocks of this and higher levels add to the sums of
    /// the current block; on the lowest level, the sums.
    sums: Vec<f64>,
}

impl Level {
    /// Numbers of a half spectrum.
    fn bins(&self) -> usize {
        self.len + 1
    }
}

impl Blocked {
    /// A history of up to `capacity` samples with `dim` components.
    ///
    /// # Errors
    /// Those of [`Direct::new`](super::Direct::new).
    pub fn new(kernels: &[Kernel], dim: usize, capacity: usize) -> Result<Self, OdeError> {
        Self::with_blocks(kernels, dim, capacity, BLOCK, RADIX)
    }

    /// The same with blocks of `block` samples, `radix` of which make one of the next level.
    ///
    /// # Errors
    /// Those of [`Blocked::new`], and [`OdeError::OutOfRange`] unless `block` >= 1 and `radix` >= 2.
    pub fn with_blocks(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        block: usize,
        radix: usize,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        for (what, value, least) in [("samples of a block", block, 1), ("the radix", radix, 2)] {
            if value < least {
                let (value, expected) = (value as f64, "at least 1 sample, and radix 2");
                return Err(OdeError::OutOfRange { what, value, expected });
            }
        }
        // Nothing is gained by a block longer than the series.
        let block = block.min(capacity.max(1));
        let mut tables = Vec::new();
        let mut row_of = Vec::with_capacity(kernels.len() * dim);
        for kernel in kernels {
            row_of.extend((0..dim).map(|component| tables.len() + kernel.row_of(component)));
            for row in kernel.rows() {
                tables.push(row.weights(capacity)?);
            }
        }
        let mut planner = RealFftPlanner::new();
        let mut levels = Vec::new();
        let mut len = block;
        loop {
            let siblings = capacity.div_ceil(len).clamp(1, radix);
            let mut level = Level {
                len,
                siblings,
                forward: planner.plan_fft_forward(2 * len),
                inverse: planner.plan_fft_inverse(2 * len),
                sources: vec![Complex64::ZERO; (siblings - 1) * dim * (len + 1)],
                weights: vec![Complex64::ZERO; tables.len() * (siblings - 1) * (len + 1)],
                sums: vec![0.0; kernels.len() * dim * len],
            };
            level.transform_weights(&tables);
            levels.push(level);
            if capacity.div_ceil(len) <= radix {
                break;
            }
            len *= radix;
        }
        let near = tables.iter().map(|weights| near(weights, block)).collect();
        let scratch = levels.iter().map(Level::scratch).max().unwrap_or(0);
        Ok(Self {
            extent,
            pushed: 0,
            samples: vec![0.0; dim * capacity],
            row_of,
            near,
            levels,
            padded: vec![0.0; 2 * len],
            product: vec![Complex64::ZERO; len + 1],
            scratch: vec![Complex64::ZERO; scratch],
            lanes: Lanes::new(),
        })
    }

    /// Starts the blocks whose first sample is the next one, from the largest down.
    fn start_blocks(&mut self) {
        let now = self.pushed;
        for index in (0..self.levels.len()).rev() {
            let (smaller, larger) = self.levels.split_at_mut(index + 1);
            let level = &mut smaller[index];
            if !now.is_multiple_of(level.len) {
                continue;
            }
            let place = now / level.len % level.siblings;
            let passed_on = larger.first().map(|parent| (parent, now % parent.len));
            let Extent { dim, kernels, capacity } = self.extent;
            if place > 0 {
                for component in 0..dim {
                    let known = &self.samples[component * capacity..][now - level.len..now];
                    let source = (place - 1) * dim + component;
                    level.transform_source(source, known, &mut self.padded, &mut self.scratch);
                }
            }
            for target in 0..kernels * dim {
                if place > 0 {
                    let (row, component) = (self.row_of[target], target % dim);
                    let product = &mut self.product[..level.bins()];
                    level.multiply(self.lanes, row, place, (component, dim), product);
                    level.transform_back(product, &mut self.padded, &mut self.scratch);
                } else {
                    self.padded[level.len..2 * level.len].fill(0.0);
                }
                let inherited = passed_on
                    .map(|(parent, from)| &parent.sums[target * parent.len + from..][..level.len]);
                let sums = &mut level.sums[target * level.len..][..level.len];
                let own = &self.padded[level.len..2 * level.len];
                match inherited {
                    Some(inherited) => {
                        for ((sum, own), inherited) in sums.iter_mut().zip(own).zip(inherited) {
                            *sum = own + inherited;
                        }
                    }
                    None => sums.copy_from_slice(own),
                }
            }
        }
    }
}

/// What never changes: a transform of the planned length takes buffers of these lengths.
const LENGTHS: &str = "the buffers have the lengths of the plan";

impl Level {
    fn scratch(&self) -> usize {
        self.forward.get_scratch_len().max(self.inverse.get_scratch_len())
    }

    /// The spectra of the weights of all distances, divided by the length of the transform.
    ///
    /// From a block to the one `distance` later, sample s and sum t have the lag
    /// `distance L + t - s + 1`; in a circular convolution of length 2L the sums are the outputs
    /// L + t of samples followed by zeros, and the weight at i = L + t - s is that of the lag
    /// `(distance - 1) L + i + 1`. The place i = 0 meets zeros only.
    fn transform_weights(&mut self, tables: &[impl AsRef<[f64]>]) {
        let (len, bins) = (self.len, self.bins());
        let scale = 1.0 / (2 * len) as f64;
        let mut padded = vec![0.0; 2 * len];
        let mut scratch = vec![Complex64::ZERO; self.forward.get_scratch_len()];
        let mut spectra = self.weights.chunks_exact_mut(bins);
        for table in tables {
            for distance in 1..self.siblings {
                padded.fill(0.0);
                let first = (distance - 1) * len + 1;
                let weights = table.as_ref().get(first..).unwrap_or(&[]);
                for (to, weight) in padded.iter_mut().zip(weights).skip(1) {
                    *to = scale * weight;
                }
                let spectrum = spectra.next().expect("a spectrum for each row and distance");
                self.forward
                    .process_with_scratch(&mut padded, spectrum, &mut scratch)
                    .expect(LENGTHS);
            }
        }
    }

    fn transform_source(
        &mut self,
        source: usize,
        known: &[f64],
        padded: &mut [f64],
        scratch: &mut [Complex64],
    ) {
        let bins = self.bins();
        let padded = &mut padded[..2 * self.len];
        padded[..self.len].copy_from_slice(known);
        padded[self.len..].fill(0.0);
        let spectrum = &mut self.sources[source * bins..][..bins];
        self.forward.process_with_scratch(padded, spectrum, scratch).expect(LENGTHS);
    }

    /// The spectrum of what the `place` earlier siblings add.
    fn multiply(
        &self,
        lanes: Lanes,
        row: usize,
        place: usize,
        (component, dim): (usize, usize),
        product: &mut [Complex64],
    ) {
        let bins = self.bins();
        product.fill(Complex64::ZERO);
        for sibling in 0..place {
            let distance = place - sibling;
            let source = &self.sources[(sibling * dim + component) * bins..][..bins];
            let weights = &self.weights[(row * (self.siblings - 1) + distance - 1) * bins..];
            lanes.add_product(source, &weights[..bins], product);
        }
    }

    fn transform_back(
        &self,
        product: &mut [Complex64],
        padded: &mut [f64],
        scratch: &mut [Complex64],
    ) {
        // The transform of real numbers is real at both ends; rounding need not know it.
        let last = product.len() - 1;
        (product[0].im, product[last].im) = (0.0, 0.0);
        self.inverse
            .process_with_scratch(product, &mut padded[..2 * self.len], scratch)
            .expect(LENGTHS);
    }
}

/// The weights of the lags 1 .. block behind zeros.
fn near(weights: &[f64], block: usize) -> Vec<f64> {
    let mut near = vec![0.0; BEFORE + block];
    for (to, weight) in near[BEFORE..].iter_mut().zip(&weights[1..]) {
        *to = *weight;
    }
    near
}

impl History for Blocked {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        check_push(self.extent, self.pushed, f)?;
        let Extent { dim, kernels, capacity } = self.extent;
        let block = self.levels[0].len;
        let at = self.pushed % block;
        if at == 0 && self.pushed > 0 {
            self.start_blocks();
        }
        for (component, value) in f.iter().enumerate() {
            self.samples[component * capacity + self.pushed] = *value;
        }
        // Registers start on multiples of BEFORE: the sums before `at` have been read, and the zeros
        // before the weights leave them as they are.
        let from = at / BEFORE * BEFORE;
        for target in 0..kernels * dim {
            let weights = &self.near[self.row_of[target]][BEFORE + from - at..];
            let sums = &mut self.levels[0].sums[target * block..][from..block];
            self.lanes.add_scaled(f[target % dim], &weights[..block - from], sums);
        }
        self.pushed += 1;
        Ok(())
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        check_sum(self.extent, kernel, out)?;
        let Some(last) = self.pushed.checked_sub(1) else {
            out.fill(0.0);
            return Ok(());
        };
        let level = &self.levels[0];
        let at = last % level.len;
        for (component, out) in out.iter_mut().enumerate() {
            *out = level.sums[(kernel * self.extent.dim + component) * level.len + at];
        }
        Ok(())
    }
}

impl fmt::Debug for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks: Vec<usize> = self.levels.iter().map(|level| level.len).collect();
        f.debug_struct("Blocked")
            .field("extent", &self.extent)
            .field("pushed", &self.pushed)
            .field("blocks", &blocks)
            .finish_non_exhaustive()
    }
}
