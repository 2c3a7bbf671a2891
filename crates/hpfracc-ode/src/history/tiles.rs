//! Sums of exponentials over the components of one order, in tiles.

use hpfracc_lanes::Lanes;
use hpfracc_lanes::causal::{BlockStep, ExponentialTiles};
use hpfracc_lanes::pulp::Arch;
use rayon::prelude::*;

/// States, samples and planned sums of some components; of `f64`, or of `f32` in half the memory.
#[derive(Debug)]
pub(super) struct Tiles<T> {
    components: Components,
    tiles: ExponentialTiles<T>,
    arch: Arch,
}

/// Components of a group.
#[derive(Debug)]
enum Components {
    /// In a row, from the first.
    From(usize),
    Listed(Vec<usize>),
}

/// Coefficients of a step over a block; see [`BlockStep`].
#[derive(Debug)]
pub(super) struct Coefficients<T> {
    states: usize,
    decay: Vec<T>,
    gain: Vec<T>,
    slope: Option<(usize, T)>,
    weights: Vec<T>,
}

/// Weights of a sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum<'a, T> {
    /// Number of a planned sum.
    pub(super) planned: Option<usize>,
    /// Weights of the states from `first` on.
    pub(super) states: &'a [T],
    pub(super) first: usize,
    /// Weights of the samples.
    pub(super) near: &'a [T],
}

/// Samples that are absorbed at once.
pub(super) const BLOCK: usize = 16;
/// Largest number of jumps at one time after which states on a mesh still end a cell before.
pub(super) const JUMPS: usize = 2;
/// Components from which tiles and blocks cost less than a series for each component, and less than
/// the weights of the direct sums that blocks need.
pub(super) const MANY: usize = 64;
/// Vectors of a step, next to the history of many components.
pub(super) const VECTORS: f64 = 15.0;
/// Components from which threads share the tiles: to start them takes some 20 microseconds.
const PARALLEL_FROM: usize = 1 << 15;
/// Components from which threads share the copy of a sample.
const PARALLEL_COPY_FROM: usize = 1 << 18;
/// Largest number of series of a tile.
const WIDEST: usize = 32;

impl<T: Lanes> Tiles<T> {
    /// For these components, with numbers of states, samples and planned sums.
    pub(super) fn new(components: &[usize], [states, samples, planned]: [usize; 3]) -> Self {
        let first = components.first().copied().unwrap_or(0);
        let in_a_row = components.iter().enumerate().all(|(i, c)| *c == first + i);
        Self {
            components: if in_a_row {
                Components::From(first)
            } else {
                Components::Listed(components.to_vec())
            },
            tiles: ExponentialTiles::new(components.len(), states, samples, planned),
            arch: Arch::new(),
        }
    }

    /// Stores a sample of all components of the system in a row.
    pub(super) fn store(&mut self, row: usize, f: &[f64]) {
        let (layout, series) = (self.tiles.layout(), self.tiles.series());
        let components = &self.components;
        let parallel = series >= PARALLEL_COPY_FROM;
        each_tile(self.tiles.values_mut(), layout.len(), parallel, |index, tile| {
            let first = index * layout.width();
            let count = layout.width().min(series - first);
            let sample = layout.sample(tile, row);
            match components {
                Components::From(start) => {
                    let f = &f[start + first..][..count];
                    sample.iter_mut().zip(f).for_each(|(x, f)| *x = T::narrow(*f));
                }
                Components::Listed(listed) => {
                    let listed = &listed[first..][..count];
                    sample.iter_mut().zip(listed).for_each(|(x, i)| *x = T::narrow(f[*i]));
                }
            }
        });
    }

    /// Advances the states over the first samples, computes the planned sums, and removes `leave`
    /// rows of samples of `stored`.
    pub(super) fn absorb(
        &mut self,
        coefficients: &Coefficients<T>,
        (leave, stored): (usize, usize),
    ) {
        let (layout, series, arch) = (self.tiles.layout(), self.tiles.series(), self.arch);
        let Coefficients { decay, gain, slope, weights, .. } = coefficients;
        let step = BlockStep { decay, gain, slope: *slope, weights };
        let parallel = series >= PARALLEL_FROM;
        each_tile(self.tiles.values_mut(), layout.len(), parallel, |_, tile| {
            layout.advance(arch, tile, &step);
            (leave..stored).for_each(|row| layout.move_sample(tile, row, row - leave));
        });
    }

    /// Adds a sum to the components of `out`.
    pub(super) fn add_into(&self, sum: Sum<'_, T>, out: &mut [f64]) {
        let (width, series) = (self.tiles.layout().width(), self.tiles.series());
        match &self.components {
            Components::From(first) => {
                let out = &mut out[*first..][..series];
                let tile = |(index, out): (usize, &mut [f64])| {
                    let total = self.total(index, sum);
                    out.iter_mut().zip(total).for_each(|(out, x)| *out += x.widen());
                };
                if series < PARALLEL_FROM {
                    out.chunks_mut(width).enumerate().for_each(tile);
                } else {
                    out.par_chunks_mut(width).enumerate().for_each(tile);
                }
            }
            Components::Listed(listed) => {
                for (index, listed) in listed.chunks(width).enumerate() {
                    let total = self.total(index, sum);
                    listed.iter().zip(total).for_each(|(i, x)| out[*i] += x.widen());
                }
            }
        }
    }

    /// A sum of the series of a tile.
    #[inline]
    fn total(&self, index: usize, sum: Sum<'_, T>) -> [T; WIDEST] {
        let layout = self.tiles.layout();
        let tile = &self.tiles.values()[index * layout.len()..][..layout.len()];
        let mut total = [T::zero(); WIDEST];
        let far = (sum.planned, sum.states, sum.first);
        layout.sum(self.arch, tile, far, sum.near, &mut total[..layout.width()]);
        total
    }
}

fn each_tile<T: Lanes>(
    values: &mut [T],
    len: usize,
    parallel: bool,
    change: impl Fn(usize, &mut [T]) + Sync,
) {
    if parallel {
        let tiles = values.par_chunks_exact_mut(len).enumerate();
        tiles.for_each(|(index, tile)| change(index, tile));
    } else {
        values.chunks_exact_mut(len).enumerate().for_each(|(index, tile)| change(index, tile));
    }
}

impl<T: Lanes> Coefficients<T> {
    /// Zeros for these numbers of states, absorbed samples and planned sums.
    pub(super) fn new([states, samples, planned]: [usize; 3]) -> Self {
        Self {
            states,
            decay: vec![T::zero(); states],
            gain: vec![T::zero(); states * samples],
            slope: None,
            weights: Vec::with_capacity(states * planned),
        }
    }

    /// Sets the number of planned sums.
    pub(super) fn plan(&mut self, sums: usize) {
        self.weights.clear();
        self.weights.resize(self.states * sums, T::zero());
    }

    /// Lets each state of the second half grow by `factor` times one of the first before it decays.
    pub(super) fn set_slope(&mut self, factor: f64) {
        self.slope = Some((self.states / 2, T::narrow(factor)));
    }

    /// Sets the decay of a state and the weights of the absorbed samples.
    pub(super) fn set_state(&mut self, state: usize, decay: f64, gain: &[f64]) {
        self.decay[state] = T::narrow(decay);
        let row = &mut self.gain[state * gain.len()..][..gain.len()];
        row.iter_mut().zip(gain).for_each(|(x, gain)| *x = T::narrow(*gain));
    }

    /// Sets the weight of a state in a planned sum.
    pub(super) fn set_weight(&mut self, sum: usize, state: usize, weight: f64) {
        self.weights[sum * self.states + state] = T::narrow(weight);
    }
}
