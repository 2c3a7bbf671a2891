use super::kernel_exponentials::KernelExponentials;
use super::memory::{CellMemory, OrderGroup};
use super::pieces::Pieces;
use crate::OdeError;
use crate::error::require;
use crate::history::tiles::{BLOCK, Coefficients, JUMPS, MANY, Sum, Tiles};
use hpfracc_lanes::Lanes;

/// Kernel compression on a mesh: the kernel as a sum of exponentials (SOE), in constant memory; the
/// last cells are exact. Weights may depend on time: the states know the rates alone.
///
/// ```text
/// Y_k = int_t0^T exp(-p_k (T - s)) f(s) ds,   orders up to 1, kernel sum_k w_k exp(-p_k t)
/// ```
///
/// Between orders 1 and 2 the kernel is t times a sum of exponentials, and there are states with
/// the factor T - s too. The states end at least one cell before the last node: every requested time
/// is at least a step after them, and the same states give the dense output. They absorb the cells
/// after T in blocks, of [`BLOCK`] cells for many components; those that are not absorbed yet are
/// summed directly. At nodes that are known in advance the states' part is computed as a block is
/// absorbed, so that the states are read and written once a block.
///
/// Cost: 2 K products for each component and node, and some direct ones; memory: K numbers for each
/// component, twice for orders above 1, and three for each cell of a block.
#[derive(Debug)]
pub(crate) struct SumOfExponentialsMemory<T = f64> {
    pieces: Pieces,
    groups: Vec<Group<T>>,
    /// Shortest step.
    shortest: f64,
    /// Cells that are absorbed at once.
    block: usize,
    /// Whether the states have absorbed a block.
    started: bool,
    /// Time of the states, T, and the nodes after it.
    times: Vec<f64>,
    /// Samples after T.
    samples: usize,
    /// All nodes, if known in advance.
    nodes: Vec<f64>,
    /// Nodes whose sums are planned.
    planned: Vec<f64>,
}

/// The components of one kernel.
#[derive(Debug)]
struct Group<T> {
    order: OrderGroup,
    exponentials: KernelExponentials,
    /// w_k at a planned time.
    weights: Vec<f64>,
    /// Whether there are states with the factor T - s, after the others.
    is_sloped: bool,
    tiles: Tiles<T>,
    coefficients: Coefficients<T>,
    /// Weights of the absorbed samples: of the states, and of those with the factor T - s.
    plain: Vec<f64>,
    sloped: Vec<f64>,
}

/// Largest ratio of the interval to a step for which sums of exponentials exist.
pub(super) const LARGEST_RATIO: f64 = 1e15;

/// exp(-60) is far below rounding.
const VANISHED: f64 = 60.0;

/// Largest number of states of a component: twice 200 exponentials reach 1e-13 over
/// [`LARGEST_RATIO`].
const MOST_STATES: usize = 512;

impl<T: Lanes> SumOfExponentialsMemory<T> {
    /// For steps of at least `shortest` in an interval of length `span`, and nodes that are known in
    /// advance, or none.
    ///
    /// # Errors
    /// [`OdeError::NoExponentials`] for orders above 2, [`OdeError::OutOfRange`] for a step shorter
    /// than 1e-15 of the interval, those of the exponentials.
    pub(crate) fn new(
        pieces: Pieces,
        groups: &[OrderGroup],
        (shortest, span, nodes): (f64, f64, &[f64]),
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let expected = "at least 1e-15 of the interval, as far as sums of exponentials reach";
        require(span / shortest <= LARGEST_RATIO, "the length of a step", shortest, expected)?;
        let dim: usize = groups.iter().map(|(_, components)| components.len()).sum();
        let block = if dim < MANY { 1 } else { BLOCK };
        let interval = (shortest.min(0.5 * span), span);
        let group = |order: &OrderGroup| Group::new(pieces, order, (interval, block), tolerance);
        let mut times = Vec::with_capacity(block + JUMPS + 2);
        if pieces == Pieces::Constant {
            times.extend(nodes.first());
        }
        Ok(Self {
            pieces,
            groups: groups.iter().map(group).collect::<Result<_, _>>()?,
            shortest,
            block,
            started: false,
            times,
            samples: 0,
            nodes: if block > 1 { nodes.to_vec() } else { Vec::new() },
            planned: Vec::with_capacity(block),
        })
    }

    /// Advances the states over the first cells, and computes the planned sums.
    fn absorb(&mut self) {
        let Self { pieces, groups, block, times, nodes, planned, samples, .. } = self;
        let next = nodes.partition_point(|t| *t <= times[times.len() - 1]);
        planned.clear();
        planned.extend(nodes[next..].iter().take(*block));
        for group in groups {
            group.prepare(*pieces, &times[..=*block], planned);
            group.tiles.absorb(&group.coefficients, (*block, *samples));
        }
        times.drain(..*block);
        *samples -= *block;
        self.started = true;
    }
}

impl<T: Lanes> CellMemory for SumOfExponentialsMemory<T> {
    fn push(&mut self, t: f64, f: &[f64]) {
        self.groups.iter_mut().for_each(|group| group.tiles.store(self.samples, f));
        self.samples += 1;
        self.times.push(t);
        // A jump of f is a cell of length 0, and the states end before the cell that it ends.
        let cells = self.times.len() - 1;
        if cells > self.block && (self.times[self.block] < t || cells == self.block + JUMPS + 1) {
            self.absorb();
        }
    }

    fn shortest(&self) -> f64 {
        self.shortest
    }

    fn add_into(&self, t: f64, out: &mut [f64]) {
        if self.times.len() < 2 {
            return;
        }
        let planned = self.planned.iter().position(|planned| *planned == t);
        let (mut states, mut near) = ([T::zero(); MOST_STATES], [T::zero(); BLOCK + JUMPS + 2]);
        let mut exact = [0.0; BLOCK + JUMPS + 2];
        for group in &self.groups {
            let (near, exact) = (&mut near[..self.samples], &mut exact[..self.samples]);
            self.pieces.weights(&group.order.0, &self.times, t, exact);
            near.iter_mut().zip(exact).for_each(|(near, exact)| *near = T::narrow(*exact));
            let (count, first) = match planned {
                None if self.started => group.weights((self.times[0], t), &mut states),
                _ => (0, 0),
            };
            group.tiles.add_into(Sum { planned, states: &states[..count], first, near }, out);
        }
    }
}

impl<T: Lanes> Group<T> {
    fn new(
        pieces: Pieces,
        order: &OrderGroup,
        (interval, block): ((f64, f64), usize),
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let exponentials = KernelExponentials::new(&order.0, interval, tolerance)?;
        let is_sloped = order.0.single_order().is_some_and(|alpha| alpha > 1.0);
        let count = exponentials.rates().len();
        let states = if is_sloped { 2 } else { 1 } * count;
        let what = "the number of exponentials";
        require(states <= MOST_STATES, what, states as f64, "at most 512")?;
        let (absorbed, planned) = (pieces.samples(block), if block > 1 { block } else { 0 });
        Ok(Self {
            order: order.clone(),
            is_sloped,
            tiles: Tiles::new(&order.1, [states, pieces.samples(block + JUMPS + 1), planned]),
            coefficients: Coefficients::new([states, absorbed, planned]),
            plain: vec![0.0; absorbed],
            sloped: vec![0.0; if is_sloped { absorbed } else { 0 }],
            weights: vec![0.0; count],
            exponentials,
        })
    }

    /// Coefficients of a step over a block of cells, for sums at these times.
    fn prepare(&mut self, pieces: Pieces, times: &[f64], planned: &[f64]) {
        let Self { order, exponentials, weights, is_sloped, coefficients, plain, sloped, .. } =
            self;
        let (count, end) = (weights.len(), times[times.len() - 1]);
        coefficients.plan(planned.len());
        if *is_sloped {
            coefficients.set_slope(end - times[0]);
        }
        for (k, &p) in exponentials.rates().iter().enumerate() {
            let decay = pieces.absorb(p, times, plain, sloped);
            coefficients.set_state(k, decay, plain);
            if *is_sloped {
                coefficients.set_state(count + k, decay, sloped);
            }
        }
        for (sum, &t) in planned.iter().enumerate() {
            let later = t - end;
            exponentials.weights_into(&order.0, t, weights);
            for (k, (p, w)) in exponentials.rates().iter().zip(&*weights).enumerate() {
                let left = w * (-p * later).exp();
                if *is_sloped {
                    coefficients.set_weight(sum, k, left * later);
                    coefficients.set_weight(sum, count + k, left);
                } else {
                    coefficients.set_weight(sum, k, left);
                }
            }
        }
    }

    /// Writes the weights of the states of a time in the sum at t; returns their number and the
    /// first state that has one.
    fn weights(&self, (states, t): (f64, f64), weights: &mut [T]) -> (usize, usize) {
        let (rates, later) = (self.exponentials.rates(), t - states);
        let count = rates.len();
        let gone = if self.is_sloped { 0 } else { rates.partition_point(|p| p * later > VANISHED) };
        let mut of_kernel = [0.0; MOST_STATES];
        self.exponentials.weights_into(&self.order.0, t, &mut of_kernel[..count]);
        for (at, (p, w)) in rates.iter().zip(&of_kernel).skip(gone).enumerate() {
            let left = w * (-p * later).exp();
            if self.is_sloped {
                weights[at] = T::narrow(left * later);
                weights[count + at] = T::narrow(left);
            } else {
                weights[at] = T::narrow(left);
            }
        }
        (if self.is_sloped { 2 * count } else { count - gone }, gone)
    }
}
