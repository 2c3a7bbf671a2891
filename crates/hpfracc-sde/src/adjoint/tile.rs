//! One tile of paths, from start to end and back.

use super::checkpoints;
use super::vectorised::{Finish, StepBack, add, evaluate, gather};
use super::{
    AdjointNode, AdjointStepper, DifferentiableStochasticSystem, PathLoss, SavedStates,
    StartCotangents,
};
use crate::SdeError;
use crate::ensemble::tile::{Step, finite, not_finite, zeros};
use crate::noise::{Gaussian, Increments, Noise, Tile};
use crate::{Layout, Stepper, StochasticProblem};
use hpfracc_lanes::{Rows, RowsMut};
use pulp::Arch;

/// What is the same for all tiles.
pub(super) struct Plan<'a, T, S, F, A, L> {
    pub(super) problem: &'a StochasticProblem<T, S>,
    pub(super) stepper: &'a F,
    pub(super) adjoint: &'a A,
    pub(super) noise: &'a dyn Noise<T>,
    pub(super) loss: &'a L,
    pub(super) layout: &'a Layout,
    /// Nodes that are saved.
    pub(super) saved: &'a [usize],
    pub(super) keeping: Keeping,
    /// The last of them, and of the steps.
    pub(super) last: usize,
    /// Whether derivatives in the orders are asked for.
    pub(super) orders: bool,
    pub(super) arch: Arch,
}

/// Which states of the way there are kept for the way back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Keeping {
    /// None: they are computed back.
    None,
    /// The first of so many steps each, and all of one such segment.
    Segments(usize),
    /// At most so many, where the fewest steps are taken again.
    Checkpoints(usize),
}

impl Keeping {
    /// StateRecovery that a tile holds of so many steps.
    pub(super) fn states(self, steps: usize) -> usize {
        match self {
            Self::None => 0,
            Self::Segments(segment) => segment + steps.div_ceil(segment),
            Self::Checkpoints(places) => places + 1,
        }
    }
}

/// Terms, paths times steps, that an entry of a gradient sums in the precision of the paths before the sum
/// goes on in double precision: few enough for single precision, many enough for networks, of which each
/// step would otherwise move all weights.
const TERMS: usize = 256;

/// What one tile works in; the next one takes it over.
#[derive(Debug)]
pub(super) struct Work<T, P, Q> {
    /// What the steps carry there and back.
    state: Option<P>,
    back: Option<Q>,
    x: Vec<T>,
    dz: Vec<T>,
    pub(super) buffers: Buffers<T>,
}

/// Rows of a tile that are kept for later.
#[derive(Debug)]
pub(super) struct Buffers<T> {
    /// The states that are kept, and the nodes of checkpoints among them.
    kept: Vec<T>,
    checkpoints: Vec<usize>,
    /// The states of one segment; between checkpoints, one state.
    nodes: Vec<T>,
    /// What else is kept of each step.
    beside: Vec<T>,
    saved: Vec<T>,
    cotangents: Vec<T>,
    losses: Vec<T>,
    /// What the latest steps add to the gradient in the parameters.
    thetabar: Vec<T>,
    /// Sums over the paths: loss, parameters, start, orders.
    pub(super) sums: Vec<f64>,
    /// The cotangent of the start of each path.
    pub(super) start: Vec<T>,
    /// The largest distance of the start from where a reversed walk has ended.
    pub(super) apart: f64,
}

impl<T, P, Q> Work<T, P, Q> {
    pub(super) fn new() -> Self {
        let none = Vec::new;
        let buffers = Buffers {
            kept: none(),
            checkpoints: Vec::new(),
            nodes: none(),
            beside: none(),
            saved: none(),
            cotangents: none(),
            losses: none(),
            thetabar: none(),
            sums: Vec::new(),
            start: none(),
            apart: 0.0,
        };
        Self { state: None, back: None, x: none(), dz: none(), buffers }
    }
}

impl<T: Gaussian> Buffers<T> {
    /// Keeps the state of a node; where the next one is to be kept on the walk to the node before `end`.
    fn keep(&mut self, x: &[T], node: usize, (end, places): (usize, usize)) -> usize {
        self.kept.extend_from_slice(x);
        self.checkpoints.push(node);
        self.next(end, places)
    }

    /// The next node to be kept after the last one that is.
    fn next(&self, end: usize, places: usize) -> usize {
        let free = places + 1 - self.checkpoints.len();
        let next = self.checkpoints.last().and_then(|kept| {
            let offset = checkpoints::next(end - kept, free)?;
            Some(kept + offset)
        });
        next.unwrap_or(usize::MAX)
    }
}

/// A tile to be solved and taken back.
pub(super) struct ThereAndBack<'a, T, S, F, A, L>
where
    T: Gaussian,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
{
    pub(super) plan: &'a Plan<'a, T, S, F, A, L>,
    pub(super) tile: Tile,
    /// The first path, counted from the first of the ensemble.
    pub(super) path: usize,
    pub(super) work: &'a mut Work<T, F::State, A::State>,
}

impl<T, S, F, A, L> ThereAndBack<'_, T, S, F, A, L>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
    L: PathLoss<T>,
{
    pub(super) fn go(self) -> Result<(), SdeError> {
        let Self { plan, tile, path, work } = self;
        let (problem, lanes, dim) = (plan.problem, tile.lanes, plan.layout.dim);
        let Work { state, back, x, dz, buffers } = work;
        let mut walk = Walk::start(plan, (tile, path), (state, x, dz))?;
        walk.forward(buffers)?;
        zeros(&mut buffers.losses, lanes);
        zeros(&mut buffers.cotangents, buffers.saved.len());
        let saved = SavedStates { layout: plan.layout, path, x: Rows::new(&buffers.saved, lanes) };
        let cotangents = RowsMut::new(&mut buffers.cotangents, lanes);
        let (loss, losses) = (plan.loss, &mut buffers.losses[..]);
        evaluate(plan.arch, loss, saved, (losses, cotangents));
        walk.check_loss(buffers)?;
        zeros(&mut buffers.start, dim * lanes);
        zeros(&mut buffers.thetabar, problem.system().parameters());
        buffers.sums.clear();
        let orders = if plan.orders { dim } else { 0 };
        buffers.sums.resize(1 + buffers.thetabar.len() + dim + orders, 0.0);
        walk.back(back, buffers)
    }
}

/// A tile on its way.
struct Walk<'a, 'w, T, S, F: Stepper<T>, A, L>
where
    T: Gaussian,
{
    plan: &'a Plan<'a, T, S, F, A, L>,
    tile: Tile,
    /// The first path, counted from the first of the ensemble.
    path: usize,
    increments: Box<dyn Increments<T> + 'a>,
    state: &'w mut F::State,
    x: &'w mut Vec<T>,
    dz: &'w mut Vec<T>,
}

impl<'a, 'w, T, S, F, A, L> Walk<'a, 'w, T, S, F, A, L>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
{
    fn start(
        plan: &'a Plan<'a, T, S, F, A, L>,
        (tile, path): (Tile, usize),
        (state, x, dz): (&'w mut Option<F::State>, &'w mut Vec<T>, &'w mut Vec<T>),
    ) -> Result<Self, SdeError> {
        let integrals = plan.stepper.integrals();
        let increments = plan.noise.increments(tile, integrals)?;
        zeros(x, plan.layout.dim * tile.lanes);
        plan.problem.write_start(path, RowsMut::new(x, tile.lanes));
        zeros(dz, (plan.noise.components() + integrals.len()) * tile.lanes);
        if let Some(state) = state {
            plan.stepper.restart(state, tile);
        }
        let state = state.get_or_insert_with(|| plan.stepper.start_tile(tile));
        Ok(Self { plan, tile, path, increments, state, x, dz })
    }

    fn t(&self, node: usize) -> f64 {
        self.plan.problem.t0() + node as f64 * self.tile.h
    }

    /// Gives where the first value is that is not finite.
    fn step(&mut self, n: usize) -> Option<usize> {
        let (t, lanes) = (self.t(n), self.tile.lanes);
        self.increments.write(n, RowsMut::new(self.dz, lanes));
        let (stepper, system) = (self.plan.stepper, self.plan.problem.system());
        let (state, x, dz) = (&mut *self.state, &mut self.x[..], Rows::new(self.dz, lanes));
        self.plan.arch.dispatch(Step { stepper, system, state, t, x, dz })
    }

    /// Keeps what the way back will ask for.
    fn forward(&mut self, buffers: &mut Buffers<T>) -> Result<(), SdeError> {
        let size = self.x.len();
        buffers.kept.clear();
        buffers.checkpoints.clear();
        buffers.saved.clear();
        buffers.saved.reserve(size * self.plan.saved.len());
        let (kept, nodes) = match self.plan.keeping {
            Keeping::None => (0, 0),
            Keeping::Segments(segment) => (self.plan.last.div_ceil(segment), segment),
            Keeping::Checkpoints(places) => (places, 1),
        };
        buffers.kept.reserve(size * kept);
        buffers.checkpoints.reserve(kept);
        buffers.nodes.resize(size * nodes, T::zero());
        let mut next = 0;
        let beside = self.plan.adjoint.kept_rows() * self.tile.lanes;
        buffers.beside.resize(beside * self.plan.last, T::zero());
        let mut saved = self.plan.saved.iter().peekable();
        for n in 0..=self.plan.last {
            if saved.next_if(|node| **node == n).is_some() {
                buffers.saved.extend_from_slice(self.x);
            }
            if n == self.plan.last {
                break;
            }
            match self.plan.keeping {
                Keeping::None => {}
                Keeping::Segments(segment) => {
                    if n % segment == 0 {
                        buffers.kept.extend_from_slice(self.x);
                    }
                    buffers.nodes[(n % segment) * size..][..size].copy_from_slice(self.x);
                }
                Keeping::Checkpoints(places) => {
                    if n == next {
                        next = buffers.keep(self.x, n, (self.plan.last, places));
                    }
                    if n + 1 == self.plan.last {
                        buffers.nodes.copy_from_slice(self.x);
                    }
                }
            }
            let broken = self.step(n);
            let (t0, tile) = (self.plan.problem.t0(), self.tile);
            if let Some(failure) = self.plan.stepper.failure(self.state) {
                return Err(failure.error(tile, n, self.t(n)));
            }
            finite(broken, n, t0, tile)?;
            let kept = &mut buffers.beside[n * beside..][..beside];
            self.plan.adjoint.keep(self.state, RowsMut::new(kept, tile.lanes));
        }
        Ok(())
    }

    /// The states of a segment of so many steps once more, from its first: the same numbers, which were
    /// found finite on the way there.
    fn again(&mut self, segment: usize, steps: usize, buffers: &mut Buffers<T>) {
        let size = self.x.len();
        self.x.copy_from_slice(&buffers.kept[segment * size..][..size]);
        for (n, node) in (segment * steps..).zip(buffers.nodes.chunks_exact_mut(size)) {
            node.copy_from_slice(self.x);
            if n + 1 < ((segment + 1) * steps).min(self.plan.last) {
                self.step(n);
            }
        }
    }

    /// The state of a node once more, from the last one that is kept, at or before it; what is stepped
    /// over was found finite on the way there.
    fn return_to(&mut self, node: usize, places: usize, buffers: &mut Buffers<T>) {
        let size = self.x.len();
        let mut n = buffers.checkpoints.last().copied().unwrap_or(0);
        let last = buffers.kept.len() - size;
        self.x.copy_from_slice(&buffers.kept[last..]);
        if n == node {
            // None before it leads over it.
            buffers.kept.truncate(last);
            buffers.checkpoints.pop();
        }
        let mut next = buffers.next(node + 1, places);
        while n < node {
            self.step(n);
            n += 1;
            if n == next {
                next = buffers.keep(self.x, n, (node + 1, places));
            }
        }
        buffers.nodes.copy_from_slice(self.x);
    }

    fn back(
        &mut self,
        state: &mut Option<A::State>,
        buffers: &mut Buffers<T>,
    ) -> Result<(), SdeError> {
        let (size, lanes, last) = (self.x.len(), self.tile.lanes, self.plan.last);
        let system = self.plan.problem.system();
        let adjoint = self.plan.adjoint;
        if let Some(state) = state {
            adjoint.restart(state, self.state, lanes);
        }
        let state = state.get_or_insert_with(|| adjoint.start(self.state, lanes));
        let reversed = self.plan.keeping == Keeping::None;
        let beside = adjoint.kept_rows() * lanes;
        // Steps since sums of parameters were gathered.
        let mut since = 0;
        // The segment whose states there are, or the node.
        let mut held = match self.plan.keeping {
            Keeping::Segments(segment) => last.saturating_sub(1) / segment,
            _ => last.saturating_sub(1),
        };
        let mut saved = self.plan.saved.iter().enumerate().rev().peekable();
        for n in (0..last).rev() {
            if let Some((time, _)) = saved.next_if(|(_, node)| **node == n + 1) {
                add(self.plan.arch, &mut buffers.start, &buffers.cotangents[time * size..][..size]);
            }
            let place = match self.plan.keeping {
                Keeping::None => 0,
                Keeping::Segments(segment) => {
                    if n / segment != held {
                        held = n / segment;
                        self.again(held, segment, buffers);
                    }
                    n % segment
                }
                Keeping::Checkpoints(places) => {
                    if n != held {
                        self.return_to(n, places, buffers);
                    }
                    0
                }
            };
            self.increments.write(n, RowsMut::new(self.dz, lanes));
            let x =
                if reversed { &mut *self.x } else { &mut buffers.nodes[place * size..][..size] };
            let node = AdjointNode {
                t: self.plan.problem.t0() + n as f64 * self.tile.h,
                x: RowsMut::new(x, lanes),
                dz: Rows::new(self.dz, lanes),
                kept: Rows::new(&buffers.beside[n * beside..][..beside], lanes),
            };
            let (xbar, thetabar) = (&mut buffers.start[..], &mut buffers.thetabar[..]);
            let step = StepBack { adjoint, system, state: &mut *state, node, xbar, thetabar };
            let broken = self.plan.arch.dispatch(step);
            self.check_back(broken, n)?;
            since += 1;
            if since * lanes >= TERMS {
                gather(self.plan.arch, &mut buffers.sums[1..], &mut buffers.thetabar);
                since = 0;
            }
        }
        if saved.next().is_some() {
            add(self.plan.arch, &mut buffers.start, &buffers.cotangents[..size]);
        }
        let x = if reversed { &mut *self.x } else { &mut buffers.nodes[..size] };
        let node = AdjointNode {
            t: self.plan.problem.t0(),
            x: RowsMut::new(x, lanes),
            dz: Rows::new(self.dz, lanes),
            kept: Rows::new(&[], lanes),
        };
        // The cotangents of the end have been used: their room serves the orders.
        let orders = if self.plan.orders { size } else { 0 };
        buffers.cotangents.clear();
        buffers.cotangents.resize(orders, T::zero());
        let ends = StartCotangents {
            xbar: RowsMut::new(&mut buffers.start, lanes),
            orders: RowsMut::new(&mut buffers.cotangents, lanes),
        };
        let thetabar = &mut buffers.thetabar[..];
        self.plan.arch.dispatch(Finish { adjoint, system, state, node, ends, thetabar });
        self.check_back([not_finite(&buffers.start), not_finite(&buffers.thetabar)], 0)?;
        gather(self.plan.arch, &mut buffers.sums[1..], &mut buffers.thetabar);
        if reversed {
            // Their room serves the true start first.
            buffers.cotangents.resize(size, T::zero());
            let start = RowsMut::new(&mut buffers.cotangents, lanes);
            self.plan.problem.write_start(self.path, start);
            let pairs = self.x.iter().zip(&buffers.cotangents);
            let apart = pairs.map(|(x, start)| (*x - *start).widen().abs());
            buffers.apart = apart.fold(0.0, f64::max);
        }
        let parameters = buffers.thetabar.len();
        let sum = |row: &[T]| row.iter().map(|x| x.widen()).sum::<f64>();
        buffers.sums[0] = sum(&buffers.losses);
        let rows = buffers.start.chunks_exact(lanes).chain(buffers.cotangents.chunks_exact(lanes));
        for (total, row) in buffers.sums[1 + parameters..].iter_mut().zip(rows) {
            *total = sum(row);
        }
        Ok(())
    }

    fn check_back(
        &self,
        [cotangent, parameter]: [Option<usize>; 2],
        step: usize,
    ) -> Result<(), SdeError> {
        let (t, Tile { first_path, lanes, .. }) = (self.t(step), self.tile);
        if let Some(at) = cotangent {
            let (path, component) = (self.path_of(at), at / lanes);
            return Err(SdeError::CotangentNotFinite { path, component, step, t });
        }
        let Some(parameter) = parameter else { return Ok(()) };
        let last_path = first_path + (lanes as u64 - 1);
        Err(SdeError::ParameterGradientNotFinite { parameter, first_path, last_path, step, t })
    }

    fn check_loss(&self, buffers: &Buffers<T>) -> Result<(), SdeError> {
        if let Some(lane) = not_finite(&buffers.losses) {
            let value = buffers.losses[lane].widen();
            return Err(SdeError::LossNotFinite { path: self.path_of(lane), value });
        }
        if let Some(at) = not_finite(&buffers.cotangents) {
            let (row, dim) = (at / self.tile.lanes, self.plan.layout.dim);
            let step = self.plan.saved[row / dim];
            let (path, component, t) = (self.path_of(at), row % dim, self.t(step));
            return Err(SdeError::CotangentNotFinite { path, component, step, t });
        }
        Ok(())
    }

    fn path_of(&self, position: usize) -> u64 {
        self.tile.first_path + (position % self.tile.lanes) as u64
    }
}
