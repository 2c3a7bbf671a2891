use super::dispatched::Dispatched;
use super::tile_adjoint::SystemAdjoint;
use super::tile_sweep::{GradientPlan, StateStorage, forward_backward};
use super::workspace::{GradientSums, GradientWorkspace, ShardSums};
use super::{
    AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    MonteCarloEstimates, PathLoss, StateRecovery,
};
use crate::checks::room_for;
use crate::ensemble::path_tiles::{admitted, equation, lanes};
use crate::ensemble::shards::{GROUPS, Shards};
use crate::ensemble::tile_stepper::SystemStepper;
use crate::error::in_range;
use crate::noise::{Gaussian, Noise, Tile};
use crate::{Ensemble, Progress, SdeError, Stepper, StochasticProblem};
use hpfracc_communicator::{CommunicatorError, Ranks};
use hpfracc_lanes::Storage;
use ndarray::Array2;
use pulp::Arch;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Gradients of a loss over an ensemble by adjoint sensitivity, with configurable memory.
///
/// The noise is fixed: the paths are functions of the parameters, the start and the orders, and the
/// gradient is the derivative of what the scheme computes, exact to rounding. Each tile has a
/// forward pass, its loss, and a backward pass with the same noise, which is computed again and not
/// stored. There is one parallel region for all, with the same bits on any number of threads.
///
/// Ranks of an ensemble ([`Ensemble::over`]) have consecutive shards each, as many as others, and the
/// same gradient, with the bits of one process; more than 64 ranks gain nothing. The means, with the
/// squares for their errors, pass from rank to rank, in parts that follow each other: for P
/// parameters, d components and P' = 1 + P + d numbers, 1 + P + 2 d with orders, each rank sends at
/// most 32 (P' + 1) bytes, or [without errors](Self::without_errors) 16 (P' + 2), two gradients in double precision, and some
/// hundred bytes for agreement. Gradients of [each
/// path](Self::with_each_path), 8 d bytes for a path, are gathered by rank 0 and sent to all ranks
/// along a binary tree.
///
/// Numbers that a tile stores of the forward pass, for each path and N steps:
///
/// | scheme | numbers |
/// |---|---|
/// | [`EulerMaruyama`](crate::EulerMaruyama) | `dim N`; in [segments](Self::in_segments_of) of m steps `dim (m + N/m)`, with [checkpoints](Self::with_checkpoints) c of them `dim (c + 1)` |
/// | [`FractionalEulerMaruyama`](crate::FractionalEulerMaruyama) | `dim N`, twice that for a corrected drift, plus memories of the backward pass as large as those of the forward pass |
/// | [`ForcedEulerMaruyama`](crate::ForcedEulerMaruyama) | the same |
/// | [`Heun`](crate::Heun), [`TamedEuler`](crate::TamedEuler), [`Milstein`](crate::Milstein), [`Sric2`](crate::Sric2), [`Sriw1`](crate::Sriw1), [`Sra1`](crate::Sra1), [`DriftImplicit`](crate::DriftImplicit) | as [`EulerMaruyama`](crate::EulerMaruyama) |
/// | [`ReversibleHeun`](crate::ReversibleHeun) | none |
/// | [`Adaptive`](crate::Adaptive) | `(dim + 1) N` for the N steps of the ensemble |
///
/// A backward step evaluates the stages of its step again and has a product with the transposed
/// derivative of f or g for each. The schemes of Milstein and of Rößler have differences of g in
/// place of derivatives, so that products with first derivatives are enough; an implicit step has
/// d more products with f_x for its linear systems of d components. The gradient of an
/// [`Adaptive`](crate::Adaptive) solve is that of its accepted steps, held fixed, which are found
/// again in the backward pass.
///
/// Derivatives with respect to the orders: the schemes with memory. With a memory there are no
/// segments and no checkpoints: a step needs the whole past, which only another solve from the start
/// could recompute ([`SdeError::OutOfRange`]); nor are there with adaptive steps, which carry their
/// length from step to step. For schemes without memory the orders are fixed at 1
/// ([`SdeError::NoDerivative`]).
///
/// ```
/// use hpfracc_sde::noise::Brownian;
/// use hpfracc_sde::{Rows, RowsMut};
/// use hpfracc_sde::{
///     NoiseKind, DifferentiableStochasticSystem, Ensemble, EnsembleGradient, EulerMaruyama,
///     SavedStates, StochasticProblem, StochasticSystem, Vjp, dot,
/// };
///
/// /// dX = -theta X dt + dW / 2
/// struct Decay { theta: f64 }
///
/// impl StochasticSystem<f64> for Decay {
///     fn dim(&self) -> usize { 1 }
///     fn noise_kind(&self) -> NoiseKind { NoiseKind::Diagonal }
///     fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
///         f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -self.theta * x);
///     }
///     fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
///         g[0].fill(0.5);
///     }
/// }
///
/// impl DifferentiableStochasticSystem<f64> for Decay {
///     fn parameters(&self) -> usize { 1 }
///     fn drift_vjp(&self, _: f64, x: Rows<'_, f64>, fbar: Rows<'_, f64>, mut to: Vjp<'_, f64>) {
///         let xbar = to.xbar[0].iter_mut();
///         xbar.zip(&fbar[0]).for_each(|(xbar, fbar)| *xbar -= self.theta * fbar);
///         to.thetabar[0] -= dot(&x[0], &fbar[0]);
///     }
///     fn diffusion_vjp(&self, _: f64, _: Rows<'_, f64>, _: Rows<'_, f64>, _: Vjp<'_, f64>) {}
/// }
///
/// // The loss of a path is its end: its mean is x0 (1 - theta h)^N.
/// let end = |saved: SavedStates<'_, f64>, losses: &mut [f64], mut xbar: RowsMut<'_, f64>| {
///     losses.copy_from_slice(&saved.x[0]);
///     xbar[0].fill(1.0);
/// };
/// let problem = StochasticProblem::new(Decay { theta: 2.0 }, (0.0, 1.0), &[1.0])?;
/// let gradient = EnsembleGradient::new(Ensemble::new(10_000, 100)?);
/// let found = gradient.solve(&problem, &EulerMaruyama, &Brownian::new(7, 1)?, &end)?;
/// let expected = -0.98f64.powi(99);
/// assert!((found.parameters.values[0] - expected).abs() < 5.0 * found.parameters.errors[0]);
/// assert!((found.start.values[0] - 0.98f64.powi(100)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct EnsembleGradient<'a> {
    ensemble: Ensemble<'a>,
    orders: bool,
    each_path: bool,
    /// Whether standard errors are computed.
    errors: bool,
    storage: Option<StateStorage>,
    format: Storage,
}

/// The gradient of a loss over an ensemble.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StochasticGradient<T> {
    /// The loss.
    pub loss: MonteCarloEstimates,
    /// With respect to each parameter.
    pub parameters: MonteCarloEstimates,
    /// With respect to each component of the initial values.
    pub start: MonteCarloEstimates,
    /// With respect to the order of each component; empty unless requested.
    pub orders: MonteCarloEstimates,
    /// The largest error of the initial values that a reversible scheme reconstructs; 0 for schemes
    /// that store states. Rounding grows where paths diverge backwards.
    pub reconstruction: f64,
    /// Of each path's own loss with respect to its initial values, by path and component, if
    /// requested.
    pub starts: Option<Array2<T>>,
}

impl<'a> EnsembleGradient<'a> {
    /// Gradients over this ensemble with respect to parameters and initial values.
    pub fn new(ensemble: Ensemble<'a>) -> Self {
        let format = Storage::Full;
        Self { ensemble, orders: false, each_path: false, errors: true, storage: None, format }
    }

    /// Also with respect to the orders, for schemes with memory.
    pub fn with_orders(self) -> Self {
        Self { orders: true, ..self }
    }

    /// Without standard errors, which become NaN: ranks send half as much.
    pub fn without_errors(self) -> Self {
        Self { errors: false, ..self }
    }

    /// Also with respect to the initial values of each path.
    pub fn with_each_path(self) -> Self {
        Self { each_path: true, ..self }
    }

    /// Stores only the first state of each segment of `steps` steps; those within are recomputed,
    /// segment by segment, at the cost of one more solve. With N steps, segments of about `sqrt(N)`
    /// take the least memory, `2 sqrt(N)` states; N may be anything. For schemes without memory
    /// only.
    ///
    /// Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008,
    /// DOI 10.1137/1.9780898717761, chapter 12.
    pub fn in_segments_of(self, steps: usize) -> Self {
        Self { storage: Some(StateStorage::Segments(steps)), ..self }
    }

    /// Stores at most `states` states at a time, the first one among them, at the nodes from which
    /// the fewest steps are recomputed: with c states and N <= (c+r)!/(c! r!) steps, none more than
    /// r times, and `r N - (c+r)!/((c+1)! (r-1)!) - (N-1)` in all. Ten states serve a thousand
    /// steps with two more solves and a half. For schemes without memory only.
    ///
    /// Source: Griewank and Walther, ACM Trans. Math. Softw. 26 (2000) 19, DOI
    /// 10.1145/347837.347846 (algorithm 799, revolve).
    pub fn with_checkpoints(self, states: usize) -> Self {
        Self { storage: Some(StateStorage::Checkpoints(states)), ..self }
    }

    /// Stores states and cotangents in this format: the states that the backward pass reads, and,
    /// for equations with [direct](crate::PathMemory::Direct) memory, the cotangents of all later
    /// nodes that its sums read. Arithmetic, the solution and the loss have full precision, and so
    /// have states from which others are recomputed (checkpoints, and all states of adaptive steps),
    /// blocked sums and sums of exponentials: with checkpoints there is nothing to save. The
    /// gradient has a relative error of the order of the format's rounding. In
    /// [`Storage::Float16`] cotangents below 3e-8 become 0: scale the loss.
    ///
    /// Source: Micikevicius et al., ICLR (2018), arXiv:1710.03740.
    pub fn stored_in(self, format: Storage) -> Self {
        Self { format, ..self }
    }

    /// Forward pass, loss and backward pass of all paths.
    ///
    /// # Errors
    /// Those of [`Ensemble::solve`]; [`SdeError::NoDerivative`] for derivatives that the scheme
    /// does not have; [`SdeError::Length`] if the loss does not fit;
    /// [`SdeError::PathValueNotFinite`], [`SdeError::CotangentNotFinite`] and
    /// [`SdeError::ParameterGradientNotFinite`], which name paths, step and time;
    /// [`SdeError::StateOverflow`] for a state that is too large for its storage format;
    /// [`SdeError::StopsNotDifferentiated`] for a problem with events; [`SdeError::OutOfRange`] for
    /// segments of no steps and for no checkpoints, or of a scheme that needs all its states or
    /// none; [`SdeError::Ranks`] for ranks with other sizes, and for an error of another rank.
    pub fn solve<T: Gaussian>(
        &self,
        problem: &StochasticProblem<T, impl DifferentiableStochasticSystem<T>>,
        scheme: &impl DifferentiableStochasticScheme<T>,
        noise: &dyn Noise<T>,
        loss: &impl PathLoss<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        self.solve_with(&GradientWorkspace::new(), problem, scheme, noise, loss)
    }

    /// The same with memory that is reused between calls: a training takes thousands of gradients
    /// of the same sizes. From the second call on only the result, the scheme's weights and the
    /// noise of each tile are allocated, in a number of allocations that does not grow with the
    /// steps.
    ///
    /// # Errors
    /// Those of [`solve`](Self::solve), after which the workspace can be used again.
    pub fn solve_with<T: Gaussian>(
        &self,
        workspace: &GradientWorkspace<T>,
        problem: &StochasticProblem<T, impl DifferentiableStochasticSystem<T>>,
        scheme: &impl DifferentiableStochasticScheme<T>,
        noise: &dyn Noise<T>,
        loss: &impl PathLoss<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        self.gradient(workspace, problem, scheme, noise, &Dispatched(loss))
    }

    /// [`solve_with`](Self::solve_with) with noise and loss behind pointers.
    pub(crate) fn gradient<T: Gaussian>(
        &self,
        workspace: &GradientWorkspace<T>,
        problem: &StochasticProblem<T, impl DifferentiableStochasticSystem<T>>,
        scheme: &impl DifferentiableStochasticScheme<T>,
        noise: &dyn Noise<T>,
        loss: &dyn PathLoss<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        let ranks = self.ensemble.ranks();
        workspace.with_sums(|sums| {
            let own = self.own_shards(workspace, problem, (scheme, noise, loss), (ranks, sums));
            self.total(ranks, ranks.all_ok(own)?, sums)
        })
    }

    /// The sums of the shards of this rank. Not collective.
    fn own_shards<T: Gaussian, C: DifferentiableStochasticScheme<T>>(
        &self,
        workspace: &GradientWorkspace<T>,
        problem: &StochasticProblem<T, impl DifferentiableStochasticSystem<T>>,
        (scheme, noise, loss): (&C, &dyn Noise<T>, &dyn PathLoss<T>),
        (ranks, sums): (Ranks<'_>, &mut GradientSums<T>),
    ) -> Result<SumSizes, SdeError> {
        let (system, data) = (problem.system(), problem.data());
        if !data.stops.is_empty() {
            return Err(SdeError::StopsNotDifferentiated);
        }
        let processes = admitted(system, data, scheme, noise)?;
        let equation = equation(system, data, &processes, self.ensemble.steps);
        let (layout, saved) = self.ensemble.layout(data, system.dim())?;
        loss.check(&layout)?;
        let stepper = scheme.prepare(&equation)?;
        let adjoint = scheme.adjoint(&equation, &stepper, self.orders)?;
        let last = saved.last().copied().unwrap_or(0);
        let (integrals, memory) = (stepper.integrals().to_vec(), stepper.bytes_per_path());
        let format = adjoint.storage(self.format);
        let memory = [memory, adjoint.bytes_per_path(format)];
        let plan = GradientPlan {
            data,
            parameters: system.parameters(),
            kept_rows: adjoint.kept_rows(),
            integrals: &integrals,
            memory,
            adjoint: &SystemAdjoint { forward: SystemStepper::new(system, stepper), adjoint },
            noise,
            loss,
            layout: &layout,
            saved: &saved,
            last,
            storage: self.storage(<C::Adjoint>::RECOVERY, last)?,
            format,
            orders: self.orders,
            arch: Arch::new(),
        };
        self.sweep(workspace, &plan, (ranks, sums), equation.h)
    }

    /// The tiles of the shards of this rank, in parallel, and their sums.
    fn sweep<T: Gaussian>(
        &self,
        workspace: &GradientWorkspace<T>,
        plan: &GradientPlan<'_, T>,
        (ranks, sums): (Ranks<'_>, &mut GradientSums<T>),
        h: f64,
    ) -> Result<SumSizes, SdeError> {
        let Ensemble { paths, first_path, steps, watch, .. } = self.ensemble;
        let GradientPlan { parameters, kept_rows, memory, last, .. } = *plan;
        let dim = plan.layout.dim;
        let [recomputed, read] = plan.storage.states(last).map(|states| states.saturating_mul(dim));
        let read = read.saturating_add(kept_rows.saturating_mul(last));
        let streamed = read.saturating_mul(plan.format.bytes::<T>());
        let streamed = streamed.saturating_add(recomputed.saturating_mul(size_of::<T>()));
        let streamed = streamed.saturating_add(plan.noise.bytes_per_path(steps));
        let lanes = || lanes((paths, GROUPS), streamed, memory[0]);
        let partition = Shards::few(paths, self.ensemble.lanes.unwrap_or_else(lanes));
        let len = 1 + parameters + dim * if self.orders { 2 } else { 1 };
        let tiles = partition.used().min(rayon::current_num_threads());
        let bytes = streamed.saturating_add(memory[0]).saturating_add(memory[1]);
        room_for("the paths of a gradient", &[tiles, partition.lanes, bytes])?;
        if self.each_path {
            room_for("the gradients of all paths", &[paths, dim, 2 * size_of::<T>()])?;
        }
        let done = AtomicUsize::new(0);
        let (shards, own) = (&mut sums.shards, ranks.share(partition.used()));
        shards.resize_with(own.len(), ShardSums::default);
        shards.iter_mut().for_each(|shard| shard.clear(len));
        partition.for_each_tile(own.start, shards, |shard, path, lanes| {
            if watch.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(SdeError::Cancelled);
            }
            let tile = Tile { first_path: first_path + path as u64, lanes, steps, h };
            workspace.with_tile(|memory| {
                let result = forward_backward(plan, (tile, path), memory);
                result.map(|()| shard.add(lanes, &memory.buffers, self.each_path))
            })?;
            if let Some(finished) = watch.finished {
                finished.fetch_add(lanes, Ordering::Relaxed);
            }
            if let Some(watched) = watch.watched {
                let done = done.fetch_add(lanes, Ordering::Relaxed) + lanes;
                watched(Progress { paths, share: done as f64 / paths as f64 });
            }
            Ok(())
        })?;
        Ok(SumSizes { partition, dim, parameters, len, scale: plan.loss.scale(paths) })
    }

    /// The gradient from the sums of the shards of all ranks. Collective.
    fn total<T: Gaussian>(
        &self,
        ranks: Ranks<'_>,
        sizes: SumSizes,
        sums: &mut GradientSums<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        self.agree(ranks, &sizes)?;
        let GradientSums { shards, total } = sums;
        let SumSizes { partition, dim, parameters, len, scale } = sizes;
        total.clear(len);
        total.add_over(ranks, shards.iter().map(|shard| &shard.means), self.errors)?;
        let apart = shards.iter().fold(0.0f64, |apart, shard| apart.max(shard.apart));
        let own = shards.iter().flat_map(|shard| &shard.starts);
        let (reconstruction, starts) = if ranks.several().is_some() {
            let own: Vec<f64> = own.map(|bar| bar.widen()).collect();
            let all = ranks.gather_to_all(&(apart, own))?;
            let apart = all.iter().fold(0.0f64, |apart, (other, _)| apart.max(*other));
            let all = all.iter().flat_map(|(_, starts)| starts).map(|bar| T::narrow(*bar));
            (apart, self.each_path.then(|| by_path(partition, dim, all)))
        } else {
            (apart, self.each_path.then(|| by_path(partition, dim, own.copied())))
        };
        let first = 1 + parameters;
        let estimates = |which| MonteCarloEstimates::scaled(total, scale, which);
        Ok(StochasticGradient {
            loss: estimates(0..1),
            parameters: estimates(1..first),
            start: estimates(first..first + dim),
            orders: estimates(first + dim..len),
            reconstruction,
            starts,
        })
    }

    /// Refuses ranks with other sizes or vector instructions. Collective.
    fn agree(&self, ranks: Ranks<'_>, sizes: &SumSizes) -> Result<(), CommunicatorError> {
        if ranks.several().is_none() {
            return Ok(());
        }
        let Ensemble { first_path, steps, .. } = self.ensemble;
        let SumSizes { partition, dim, parameters, len, scale } = sizes;
        let values = [
            ("the number of paths", partition.paths.to_string()),
            ("the paths of a tile", partition.lanes.to_string()),
            ("the first path", first_path.to_string()),
            ("the number of steps", steps.to_string()),
            ("components, parameters and sums", format!("{dim}, {parameters}, {len}")),
            ("the factor of the loss", scale.to_string()),
            ("the gradients of each path", self.each_path.to_string()),
            ("standard errors", self.errors.to_string()),
        ];
        ranks.agree(&values)
    }

    /// The states that are stored.
    fn storage(&self, recovery: StateRecovery, last: usize) -> Result<StateStorage, SdeError> {
        let all = last.max(1);
        let (what, count, storage) = match self.storage {
            Some(StateStorage::Segments(steps)) => {
                ("the length of a segment", steps, StateStorage::Segments(steps.min(all)))
            }
            Some(StateStorage::Checkpoints(count)) => {
                ("the number of checkpoints", count, StateStorage::Checkpoints(count.min(all)))
            }
            _ if recovery == StateRecovery::Reversed => return Ok(StateStorage::None),
            _ => return Ok(StateStorage::Segments(all)),
        };
        in_range(count > 0, what, 0.0, "at least 1")?;
        let expected = "none: this scheme needs all its states, or none of them";
        in_range(recovery == StateRecovery::Recomputed, what, count as f64, expected)?;
        Ok(storage)
    }
}

/// The sizes of the sums of an ensemble, and the factor of their means.
struct SumSizes {
    partition: Shards,
    dim: usize,
    parameters: usize,
    /// Numbers of a sum.
    len: usize,
    scale: f64,
}

/// The cotangents of the initial values by path and component, from those of all shards in their
/// order, tile after tile.
fn by_path<T: Gaussian>(
    partition: Shards,
    dim: usize,
    mut values: impl Iterator<Item = T>,
) -> Array2<T> {
    let mut all = Array2::zeros((partition.paths, dim));
    for (path, lanes) in (0..partition.used()).flat_map(|shard| partition.tiles(shard)) {
        for component in 0..dim {
            for (path, value) in (path..path + lanes).zip(&mut values) {
                all[[path, component]] = value;
            }
        }
    }
    all
}
