//! A chain: its state between two draws, and the next draw.

use super::adaptation::{DualAveraging, Moments};
use super::hamiltonian::{PhasePoint, Position, Target};
use super::random::{Purpose, Random};
use super::trajectory::{Transition, transition};
use super::{DensityError, LogDensity, Nuts, SampleError};
use libm::log;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The complete state of a chain between two draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Chain {
    pub(super) number: u32,
    /// Draws so far, warm-up included.
    pub(super) draw: u32,
    position: Position,
    /// Inverse mass of each coordinate.
    metric: Vec<f64>,
    averaging: DualAveraging,
    moments: Moments,
    /// Gradients of the warm-up.
    pub(super) warm_up_gradients: u64,
    pub(super) draws: Draws,
}

/// Draws after the warm-up, with the facts of their trajectories.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Draws {
    /// Parameters, draw by draw.
    pub(super) parameters: Vec<f64>,
    /// Energies at the start of each trajectory.
    pub(super) energies: Vec<f64>,
    pub(super) acceptances: Vec<f64>,
    pub(super) depths: Vec<u32>,
    pub(super) gradients: Vec<u32>,
    /// Draws with a divergence, and the parameters before the divergent step.
    pub(super) divergences: Vec<(u32, Vec<f64>)>,
}

/// Attempts to find a first step, a factor of 2 each.
const STEP_ATTEMPTS: u32 = 60;

impl Chain {
    /// Begins a chain at a random position near the start.
    pub(super) fn new<D: LogDensity>(
        number: u32,
        settings: &Nuts,
        target: &mut Target<'_, D>,
    ) -> Result<Self, SampleError> {
        let failed = |source| SampleError::Density { chain: number, draw: 0, source };
        let dim = target.coordinates.dim();
        let position = first_position(number, settings, target).map_err(failed)?;
        if position.log_density == f64::NEG_INFINITY {
            let (gradient, value) = (target.last_gradient().to_vec(), target.value);
            return Err(SampleError::Start { value, gradient });
        }
        let mut chain = Self {
            number,
            draw: 0,
            position,
            metric: vec![1.0; dim],
            averaging: DualAveraging::new(1.0),
            moments: Moments::new(dim),
            warm_up_gradients: 0,
            draws: Draws::default(),
        };
        chain.averaging = DualAveraging::new(chain.find_step(settings, target).map_err(failed)?);
        chain.warm_up_gradients = target.gradients;
        Ok(chain)
    }

    /// The chain without the draws so far, which its next draws do not need.
    pub(super) fn without_draws(&self) -> Self {
        Self { draws: Draws::default(), ..self.clone() }
    }

    /// Replaces the chain by a later state of it that has further draws alone.
    pub(super) fn go_on(&mut self, later: Self) {
        let mut draws = std::mem::take(&mut self.draws);
        let Draws { parameters, energies, acceptances, depths, gradients, divergences } =
            later.draws;
        draws.parameters.extend(parameters);
        draws.energies.extend(energies);
        draws.acceptances.extend(acceptances);
        draws.depths.extend(depths);
        draws.gradients.extend(gradients);
        draws.divergences.extend(divergences);
        *self = Self { draws, ..later };
    }

    /// Whether the lengths agree, which a state that was read may violate.
    pub(super) fn is_consistent(&self, settings: &Nuts, dim: usize) -> bool {
        let Draws { parameters, energies, acceptances, depths, gradients, divergences } =
            &self.draws;
        let stored = self.draw.saturating_sub(settings.warm_up) as usize;
        let lengths = [energies.len(), acceptances.len(), depths.len(), gradients.len()];
        let Position { u, gradient, .. } = &self.position;
        let dims = [u.len(), gradient.len(), self.metric.len()];
        dims.iter().all(|length| *length == dim)
            && self.moments.is_of(dim)
            && self.draw <= settings.warm_up + settings.draws
            && lengths.iter().all(|length| *length == stored)
            && parameters.len() == stored * dim
            && depths.iter().all(|depth| *depth <= settings.depth)
            && divergences.iter().all(|(_, place)| place.len() == dim)
    }

    /// Takes the next draw. After an error the state is that before the draw.
    pub(super) fn advance<D: LogDensity>(
        &mut self,
        settings: &Nuts,
        windows: &[Range<u32>],
        target: &mut Target<'_, D>,
    ) -> Result<(), DensityError> {
        let warming = self.draw < settings.warm_up;
        let step = if warming { self.averaging.step() } else { self.averaging.mean_step() };
        let start = self.point(settings.seed, Purpose::Momentum, 0);
        let random = Random::new(settings.seed, self.number, self.draw, Purpose::Tree);
        let before = target.gradients;
        let moved = transition(target, &self.metric, step, start, settings.depth, random)?;
        if !warming {
            self.store(settings.warm_up, moved, target);
        } else {
            let mut next = self.clone();
            next.adapt(settings, windows, moved, target)?;
            next.warm_up_gradients += target.gradients - before;
            *self = next;
        }
        self.draw += 1;
        Ok(())
    }

    /// The position with a fresh momentum, whose random numbers begin at an index.
    fn point(&self, seed: u64, purpose: Purpose, index: u32) -> PhasePoint {
        let mut p = vec![0.0; self.metric.len()];
        Random::new(seed, self.number, self.draw, purpose).skip(index).normals(&mut p);
        p.iter_mut().zip(&self.metric).for_each(|(p, m)| *p /= m.sqrt());
        PhasePoint { at: self.position.clone(), p }
    }

    fn store<D: LogDensity>(
        &mut self,
        warm_up: u32,
        moved: Transition,
        target: &mut Target<'_, D>,
    ) {
        let Draws { parameters, energies, acceptances, depths, gradients, divergences } =
            &mut self.draws;
        parameters.extend(target.parameters(&moved.position.u));
        energies.push(moved.energy);
        acceptances.push(moved.acceptance);
        depths.push(moved.depth);
        gradients.push(moved.steps);
        if let Some(u) = moved.divergence {
            divergences.push((self.draw - warm_up, target.parameters(&u).to_vec()));
        }
        self.position = moved.position;
    }

    /// Adapts step and metric to a draw of the warm-up.
    fn adapt<D: LogDensity>(
        &mut self,
        settings: &Nuts,
        windows: &[Range<u32>],
        moved: Transition,
        target: &mut Target<'_, D>,
    ) -> Result<(), DensityError> {
        self.position = moved.position;
        self.averaging.update(moved.acceptance, settings.acceptance);
        let Some(window) = windows.iter().find(|window| window.contains(&self.draw)) else {
            return Ok(());
        };
        self.moments.add(&self.position.u);
        if self.draw + 1 == window.end {
            self.moments.update(&mut self.metric);
            self.moments = Moments::new(self.metric.len());
            self.averaging = DualAveraging::new(self.find_step(settings, target)?);
        }
        Ok(())
    }

    /// The step, a power of 2 times the mean one, where the acceptance of a single leapfrog step
    /// crosses that of the settings.
    fn find_step<D: LogDensity>(
        &self,
        settings: &Nuts,
        target: &mut Target<'_, D>,
    ) -> Result<f64, DensityError> {
        let blocks = self.metric.len().div_ceil(4) as u32;
        let mut step = self.averaging.mean_step();
        let mut grows = None;
        for attempt in 0..STEP_ATTEMPTS {
            let mut point = self.point(settings.seed, Purpose::StepSearch, attempt * blocks);
            let energy = point.energy(&self.metric);
            target.leapfrog(&mut point, &self.metric, step)?;
            let accepted = energy - point.energy(&self.metric) > log(settings.acceptance);
            if accepted != *grows.get_or_insert(accepted) {
                break;
            }
            step *= if accepted { 2.0 } else { 0.5 };
        }
        Ok(step)
    }
}

/// A position of standard normal coordinates; closer to the start by factors of 2 where the density
/// is not finite there.
fn first_position<D: LogDensity>(
    number: u32,
    settings: &Nuts,
    target: &mut Target<'_, D>,
) -> Result<Position, DensityError> {
    const HALVINGS: u32 = 20;
    let dim = target.coordinates.dim();
    let (mut u, gradient) = (vec![0.0; dim], vec![0.0; dim]);
    Random::new(settings.seed, number, 0, Purpose::Start).normals(&mut u);
    let mut position = Position { u, gradient, log_density: f64::NEG_INFINITY };
    for halving in 0..=HALVINGS {
        target.evaluate(&mut position)?;
        if position.log_density > f64::NEG_INFINITY {
            break;
        }
        let factor = if halving + 1 < HALVINGS { 0.5 } else { 0.0 };
        position.u.iter_mut().for_each(|u| *u *= factor);
    }
    Ok(position)
}
