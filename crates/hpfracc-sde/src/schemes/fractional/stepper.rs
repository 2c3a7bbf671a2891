use super::drift::{Corrections, Corrector};
use super::weights::Near;
use crate::noise::{CellIntegral, Gaussian, Tile};
use crate::rows::zeros;
use crate::schemes::scheme::{Step, Stepper};
use crate::system::coefficients;
use crate::{NoiseKind, StochasticSystem};
use hpfracc_lanes::causal::{Online, OnlineState, add_weighted};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_types::Real;

/// Steps of [`FractionalEulerMaruyama`](crate::FractionalEulerMaruyama).
#[derive(Debug, Clone)]
pub struct FractionalEulerMaruyamaStepper<T> {
    pub(crate) noise_kind: NoiseKind,
    pub(crate) h: f64,
    /// `None` is a component without memory, of order 1, whose drift is not corrected.
    pub(crate) components: Vec<Option<WithMemory<T>>>,
    pub(super) integrals: Vec<CellIntegral>,
    /// Whether all components have a corrector, or none.
    pub(crate) corrected: bool,
}

/// What a component takes from its past.
#[derive(Debug, Clone)]
pub(crate) struct WithMemory<T> {
    /// `b_0`
    pub(crate) nearest: T,
    /// `b_m` from m = 1 on.
    pub(crate) weights: Online<T>,
    pub(crate) near: Vec<Near<T>>,
    pub(crate) corrector: Option<Corrector<T>>,
}

/// What a tile carries from step to step.
#[derive(Debug, Clone, Default)]
pub struct FractionalState<T> {
    /// Drift, diffusion, noise, and a sum.
    scratch: Vec<T>,
    start: Vec<T>,
    pasts: Vec<TilePast<T>>,
    /// The latest values before their drift was corrected, if it is.
    pub(crate) predicted: Vec<T>,
    pub(crate) steps: usize,
}

/// The past of a component.
#[derive(Debug, Clone, Default)]
struct TilePast<T> {
    memory: OnlineState<T>,
    /// For each kind of near cells, the noise of the latest steps in a ring.
    near: Vec<Vec<T>>,
    corrections: Corrections<T>,
}

impl<T: Real> WithMemory<T> {
    fn start(&self, past: &mut TilePast<T>, lanes: usize) {
        self.weights.restart(&mut past.memory, lanes);
        past.near.resize_with(self.near.len(), Vec::new);
        for (near, ring) in self.near.iter().zip(&mut past.near) {
            zeros(ring, near.steps() * lanes);
        }
        if let Some(corrector) = &self.corrector {
            corrector.start(&mut past.corrections, lanes);
        }
    }

    fn bytes_per_lane(&self) -> usize {
        let corrector = self.corrector.as_ref().map_or(0, Corrector::bytes_per_lane);
        self.weights.bytes_per_lane() + corrector
    }
}

impl<T: Real> Near<T> {
    /// Steps that have to be remembered.
    fn steps(&self) -> usize {
        self.first + self.weights.len()
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
            factors.for_each(|((noise, g), dz)| *noise += *g * (source.factor * *dz));
        }
        let at_lag = |lag: usize| &ring[(newest + steps - lag) % steps * lanes..][..lanes];
        let weighted = (self.first..).zip(&self.weights).map(|(lag, w)| (*w, at_lag(lag)));
        add_weighted(weighted, x);
    }
}

impl<T: Gaussian> Stepper<T> for FractionalEulerMaruyamaStepper<T> {
    type State = FractionalState<T>;

    fn start(&self, state: &mut Self::State, Tile { lanes, .. }: Tile) {
        let dim = self.components.len();
        zeros(&mut state.scratch, (2 * dim + 1 + self.noise_kind.rows(dim)) * lanes);
        state.start.clear();
        state.start.reserve(dim * lanes);
        zeros(&mut state.predicted, if self.corrected { dim * lanes } else { 0 });
        state.pasts.resize_with(dim, TilePast::default);
        for (component, past) in self.components.iter().zip(&mut state.pasts) {
            component.iter().for_each(|component| component.start(past, lanes));
        }
        state.steps = 0;
    }

    fn integrals(&self) -> &[CellIntegral] {
        &self.integrals
    }

    fn bytes_per_path(&self) -> usize {
        self.components.iter().flatten().map(WithMemory::bytes_per_lane).sum()
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
        noise.fill(T::zero());
        let mut noise = RowsMut::new(noise, lanes);
        self.noise_kind.each((dim, g, dz), |i, g, dz| {
            if self.components[i].is_some() {
                for ((noise, g), dz) in noise[i].iter_mut().zip(g).zip(dz) {
                    *noise += *g * *dz;
                }
            }
        });
        let mut f = RowsMut::new(f, lanes);
        for (i, (component, past)) in self.components.iter().zip(&mut state.pasts).enumerate() {
            let (x, f) = (&mut x[i], &mut f[i]);
            let Some(component) = component else {
                // As Euler and Maruyama's scheme has it; the noise follows below.
                x.iter_mut().zip(&*f).for_each(|(x, f)| *x += h * *f);
                continue;
            };
            if let Some(corrector) = &component.corrector {
                corrector.take(&mut past.corrections, state.steps, f);
            }
            // Drift and noise share one memory: u = f + noise / h.
            if self.noise_kind.acts_on(i) {
                f.iter_mut().zip(&noise[i]).for_each(|(f, noise)| *f += per_h * *noise);
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
                for ((x, g), dz) in x[i].iter_mut().zip(g).zip(dz) {
                    *x += *g * *dz;
                }
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
