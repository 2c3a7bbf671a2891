use crate::noise::{Cell, Gaussian, Normals, Purpose, STEPS, Stream};
use hpfracc_lanes::RowsMut;
use pulp::Arch;

/// Goes from cell to cell of a [`BrownianTree`](crate::noise::BrownianTree), remembering the way
/// from the root to the last one.
///
/// Cells may be visited in any order; neighbours, halves and parents are cheapest.
#[derive(Debug, Clone)]
pub struct TreeWalk<T> {
    normals: Normals,
    components: u32,
    first_path: u64,
    lanes: usize,
    length: f64,
    /// The halves of each cell on the way; first the whole interval, which is a left half of
    /// nothing.
    levels: Vec<Halves<T>>,
    /// How many of them are those of the present way.
    known: usize,
    arch: Arch,
}

/// Two cells side by side.
#[derive(Debug, Clone)]
struct Halves<T> {
    /// The index of the left one.
    left: u32,
    lanes: usize,
    /// D and S, by component, cell, kind, and path.
    rows: Vec<T>,
    /// Random numbers that halve the two cells, by component, cell, z and y, and path: once it is
    /// drawn.
    normals: Vec<T>,
    drawn: bool,
}

/// The kinds of rows.
const D: usize = 0;
const S: usize = 1;

impl<T: Gaussian> Halves<T> {
    fn new(components: usize, lanes: usize) -> Self {
        let zeros = vec![T::zero(); components * 4 * lanes];
        Self { left: 0, lanes, rows: zeros.clone(), normals: zeros, drawn: false }
    }

    /// A row of the cell of this index.
    fn row(&self, component: usize, kind: usize, index: u32) -> &[T] {
        let cell = (index % 2) as usize;
        &self.rows[(4 * component + 2 * cell + kind) * self.lanes..][..self.lanes]
    }

    /// Draws the numbers of the node and of its neighbour.
    fn draw(&mut self, source: Normals, node: u32, first_path: u64) {
        if self.drawn {
            return;
        }
        let parts = self.normals.chunks_exact_mut(STEPS * self.lanes);
        for (component, normals) in (0..).zip(parts) {
            if let Some(stream) = Stream::new(Purpose::BrownianTree, component) {
                source.fill(stream, node / 2, first_path, normals);
            }
        }
        self.drawn = true;
    }
}

impl<T: Gaussian> TreeWalk<T> {
    pub(super) fn new(
        (normals, components): (Normals, u32),
        (first_path, lanes): (u64, usize),
        length: f64,
    ) -> Self {
        Self {
            normals,
            components,
            first_path,
            lanes,
            length,
            levels: Vec::new(),
            known: 0,
            arch: Arch::new(),
        }
    }

    /// Writes `W(b) - W(a)` over a cell from a to b, a row for each component.
    pub fn increments(&mut self, cell: Cell, mut rows: RowsMut<'_, T>) {
        for component in 0..self.components as usize {
            rows[component].copy_from_slice(self.increment(cell, component));
        }
    }

    /// The row of one component.
    pub(super) fn increment(&mut self, cell: Cell, component: usize) -> &[T] {
        self.descend(cell);
        self.levels[cell.level() as usize].row(component, D, cell.index())
    }

    /// Writes `int_a^b (W(s) - W(a)) ds` over a cell from a to b, a row for each component.
    pub fn integrals(&mut self, cell: Cell, mut rows: RowsMut<'_, T>) {
        self.descend(cell);
        let halves = &self.levels[cell.level() as usize];
        let (h, half) = (T::narrow(cell.length() * self.length), T::narrow(0.5));
        for component in 0..self.components as usize {
            let [d, s] = [D, S].map(|kind| halves.row(component, kind, cell.index()));
            for ((integral, d), s) in rows[component].iter_mut().zip(d).zip(s) {
                *integral = h * (*s + half * *d);
            }
        }
    }

    /// The way to a cell, from the last cell on the present way that contains it.
    fn descend(&mut self, cell: Cell) {
        let contains =
            |level: usize, halves: &Halves<T>| halves.left == cell.at_level(level as u32) & !1;
        let candidates = self.levels[..self.known].iter().take(cell.level() as usize + 1);
        let meeting = candidates.enumerate().rposition(|(level, halves)| contains(level, halves));
        let mut level = match meeting {
            Some(level) => level,
            None => {
                self.root();
                0
            }
        };
        while level < cell.level() as usize {
            self.halve(level, cell.at_level(level as u32));
            level += 1;
            self.known = level + 1;
        }
    }

    fn root(&mut self) {
        let (components, lanes) = (self.components as usize, self.lanes);
        let mut whole = Halves::new(components, lanes);
        // Node 0 is what the whole interval has, node 1 what it is halved with.
        whole.draw(self.normals, 1, self.first_path);
        let [d, s] = [self.length, self.length / 12.0].map(|variance| T::narrow(variance.sqrt()));
        for (rows, normals) in
            whole.rows.chunks_exact_mut(4 * lanes).zip(whole.normals.chunks_exact(4 * lanes))
        {
            let scales = [d, s].into_iter().flat_map(|scale| std::iter::repeat_n(scale, lanes));
            for ((x, z), scale) in rows.iter_mut().zip(normals).zip(scales) {
                *x = scale * *z;
            }
        }
        self.levels.clear();
        self.levels.push(whole);
        self.known = 1;
    }

    /// Makes the halves of the cell of this level and index the next level.
    fn halve(&mut self, level: usize, index: u32) {
        let (components, lanes) = (self.components as usize, self.lanes);
        if self.levels.len() == level + 1 {
            self.levels.push(Halves::new(components, lanes));
        }
        let (above, below) = self.levels.split_at_mut(level + 1);
        let (parent, halves) = (&mut above[level], &mut below[0]);
        let node = 1 << level | index;
        parent.draw(self.normals, node, self.first_path);
        (halves.left, halves.drawn) = (2 * index, false);
        let h = self.length * (-(level as f64)).exp2();
        let [of_z, of_y, quarter, half, three_halves] =
            [h.sqrt() / 4.0, (h / 48.0).sqrt(), 0.25, 0.5, 1.5].map(T::narrow);
        for (component, rows) in halves.rows.chunks_exact_mut(4 * lanes).enumerate() {
            let [d, s] = [D, S].map(|kind| parent.row(component, kind, index));
            let drawn = 4 * component + 2 * (node % 2) as usize;
            let (z, y) = parent.normals[drawn * lanes..][..2 * lanes].split_at(lanes);
            let (left, right) = rows.split_at_mut(2 * lanes);
            let (d_left, s_left) = left.split_at_mut(lanes);
            let (d_right, s_right) = right.split_at_mut(lanes);
            let from = d.iter().zip(s).zip(z.iter().zip(y));
            let halves = d_left.iter_mut().zip(s_left).zip(d_right.iter_mut().zip(s_right));
            self.arch.dispatch(
                #[inline(always)]
                || {
                    let cells = from.zip(halves);
                    for (((d, s), (z, y)), ((d_left, s_left), (d_right, s_right))) in cells {
                        let (bend, shift) = (of_z * *z, of_y * *y);
                        let (middle, apart) = (half * *d, three_halves * *s + bend);
                        let mean = quarter * *s - half * bend;
                        *d_left = middle + apart;
                        *d_right = middle - apart;
                        *s_left = mean + shift;
                        *s_right = mean - shift;
                    }
                },
            );
        }
    }
}
