//! Stepper of the collocation: element by element.

use super::element::ReferenceElements;
use super::element_tree::Element;
use super::estimate::{Estimate, SolvedElement};
use super::first_span::{FirstSpan, integral_of_power};
use super::mesh::{MeshPoint, Span};
use super::newton::{Collocated, Equations};
use super::piecewise::PiecewiseSolution;
use super::tolerance::{TARGET, Tolerance};
use crate::steps::{MAX_LONG_STEPS, RoundingFloor, StepLimits};
use crate::{DenseOutput, Node, OdeError, Problem, Statistics, Stepper, System};
use hpfracc_special::recip_gamma;
use std::f64::consts::FRAC_PI_2;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// An element is at most this many times longer than its distance from the singularity at its
/// segment's origin: 2 to 5 need the fewest unknowns, with little between them (measured).
const GROWTH: f64 = 2.5;
/// Spans shorter than this leave no room for their powers.
const SHORTEST: f64 = 1e-280;
/// Attempts at one element.
const ATTEMPTS: usize = 60;

/// State of a solve by collocation.
pub(super) struct CollocationStepper<'a> {
    problem: &'a Problem<dyn System + 'a>,
    tolerance: Tolerance,
    limits: StepLimits,
    rounding: RoundingFloor,
    /// Exponents of f at t0, one for each component.
    exponents: Vec<f64>,
    /// Points of an element: preferred number, and largest number.
    preferred: f64,
    largest: usize,
    /// For each component its order and the place of the order among the distinct ones.
    orders: Vec<(f64, usize)>,
    memory: Arc<RwLock<PiecewiseSolution>>,
    references: ReferenceElements,
    segment: usize,
    /// End of the solved part of the segment.
    reached: f64,
    /// Length and points of the next attempt.
    length: f64,
    points: usize,
}

/// A solved element and its error estimate.
struct Attempt {
    collocated: Collocated,
    coefficients: Vec<f64>,
    estimate: Estimate,
}

impl<'a> CollocationStepper<'a> {
    pub(super) fn new(
        problem: &'a Problem<dyn System + 'a>,
        (tolerance, limits): (Tolerance, StepLimits),
        largest: usize,
        exponents: Vec<f64>,
        origins: Vec<f64>,
    ) -> Self {
        let memory = PiecewiseSolution::new(problem, origins);
        let orders = memory.order_of.iter().map(|&k| (memory.orders[k], k)).collect();
        Self {
            problem,
            tolerance,
            limits: StepLimits { min_step: limits.min_step.max(SHORTEST), ..limits },
            rounding: RoundingFloor::new(problem.dim()),
            exponents,
            preferred: 0.7 * largest as f64,
            largest,
            orders,
            references: ReferenceElements::new(&memory.orders),
            memory: Arc::new(RwLock::new(memory)),
            segment: 0,
            reached: 0.0,
            length: 0.0,
            points: 3,
        }
    }

    fn memory(&self) -> RwLockReadGuard<'_, PiecewiseSolution> {
        // A write only appends, after all that can panic.
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self, append: impl FnOnce(&mut PiecewiseSolution)) {
        append(&mut self.memory.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// `g + I^alpha f` of all that is solved, at places.
    fn history(&self, places: &[MeshPoint]) -> Vec<f64> {
        let dim = self.problem.dim();
        let memory = self.memory();
        let (mut out, mut moments) = (vec![0.0; places.len() * dim], Vec::new());
        for (place, out) in places.iter().zip(out.chunks_exact_mut(dim)) {
            memory.value(*place, &mut moments, out);
        }
        out
    }

    fn times(&self, places: &[MeshPoint]) -> Vec<f64> {
        let memory = self.memory();
        places.iter().map(|place| memory.mesh.time_inside(*place)).collect()
    }

    fn now(&self) -> f64 {
        self.memory().mesh.time(self.place(0.0))
    }

    /// Place at an offset from the end of the solved part of the segment.
    fn place(&self, offset: f64) -> MeshPoint {
        MeshPoint { segment: self.segment, base: self.reached, offset }
    }

    /// The first span of a segment: f is one power, and the span is shortened until that is true.
    fn start(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        self.rounding.take(&node.y);
        let whole = self.memory().mesh.length(self.segment);
        // An error of f of the size h^alpha acts over a time h.
        let power = 0.5 / self.memory().orders.iter().copied().fold(f64::INFINITY, f64::min);
        let mut h = whole * (1e-3 * self.tolerance.largest()).powf(power).clamp(SHORTEST, 0.1);
        let mut cause = OdeError::StepTooSmall { t: self.now() };
        while h > self.limits.min_step {
            match self.attempt_start(h, node, statistics) {
                Ok((start, error)) if error <= 0.1 * TARGET => {
                    self.store(|memory| memory.push_start(start));
                    statistics.unknowns += self.orders.len();
                    (self.reached, self.length, self.points) = (h, GROWTH * h, 3);
                    return Ok(());
                }
                Ok((_, error)) => h *= (0.05 * TARGET / error).powf(power).clamp(1e-30, 0.5),
                Err(error) => {
                    cause = error;
                    h *= 1e-3;
                }
            }
            statistics.rejections += 1;
        }
        Err(cause)
    }

    fn attempt_start(
        &self,
        h: f64,
        node: &mut Node,
        statistics: &mut Statistics,
    ) -> Result<(FirstSpan, f64), OdeError> {
        let d = self.problem.dim();
        let exponents = if self.segment == 0 { self.exponents.clone() } else { vec![0.0; d] };
        let [end, quarter] = [h, 0.25 * h].map(|offset| self.place(offset));
        let weight = |c: usize, h: f64| integral_of_power(self.orders[c].0, exponents[c], h);
        let powers: Vec<f64> = exponents.iter().map(|e| h.powf(*e)).collect();
        let equations = Equations {
            problem: self.problem,
            times: self.times(&[end]),
            history: self.history(&[end]),
            weights: (0..d).map(|c| weight(c, h) / powers[c]).collect(),
        };
        let Collocated { states, slopes, .. } =
            equations.solve(vec![0.0; d], self.tolerance, statistics)?;
        let coefficients: Vec<f64> = slopes.iter().zip(&powers).map(|(f, p)| f / p).collect();
        // Is f the same multiple of the power earlier in the span?
        let mut y = self.history(&[quarter]);
        (0..d).for_each(|c| y[c] += coefficients[c] * weight(c, quarter.offset));
        let mut f = vec![0.0; d];
        self.problem.rhs(self.times(&[quarter])[0], &y, &mut f, statistics)?;
        let remaining = self.problem.t1() - equations.times[0];
        let errors: Vec<f64> = (0..d)
            .map(|c| {
                let off = f[c] / quarter.offset.powf(exponents[c]) - coefficients[c];
                let alpha = self.orders[c].0;
                let later = h * remaining.powf(alpha - 1.0) * recip_gamma(alpha);
                let reach = equations.weights[c];
                off * powers[c] * if alpha > 1.0 { reach.max(later) } else { reach }
            })
            .collect();
        let error = self.tolerance.ratio(&errors, &states, d);
        node.t = self.memory().mesh.time(end);
        (node.y, node.f) = (states, slopes);
        let span = Span { segment: self.segment, left: 0.0, right: h };
        Ok((FirstSpan { span, exponents, coefficients }, error))
    }

    /// Solves the next element; adapts its length and points until the error estimate is met.
    fn element(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        let t = node.t;
        let mut cause = OdeError::StepTooSmall { t };
        // At least one attempt, so that a failure has its cause.
        let min_step = self.limits.min_step.max(4.0 * f64::EPSILON * self.reached);
        let planned = self.length;
        self.length = self.length.max(2.0 * min_step);
        for _ in 0..ATTEMPTS {
            let span = self.next_span();
            let h = span.length();
            self.points = self.points.max(self.fewest_points(h));
            if h <= min_step {
                return Err(cause);
            }
            match self.attempt(span, &node.f, statistics) {
                Ok(attempt) if attempt.estimate.error <= TARGET => {
                    self.accept(span, attempt, node, statistics);
                    if self.length > h && h < 0.99 * planned {
                        // The length that was refused a moment ago is not tried again.
                        self.length = h;
                    }
                    return Ok(());
                }
                Ok(Attempt { collocated, estimate, .. }) => {
                    let (states, dim) = (&collocated.states, node.y.len());
                    let tolerance = |c| self.tolerance.of(c, states, dim);
                    self.rounding.check(t, 1.0 / TARGET, tolerance)?;
                    cause = OdeError::StepTooSmall { t };
                    self.refine(h, estimate);
                }
                Err(error) => {
                    cause = error;
                    self.length = 0.3 * h;
                }
            }
            statistics.rejections += 1;
        }
        Err(cause)
    }

    /// The planned span, but no remnant is left at the end of the segment.
    fn next_span(&self) -> Span {
        let whole = self.memory().mesh.length(self.segment);
        let rest = whole - self.reached;
        let length = self.length.min(self.limits.max_step).min(self.longest());
        let right =
            if length >= 0.999 * rest { whole } else { self.reached + length.min(0.5 * rest) };
        Span { segment: self.segment, left: self.reached, right }
    }

    /// Length of an element with the most points that are dense enough.
    fn longest(&self) -> f64 {
        self.limits.resolution * self.largest as f64 / FRAC_PI_2
    }

    /// Number of points that are dense enough: those of an element of length h are at most
    /// `pi h / (2 p)` apart.
    fn fewest_points(&self, h: f64) -> usize {
        ((FRAC_PI_2 * h / self.limits.resolution).ceil() as usize).min(self.largest)
    }

    fn attempt(
        &mut self,
        span: Span,
        slope: &[f64],
        statistics: &mut Statistics,
    ) -> Result<Attempt, OdeError> {
        let reference = self.references.with_points(self.points);
        let half = 0.5 * span.length();
        let places: Vec<MeshPoint> =
            reference.from_left.iter().map(|from_left| self.place(half * from_left)).collect();
        let mut weights = Vec::with_capacity(self.points * self.points * self.orders.len());
        for &(alpha, k) in &self.orders {
            let scale = half.powf(alpha);
            weights.extend(reference.integrals[k].iter().map(|weight| scale * weight));
        }
        let (times, history) = (self.times(&places), self.history(&places));
        let equations = Equations { problem: self.problem, times, history, weights };
        let collocated = equations.solve(slope.repeat(self.points), self.tolerance, statistics)?;
        let coefficients = reference.coefficients(self.problem.dim(), &collocated.slopes);
        let solved = SolvedElement {
            states: &collocated.states,
            reference: &reference,
            coefficients: &coefficients,
            slope_before: slope,
            orders: &self.orders,
            length: span.length(),
            remaining: self.problem.t1() - equations.times[0],
        };
        let estimate = Estimate::new(&solved, self.tolerance);
        Ok(Attempt { collocated, coefficients, estimate })
    }

    /// More points if they suffice, otherwise a shorter element.
    fn refine(&mut self, h: f64, Estimate { points, .. }: Estimate) {
        let wanted = points.ceil() as usize + 1;
        if wanted <= self.largest && self.points < self.largest {
            self.points = wanted.max(self.points + 1);
        } else {
            let ratio = self.preferred / points;
            self.length = h * if ratio.is_nan() { 0.3 } else { ratio.clamp(0.2, 0.7) };
            self.points = self.points.max(self.preferred as usize);
        }
    }

    fn accept(
        &mut self,
        span: Span,
        attempt: Attempt,
        node: &mut Node,
        statistics: &mut Statistics,
    ) {
        let Attempt { collocated, coefficients, estimate } = attempt;
        let dim = self.problem.dim();
        statistics.unknowns += collocated.slopes.len();
        self.store(|memory| memory.push(Element { span, coefficients }));
        self.reached = span.right;
        self.rounding.take(&collocated.states[collocated.states.len() - dim..]);
        node.t = self.now();
        // The last point is the end of the element.
        node.y.copy_from_slice(&collocated.states[collocated.states.len() - dim..]);
        node.f.copy_from_slice(&collocated.slopes[collocated.slopes.len() - dim..]);
        let h = span.length();
        let factor = (self.preferred / estimate.points.max(1.0)).clamp(0.3, 3.0);
        self.length = (factor * h).min(GROWTH * self.reached);
        let shorter = (self.length / h).min(1.0).sqrt();
        let longer = usize::from(self.length > h);
        let points = (estimate.points * shorter).max(0.0).ceil() as usize + longer;
        self.points = points.clamp(2, self.largest);
    }
}

impl Stepper for CollocationStepper<'_> {
    fn dense(&self) -> Option<Arc<dyn DenseOutput>> {
        Some(Arc::clone(&self.memory) as Arc<dyn DenseOutput>)
    }

    fn max_steps(&self) -> usize {
        MAX_LONG_STEPS
    }

    fn last_step(&self) -> Option<&dyn DenseOutput> {
        Some(&*self.memory)
    }

    /// f may be infinite at t0: no element uses that value.
    fn initial_slope(&mut self, node: &mut Node) -> bool {
        self.problem.system().rhs(node.t, &node.y, &mut node.f);
        true
    }

    /// The jump is a break, where the last element ends.
    fn jump(&mut self, before: &Node, after: &Node) -> Result<bool, OdeError> {
        let jump = after.y.iter().zip(&before.y).map(|(after, before)| after - before).collect();
        let (dim, place) = (before.y.len(), (self.segment, before.t));
        let memory = Arc::clone(&self.memory);
        let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
        if before.t > memory.mesh.origins[0] {
            memory.break_at(place, jump, |element, right| {
                self.references.restricted(dim, element, right)
            });
            (self.segment, self.reached) = (self.segment + 1, 0.0);
        } else {
            memory.jump_at_start(jump);
        }
        Ok(true)
    }

    /// To the end of the next element; of several, while they are shorter than the rounding of t.
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        let before = node.t;
        while node.t <= before {
            if self.reached == self.memory().mesh.length(self.segment) {
                (self.segment, self.reached) = (self.segment + 1, 0.0);
            }
            if self.reached == 0.0 {
                self.start(node, statistics)?;
            } else {
                self.element(node, statistics)?;
            }
        }
        Ok(())
    }
}
