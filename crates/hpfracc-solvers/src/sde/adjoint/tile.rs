//! One tile of paths, from start to end and back.

use super::{AdjointStepper, DifferentiableStochasticSystem, Ends, Node, PathLoss, Saved, States};
use crate::SolveError;
use crate::noise::{Gaussian, Increments, Noise, Rows, RowsMut, Tile};
use crate::sde::ensemble::tile::{check, not_finite};
use crate::sde::{Layout, Stepper, StochasticProblem};
use pulp::{Simd, WithSimd};

/// What is the same for all tiles.
pub(super) struct Plan<'a, T, S, F, A, N, L> {
    pub(super) problem: &'a StochasticProblem<T, S>,
    pub(super) stepper: &'a F,
    pub(super) adjoint: &'a A,
    pub(super) noise: &'a N,
    pub(super) loss: &'a L,
    pub(super) layout: &'a Layout,
    /// Nodes that are saved.
    pub(super) saved: &'a [usize],
    /// Steps between states that are kept.
    pub(super) segment: usize,
    /// The last of them, and of the steps.
    pub(super) last: usize,
    /// Whether derivatives in the orders are asked for.
    pub(super) orders: bool,
}

/// Terms, paths times steps, that an entry of a gradient sums in the precision of the paths before the sum
/// goes on in double precision: few enough for single precision, many enough for networks, of which each
/// step would otherwise move all weights.
const TERMS: usize = 256;

/// What one tile works in; the next one takes it over.
#[derive(Debug)]
pub(super) struct Buffers<T> {
    /// The states from which segments start, and those of one segment.
    kept: Vec<T>,
    nodes: Vec<T>,
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

impl<T: Gaussian> Buffers<T> {
    pub(super) fn new() -> Self {
        let none = Vec::new;
        Self {
            kept: none(),
            nodes: none(),
            saved: none(),
            cotangents: none(),
            losses: none(),
            thetabar: none(),
            sums: Vec::new(),
            start: none(),
            apart: 0.0,
        }
    }
}

/// A tile to be solved and taken back.
pub(super) struct ThereAndBack<'a, T, S, F, A, N, L> {
    pub(super) plan: &'a Plan<'a, T, S, F, A, N, L>,
    pub(super) tile: Tile,
    /// The first path, counted from the first of the ensemble.
    pub(super) path: usize,
    pub(super) buffers: &'a mut Buffers<T>,
}

impl<T, S, F, A, N, L> WithSimd for ThereAndBack<'_, T, S, F, A, N, L>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
    N: Noise<T>,
    L: PathLoss<T>,
{
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) -> Self::Output {
        let Self { plan, tile, path, buffers } = self;
        let (problem, lanes, dim) = (plan.problem, tile.lanes, plan.layout.dim);
        let mut walk = Walk::start(plan, (tile, path))?;
        walk.forward(buffers)?;
        let zeros = |values: &mut Vec<T>, len: usize| {
            values.clear();
            values.resize(len, T::zero());
        };
        zeros(&mut buffers.losses, lanes);
        zeros(&mut buffers.cotangents, buffers.saved.len());
        let saved = Saved { layout: plan.layout, path, x: Rows::new(&buffers.saved, lanes) };
        let cotangents = RowsMut::new(&mut buffers.cotangents, lanes);
        plan.loss.evaluate(saved, &mut buffers.losses, cotangents);
        walk.check_loss(buffers)?;
        zeros(&mut buffers.start, dim * lanes);
        zeros(&mut buffers.thetabar, problem.system().parameters());
        buffers.sums.clear();
        let orders = if plan.orders { dim } else { 0 };
        buffers.sums.resize(1 + buffers.thetabar.len() + dim + orders, 0.0);
        walk.back(buffers)
    }
}

/// A tile on its way.
struct Walk<'a, T, S, F: Stepper<T>, A, N, L>
where
    T: Gaussian,
{
    plan: &'a Plan<'a, T, S, F, A, N, L>,
    tile: Tile,
    /// The first path, counted from the first of the ensemble.
    path: usize,
    increments: Box<dyn Increments<T> + 'a>,
    state: F::State,
    x: Vec<T>,
    dz: Vec<T>,
}

impl<'a, T, S, F, A, N, L> Walk<'a, T, S, F, A, N, L>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
    N: Noise<T>,
{
    #[inline(always)]
    fn start(
        plan: &'a Plan<'a, T, S, F, A, N, L>,
        (tile, path): (Tile, usize),
    ) -> Result<Self, SolveError> {
        let integrals = plan.stepper.integrals();
        let increments = plan.noise.increments(tile, integrals)?;
        let mut x = vec![T::zero(); plan.layout.dim * tile.lanes];
        plan.problem.write_start(path, RowsMut::new(&mut x, tile.lanes));
        let dz = vec![T::zero(); (plan.noise.components() + integrals.len()) * tile.lanes];
        let state = plan.stepper.start_tile(tile);
        Ok(Self { plan, tile, path, increments, state, x, dz })
    }

    fn t(&self, node: usize) -> f64 {
        self.plan.problem.t0() + node as f64 * self.tile.h
    }

    #[inline(always)]
    fn step(&mut self, n: usize) {
        let (t, lanes) = (self.t(n), self.tile.lanes);
        self.increments.write(n, RowsMut::new(&mut self.dz, lanes));
        let (x, dz) = (RowsMut::new(&mut self.x, lanes), Rows::new(&self.dz, lanes));
        self.plan.stepper.step(self.plan.problem.system(), &mut self.state, t, x, dz);
    }

    /// Keeps what the way back will ask for.
    #[inline(always)]
    fn forward(&mut self, buffers: &mut Buffers<T>) -> Result<(), SolveError> {
        let (size, segment) = (self.x.len(), self.plan.segment);
        let keeps = self.plan.adjoint.states() != States::Reversed;
        buffers.kept.clear();
        buffers.saved.clear();
        buffers.saved.reserve(size * self.plan.saved.len());
        if keeps {
            buffers.kept.reserve(size * self.plan.last.div_ceil(segment));
            buffers.nodes.resize(size * segment, T::zero());
        }
        let mut saved = self.plan.saved.iter().peekable();
        for n in 0..=self.plan.last {
            if saved.next_if(|node| **node == n).is_some() {
                buffers.saved.extend_from_slice(&self.x);
            }
            if n == self.plan.last {
                break;
            }
            if keeps {
                if n % segment == 0 {
                    buffers.kept.extend_from_slice(&self.x);
                }
                buffers.nodes[(n % segment) * size..][..size].copy_from_slice(&self.x);
            }
            self.step(n);
            let (t0, tile) = (self.plan.problem.t0(), self.tile);
            if let Some(failure) = self.plan.stepper.failure(&self.state) {
                return Err(failure.error(tile, n, self.t(n)));
            }
            check(&self.x, n, t0, tile)?;
        }
        Ok(())
    }

    /// The states of a segment once more, from its first.
    #[inline(always)]
    fn again(&mut self, segment: usize, buffers: &mut Buffers<T>) {
        let (size, steps) = (self.x.len(), self.plan.segment);
        self.x.copy_from_slice(&buffers.kept[segment * size..][..size]);
        for (n, node) in (segment * steps..).zip(buffers.nodes.chunks_exact_mut(size)) {
            node.copy_from_slice(&self.x);
            if n + 1 < ((segment + 1) * steps).min(self.plan.last) {
                self.step(n);
            }
        }
    }

    #[inline(always)]
    fn back(&mut self, buffers: &mut Buffers<T>) -> Result<(), SolveError> {
        let (size, lanes, segment) = (self.x.len(), self.tile.lanes, self.plan.segment);
        let system = self.plan.problem.system();
        let adjoint = self.plan.adjoint;
        let mut state = adjoint.start(&self.state, lanes);
        let reversed = adjoint.states() == States::Reversed;
        // Steps since sums of parameters were gathered.
        let mut since = 0;
        let mut held = self.plan.last.saturating_sub(1) / segment;
        let mut saved = self.plan.saved.iter().enumerate().rev().peekable();
        for n in (0..self.plan.last).rev() {
            if let Some((time, _)) = saved.next_if(|(_, node)| **node == n + 1) {
                add(&mut buffers.start, &buffers.cotangents[time * size..][..size]);
            }
            if !reversed && n / segment != held {
                held = n / segment;
                self.again(held, buffers);
            }
            self.increments.write(n, RowsMut::new(&mut self.dz, lanes));
            let x = if reversed {
                &mut self.x
            } else {
                &mut buffers.nodes[(n % segment) * size..][..size]
            };
            let node = Node {
                t: self.plan.problem.t0() + n as f64 * self.tile.h,
                x: RowsMut::new(x, lanes),
                dz: Rows::new(&self.dz, lanes),
            };
            let xbar = RowsMut::new(&mut buffers.start, lanes);
            adjoint.step(system, &mut state, node, xbar, &mut buffers.thetabar);
            self.check_cotangents(&buffers.start, n)?;
            self.check_parameters(&buffers.thetabar, n)?;
            since += 1;
            if since * lanes >= TERMS {
                gather(buffers);
                since = 0;
            }
        }
        if saved.next().is_some() {
            add(&mut buffers.start, &buffers.cotangents[..size]);
        }
        let x = if reversed { &mut self.x } else { &mut buffers.nodes[..size] };
        let node = Node {
            t: self.plan.problem.t0(),
            x: RowsMut::new(x, lanes),
            dz: Rows::new(&self.dz, lanes),
        };
        // The cotangents of the end have been used: their room serves the orders.
        let orders = if self.plan.orders { size } else { 0 };
        buffers.cotangents.clear();
        buffers.cotangents.resize(orders, T::zero());
        let ends = Ends {
            xbar: RowsMut::new(&mut buffers.start, lanes),
            orders: RowsMut::new(&mut buffers.cotangents, lanes),
        };
        adjoint.finish(system, &mut state, node, ends, &mut buffers.thetabar);
        self.check_cotangents(&buffers.start, 0)?;
        self.check_parameters(&buffers.thetabar, 0)?;
        gather(buffers);
        if reversed {
            // Their room serves the true start first.
            buffers.cotangents.resize(size, T::zero());
            let start = RowsMut::new(&mut buffers.cotangents, lanes);
            self.plan.problem.write_start(self.path, start);
            let pairs = self.x.iter().zip(&buffers.cotangents);
            let apart = pairs.map(|(x, start)| (*x - *start).widen().abs());
            buffers.apart = apart.fold(buffers.apart, f64::max);
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

    #[inline(always)]
    fn check_parameters(&self, thetabar: &[T], step: usize) -> Result<(), SolveError> {
        let Some(parameter) = not_finite(thetabar) else { return Ok(()) };
        let Tile { first_path, lanes, .. } = self.tile;
        let (last_path, t) = (first_path + (lanes as u64 - 1), self.t(step));
        Err(SolveError::ParameterGradientNotFinite { parameter, first_path, last_path, step, t })
    }

    #[inline(always)]
    fn check_cotangents(&self, xbar: &[T], step: usize) -> Result<(), SolveError> {
        match not_finite(xbar) {
            None => Ok(()),
            Some(at) => Err(SolveError::CotangentNotFinite {
                path: self.path_of(at),
                component: at / self.tile.lanes,
                step,
                t: self.t(step),
            }),
        }
    }

    fn check_loss(&self, buffers: &Buffers<T>) -> Result<(), SolveError> {
        if let Some(lane) = not_finite(&buffers.losses) {
            let value = buffers.losses[lane].widen();
            return Err(SolveError::LossNotFinite { path: self.path_of(lane), value });
        }
        if let Some(at) = not_finite(&buffers.cotangents) {
            let (row, dim) = (at / self.tile.lanes, self.plan.layout.dim);
            let step = self.plan.saved[row / dim];
            let (path, component, t) = (self.path_of(at), row % dim, self.t(step));
            return Err(SolveError::CotangentNotFinite { path, component, step, t });
        }
        Ok(())
    }

    fn path_of(&self, position: usize) -> u64 {
        self.tile.first_path + (position % self.tile.lanes) as u64
    }
}

#[inline(always)]
fn add<T: Gaussian>(to: &mut [T], what: &[T]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += *what;
    }
}

/// What some steps have added for the parameters goes on in double precision.
#[inline(always)]
fn gather<T: Gaussian>(buffers: &mut Buffers<T>) {
    for (sum, thetabar) in buffers.sums[1..].iter_mut().zip(&mut buffers.thetabar) {
        *sum += thetabar.widen();
        *thetabar = T::zero();
    }
}
