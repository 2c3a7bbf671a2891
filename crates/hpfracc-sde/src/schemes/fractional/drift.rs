use crate::SdeError;
use crate::rows::{add, add_scaled, zeros};
use crate::schemes::memory::{PathMemory, PowerKernel, power_law_memory};
use hpfracc_lanes::Storage;
use hpfracc_lanes::causal::{Online, OnlineState};
use hpfracc_operators::{Discrete, Operator, OperatorError, RlIntegral, Weights};
use hpfracc_types::{Grid, Order, Real};

/// How the drift of a fractional equation is integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Drift {
    /// It keeps its first value over each step: order 1.
    #[default]
    Rectangle,
    /// It is linear over each step, its value at the end that at a value predicted by rectangles:
    /// the method of Adams, Bashforth and Moulton. Order min(2, 1 + alpha) of the drift's part of
    /// the error, for two evaluations of the drift and two memories.
    PredictorCorrector,
}

/// Differences of the trapezoid's weights from those of the rectangles, for a component:
///
/// ```text
/// sum_{j<n} (c_{n-j} - b_{n-1-j}) f_j + (a_{0,n} - c_n) f_0 + c_0 f(t_n, P_n)
/// ```
///
/// with `c_m = h^alpha/Gamma(alpha+2) ((m+1)^(alpha+1) - 2 m^(alpha+1) + (m-1)^(alpha+1))`; the
/// first cell has no left neighbour.
#[derive(Debug, Clone)]
pub(crate) struct Corrector<T> {
    /// `c_0`
    pub(crate) newest: T,
    /// `c_1 - b_0`
    pub(crate) nearest: T,
    /// `c_m - b_{m-1}` from m = 2 on.
    pub(crate) weights: Online<T>,
    /// `a_{0,n} - c_n` by n.
    pub(crate) starts: Vec<T>,
}

/// State of a tile.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corrections<T> {
    /// f_0; in the backward pass, what its weights of its own take of the later cotangents.
    first: Vec<T>,
    past: OnlineState<T>,
    /// What the known values of the drift add at the next node; in the backward pass, what all
    /// later cotangents add to that of the drift.
    pub(crate) known: Vec<T>,
}

impl<T: Real> Corrector<T> {
    /// For a component whose b_m are `cells`.
    pub(super) fn new(
        memory: PathMemory,
        cells: &[f64],
        kernel: PowerKernel,
    ) -> Result<Self, SdeError> {
        let h = kernel.h;
        let (trapezoid, nodes) = rule(kernel, cells.len())?;
        let longest = (cells.len() + 1) as f64 * h;
        Self::of(trapezoid.weights(nodes)?, cells, |excess| {
            power_law_memory(memory, excess, kernel, longest, |power| {
                power.hats(h).iter().zip(power.cells(h)).map(|(c, b)| c - b).collect()
            })
        })
    }

    /// The derivatives of all its weights in the order, where those of b_m are `changes`; `memory`
    /// makes a memory of `c'_m - b'_{m-1}`.
    pub(crate) fn by_order(
        kernel: PowerKernel,
        changes: &[f64],
        memory: impl FnOnce(&[f64]) -> Result<Online<T>, SdeError>,
    ) -> Result<Self, SdeError> {
        let (trapezoid, nodes) = rule(kernel, changes.len())?;
        Self::of(trapezoid.order_derivative(&Discrete::Grid(nodes))?, changes, memory)
    }

    fn of(
        trapezoid: Weights,
        cells: &[f64],
        memory: impl FnOnce(&[f64]) -> Result<Online<T>, SdeError>,
    ) -> Result<Self, SdeError> {
        let Weights::Toeplitz(trapezoid) = trapezoid else {
            unreachable!("the weights of an integral are those of a sum")
        };
        let excess = trapezoid.causal[1..].iter().zip(cells).map(|(c, b)| c - b);
        let excess: Vec<f64> = excess.collect();
        let start = trapezoid.starts.into_iter().next().expect("the first cell has a correction");
        Ok(Self {
            newest: T::narrow(trapezoid.causal[0]),
            nearest: T::narrow(excess[0]),
            weights: memory(&excess[1..])?,
            starts: start.column.into_iter().map(T::narrow).collect(),
        })
    }

    pub(crate) fn start(&self, of: &mut Corrections<T>, lanes: usize, storage: Storage) {
        of.first.clear();
        of.first.reserve(lanes);
        self.weights.restart_in(&mut of.past, lanes, storage);
        zeros(&mut of.known, lanes);
    }

    pub(super) fn bytes_per_lane_in(&self, storage: Storage) -> usize {
        self.weights.bytes_per_lane_in(storage)
    }

    /// Takes the drift of node n in.
    #[inline(always)]
    pub(super) fn take(&self, of: &mut Corrections<T>, n: usize, f: &[T]) {
        if n == 0 {
            of.first.extend_from_slice(f);
        }
        self.weights.step(&mut of.past, f, &mut of.known);
        let start = self.starts[n + 1];
        for ((known, f), first) in of.known.iter_mut().zip(f).zip(&of.first) {
            *known += self.nearest * *f + start * *first;
        }
    }

    /// The transpose of [`take`](Self::take): takes the cotangent of the value of node n + 1 in,
    /// and makes what it and the later ones are to the drift of node n.
    #[inline(always)]
    pub(crate) fn take_back(&self, of: &mut Corrections<T>, n: usize, lambda: &[T]) {
        of.first.resize(lambda.len(), T::zero());
        self.weights.step(&mut of.past, lambda, &mut of.known);
        add_scaled(&mut of.first, self.starts[n + 1], lambda);
        add_scaled(&mut of.known, self.nearest, lambda);
        if n == 0 {
            add(&mut of.known, &of.first);
        }
    }

    /// Corrects the predicted `x`, where the drift is `f`.
    #[inline(always)]
    pub(super) fn correct(&self, of: &Corrections<T>, f: &[T], x: &mut [T]) {
        for ((x, known), f) in x.iter_mut().zip(&of.known).zip(f) {
            *x += *known + self.newest * *f;
        }
    }
}

/// The trapezoidal rule on `steps` steps, and its nodes.
fn rule(
    PowerKernel { alpha, h }: PowerKernel,
    steps: usize,
) -> Result<(RlIntegral, Grid), SdeError> {
    let order = Order::new(alpha).map_err(OperatorError::from)?;
    let nodes = Grid::uniform(steps + 1, h).map_err(OperatorError::from)?;
    Ok((RlIntegral::trapezoid(order)?, nodes))
}
