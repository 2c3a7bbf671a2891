use super::scheme::{Equation, PathwiseScheme, Step, StepFailure, Stepper, StochasticScheme};
use crate::error::{in_range, out_of_range, same_length};
use crate::noise::{BrownianTree, Cell, CellIntegral, Gaussian, Tile, TreeWalk};
use crate::rows::zeros;
use crate::{Calculus, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// Adaptive steps: each path chooses its own by halving the cells of a [`BrownianTree`].
///
/// The steps of the ensemble, a power of two in number, are the longest that are taken, and their
/// ends are hit exactly. A cell of length h is crossed in one step and in two; the two are accepted
/// if
///
#[doc = formula!("adaptive", r"|X_\text{two} - X_\text{one}| \le (\text{absolute} + \text{relative} \, |X|) \left( \frac{h}{t_1 - t_0} \right)^{\text{share}} \quad \text{in each component}")]
///
/// else its halves are cells. The share is 1/2 for schemes of strong order 1, so that the squares
/// of the errors of all steps sum to that of the tolerance, and 1 for those of order 3/2, so that
/// their errors do; [`PathwiseScheme::SHARE`] tells why. The strong error is proportional to the
/// tolerance, or falls faster, with a factor that depends on the equation. After a step with a
/// fourth of the error allowed the next may be twice as long.
///
/// Errors are seen at the ends and the middle of a cell and at stages of the scheme: the steps of
/// the ensemble should not be longer than what an equation does in passing.
///
/// Cells that were refused and refined have the same Brownian path in them. Steps then depend on
/// where the path goes *within* them, and schemes that neglect what happens there, such as Euler
/// and Maruyama's, would go to another limit; a [`PathwiseScheme`] does not, if noise commutes or
/// is additive, which is checked.
///
/// A gradient ([`EnsembleGradient`](crate::EnsembleGradient)) holds the accepted steps fixed.
///
/// Nothing depends on other paths. Cost: a step takes what three of the scheme take on one path
/// alone; there are no vector registers in this.
///
/// Sources: Gaines and Lyons, SIAM J. Appl. Math. 57 (1997) 1455, DOI 10.1137/S0036139995286515;
/// Foster and Jelinčič, On the convergence of adaptive approximations for stochastic differential
/// equations, arXiv:2311.14201.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::{Rows, RowsMut};
/// use hpfracc_sde::*;
///
/// /// `dX = X dW`
/// struct Martingale;
///
/// impl StochasticSystem<f64> for Martingale {
///     fn dim(&self) -> usize { 1 }
///     fn noise_kind(&self) -> NoiseKind { NoiseKind::Diagonal }
///     fn drift(&self, _: f64, _: Rows<'_, f64>, mut f: RowsMut<'_, f64>) { f[0].fill(0.0) }
///     fn diffusion(&self, _: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
///         g[0].copy_from_slice(&x[0]);
///     }
/// }
///
/// let tree = BrownianTree::new(3, 1)?;
/// let scheme = Adaptive::new(Milstein, tree, Tolerance { absolute: 1e-3, relative: 1e-3 })?;
/// let problem = StochasticProblem::new(Martingale, (0.0, 1.0), &[1.0])?;
/// let ends = Ensemble::new(10, 1)?.solve(&problem, &scheme, &tree, &Paths)?;
/// for (path, x) in ends.iter().enumerate() {
///     let w: f64 = tree.at((path as u64, 0), 1.0, (0, 1))?;
///     assert!((x - (w - 0.5).exp()).abs() < 3e-3 * (1.0 + x));
/// }
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Adaptive<'a, C> {
    pub(crate) scheme: C,
    tree: BrownianTree,
    tolerance: Tolerance,
    deepest: u32,
    counts: Option<&'a StepCounts>,
}

/// Error tolerance of a step, in each component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Whatever the size of the component.
    pub absolute: f64,
    /// As a part of its size.
    pub relative: f64,
}

/// How many cells were crossed in an adaptive solve, by all paths.
#[derive(Debug, Default)]
pub struct StepCounts {
    taken: AtomicU64,
    refused: AtomicU64,
}

impl StepCounts {
    /// Cells that were crossed, each in two accepted steps.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Cells that were tried and halved.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

/// Errors below this part of the tolerance let the next step be longer.
const LONGER: f64 = 0.25;

impl<C> Adaptive<'static, C> {
    /// The steps of this scheme on this tree, which is the noise of the ensemble too.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for tolerances that are negative or not finite, or both zero.
    pub fn new(scheme: C, tree: BrownianTree, tolerance: Tolerance) -> Result<Self, SdeError> {
        let Tolerance { absolute, relative } = tolerance;
        let expected = "not negative, finite, and not 0 in both of its parts";
        for value in [absolute, relative] {
            let holds = value >= 0.0 && value.is_finite() && absolute + relative != 0.0;
            in_range(holds, "a tolerance", value, expected)?;
        }
        Ok(Self { scheme, tree, tolerance, deepest: Cell::DEEPEST, counts: None })
    }
}

impl<C> Adaptive<'_, C> {
    /// The shortest step is `2^-level` of the interval; 2^-30 by default. A path that would need a
    /// shorter one ends the solve with [`SdeError::PathStepTooSmall`].
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a level beyond 30.
    pub fn deepest(self, level: u32) -> Result<Self, SdeError> {
        Cell::new(level, 0)?;
        Ok(Self { deepest: level, ..self })
    }

    /// Adds to these counts.
    pub fn counting(self, counts: &StepCounts) -> Adaptive<'_, C> {
        let Self { scheme, tree, tolerance, deepest, .. } = self;
        Adaptive { scheme, tree, tolerance, deepest, counts: Some(counts) }
    }
}

/// Steps of [`Adaptive`].
#[derive(Debug)]
pub struct AdaptiveStepper<'a, P> {
    tree: BrownianTree,
    tolerance: Tolerance,
    counts: Option<&'a StepCounts>,
    pub(crate) dim: usize,
    noises: usize,
    /// Integrals of the noise that a step takes.
    integrals: Vec<CellIntegral>,
    /// Length of the interval, and the level of the ensemble's steps.
    pub(crate) length: f64,
    pub(crate) level: u32,
    /// By level, from that of the ensemble's steps.
    pub(crate) steppers: Vec<P>,
    /// The part of the tolerance that a cell may use, by level.
    parts: Vec<f64>,
}

/// The paths of a tile, each on its own.
#[derive(Debug, Default)]
pub struct AdaptiveState<T, Q> {
    pub(crate) walks: Vec<TreeWalk<T>>,
    /// The level that each path tries first in the next step, and that it tried in the last one.
    next: Vec<u32>,
    pub(crate) first: Vec<u32>,
    /// Paths that take no steps any more.
    stopped: Vec<bool>,
    /// The ensemble's steps taken.
    pub(crate) steps: u32,
    /// The tile, once it has started.
    pub(crate) tile: Option<Tile>,
    pub(crate) scratch: Scratch<T, Q>,
    failure: Option<StepFailure>,
}

/// Scratch memory, used by one path after the other.
#[derive(Debug, Default)]
pub(crate) struct Scratch<T, Q> {
    /// By level, as the steppers.
    pub(crate) states: Vec<Q>,
    /// Cells to be crossed, the next one last.
    cells: Vec<Cell>,
    /// The start of the present cell, and its end in one step and in two.
    pub(crate) x: Vec<T>,
    pub(crate) one: Vec<T>,
    pub(crate) two: Vec<T>,
    /// Increments and integrals of a cell, as a step takes them.
    pub(crate) dz: Vec<T>,
    /// Integrals of all noises.
    pub(crate) integrals: Vec<T>,
}

/// The equation on steps of a deeper level than that of the ensemble's.
pub(crate) fn equation_of_level<'e>(equation: &Equation<'e>, deeper: u32) -> Equation<'e> {
    let steps = equation.steps.saturating_mul(1 << deeper);
    Equation { h: equation.h / f64::from(deeper).exp2(), steps, ..*equation }
}

impl<'a, T: Gaussian, C: PathwiseScheme<T>> StochasticScheme<T> for Adaptive<'a, C> {
    const NAME: &'static str = "adaptive";
    const CALCULUS: Calculus = C::CALCULUS;

    type Stepper = AdaptiveStepper<'a, C::Stepper>;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        equation.of_brownian_noise("a scheme on adaptive steps")?;
        equation.of_commuting_noise("a scheme on adaptive steps")?;
        let level = equation.steps.checked_ilog2().filter(|_| equation.steps.is_power_of_two());
        let Some(level) = level.filter(|level| *level < self.deepest) else {
            let expected = "a power of two, fewer than the shortest steps";
            return Err(out_of_range("the number of steps", equation.steps as f64, expected));
        };
        let (noises, length) =
            (equation.noise_kind.noises(equation.dim), equation.h * equation.steps as f64);
        same_length("the tree of adaptive steps", self.tree.components(), noises)?;
        // Refused here, or never.
        self.tree.walk::<T>((0, 1), length)?;
        let at_level = |deeper| self.scheme.prepare(&equation_of_level(equation, deeper));
        let part = |level: u32| (-f64::from(level) * C::SHARE).exp2();
        let deeper = 0..=self.deepest - level;
        let steppers = deeper.map(at_level).collect::<Result<Vec<C::Stepper>, _>>()?;
        Ok(AdaptiveStepper {
            parts: (level..=self.deepest).map(part).collect(),
            tree: self.tree,
            tolerance: self.tolerance,
            counts: self.counts,
            dim: equation.dim,
            noises,
            length,
            level,
            integrals: steppers[0].integrals().to_vec(),
            steppers,
        })
    }
}

impl<T: Gaussian, P: Stepper<T>> Stepper<T> for AdaptiveStepper<'_, P> {
    type State = AdaptiveState<T, P::State>;

    fn start(&self, state: &mut Self::State, tile: Tile) {
        let paths = (tile.first_path..).take(tile.lanes);
        // `prepare` has checked that there is a walk over this interval.
        state.walks.clear();
        state.walks.extend(paths.flat_map(|path| self.tree.walk((path, 1), self.length)));
        state.next.clear();
        state.next.resize(tile.lanes, self.level);
        state.stopped.clear();
        state.stopped.resize(tile.lanes, false);
        (state.steps, state.tile, state.failure) = (0, Some(tile), None);
        self.start_scratch(&mut state.scratch, tile);
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>) {
        let Step { t, mut x, dz } = step;
        let AdaptiveState { walks, next, first, steps, scratch, failure, stopped, .. } = state;
        let Ok(cell) = Cell::new(self.level, *steps) else { return };
        *steps += 1;
        first.clone_from(next);
        for (lane, (walk, next)) in walks.iter_mut().zip(next).enumerate() {
            if stopped[lane] {
                continue;
            }
            walk.increments(cell, RowsMut::new(&mut scratch.dz[..self.noises], 1));
            if (0..self.noises).any(|noise| scratch.dz[noise] != dz[noise][lane]) {
                *failure = Some(StepFailure::OtherNoise);
                return;
            }
            (0..self.dim).for_each(|i| scratch.x[i] = x[i][lane]);
            let t0 = t - cell.start() * self.length;
            let (end, [taken, refused]) =
                self.cross(system, (walk, next), scratch, (cell, t0), |_, _| {});
            if let Some(counts) = self.counts {
                counts.taken.fetch_add(taken, Ordering::Relaxed);
                counts.refused.fetch_add(refused, Ordering::Relaxed);
            }
            if let Err(t) = end {
                failure.get_or_insert(StepFailure::StepTooSmall { lane, t });
                return;
            }
            (0..self.dim).for_each(|i| x[i][lane] = scratch.x[i]);
        }
    }

    fn stop(&self, state: &mut Self::State, lane: usize) {
        state.stopped[lane] = true;
    }

    fn failure(&self, state: &Self::State) -> Option<StepFailure> {
        state.failure
    }
}

impl<P> AdaptiveStepper<'_, P> {
    /// Starts the scratch memory of the paths of a tile.
    pub(crate) fn start_scratch<T: Gaussian>(&self, scratch: &mut Scratch<T, P::State>, tile: Tile)
    where
        P: Stepper<T>,
    {
        let Scratch { states, x, one, two, dz, integrals, .. } = scratch;
        states.resize_with(self.steppers.len(), Default::default);
        let single = Tile { lanes: 1, ..tile };
        self.steppers.iter().zip(states).for_each(|(stepper, state)| stepper.start(state, single));
        for rows in [x, one, two] {
            zeros(rows, self.dim);
        }
        zeros(dz, self.noises + self.integrals.len());
        zeros(integrals, self.noises);
    }

    /// Takes one path over a cell of the ensemble, or says at which time its steps became too
    /// short; counts the cells accepted and refused. `accepted` sees the halves of each accepted
    /// cell, and x at its start.
    pub(crate) fn cross<T: Gaussian, S: StochasticSystem<T>>(
        &self,
        system: &S,
        (walk, next): (&mut TreeWalk<T>, &mut u32),
        scratch: &mut Scratch<T, P::State>,
        (whole, t0): (Cell, f64),
        mut accepted: impl FnMut([Cell; 2], &[T]),
    ) -> (Result<(), f64>, [u64; 2])
    where
        P: Stepper<T>,
    {
        let (mut taken, mut refused) = (0, 0);
        let mut end = Ok(());
        scratch.cells.clear();
        scratch.cells.push(whole);
        while let Some(cell) = scratch.cells.pop() {
            let t = t0 + cell.start() * self.length;
            let deeper = (cell.level() - self.level) as usize;
            let halves = cell.halves().filter(|_| deeper + 1 < self.steppers.len());
            let Some([left, right]) = halves else {
                end = Err(t);
                break;
            };
            if cell.level() >= *next {
                let part = self.attempt(system, walk, scratch, ([cell, left, right], t0));
                if part <= 1.0 {
                    taken += 1;
                    accepted([left, right], &scratch.x);
                    scratch.x.copy_from_slice(&scratch.two);
                    let longer = part < LONGER && cell.level() > self.level;
                    *next = cell.level() - u32::from(longer);
                    continue;
                }
                refused += 1;
                *next = left.level();
            }
            scratch.cells.extend([right, left]);
        }
        (end, [taken, refused])
    }

    /// Crosses a cell in one step and, by its halves, in two; returns the error relative to the
    /// tolerance.
    fn attempt<T: Gaussian, S: StochasticSystem<T>>(
        &self,
        system: &S,
        walk: &mut TreeWalk<T>,
        scratch: &mut Scratch<T, P::State>,
        ([cell, left, right], t0): ([Cell; 3], f64),
    ) -> f64
    where
        P: Stepper<T>,
    {
        scratch.one.copy_from_slice(&scratch.x);
        scratch.two.copy_from_slice(&scratch.x);
        let time = |cell: Cell| t0 + cell.start() * self.length;
        self.take(system, walk, scratch, (cell, time(cell), false));
        self.take(system, walk, scratch, (left, time(left), true));
        self.take(system, walk, scratch, (right, time(right), true));
        self.error(scratch) / self.parts[(cell.level() - self.level) as usize]
    }

    /// One step over a cell, of the solution in one step or of that in two.
    pub(crate) fn take<T: Gaussian, S: StochasticSystem<T>>(
        &self,
        system: &S,
        walk: &mut TreeWalk<T>,
        scratch: &mut Scratch<T, P::State>,
        (cell, t, of_two): (Cell, f64, bool),
    ) where
        P: Stepper<T>,
    {
        let Scratch { states, one, two, dz, integrals, .. } = scratch;
        self.write_noise(walk, cell, (dz, integrals));
        let deeper = (cell.level() - self.level) as usize;
        let x = RowsMut::new(if of_two { two } else { one }, 1);
        let step = Step { t, x, dz: Rows::new(dz, 1) };
        self.steppers[deeper].step(system, &mut states[deeper], step);
    }

    /// Writes increments and integrals of a cell, as a step takes them.
    pub(crate) fn write_noise<T: Gaussian>(
        &self,
        walk: &mut TreeWalk<T>,
        cell: Cell,
        (dz, integrals): (&mut [T], &mut [T]),
    ) {
        walk.increments(cell, RowsMut::new(&mut dz[..self.noises], 1));
        if !self.integrals.is_empty() {
            walk.integrals(cell, RowsMut::new(integrals, 1));
            for (value, integral) in dz[self.noises..].iter_mut().zip(&self.integrals) {
                *value = integrals[integral.noise];
            }
        }
    }

    /// The difference of the solution in two steps from that in one, relative to the tolerance.
    fn error<T: Gaussian, Q>(&self, scratch: &Scratch<T, Q>) -> f64 {
        let Tolerance { absolute, relative } = self.tolerance;
        let ends = scratch.one.iter().zip(&scratch.two).zip(&scratch.x);
        ends.fold(0.0, |most, ((one, two), x)| {
            let (one, two) = (one.widen(), two.widen());
            let allowed = absolute + relative * two.abs().max(x.widen().abs());
            let part = (two - one).abs() / allowed;
            // A NaN remains, and 0/0 is no error.
            if part <= most || one == two || most.is_nan() { most } else { part }
        })
    }
}
