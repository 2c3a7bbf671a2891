//! The memory by transforms of blocks that are complete.

use super::add_weighted;
use super::transform::{Group, Transform, WIDTH, product};
use hpfracc_types::Real;

/// Exact to rounding, in O(n log^2 n) steps: the online convolution of [`crate::history::Blocked`]
/// for all lanes of a tile at once, on transforms that go along time.
///
/// Time is cut into blocks of L rows, [`RADIX`] of which make one of the next level. When a block
/// starts, the earlier blocks with the same parent are complete; what they add to all its sums is
/// one inverse transform. Within the smallest block sums are taken directly.
#[derive(Debug, Clone)]
pub(crate) struct Blocked<T> {
    /// By lag, from 1, as far as the smallest block reaches.
    near: Vec<T>,
    /// From the smallest blocks to the largest; none if all is near.
    levels: Vec<Level<T>>,
}

/// Rows of the smallest block.
const BLOCK: usize = 64;

/// Blocks to a parent. A power of four, as the smallest block is, for the sake of the transform.
const RADIX: usize = 16;

/// Blocks of one length.
#[derive(Debug, Clone)]
struct Level<T> {
    /// Blocks to a parent, as far as there are rows.
    siblings: usize,
    transform: Transform<T>,
    /// By distance - 1 of two blocks, the residues of the weights over the length of the transform.
    weights: Vec<(T, T)>,
}

/// What a tile has seen.
#[derive(Debug, Clone)]
pub(crate) struct Rows<T> {
    /// Groups of a row.
    width: usize,
    seen: usize,
    /// The latest rows in a ring: a block of the largest level.
    latest: Vec<Group<T>>,
    levels: Vec<LevelRows<T>>,
    re: Vec<Group<T>>,
    im: Vec<Group<T>>,
}

#[derive(Debug, Clone)]
struct LevelRows<T> {
    /// By sibling, the residues of complete blocks.
    re: Vec<Group<T>>,
    im: Vec<Group<T>>,
    /// What the earlier blocks of this level and of those above add to the sums of the present
    /// block.
    sums: Vec<Group<T>>,
}

impl<T: Real> Blocked<T> {
    /// Of weights by lag, from 1.
    pub(super) fn new(weights: &[f64]) -> Self {
        Self::with_blocks(weights, BLOCK, RADIX)
    }

    fn with_blocks(weights: &[f64], block: usize, radix: usize) -> Self {
        let rows = weights.len() + 1;
        let near = weights.iter().take(block).map(|w| T::narrow(*w)).collect();
        let (mut levels, mut len) = (Vec::new(), block);
        while len < rows {
            levels.push(Level::new(weights, len, rows.div_ceil(len).min(radix)));
            len *= radix;
        }
        Self { near, levels }
    }

    /// Rows of the smallest and of the largest blocks.
    fn ends(&self) -> (usize, usize) {
        let len = |level: &Level<T>| level.transform.len();
        let block = self.levels.first().map_or(self.near.len() + 1, len);
        (block, self.levels.last().map_or(block, len))
    }

    /// Rows that a tile holds.
    pub(super) fn rows(&self) -> usize {
        let of_level = |level: &Level<T>| (2 * level.siblings - 1) * level.transform.len();
        3 * self.ends().1 + self.levels.iter().map(of_level).sum::<usize>()
    }

    pub(super) fn start(&self, lanes: usize) -> Rows<T> {
        let none = Vec::new;
        let (latest, levels, re, im) = (none(), Vec::new(), none(), none());
        let mut rows = Rows { width: 0, seen: 0, latest, levels, re, im };
        self.restart(&mut rows, lanes);
        rows
    }

    /// As at the start, in the memory that there is. Of what it holds only the sums of the first
    /// blocks are read before they are written; lanes never meet, those that fill a group up
    /// included.
    pub(super) fn restart(&self, rows: &mut Rows<T>, lanes: usize) {
        let width = lanes.div_ceil(WIDTH);
        let resize = |group: &mut Vec<Group<T>>, rows: usize| {
            group.resize(rows * width, [T::zero(); WIDTH]);
        };
        let longest = self.ends().1;
        let none = || LevelRows { re: Vec::new(), im: Vec::new(), sums: Vec::new() };
        (rows.width, rows.seen) = (width, 0);
        rows.levels.resize_with(self.levels.len(), none);
        for (level, rows) in self.levels.iter().zip(&mut rows.levels) {
            let len = level.transform.len();
            let sources = (level.siblings - 1) * len;
            resize(&mut rows.re, sources);
            resize(&mut rows.im, sources);
            rows.sums.clear();
            resize(&mut rows.sums, len);
        }
        for rows in [&mut rows.latest, &mut rows.re, &mut rows.im] {
            resize(rows, longest);
        }
    }

    /// Writes the memory of the rows before `u` to `sum` and takes `u` in.
    #[inline(always)]
    pub(super) fn step(&self, rows: &mut Rows<T>, u: &[T], sum: &mut [T]) {
        let (block, longest) = self.ends();
        let (width, lanes) = (rows.width, u.len());
        let at = rows.seen % block;
        if at == 0 && rows.seen > 0 {
            self.start_blocks(rows);
        }
        match rows.levels.first() {
            Some(level) => sum.copy_from_slice(&row(&level.sums, at, width)[..lanes]),
            None => sum.fill(T::zero()),
        }
        let first = (rows.seen - at) % longest;
        let latest = (0..at).rev().map(|before| &row(&rows.latest, first + before, width)[..lanes]);
        add_weighted(self.near.iter().copied().zip(latest), sum);
        let newest = &mut rows.latest[(first + at) * width..][..width];
        newest.as_flattened_mut()[..lanes].copy_from_slice(u);
        rows.seen += 1;
    }

    /// Starts the blocks whose first row is the next one, from the largest down.
    #[inline(always)]
    fn start_blocks(&self, rows: &mut Rows<T>) {
        let Rows { width, seen, .. } = *rows;
        let longest = self.ends().1;
        for (index, level) in self.levels.iter().enumerate().rev() {
            let len = level.transform.len();
            if seen % len != 0 {
                continue;
            }
            let place = seen / len % level.siblings;
            let (smaller, larger) = rows.levels.split_at_mut(index + 1);
            let own = &mut smaller[index];
            let (re, im) = (&mut rows.re[..len * width], &mut rows.im[..len * width]);
            if place > 0 {
                let block = (seen - len) % longest * width..;
                let source = (place - 1) * len * width..place * len * width;
                let (known_re, known_im) = (&mut own.re[source.clone()], &mut own.im[source]);
                known_re.copy_from_slice(&rows.latest[block][..len * width]);
                known_im.fill([T::zero(); WIDTH]);
                level.transform.forward(known_re, known_im);
                level.multiply(place, (&own.re, &own.im), (re, im));
                level.transform.inverse(re, im);
            } else {
                im.fill([T::zero(); WIDTH]);
            }
            own.sums.copy_from_slice(im);
            if let Some(parent) = larger.first() {
                let from = seen % (parent.sums.len() / width) * width;
                let inherited = parent.sums[from..].as_flattened();
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
    /// wrapped: its place L + t has the weight at `L + t - s`, that of the lag `(distance - 1) L +
    /// L + t - s`.
    fn new(weights: &[f64], len: usize, siblings: usize) -> Self {
        let distances = siblings - 1;
        let width = distances.div_ceil(WIDTH);
        let mut parts = [0, len].map(|half| {
            let mut rows = vec![[0.0; WIDTH]; len * width];
            for (place, row) in rows.chunks_exact_mut(width).enumerate() {
                for (distance, to) in row.as_flattened_mut().iter_mut().take(distances).enumerate()
                {
                    let lag = distance * len + half + place;
                    // The place 0 meets nothing.
                    let weight = lag.checked_sub(1).and_then(|lag| weights.get(lag));
                    *to = weight.copied().unwrap_or(0.0) / len as f64;
                }
            }
            rows
        });
        let [re, im] = &mut parts;
        Transform::new(len).forward(re, im);
        let number = |distance: usize, place: usize| {
            let part = |rows: &[Group<f64>]| T::narrow(row(rows, place, width)[distance]);
            (part(re), part(im))
        };
        let places = |distance| (0..len).map(move |place| (distance, place));
        let residues = (0..distances).flat_map(places).map(|(d, place)| number(d, place)).collect();
        Self { siblings, transform: Transform::new(len), weights: residues }
    }

    /// The residues of what the `place` earlier siblings add.
    #[inline(always)]
    fn multiply(
        &self,
        place: usize,
        (known_re, known_im): (&[Group<T>], &[Group<T>]),
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
                let (source_re, source_im) = (known_re[source], known_im[source]);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum as it is written, for blocks and lengths that end anywhere.
    #[test]
    fn blocks_are_the_direct_sum() {
        let weight =
            |m: usize| (m as f64 + 1.0).powf(-0.4) * if m.is_multiple_of(3) { -1.0 } else { 1.0 };
        let u = |n: usize, lane: usize| ((n * 37 + lane * 11) % 101) as f64 / 50.0 - 1.0;
        for (rows, block, radix) in [
            (1, 4, 4),
            (2, 4, 4),
            (5, 4, 4),
            (64, 4, 4),
            (65, 4, 4),
            (300, 4, 4),
            (300, 16, 16),
            (1100, 4, 16),
            (700, 64, 16),
        ] {
            let weights: Vec<f64> = (1..rows).map(weight).collect();
            let blocked = Blocked::<f64>::with_blocks(&weights, block, radix);
            for lanes in [1, 16, 21] {
                let mut past = blocked.start(lanes);
                let (mut now, mut sum) = (vec![0.0; lanes], vec![f64::NAN; lanes]);
                for n in 0..rows {
                    (0..lanes).for_each(|lane| now[lane] = u(n, lane));
                    blocked.step(&mut past, &now, &mut sum);
                    for (lane, sum) in sum.iter().enumerate() {
                        let exact: f64 = (0..n).map(|j| weights[n - j - 1] * u(j, lane)).sum();
                        let error = (sum - exact).abs();
                        assert!(
                            error < 1e-13 * 8.0,
                            "{rows} {block} {radix}: {n} {lane} {error:e}"
                        );
                    }
                }
            }
        }
    }
}
