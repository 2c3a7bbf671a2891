//! Blocked online sums over rows of lanes.

use super::row_transform::{Group, RowTransform, WIDTH, product};
use super::{BlockStart, Blocks, Schedule};
use crate::causal::add_weighted;
use hpfracc_types::Real;

/// `s[n] = sum_{m >= 1} w_m u[n-m]` for all lanes of a tile at once, by transforms along time.
///
/// Cost: O(N log^2 N) a lane, exact to rounding. Storage: 2 to 3 N rows. Lanes never mix: a path
/// has the same bits in any tile.
#[derive(Debug, Clone)]
pub struct BlockedRows<T> {
    /// Weights by lag, from 1, as far as the smallest block reaches.
    near: Vec<T>,
    schedule: Schedule,
    /// By level; none if all weights are near.
    levels: Vec<Level<T>>,
}

/// Rows of the smallest block.
const BLOCK: usize = 64;

/// Blocks to a parent: a power of four, as the smallest block is, for the sake of the transform.
const RADIX: usize = 16;

#[derive(Debug, Clone)]
struct Level<T> {
    transform: RowTransform<T>,
    /// By distance - 1 of two blocks, the residues of the weights over the length of the transform.
    weights: Vec<(T, T)>,
}

/// The past of a tile under [`BlockedRows`].
#[derive(Debug, Clone, Default)]
pub struct BlockedRowsState<T> {
    /// Groups of a row.
    width: usize,
    pushed: usize,
    /// The latest rows in a ring: a block of the largest level.
    latest: Vec<Group<T>>,
    levels: Vec<LevelState<T>>,
    re: Vec<Group<T>>,
    im: Vec<Group<T>>,
}

#[derive(Debug, Clone, Default)]
struct LevelState<T> {
    /// By sibling, the residues of complete blocks.
    re: Vec<Group<T>>,
    im: Vec<Group<T>>,
    /// What the earlier blocks of this level and of those above add to the sums of the present
    /// block.
    sums: Vec<Group<T>>,
}

impl<T: Real> BlockedRows<T> {
    /// Sums with weights by lag, from 1.
    #[must_use]
    pub fn new(weights: &[f64]) -> Self {
        Self::with_blocks(weights, BLOCK, RADIX)
    }

    /// The same with blocks of `block` rows, `radix` of which make one of the next level; both are
    /// powers of four.
    #[must_use]
    pub fn with_blocks(weights: &[f64], block: usize, radix: usize) -> Self {
        let rows = weights.len() + 1;
        let near = weights.iter().take(block).map(|w| T::narrow(*w)).collect();
        let (mut schedule, mut levels, mut len) = (Schedule::default(), Vec::new(), block);
        while len < rows {
            let siblings = rows.div_ceil(len).min(radix);
            schedule.levels.push(Blocks { len, siblings });
            levels.push(Level::new(weights, len, siblings));
            len *= radix;
        }
        Self { near, schedule, levels }
    }

    /// Rows of the smallest and of the largest blocks.
    fn ends(&self) -> (usize, usize) {
        let block = self.schedule.levels.first().map_or(self.near.len() + 1, |level| level.len);
        (block, self.schedule.longest(block))
    }

    /// Rows of a tile's past.
    #[must_use]
    pub fn rows(&self) -> usize {
        let of_level = |level: &Blocks| (2 * level.siblings - 1) * level.len;
        3 * self.ends().1 + self.schedule.levels.iter().map(of_level).sum::<usize>()
    }

    /// The empty past of a tile.
    #[must_use]
    pub fn start(&self, lanes: usize) -> BlockedRowsState<T> {
        let mut state = BlockedRowsState::default();
        self.restart(&mut state, lanes);
        state
    }

    /// Makes the past of another tile an empty one, in its storage.
    ///
    /// Of what it holds only the sums of the first blocks are read before they are written; lanes
    /// never mix, those that fill a group up included.
    pub fn restart(&self, state: &mut BlockedRowsState<T>, lanes: usize) {
        let width = lanes.div_ceil(WIDTH);
        let resize = |group: &mut Vec<Group<T>>, rows: usize| {
            group.resize(rows * width, [T::zero(); WIDTH]);
        };
        let longest = self.ends().1;
        (state.width, state.pushed) = (width, 0);
        state.levels.resize_with(self.levels.len(), LevelState::default);
        for (blocks, state) in self.schedule.levels.iter().zip(&mut state.levels) {
            let sources = (blocks.siblings - 1) * blocks.len;
            resize(&mut state.re, sources);
            resize(&mut state.im, sources);
            state.sums.clear();
            resize(&mut state.sums, blocks.len);
        }
        for rows in [&mut state.latest, &mut state.re, &mut state.im] {
            resize(rows, longest);
        }
    }

    /// Writes the sum before `u` to `sum` and appends `u`.
    #[inline(always)]
    pub fn step(&self, state: &mut BlockedRowsState<T>, u: &[T], sum: &mut [T]) {
        let (block, longest) = self.ends();
        let (width, lanes) = (state.width, u.len());
        let place = state.pushed % block;
        if place == 0 && state.pushed > 0 {
            self.start_blocks(state);
        }
        match state.levels.first() {
            Some(level) => sum.copy_from_slice(&row(&level.sums, place, width)[..lanes]),
            None => sum.fill(T::zero()),
        }
        let first = (state.pushed - place) % longest;
        let latest = (0..place).rev().map(|j| &row(&state.latest, first + j, width)[..lanes]);
        add_weighted(self.near.iter().copied().zip(latest), sum);
        let newest = &mut state.latest[(first + place) * width..][..width];
        newest.as_flattened_mut()[..lanes].copy_from_slice(u);
        state.pushed += 1;
    }

    /// Starts the blocks whose first row is the next one, from the largest down.
    #[inline(always)]
    fn start_blocks(&self, state: &mut BlockedRowsState<T>) {
        let BlockedRowsState { width, pushed, .. } = *state;
        let longest = self.ends().1;
        for (index, level) in self.levels.iter().enumerate().rev() {
            let Some(BlockStart { place, inherited }) = self.schedule.start(index, pushed) else {
                continue;
            };
            let len = level.transform.len();
            let (smaller, larger) = state.levels.split_at_mut(index + 1);
            let own = &mut smaller[index];
            let (re, im) = (&mut state.re[..len * width], &mut state.im[..len * width]);
            if place > 0 {
                let block = (pushed - len) % longest * width..;
                let source = (place - 1) * len * width..place * len * width;
                let (source_re, source_im) = (&mut own.re[source.clone()], &mut own.im[source]);
                source_re.copy_from_slice(&state.latest[block][..len * width]);
                source_im.fill([T::zero(); WIDTH]);
                level.transform.forward(source_re, source_im);
                level.multiply(place, (&own.re, &own.im), (re, im));
                level.transform.inverse(re, im);
            } else {
                im.fill([T::zero(); WIDTH]);
            }
            own.sums.copy_from_slice(im);
            if let (Some(parent), Some(from)) = (larger.first(), inherited) {
                let inherited = parent.sums[from * width..].as_flattened();
                for (sum, more) in own.sums.as_flattened_mut().iter_mut().zip(inherited) {
                    *sum += *more;
                }
            }
        }
    }
}

#[inline(always)]
fn row<T>(rows: &[Group<T>], number: usize, width: usize) -> &[T] {
    rows[number * width..][..width].as_flattened()
}

impl<T: Real> Level<T> {
    /// From a block to the one `distance` later, row s and sum t have the lag `distance L + t - s`.
    /// Of a product of the block's L rows with 2L weights modulo `t^2L + 1`, the upper half is not
    /// wrapped: its place L + t has the weight at `L + t - s`, that of the lag
    /// `(distance - 1) L + L + t - s`.
    fn new(weights: &[f64], len: usize, siblings: usize) -> Self {
        let distances = siblings - 1;
        let width = distances.div_ceil(WIDTH);
        let mut parts = [0, len].map(|half| {
            let mut rows = vec![[0.0; WIDTH]; len * width];
            for (place, row) in rows.chunks_exact_mut(width).enumerate() {
                for (distance, to) in row.as_flattened_mut().iter_mut().take(distances).enumerate()
                {
                    let lag = distance * len + half + place;
                    // The place 0 meets no row.
                    let weight = lag.checked_sub(1).and_then(|lag| weights.get(lag));
                    *to = weight.copied().unwrap_or(0.0) / len as f64;
                }
            }
            rows
        });
        let [re, im] = &mut parts;
        RowTransform::new(len).forward(re, im);
        let number = |distance: usize, place: usize| {
            let part = |rows: &[Group<f64>]| T::narrow(row(rows, place, width)[distance]);
            (part(re), part(im))
        };
        let places = |distance| (0..len).map(move |place| (distance, place));
        let residues = (0..distances).flat_map(places).map(|(d, place)| number(d, place)).collect();
        Self { transform: RowTransform::new(len), weights: residues }
    }

    /// The residues of what the `place` earlier siblings add.
    #[inline(always)]
    fn multiply(
        &self,
        place: usize,
        (source_re, source_im): (&[Group<T>], &[Group<T>]),
        (re, im): (&mut [Group<T>], &mut [Group<T>]),
    ) {
        let len = self.transform.len();
        let width = re.len() / len;
        for (at, (re, im)) in re.iter_mut().zip(im).enumerate() {
            let bin = at / width;
            let (mut sum_re, mut sum_im) = ([T::zero(); WIDTH], [T::zero(); WIDTH]);
            for sibling in 0..place {
                let weight = self.weights[(place - sibling - 1) * len + bin];
                let source = sibling * len * width + at;
                let (source_re, source_im) = (source_re[source], source_im[source]);
                for lane in 0..WIDTH {
                    let more = product(weight, (source_re[lane], source_im[lane]));
                    sum_re[lane] += more.0;
                    sum_im[lane] += more.1;
                }
            }
            (*re, *im) = (sum_re, sum_im);
        }
    }
}
