use super::drift::{Corrections, Corrector};
use super::near_cells::Near;
use crate::noise::{CellIntegral, Gaussian, Tile};
use crate::rows::{add_products, add_scaled, zeros};
use crate::schemes::memory::{MemoryRecurrence, PathMemory, PowerKernel, power_law_memory};
use crate::schemes::scheme::{Step, Stepper};
use crate::system::coefficients;
use crate::{NoiseKind, SdeError, StochasticSystem};
use hpfracc_lanes::causal::{Online, OnlineState, add_weighted};
use hpfracc_lanes::{AlignedVec, Rows, RowsMut, Storage};
use hpfracc_types::Real;

/// Steps of [`FractionalEulerMaruyama`](crate::FractionalEulerMaruyama) and
/// [`ForcedEulerMaruyama`](crate::ForcedEulerMaruyama).
#[derive(Debug, Clone)]
pub struct FractionalEulerMaruyamaStepper<T> {
    pub(crate) noise_kind: NoiseKind,
    pub(crate) h: f64,
    /// `None` is a component without memory, of order 1, whose drift is not corrected.
    pub(crate) components: Vec<Option<WithMemory<T>>>,
    pub(super) integrals: Vec<CellIntegral>,
    /// Whether all components have a corrector, or none.
    pub(crate) corrected: bool,
    /// Whether the noise stands outside the memory.
    pub(super) forced: bool,
}

/// The weights of a component's past, or their derivatives with respect to its order.
#[derive(Debug, Clone)]
pub(crate) struct WithMemory<T> {
    /// `b_0`
    pub(crate) nearest: T,
    /// `b_m` from m = 1 on.
    pub(crate) weights: Online<T>,
    pub(crate) near: Vec<Near<T>>,
    /// Those of the drift's correction, if any.
    pub(crate) corrector: Option<Corrector<T>>,
}

/// What a tile carries from step to step.
#[derive(Debug, Clone, Default)]
pub struct FractionalState<T> {
    /// Drift, diffusion, noise, and a sum.
    scratch: AlignedVec<T>,
    /// Initial values, and the noise so far where it stands outside the memory.
    start: Vec<T>,
    pasts: Vec<Past<T>>,
    /// The latest values before their drift was corrected, if it is.
    pub(crate) predicted: Vec<T>,
    pub(crate) steps: usize,
}

/// The past of a component; in the backward pass, the later cotangents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Past<T> {
    pub(crate) memory: OnlineState<T>,
    pub(crate) corrections: Corrections<T>,
    /// In the forward pass, for each kind of near cells, the noise of the latest steps in a ring.
    near: Vec<Vec<T>>,
}

impl<T: Real> WithMemory<T> {
    /// Without near cells and corrector, for the integrals `cells` of the kernel.
    pub(super) fn new(
        memory: PathMemory,
        cells: &[f64],
        kernel: PowerKernel,
    ) -> Result<Self, SdeError> {
        let longest = cells.len() as f64 * kernel.h;
        let weights =
            power_law_memory(memory, &cells[1..], kernel, longest, |power| power.cells(kernel.h))?;
        Ok(Self { nearest: T::narrow(cells[0]), weights, near: Vec::new(), corrector: None })
    }

    /// Makes an empty past, whose terms a direct sum stores in `storage`.
    pub(crate) fn start(&self, past: &mut Past<T>, lanes: usize, storage: Storage) {
        self.weights.restart_in(&mut past.memory, lanes, storage);
        if let Some(corrector) = &self.corrector {
            corrector.start(&mut past.corrections, lanes, storage);
        }
    }

    pub(crate) fn bytes_per_lane_in(&self, storage: Storage) -> usize {
        let corrector = self.corrector.as_ref();
        let corrections = corrector.map_or(0, |corrector| corrector.bytes_per_lane_in(storage));
        self.weights.bytes_per_lane_in(storage) + corrections
    }
}

impl<T: Real> Near<T> {
    /// Steps that have to be remembered.
    pub(crate) fn steps(&self) -> usize {
        self.weights.len()
    }

    /// Takes the noise of a step in, in the place of the oldest, and adds what the near cells
    /// weigh.
    #[inline(always)]
    fn step(&self, ring: &mut [T], step: usize, (g, dz): (Rows<'_, T>, Rows<'_, T>), x: &mut [T]) {
        let (lanes, steps) = (x.len(), self.steps());
        let newest = step % steps;
        let noise = &mut ring[newest * lanes..][..lanes];
        noise.fill(T::zero());
        for source in &self.sources {
            let factors = noise.iter_mut().zip(&g[source.g]).zip(&dz[source.dz]);
            factors.for_each(|((noise, g), dz)| *noise += *g * *dz);
        }
        let at_lag = |lag: usize| &ring[(newest + steps - lag) % steps * lanes..][..lanes];
        let weighted = self.weights.iter().enumerate().map(|(lag, w)| (*w, at_lag(lag)));
        add_weighted(weighted, x);
    }
}

impl<T: Gaussian> Stepper<T> for FractionalEulerMaruyamaStepper<T> {
    type State = FractionalState<T>;

    fn start(&self, state: &mut Self::State, Tile { lanes, .. }: Tile) {
        let dim = self.components.len();
        state.scratch.set_zeros((2 * dim + 1 + self.noise_kind.rows(dim)) * lanes);
        state.start.clear();
        state.start.reserve(dim * lanes);
        zeros(&mut state.predicted, if self.corrected { dim * lanes } else { 0 });
        state.pasts.resize_with(dim, Past::default);
        for (component, past) in self.components.iter().zip(&mut state.pasts) {
            let Some(component) = component else { continue };
            component.start(past, lanes, Storage::Full);
            past.near.resize_with(component.near.len(), Vec::new);
            for (near, ring) in component.near.iter().zip(&mut past.near) {
                zeros(ring, near.steps() * lanes);
            }
        }
        state.steps = 0;
    }

    fn integrals(&self) -> &[CellIntegral] {
        &self.integrals
    }

    fn recurrences(&self) -> Option<Vec<Option<MemoryRecurrence<T>>>> {
        Self::recurrences(self)
    }

    fn bytes_per_path(&self) -> usize {
        let components = self.components.iter().flatten();
        components.map(|component| component.bytes_per_lane_in(Storage::Full)).sum()
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>) {
        let Step { t, mut x, dz } = step;
        let (dim, lanes) = (self.components.len(), x.lanes());
        if state.steps == 0 {
            state.start.extend_from_slice(x.as_rows().as_slice());
        }
        let (f, rest) = state.scratch.split_at_mut(dim * lanes);
        let (noise, rest) = rest.split_at_mut(dim * lanes);
        let (sum, g) = rest.split_at_mut(lanes);
        coefficients(system, t, x.as_rows(), (f, g));
        let g = Rows::new(g, lanes);
        let (h, per_h) = (T::narrow(self.h), T::narrow(1.0 / self.h));
        let sums = if self.forced {
            &mut state.start[..]
        } else {
            noise.fill(T::zero());
            &mut *noise
        };
        let mut sums = RowsMut::new(sums, lanes);
        self.noise_kind.each((dim, g, dz), |i, g, dz| {
            if self.components[i].is_some() {
                add_products(&mut sums[i], g, dz);
            }
        });
        let noise = Rows::new(noise, lanes);
        let mut f = RowsMut::new(f, lanes);
        for (i, (component, past)) in self.components.iter().zip(&mut state.pasts).enumerate() {
            let (x, f) = (&mut x[i], &mut f[i]);
            let Some(component) = component else {
                // As Euler and Maruyama's scheme has it; the noise follows below.
                add_scaled(x, h, f);
                continue;
            };
            if let Some(corrector) = &component.corrector {
                corrector.take(&mut past.corrections, state.steps, f);
            }
            // Drift and noise share one memory: u = f + noise / h.
            if !self.forced && self.noise_kind.acts_on(i) {
                add_scaled(f, per_h, &noise[i]);
            }
            component.weights.step(&mut past.memory, f, sum);
            let start = &state.start[i * lanes..][..lanes];
            for (((x, start), u), sum) in x.iter_mut().zip(start).zip(&*f).zip(&*sum) {
                *x = *start + (component.nearest * *u + *sum);
            }
            for (near, ring) in component.near.iter().zip(&mut past.near) {
                near.step(ring, state.steps, (g, dz), x);
            }
        }
        self.noise_kind.each((dim, g, dz), |i, g, dz| {
            if self.components[i].is_none() {
                add_products(&mut x[i], g, dz);
            }
        });
        if self.corrected {
            state.predicted.copy_from_slice(x.as_rows().as_slice());
            system.drift(t + self.h, x.as_rows(), f.reborrow());
            for (i, (component, past)) in self.components.iter().zip(&state.pasts).enumerate() {
                if let Some(corrector) = component.as_ref().and_then(|c| c.corrector.as_ref()) {
                    corrector.correct(&past.corrections, &f[i], &mut x[i]);
                }
            }
        }
        state.steps += 1;
    }
}
