use super::root::bracketed;
use super::{DenseOutput, Observer, Trajectory, Verdict};
use crate::OdeError;
use std::fmt;

/// Finds the times at which a function of time and state changes its sign.
///
/// ```
/// use hpfracc_ode::{AdamsBashforthMoulton, Event, Options, Problem, Steps, solve};
/// // D^1/2 y = -y: when is half of it gone?
/// let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let mut half = Event::new(|_, y| y[0] - 0.5).falling().stopping();
/// let options = Options { observers: vec![&mut half], ..Options::default() };
/// let scheme = AdamsBashforthMoulton::default();
/// let solution = solve(&problem, &scheme, &Steps::Uniform(2000), options)?;
/// let found = &half.found()[0];
/// assert!((found.t - 0.591).abs() < 1e-3 && (found.y[0] - 0.5).abs() < 1e-9);
/// assert_eq!(solution.times().last(), Some(&found.t));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An event belongs to one solve. In each step g is looked at in some places ([`parts`](Self::parts)), and where its sign changes from
/// one to the next, the zero is bracketed on the solution between the nodes. Two zeros within one part
/// go unnoticed. A place where g is exactly zero counts, whether the sign changes there or g only
/// touches zero; at t0 under any direction, for nothing is before it.
///
/// The times are within [`within`](Self::within) of those of the computed solution, whose own error is
/// that of the scheme.
pub struct Event<'a> {
    g: Box<Function<'a>>,
    rising: bool,
    falling: bool,
    stop_after: Option<usize>,
    tolerance: Option<f64>,
    parts: usize,
    /// g at the last node.
    last: Option<f64>,
    found: Vec<Found>,
    y: Vec<f64>,
}

/// Of time and state.
type Function<'a> = dyn FnMut(f64, &[f64]) -> f64 + 'a;

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// When.
    pub t: f64,
    /// The state there.
    pub y: Vec<f64>,
}

impl<'a> Event<'a> {
    /// The zeros of `g(t, y)`, in both directions; the solve goes on.
    pub fn new(g: impl FnMut(f64, &[f64]) -> f64 + 'a) -> Self {
        Self {
            g: Box::new(g),
            rising: true,
            falling: true,
            stop_after: None,
            tolerance: None,
            parts: 4,
            last: None,
            found: Vec::new(),
            y: Vec::new(),
        }
    }

    /// Only where g changes from negative to positive.
    #[must_use]
    pub fn rising(self) -> Self {
        Self { rising: true, falling: false, ..self }
    }

    /// Only where g changes from positive to negative.
    #[must_use]
    pub fn falling(self) -> Self {
        Self { rising: false, falling: true, ..self }
    }

    /// The first one ends the solve.
    #[must_use]
    pub fn stopping(self) -> Self {
        self.stopping_after(1)
    }

    /// So many, at least 1, end the solve.
    #[must_use]
    pub fn stopping_after(self, events: usize) -> Self {
        Self { stop_after: Some(events.max(1)), ..self }
    }

    /// How near the times have to be to those of the computed solution. Without it 1e-12 of the time
    /// or the step, whichever is larger; not less than rounding of the time, whatever is given.
    #[must_use]
    pub fn within(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// Into how many parts a step is divided to look for changes of sign, at least 1; 4 unless given.
    #[must_use]
    pub fn parts(self, parts: usize) -> Self {
        Self { parts: parts.max(1), ..self }
    }

    /// What was found, in the order of time.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    fn look(&mut self, t: f64) -> Result<f64, OdeError> {
        let value = (self.g)(t, &self.y);
        if value.is_nan() { Err(OdeError::EventNotANumber { t }) } else { Ok(value) }
    }

    /// Notes an event at the state in `self.y`; true if it ends the solve.
    fn note(&mut self, t: f64) -> bool {
        self.found.push(Found { t, y: self.y.clone() });
        self.stop_after == Some(self.found.len())
    }

    fn wants(&self, before: f64, after: f64) -> bool {
        let rises = before < 0.0 && after >= 0.0;
        let falls = before > 0.0 && after <= 0.0;
        rises && self.rising || falls && self.falling
    }
}

impl Observer for Event<'_> {
    fn node(&mut self, past: &Trajectory, dense: &dyn DenseOutput) -> Result<Verdict, OdeError> {
        let last = past.times().len() - 1;
        let end = past.times()[last];
        self.y.resize(past.dim(), 0.0);
        let Some(mut before) = self.last else {
            self.y.copy_from_slice(past.state(last));
            let value = self.look(end)?;
            self.last = Some(value);
            let stop = value == 0.0 && self.note(end);
            return Ok(if stop { Verdict::StopAt(end) } else { Verdict::Continue });
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
            let after = self.look(to)?;
            if self.wants(before, after) {
                let t = if after == 0.0 {
                    to
                } else {
                    bracketed((from, before), (to, after), tolerance, |t| {
                        state(past, dense, t, &mut self.y);
                        self.look(t)
                    })?
                };
                state(past, dense, t, &mut self.y);
                if self.note(t) {
                    return Ok(Verdict::StopAt(t));
                }
            }
            (from, before) = (to, after);
        }
        self.last = Some(before);
        Ok(Verdict::Continue)
    }

    fn ended_at(&mut self, t: f64) {
        self.found.retain(|found| found.t <= t);
    }
}

/// The state at a time in the last step.
pub(super) fn state(past: &Trajectory, dense: &dyn DenseOutput, t: f64, y: &mut [f64]) {
    let last = past.times().len() - 1;
    if t == past.times()[last] {
        y.copy_from_slice(past.state(last));
    } else {
        dense.between(past, last - 1, t, y);
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("rising", &self.rising)
            .field("falling", &self.falling)
            .field("stop_after", &self.stop_after)
            .field("tolerance", &self.tolerance)
            .field("parts", &self.parts)
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}
