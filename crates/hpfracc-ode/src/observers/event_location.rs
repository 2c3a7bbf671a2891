use super::bracketing::bracketed;
use crate::{DenseOutput, Observer, ObserverAction, OdeError, Trajectory};

/// Event location: times at which a function g of time and state changes its sign.
///
/// ```
/// use hpfracc_ode::{AdamsBashforthMoulton, Event, Options, Problem, Steps, solve};
/// // D^1/2 y = -y: when has it decayed to one half?
/// let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let mut half = Event::new(|_, y| y[0] - 0.5).falling().stopping();
/// let options = Options { observers: vec![&mut half], ..Options::default() };
/// let scheme = AdamsBashforthMoulton::default();
/// let solution = solve(&problem, &scheme, &Steps::Uniform(2000), options)?;
/// let hit = &half.hits()[0];
/// assert!((hit.t - 0.591).abs() < 1e-3 && (hit.y[0] - 0.5).abs() < 1e-9);
/// assert_eq!(solution.times().last(), Some(&hit.t));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An event belongs to one solve. Each step is divided into [`parts`](Self::parts); where the sign
/// of g differs between the ends of a part, the zero is bracketed on the dense output. Two zeros
/// within one part are missed. A time with g = 0 is a hit whether the sign changes or g only
/// touches zero; at t0 it is one for every direction.
///
/// The error of a time is at most [`within`](Self::within), relative to the numerical solution.
pub struct Event<'a> {
    g: Box<Function<'a>>,
    rising: bool,
    falling: bool,
    stop_after: Option<usize>,
    jump: Option<Box<Jump<'a>>>,
    tolerance: Option<f64>,
    parts: usize,
    /// g at the last node.
    last: Option<f64>,
    hits: Vec<EventHit>,
    y: Vec<f64>,
}

/// Function of time and state.
type Function<'a> = dyn FnMut(f64, &[f64]) -> f64 + 'a;

/// New state at an event, in place of the one before.
type Jump<'a> = dyn FnMut(f64, &mut [f64]) + 'a;

/// Time and state of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventHit {
    /// Time.
    pub t: f64,
    /// State.
    pub y: Vec<f64>,
}

impl<'a> Event<'a> {
    /// Zeros of `g(t, y)` in both directions; the solve continues.
    pub fn new(g: impl FnMut(f64, &[f64]) -> f64 + 'a) -> Self {
        Self {
            g: Box::new(g),
            rising: true,
            falling: true,
            stop_after: None,
            jump: None,
            tolerance: None,
            parts: 4,
            last: None,
            hits: Vec::new(),
            y: Vec::new(),
        }
    }

    /// Only zeros where g changes from negative to positive.
    #[must_use]
    pub fn rising(self) -> Self {
        Self { rising: true, falling: false, ..self }
    }

    /// Only zeros where g changes from positive to negative.
    #[must_use]
    pub fn falling(self) -> Self {
        Self { rising: false, falling: true, ..self }
    }

    /// The first hit stops the solve.
    #[must_use]
    pub fn stopping(self) -> Self {
        self.stopping_after(1)
    }

    /// The solve stops after this number of hits, at least 1.
    #[must_use]
    pub fn stopping_after(self, events: usize) -> Self {
        Self { stop_after: Some(events.max(1)), ..self }
    }

    /// At each hit the solve continues from another state: `jump(t, y)` changes y in place. The meaning
    /// of a jump for an equation with memory, and the steps that have jumps, are those of
    /// [`ObserverAction::JumpAt`]. The state of a [hit](Self::hits) is that before the jump.
    ///
    /// ```
    /// use hpfracc_ode::{Collocation, Event, Options, Problem, Steps, solve};
    /// // y' = v, D^0.9 v = -9.81, and v changes its sign where y falls to 0.
    /// let rhs = |_t: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], -9.81);
    /// let ball = Problem::new(&[1.0, 0.9], (0.0, 1.0), &[&[1.0, 0.0]], rhs)?;
    /// let mut floor = Event::new(|_, y| y[0]).falling().jumping(|_, y| y[1] = -0.8 * y[1]);
    /// let options = Options { observers: vec![&mut floor], ..Options::default() };
    /// let steps = Steps::adaptive(1e-10, 1e-10);
    /// let solution = solve(&ball, &Collocation::default(), &steps, options)?;
    /// let hit = &floor.hits()[0];
    /// assert!((solution.at(hit.t)?[1] + 0.8 * hit.y[1]).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn jumping(self, jump: impl FnMut(f64, &mut [f64]) + 'a) -> Self {
        Self { jump: Some(Box::new(jump)), ..self }
    }

    /// Tolerance of the times. Default: 1e-12 of the larger of the time and the step; never less
    /// than the rounding of the time.
    #[must_use]
    pub fn within(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// Number of parts of a step in which a change of sign is searched, at least 1; default 4.
    #[must_use]
    pub fn parts(self, parts: usize) -> Self {
        Self { parts: parts.max(1), ..self }
    }

    /// Hits in the order of time.
    pub fn hits(&self) -> &[EventHit] {
        &self.hits
    }

    fn evaluate(&mut self, t: f64) -> Result<f64, OdeError> {
        let value = (self.g)(t, &self.y);
        if value.is_nan() { Err(OdeError::EventNotANumber { t }) } else { Ok(value) }
    }

    /// Records a hit at the state in `self.y`; returns what it requests.
    fn record(&mut self, t: f64) -> ObserverAction {
        self.hits.push(EventHit { t, y: self.y.clone() });
        if self.stop_after == Some(self.hits.len()) {
            ObserverAction::StopAt(t)
        } else if self.jump.is_some() {
            ObserverAction::JumpAt(t)
        } else {
            ObserverAction::Continue
        }
    }

    fn is_crossing(&self, before: f64, after: f64) -> bool {
        let rises = before < 0.0 && after >= 0.0;
        let falls = before > 0.0 && after <= 0.0;
        rises && self.rising || falls && self.falling
    }
}

impl Observer for Event<'_> {
    fn node(
        &mut self,
        past: &Trajectory,
        dense: &dyn DenseOutput,
    ) -> Result<ObserverAction, OdeError> {
        let last = past.times().len() - 1;
        let end = past.times()[last];
        self.y.resize(past.dim(), 0.0);
        let Some(mut before) = self.last else {
            self.y.copy_from_slice(past.state(last));
            let value = self.evaluate(end)?;
            self.last = Some(value);
            return Ok(if value == 0.0 { self.record(end) } else { ObserverAction::Continue });
        };
        let start = past.times()[last - 1];
        let tolerance = self.tolerance.unwrap_or(1e-12 * end.abs().max(end - start));
        let mut from = start;
        for part in 1..=self.parts {
            let share = part as f64 / self.parts as f64;
            let to = if part == self.parts { end } else { start + share * (end - start) };
            if to <= from {
                continue;
            }
            state(past, dense, to, &mut self.y);
            let after = self.evaluate(to)?;
            if self.is_crossing(before, after) {
                let t = if after == 0.0 {
                    to
                } else {
                    bracketed((from, before), (to, after), tolerance, |t| {
                        state(past, dense, t, &mut self.y);
                        self.evaluate(t)
                    })?
                };
                state(past, dense, t, &mut self.y);
                let action = self.record(t);
                if action != ObserverAction::Continue {
                    return Ok(action);
                }
            }
            (from, before) = (to, after);
        }
        self.last = Some(before);
        Ok(ObserverAction::Continue)
    }

    fn ended_at(&mut self, t: f64) {
        self.hits.retain(|hit| hit.t <= t);
    }

    fn jump(&mut self, t: f64, y: &mut [f64]) {
        if let Some(jump) = &mut self.jump {
            jump(t, y);
        }
    }

    fn jumped(&mut self, past: &Trajectory) -> Result<(), OdeError> {
        let last = past.times().len() - 1;
        let t = past.times()[last];
        self.ended_at(t);
        self.y.copy_from_slice(past.state(last));
        self.last = Some(self.evaluate(t)?);
        Ok(())
    }
}

/// Writes the state at a time in the last step.
pub(super) fn state(past: &Trajectory, dense: &dyn DenseOutput, t: f64, y: &mut [f64]) {
    let last = past.times().len() - 1;
    if t == past.times()[last] {
        y.copy_from_slice(past.state(last));
    } else {
        dense.between(past, last - 1, t, y);
    }
}

debug_fields!(Event<'a> { rising, falling, stop_after, tolerance, parts, hits });
