use super::event_location::state;
use crate::error::require;
use crate::{DenseOutput, Observer, ObserverAction, OdeError, Trajectory};
use ndarray::ArrayView2;

/// Stores the solution at requested times, by dense output. With
/// [`SaveNodes::Last`](crate::SaveNodes::Last) these and the last node are all that is stored. For
/// one solve.
///
/// ```
/// use hpfracc_ode::{SaveNodes, Options, Problem, ProductTrapezoid, SaveAt, Steps, solve};
/// let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let mut saved = SaveAt::every(0.5)?;
/// let options =
///     Options { save_nodes: SaveNodes::Last, observers: vec![&mut saved], ..Options::default() };
/// let steps = Steps::adaptive(1e-5, 1e-8);
/// solve(&problem, &ProductTrapezoid, &steps, options)?;
/// assert_eq!(saved.times(), [0.0, 0.5, 1.0, 1.5, 2.0]);
/// assert!((saved.states()[[2, 0]] - 0.427583576155807).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SaveAt {
    schedule: Schedule,
    times: Vec<f64>,
    dim: usize,
    states: Vec<f64>,
    t0: f64,
}

#[derive(Debug, Clone)]
enum Schedule {
    Times(Vec<f64>),
    Every(f64),
}

impl SaveAt {
    /// At increasing times. Those after the end of the solve are not reached.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for a time that is not finite or not above the one before it.
    pub fn times_of(times: &[f64]) -> Result<Self, OdeError> {
        let mut before = f64::NEG_INFINITY;
        for &t in times {
            let inside = t.is_finite() && t > before;
            require(inside, "a time to save", t, "finite and above the one before it")?;
            before = t;
        }
        Ok(Self::new(Schedule::Times(times.to_vec()), times.len()))
    }

    /// At t0, t0 + dt, t0 + 2 dt, ...
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for a dt that is not positive and finite; in the solve, for a dt
    /// below the rounding of the time.
    pub fn every(dt: f64) -> Result<Self, OdeError> {
        require(dt.is_finite() && dt > 0.0, "the distance of times", dt, "positive and finite")?;
        Ok(Self::new(Schedule::Every(dt), 0))
    }

    fn new(schedule: Schedule, room: usize) -> Self {
        Self { schedule, times: Vec::with_capacity(room), dim: 0, states: Vec::new(), t0: f64::NAN }
    }

    /// Times reached.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// States at these times, one row per time.
    #[expect(clippy::missing_panics_doc, reason = "each time has a state")]
    pub fn states(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.times.len(), self.dim), &self.states)
            .expect("a state for each time")
    }

    /// Next time to store.
    fn next(&self) -> Option<f64> {
        match &self.schedule {
            Schedule::Times(times) => times.get(self.times.len()).copied(),
            Schedule::Every(dt) => Some(self.t0 + self.times.len() as f64 * dt),
        }
    }

    /// Returns t if a node has reached it; a time that exceeds the node by rounding counts as the
    /// node.
    fn reached(&self, t: f64, node: f64) -> Option<f64> {
        let slack = match self.schedule {
            Schedule::Times(_) => 0.0,
            Schedule::Every(_) => 4.0 * f64::EPSILON * node.abs().max(self.t0.abs()),
        };
        (t <= node + slack).then(|| t.min(node))
    }
}

impl Observer for SaveAt {
    fn node(
        &mut self,
        past: &Trajectory,
        dense: &dyn DenseOutput,
    ) -> Result<ObserverAction, OdeError> {
        let last = past.times().len() - 1;
        let end = past.times()[last];
        if self.t0.is_nan() {
            (self.t0, self.dim) = (end, past.dim());
            if let Some(t) = self.next().filter(|t| *t < end) {
                return Err(OdeError::Outside { t, t0: end, t1: end });
            }
        }
        if let Schedule::Every(dt) = self.schedule {
            let expected = "above the rounding of a node's time";
            require(end - dt != end, "the distance of times", dt, expected)?;
        }
        while let Some(t) = self.next().and_then(|t| self.reached(t, end)) {
            let len = self.states.len();
            self.states.resize(len + self.dim, 0.0);
            state(past, dense, t, &mut self.states[len..]);
            self.times.push(t);
        }
        Ok(ObserverAction::Continue)
    }

    fn ended_at(&mut self, t: f64) {
        let count = self.times.partition_point(|time| *time <= t);
        self.times.truncate(count);
        self.states.truncate(count * self.dim);
    }
}
