//! A transition of the no-U-turn sampler.
//!
//! Points of the trajectory are chosen with weights exp(-energy) (multinomial sampling), with a bias
//! to the newer half at each doubling. A trajectory ends when it turns back: the generalised
//! criterion asks whether the sum of all momenta of a span still has a positive product with the
//! momenta of both its ends; it is checked for every subtree, and across the middle of every two
//! that are joined.

use super::hamiltonian::{PhasePoint, Position, Target, product};
use super::random::Random;
use super::{DensityError, LogDensity};
use libm::{exp, log1p};

/// An error of the energy beyond which a trajectory is divergent.
const LARGEST_ERROR: f64 = 1000.0;

/// Result of a transition.
pub(super) struct Transition {
    pub(super) position: Position,
    /// Energy at the start of the trajectory.
    pub(super) energy: f64,
    /// Mean acceptance probability of all points of the trajectory.
    pub(super) acceptance: f64,
    /// Doublings.
    pub(super) depth: u32,
    /// Steps, each with one gradient.
    pub(super) steps: u32,
    /// The position u before the divergent step.
    pub(super) divergence: Option<Vec<f64>>,
}

/// Momenta of consecutive points.
struct Span {
    /// Of the first and the last point.
    first: Vec<f64>,
    last: Vec<f64>,
    /// Sum over all points.
    sum: Vec<f64>,
}

impl Span {
    fn reverse(&mut self) {
        std::mem::swap(&mut self.first, &mut self.last);
    }

    /// True if the points from `first` to `last`, with this sum of momenta, do not turn back.
    fn is_straight(metric: &[f64], first: &[f64], last: &[f64], sum: &[f64]) -> bool {
        product(metric, sum, first) > 0.0 && product(metric, sum, last) > 0.0
    }

    /// Joins the span that follows; true if the whole does not turn back, neither does each span with
    /// the nearest point of the other.
    fn join(&mut self, metric: &[f64], next: Self) -> bool {
        let plus =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
        let into_next = plus(&self.sum, &next.first);
        let from_this = plus(&next.sum, &self.last);
        let straight = Self::is_straight(metric, &self.first, &next.first, &into_next)
            && Self::is_straight(metric, &self.last, &next.last, &from_this);
        self.sum = plus(&self.sum, &next.sum);
        self.last = next.last;
        straight && Self::is_straight(metric, &self.first, &self.last, &self.sum)
    }
}

/// A part of the trajectory with the point chosen from it.
struct Tree {
    span: Span,
    chosen: Position,
    /// Logarithm of the sum of the weights.
    log_weight: f64,
}

/// Trajectory in progress.
struct Builder<'t, 'd, D> {
    target: &'t mut Target<'d, D>,
    metric: &'t [f64],
    /// Step with the sign of the direction.
    step: f64,
    random: Random,
    /// Energy at the start.
    energy: f64,
    steps: u32,
    acceptance: f64,
    divergence: Option<Vec<f64>>,
}

/// Moves from a point with a fresh momentum, with at most `depth` doublings.
pub(super) fn transition<D: LogDensity>(
    target: &mut Target<'_, D>,
    metric: &[f64],
    step: f64,
    start: PhasePoint,
    depth: u32,
    random: Random,
) -> Result<Transition, DensityError> {
    let energy = start.energy(metric);
    let (acceptance, divergence) = (0.0, None);
    let mut builder =
        Builder { target, metric, step, random, energy, steps: 0, acceptance, divergence };
    let span = Span { first: start.p.clone(), last: start.p.clone(), sum: start.p.clone() };
    let mut whole = Tree { span, chosen: start.at.clone(), log_weight: 0.0 };
    let mut ends = [start.clone(), start];
    let (mut forward, mut doublings) = (true, 0);
    while doublings < depth {
        if (builder.random.uniform() < 0.5) == forward {
            forward = !forward;
            builder.step = -builder.step;
            whole.span.reverse();
        }
        let Some(tree) = builder.tree(&mut ends[usize::from(forward)], doublings)? else { break };
        doublings += 1;
        let newer = tree.log_weight - whole.log_weight;
        if builder.random.uniform() < exp(newer) {
            whole.chosen = tree.chosen;
        }
        whole.log_weight = log_sum(whole.log_weight, tree.log_weight);
        if !whole.span.join(metric, tree.span) {
            break;
        }
    }
    let Builder { steps, acceptance, divergence, .. } = builder;
    let acceptance = acceptance / f64::from(steps.max(1));
    let position = whole.chosen;
    Ok(Transition { position, energy, acceptance, depth: doublings, steps, divergence })
}

impl<D: LogDensity> Builder<'_, '_, D> {
    /// The next 2^depth points after `end`, which moves to the last of them; none if they turn back
    /// or diverge. The depth of the recursion is `depth`.
    fn tree(&mut self, end: &mut PhasePoint, depth: u32) -> Result<Option<Tree>, DensityError> {
        if depth == 0 {
            return self.point(end);
        }
        let Some(mut tree) = self.tree(end, depth - 1)? else { return Ok(None) };
        let Some(next) = self.tree(end, depth - 1)? else { return Ok(None) };
        let log_weight = log_sum(tree.log_weight, next.log_weight);
        if self.random.uniform() < exp(next.log_weight - log_weight) {
            tree.chosen = next.chosen;
        }
        tree.log_weight = log_weight;
        Ok(tree.span.join(self.metric, next.span).then_some(tree))
    }

    /// The next point.
    fn point(&mut self, end: &mut PhasePoint) -> Result<Option<Tree>, DensityError> {
        let before = end.at.u.clone();
        self.target.leapfrog(end, self.metric, self.step)?;
        self.steps += 1;
        let log_weight = self.energy - end.energy(self.metric);
        // An energy that is not a number counts as infinite.
        if log_weight.is_nan() || log_weight <= -LARGEST_ERROR {
            self.divergence = Some(before);
            return Ok(None);
        }
        self.acceptance += exp(log_weight.min(0.0));
        let span = Span { first: end.p.clone(), last: end.p.clone(), sum: end.p.clone() };
        Ok(Some(Tree { span, chosen: end.at.clone(), log_weight }))
    }
}

/// ln(exp(a) + exp(b))
fn log_sum(a: f64, b: f64) -> f64 {
    a.max(b) + log1p(exp(-(a - b).abs()))
}
