//! Forward and backward pass of one tile of paths.

use super::checkpoints;
use super::tile_adjoint::TileAdjoint;
use super::{AdjointNode, PathLoss, SavedStates, Vjp};
use crate::ensemble::tile_stepper::TileState;
use crate::noise::{CellIntegral, Gaussian, Increments, Noise, Tile};
use crate::problem::ProblemData;
use crate::rows::{not_finite, zeros};
use crate::{Layout, SdeError};
use hpfracc_lanes::{CompactVec, Rows, RowsMut, Storage, vectorised};
use pulp::Arch;

/// The parts of a gradient that all tiles have in common.
pub(super) struct GradientPlan<'a, T> {
    pub(super) data: &'a ProblemData<T>,
    pub(super) adjoint: &'a dyn TileAdjoint<T>,
    /// Number of parameters of the system.
    pub(super) parameters: usize,
    /// Rows stored for each step besides the state.
    pub(super) kept_rows: usize,
    /// Integrals of the noise that a step takes after the increments.
    pub(super) integrals: &'a [CellIntegral],
    /// Bytes of the memory of the scheme for each path, in the forward and the backward pass.
    pub(super) memory: [usize; 2],
    pub(super) noise: &'a dyn Noise<T>,
    pub(super) loss: &'a dyn PathLoss<T>,
    pub(super) layout: &'a Layout,
    /// Saved nodes.
    pub(super) saved: &'a [usize],
    pub(super) storage: StateStorage,
    /// Format of the states that the backward pass reads, and of its own cotangents.
    pub(super) format: Storage,
    /// The last saved node: the number of steps.
    pub(super) last: usize,
    /// Whether derivatives with respect to the orders are requested.
    pub(super) orders: bool,
    pub(super) arch: Arch,
}

/// The states of the forward pass that are stored for the backward pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum StateStorage {
    /// None: they are reconstructed backwards.
    None,
    /// The first state of each segment of this many steps, and all of one segment.
    Segments(usize),
    /// At most this many, at the nodes from which the fewest steps are recomputed.
    Checkpoints(usize),
}

impl StateStorage {
    /// Numbers of states that a tile stores for `steps` steps: those from which others are
    /// recomputed, in full precision, and those that the backward pass reads.
    pub(super) fn states(self, steps: usize) -> [usize; 2] {
        match self {
            Self::None => [0, 0],
            Self::Segments(segment) => [steps.div_ceil(segment), segment],
            Self::Checkpoints(places) => [places, 1],
        }
    }
}

/// Number of terms (paths times steps) that an entry of a gradient sums in the precision of the
/// paths before it is added in double precision: few enough for single precision, many enough for
/// networks, where each step would otherwise touch all weights.
const TERMS: usize = 256;

/// Memory of one tile; the next one reuses it.
#[derive(Debug, Default)]
pub(super) struct TileMemory<T> {
    forward: Option<TileState>,
    backward: Option<TileState>,
    x: Vec<T>,
    dz: Vec<T>,
    pub(super) buffers: Buffers<T>,
}

/// Rows of a tile.
#[derive(Debug, Default)]
pub(super) struct Buffers<T> {
    /// The stored states, and the nodes of checkpoints among them.
    stored: Vec<T>,
    checkpoints: Vec<usize>,
    /// The states of one segment; between checkpoints, one state.
    nodes: CompactVec<T>,
    /// Rows of the scheme, stored for each step, and those of one step.
    of_scheme: CompactVec<T>,
    of_step: Vec<T>,
    saved: Vec<T>,
    cotangents: Vec<T>,
    losses: Vec<T>,
    /// Contributions of the latest steps to the gradient with respect to the parameters.
    thetabar: Vec<T>,
    /// Sums over the paths: loss, parameters, initial values, orders.
    pub(super) sums: Vec<f64>,
    /// The cotangent of the initial values of each path.
    pub(super) start: Vec<T>,
    /// The largest distance of the initial values from those reconstructed backwards.
    pub(super) apart: f64,
}

impl<T: Gaussian> Buffers<T> {
    /// Stores the state of a node; returns the next node to store on the way to `end`.
    fn keep(&mut self, x: &[T], node: usize, (end, places): (usize, usize)) -> usize {
        self.stored.extend_from_slice(x);
        self.checkpoints.push(node);
        self.next(end, places)
    }

    /// The next node to store after the last stored one.
    fn next(&self, end: usize, places: usize) -> usize {
        let free = places + 1 - self.checkpoints.len();
        let next = self.checkpoints.last().and_then(|kept| {
            let offset = checkpoints::next(end - kept, free)?;
            Some(kept + offset)
        });
        next.unwrap_or(usize::MAX)
    }
}

/// Loss and gradient of one tile, whose first path is number `path` of the ensemble.
pub(super) fn forward_backward<T: Gaussian>(
    plan: &GradientPlan<'_, T>,
    (tile, path): (Tile, usize),
    memory: &mut TileMemory<T>,
) -> Result<(), SdeError> {
    let (lanes, dim) = (tile.lanes, plan.layout.dim);
    let TileMemory { forward, backward, x, dz, buffers } = memory;
    let mut sweep = TileSweep::start(plan, (tile, path), (forward, x, dz))?;
    sweep.forward(buffers)?;
    zeros(&mut buffers.losses, lanes);
    zeros(&mut buffers.cotangents, buffers.saved.len());
    let saved = SavedStates { layout: plan.layout, path, x: Rows::new(&buffers.saved, lanes) };
    let cotangents = RowsMut::new(&mut buffers.cotangents, lanes);
    plan.loss.evaluate(saved, &mut buffers.losses, cotangents);
    sweep.check_loss(buffers)?;
    zeros(&mut buffers.start, dim * lanes);
    zeros(&mut buffers.thetabar, plan.parameters);
    buffers.sums.clear();
    let orders = if plan.orders { dim } else { 0 };
    buffers.sums.resize(1 + buffers.thetabar.len() + dim + orders, 0.0);
    sweep.backward(backward, buffers)
}

/// A tile between its first and its last node.
struct TileSweep<'a, 'm, T> {
    plan: &'a GradientPlan<'a, T>,
    tile: Tile,
    /// The first path, counted from the first of the ensemble.
    path: usize,
    increments: Box<dyn Increments<T> + 'a>,
    state: &'m mut TileState,
    x: &'m mut Vec<T>,
    dz: &'m mut Vec<T>,
}

impl<'a, 'm, T: Gaussian> TileSweep<'a, 'm, T> {
    fn start(
        plan: &'a GradientPlan<'a, T>,
        (tile, path): (Tile, usize),
        (state, x, dz): (&'m mut Option<TileState>, &'m mut Vec<T>, &'m mut Vec<T>),
    ) -> Result<Self, SdeError> {
        let increments = plan.noise.increments(tile, plan.integrals)?;
        zeros(x, plan.layout.dim * tile.lanes);
        plan.data.write_start((path, tile.first_path), RowsMut::new(x, tile.lanes));
        zeros(dz, (plan.noise.components() + plan.integrals.len()) * tile.lanes);
        let state = plan.adjoint.forward().start(state, tile);
        Ok(Self { plan, tile, path, increments, state, x, dz })
    }

    fn t(&self, node: usize) -> f64 {
        self.plan.data.t0 + node as f64 * self.tile.h
    }

    fn step(&mut self, n: usize) -> Result<(), SdeError> {
        self.increments.write(n, RowsMut::new(self.dz, self.tile.lanes));
        let at = (self.tile, n, self.plan.data.t0);
        self.plan.adjoint.forward().step(self.state, at, self.x, self.dz, &[])
    }

    /// Stores the states and rows that the backward pass reads.
    fn forward(&mut self, buffers: &mut Buffers<T>) -> Result<(), SdeError> {
        let size = self.x.len();
        buffers.stored.clear();
        buffers.checkpoints.clear();
        buffers.saved.clear();
        buffers.saved.reserve(size * self.plan.saved.len());
        let (kept, nodes) = match self.plan.storage {
            StateStorage::None => (0, 0),
            StateStorage::Segments(segment) => (self.plan.last.div_ceil(segment), segment),
            StateStorage::Checkpoints(places) => (places, 1),
        };
        buffers.stored.reserve(size * kept);
        buffers.checkpoints.reserve(kept);
        buffers.nodes.reset(self.plan.format, size * nodes);
        let mut next = 0;
        let of_scheme = self.plan.kept_rows * self.tile.lanes;
        buffers.of_scheme.reset(self.plan.format, of_scheme * self.plan.last);
        zeros(&mut buffers.of_step, of_scheme);
        let mut saved = self.plan.saved.iter().peekable();
        for n in 0..=self.plan.last {
            if saved.next_if(|node| **node == n).is_some() {
                buffers.saved.extend_from_slice(self.x);
            }
            if n == self.plan.last {
                break;
            }
            match self.plan.storage {
                StateStorage::None => {}
                StateStorage::Segments(segment) => {
                    if n % segment == 0 {
                        buffers.stored.extend_from_slice(self.x);
                    }
                    buffers.nodes.write((n % segment) * size, self.x);
                }
                StateStorage::Checkpoints(places) => {
                    if n == next {
                        next = buffers.keep(self.x, n, (self.plan.last, places));
                    }
                    if n + 1 == self.plan.last {
                        buffers.nodes.write(0, self.x);
                    }
                }
            }
            self.check_stored(&buffers.nodes, n, self.x.len())?;
            self.step(n)?;
            let kept = RowsMut::new(&mut buffers.of_step, self.tile.lanes);
            self.plan.adjoint.keep(self.state, kept);
            buffers.of_scheme.write(n * of_scheme, &buffers.of_step);
            self.check_stored(&buffers.of_scheme, n, of_scheme)?;
        }
        Ok(())
    }

    /// Takes a step again that did not fail in the forward pass.
    fn recompute(&mut self, n: usize) {
        let again = self.step(n);
        debug_assert!(again.is_ok());
    }

    /// Recomputes the states of a segment of `steps` steps from its first: the same finite numbers
    /// as in the forward pass.
    fn again(&mut self, segment: usize, steps: usize, buffers: &mut Buffers<T>) {
        let size = self.x.len();
        self.x.copy_from_slice(&buffers.stored[segment * size..][..size]);
        let last = ((segment + 1) * steps).min(self.plan.last);
        for (place, n) in (segment * steps..last).enumerate() {
            buffers.nodes.write(place * size, self.x);
            if n + 1 < last {
                self.recompute(n);
            }
        }
    }

    /// Recomputes the state of a node from the last stored one, at or before it.
    fn return_to(&mut self, node: usize, places: usize, buffers: &mut Buffers<T>) {
        let size = self.x.len();
        let mut n = buffers.checkpoints.last().copied().unwrap_or(0);
        let last = buffers.stored.len() - size;
        self.x.copy_from_slice(&buffers.stored[last..]);
        if n == node {
            // No earlier node needs it.
            buffers.stored.truncate(last);
            buffers.checkpoints.pop();
        }
        let mut next = buffers.next(node + 1, places);
        while n < node {
            self.recompute(n);
            n += 1;
            if n == next {
                next = buffers.keep(self.x, n, (node + 1, places));
            }
        }
        buffers.nodes.write(0, self.x);
    }

    fn backward(
        &mut self,
        state: &mut Option<TileState>,
        buffers: &mut Buffers<T>,
    ) -> Result<(), SdeError> {
        let (size, lanes, last) = (self.x.len(), self.tile.lanes, self.plan.last);
        let adjoint = self.plan.adjoint;
        let state = adjoint.start_back(state, self.state, lanes, self.plan.format);
        let reversed = self.plan.storage == StateStorage::None;
        let of_scheme = self.plan.kept_rows * lanes;
        // Steps since the last call of `gather`.
        let mut since = 0;
        // The segment whose states are present, or the node.
        let mut held = match self.plan.storage {
            StateStorage::Segments(segment) => last.saturating_sub(1) / segment,
            _ => last.saturating_sub(1),
        };
        let mut saved = self.plan.saved.iter().enumerate().rev().peekable();
        for n in (0..last).rev() {
            if let Some((time, _)) = saved.next_if(|(_, node)| **node == n + 1) {
                add(self.plan.arch, &mut buffers.start, &buffers.cotangents[time * size..][..size]);
            }
            let place = match self.plan.storage {
                StateStorage::None => 0,
                StateStorage::Segments(segment) => {
                    if n / segment != held {
                        held = n / segment;
                        self.again(held, segment, buffers);
                    }
                    n % segment
                }
                StateStorage::Checkpoints(places) => {
                    if n != held {
                        self.return_to(n, places, buffers);
                    }
                    0
                }
            };
            self.increments.write(n, RowsMut::new(self.dz, lanes));
            let t = self.t(n);
            if !reversed {
                self.check_stored(&buffers.nodes, n, self.x.len())?;
                buffers.nodes.read(place * size, self.x);
            }
            buffers.of_scheme.read(n * of_scheme, &mut buffers.of_step);
            let node = AdjointNode {
                t,
                x: RowsMut::new(self.x, lanes),
                dz: Rows::new(self.dz, lanes),
                kept: Rows::new(&buffers.of_step, lanes),
                to: Vjp {
                    xbar: RowsMut::new(&mut buffers.start, lanes),
                    thetabar: &mut buffers.thetabar,
                },
            };
            let broken = adjoint.step_back(state, node);
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
        let node = AdjointNode {
            t: self.plan.data.t0,
            x: RowsMut::new(self.x, lanes),
            dz: Rows::new(self.dz, lanes),
            kept: Rows::new(&[], lanes),
            to: Vjp {
                xbar: RowsMut::new(&mut buffers.start, lanes),
                thetabar: &mut buffers.thetabar,
            },
        };
        // The cotangents of the saved nodes are no longer needed: their memory serves the orders.
        let orders = if self.plan.orders { size } else { 0 };
        buffers.cotangents.clear();
        buffers.cotangents.resize(orders, T::zero());
        adjoint.finish(state, node, RowsMut::new(&mut buffers.cotangents, lanes));
        self.check_back([not_finite(&buffers.start), not_finite(&buffers.thetabar)], 0)?;
        gather(self.plan.arch, &mut buffers.sums[1..], &mut buffers.thetabar);
        if reversed {
            // The same memory, for the given initial values.
            buffers.cotangents.resize(size, T::zero());
            let start = RowsMut::new(&mut buffers.cotangents, lanes);
            self.plan.data.write_start((self.path, self.tile.first_path), start);
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

    /// Error for a number of step n that is too large for its format, among `len` for each step.
    fn check_stored(&self, stored: &CompactVec<T>, n: usize, len: usize) -> Result<(), SdeError> {
        let Some(overflow) = stored.overflow() else { return Ok(()) };
        let position = overflow.index % len;
        let (path, component) = (self.path_of(position), position / self.tile.lanes);
        Err(SdeError::StateOverflow { path, component, step: n, t: self.t(n), overflow })
    }

    fn check_loss(&self, buffers: &Buffers<T>) -> Result<(), SdeError> {
        if let Some(lane) = not_finite(&buffers.losses) {
            let (path, value) = (self.path_of(lane), buffers.losses[lane].widen());
            return Err(SdeError::PathValueNotFinite { what: "loss", path, value });
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

/// Adds row by row.
fn add<T: Gaussian>(arch: Arch, to: &mut [T], terms: &[T]) {
    vectorised(
        arch,
        #[inline(always)]
        || to.iter_mut().zip(terms).for_each(|(to, term)| *to += *term),
    );
}

/// Moves the contributions of some steps to the sums in double precision.
fn gather<T: Gaussian>(arch: Arch, sums: &mut [f64], thetabar: &mut [T]) {
    vectorised(
        arch,
        #[inline(always)]
        || {
            for (sum, thetabar) in sums.iter_mut().zip(&mut *thetabar) {
                *sum += thetabar.widen();
                *thetabar = T::zero();
            }
        },
    );
}
