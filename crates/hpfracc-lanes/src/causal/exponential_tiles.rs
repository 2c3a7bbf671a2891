use crate::product::{Base, Left, Right, product};
use crate::{AlignedVec, Lanes};
use pulp::Arch;

/// States of sums of exponentials of many series, in tiles that stay in the cache while a block of
/// samples goes through them.
///
/// ```text
/// z_k <- d_k (z_k + g z_(k-distance)) + sum_j q_kj f_j      after a block of samples f_j
/// s_i  = sum_k p_ik z_k                                     the sums that the next block needs
/// ```
///
/// A tile has the states, the last samples and the planned sums of some series. Both products are
/// computed with the tile in the cache, so that the states are read and written once a block. Tiles
/// are independent: callers may give them to threads, and every series has the same bits in any
/// tile.
///
/// Cost: `states * (samples + sums)` products for each series and block; one read and one write of
/// `states` numbers.
#[derive(Debug)]
pub struct ExponentialTiles<T> {
    layout: TileLayout,
    series: usize,
    values: AlignedVec<T>,
}

/// Rows of a tile: states, then samples, then sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileLayout {
    /// Series of a tile, a multiple of the longest register.
    width: usize,
    states: usize,
    samples: usize,
    sums: usize,
}

/// Coefficients of a step over a block.
#[derive(Debug, Clone, Copy)]
pub struct BlockStep<'a, T> {
    /// d_k, a number for each state.
    pub decay: &'a [T],
    /// Rows that are added to others before the decay: state k gets `factor` times state `k - distance`,
    /// as it was, from `distance` on. None: no row.
    pub slope: Option<(usize, T)>,
    /// q_kj by state, a number for each absorbed sample.
    pub gain: &'a [T],
    /// p_ik by sum, a number for each state; fewer than planned sums are allowed.
    pub weights: &'a [T],
}

/// Series of a tile: with 50 states, 16 samples and 16 sums of `f64` it has 21 kB.
const WIDTH: usize = 32;

impl<T: Lanes> ExponentialTiles<T> {
    /// Zero states of this many series, with room for samples and planned sums.
    pub fn new(series: usize, states: usize, samples: usize, sums: usize) -> Self {
        let width = WIDTH.min(series.next_multiple_of(LEAST)).max(LEAST);
        let layout = TileLayout { width, states, samples, sums };
        let tiles = series.div_ceil(width);
        Self { layout, series, values: AlignedVec::zeros(tiles * layout.len()) }
    }

    /// The rows of a tile.
    pub fn layout(&self) -> TileLayout {
        self.layout
    }

    /// Number of series.
    pub fn series(&self) -> usize {
        self.series
    }

    /// All tiles, one after the other, each [`TileLayout::len`] numbers.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The same to be changed by the functions of [`TileLayout`].
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

/// Lanes of the longest register of `f32`.
const LEAST: usize = 16;

impl TileLayout {
    /// Numbers of a tile.
    pub fn len(self) -> usize {
        (self.states + self.samples + self.sums) * self.width
    }

    /// Whether a tile has no numbers.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Series of a tile.
    pub fn width(self) -> usize {
        self.width
    }

    /// A row of samples of a tile.
    pub fn sample<T>(self, tile: &mut [T], row: usize) -> &mut [T] {
        &mut tile[(self.states + row) * self.width..][..self.width]
    }

    /// Copies a row of samples to another.
    pub fn move_sample<T: Copy>(self, tile: &mut [T], from: usize, to: usize) {
        let (from, to) = ((self.states + from) * self.width, (self.states + to) * self.width);
        tile.copy_within(from..from + self.width, to);
    }

    /// Advances the states of a tile over its first samples, and computes the planned sums.
    pub fn advance<T: Lanes>(self, arch: Arch, tile: &mut [T], step: &BlockStep<'_, T>) {
        let Self { width, states, .. } = self;
        let (z, rest) = tile.split_at_mut(states * width);
        let (samples, sums) = rest.split_at_mut(self.samples * width);
        decay(z, width, step);
        let absorbed = step.gain.len() / states.max(1);
        if absorbed > 0 {
            let gain = Left::new(step.gain, states, absorbed);
            product(arch, gain, Right::new(samples, width), Base::Present, z, width);
        }
        let planned = step.weights.len() / states.max(1);
        if planned > 0 {
            sums[..planned * width].fill(T::zero());
            let weights = Left::new(step.weights, planned, states);
            product(arch, weights, Right::new(z, width), Base::Present, sums, width);
        }
    }

    /// Writes `sum + sum_k weights_k z_k + sum_j near_j f_j`, with a planned sum or none and the
    /// states from `first` on.
    pub fn sum<T: Lanes>(
        self,
        arch: Arch,
        tile: &[T],
        (planned, weights, first): (Option<usize>, &[T], usize),
        near: &[T],
        out: &mut [T],
    ) {
        let Self { width, states, samples, .. } = self;
        match planned {
            Some(row) => out.copy_from_slice(&tile[(states + samples + row) * width..][..width]),
            None => out.fill(T::zero()),
        }
        let rows = [(weights, first), (near, states)];
        for (factors, first) in rows.into_iter().filter(|(factors, _)| !factors.is_empty()) {
            let left = Left::new(factors, 1, factors.len());
            let right = Right::new(&tile[first * width..], width);
            product(arch, left, right, Base::Present, out, width);
        }
    }
}

/// `z_k <- d_k (z_k + factor z_(k-distance))`.
fn decay<T: Lanes>(z: &mut [T], width: usize, step: &BlockStep<'_, T>) {
    if let Some((distance, factor)) = step.slope {
        let (plain, sloped) = z.split_at_mut(distance * width);
        for (sloped, plain) in sloped.iter_mut().zip(&*plain) {
            *sloped += factor * *plain;
        }
    }
    for (row, decay) in z.chunks_exact_mut(width).zip(step.decay) {
        row.iter_mut().for_each(|z| *z = *decay * *z);
    }
}
