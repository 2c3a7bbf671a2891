use super::event::state;
use super::{DenseOutput, Observer, Trajectory, Verdict};
use crate::OdeError;
use ndarray::ArrayView2;

/// Keeps the solution at chosen times. With [`Keep::Last`](super::Keep::Last) nothing else is kept. For one solve.
///
/// ```
/// use hpfracc_ode::{Keep, Options, Problem, ProductTrapezoid, SaveAt, Steps, solve};
/// let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let mut saved = SaveAt::every(0.5)?;
/// let options =
///     Options { keep: Keep::Last, observers: vec![&mut saved], ..Options::default() };
/// let steps = Steps::Adaptive { relative: 1e-5, absolute: 1e-8, shortest: 1e-12 };
/// solve(&problem, &ProductTrapezoid, &steps, options)?;
/// assert_eq!(saved.times(), [0.0, 0.5, 1.0, 1.5, 2.0]);
/// assert!((saved.states()[[2, 0]] - 0.427583576155807).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SaveAt {
    wanted: Wanted,
    times: Vec<f64>,
    dim: usize,
    states: Vec<f64>,
    t0: f64,
}

#[derive(Debug, Clone)]
enum Wanted {
    These(Vec<f64>),
    Every(f64),
}

impl SaveAt {
    /// At these times, which increase. Those after the end of the solve are not reached.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for a time that is not finite or not above the one before it.
    pub fn times_of(times: &[f64]) -> Result<Self, OdeError> {
        let mut before = f64::NEG_INFINITY;
        for &t in times {
            if !(t.is_finite() && t > before) {
                let expected = "finite and above the one before it";
                return Err(OdeError::OutOfRange { what: "a time to save", value: t, expected });
            }
            before = t;
        }
        Ok(Self::new(Wanted::These(times.to_vec()), times.len()))
    }

    /// At t0, and from there on at equal distances.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] for a distance that is not positive and finite; in the solve, for one
    /// that the time of a node cannot resolve.
    pub fn every(dt: f64) -> Result<Self, OdeError> {
        if !(dt.is_finite() && dt > 0.0) {
            let expected = "positive and finite";
            return Err(OdeError::OutOfRange {
                what: "the distance of times",
                value: dt,
                expected,
            });
        }
        Ok(Self::new(Wanted::Every(dt), 0))
    }

    fn new(wanted: Wanted, room: usize) -> Self {
        Self { wanted, times: Vec::with_capacity(room), dim: 0, states: Vec::new(), t0: f64::NAN }
    }

    /// The times reached.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The states there, one row for each.
    #[expect(clippy::missing_panics_doc, reason = "a time and its state are kept together")]
    pub fn states(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.times.len(), self.dim), &self.states)
            .expect("a state for each time")
    }

    /// The next time that is wanted.
    fn next(&self) -> Option<f64> {
        match &self.wanted {
            Wanted::These(times) => times.get(self.times.len()).copied(),
            Wanted::Every(dt) => Some(self.t0 + self.times.len() as f64 * dt),
        }
    }

    /// Takes what rounding puts just behind a node as the node.
    fn reached(&self, t: f64, node: f64) -> Option<f64> {
        let slack = match self.wanted {
            Wanted::These(_) => 0.0,
            Wanted::Every(_) => 4.0 * f64::EPSILON * node.abs().max(self.t0.abs()),
        };
        (t <= node + slack).then(|| t.min(node))
    }
}

impl Observer for SaveAt {
    fn node(&mut self, past: &Trajectory, dense: &dyn DenseOutput) -> Result<Verdict, OdeError> {
        let last = past.times().len() - 1;
        let end = past.times()[last];
        if self.t0.is_nan() {
            (self.t0, self.dim) = (end, past.dim());
            if let Some(t) = self.next().filter(|t| *t < end) {
                return Err(OdeError::Outside { t, t0: end, t1: end });
            }
        }
        if let Wanted::Every(value) = self.wanted
            && end - value == end
        {
            let (what, expected) = ("the distance of times", "what a node's time can resolve");
            return Err(OdeError::OutOfRange { what, value, expected });
        }
        while let Some(t) = self.next().and_then(|t| self.reached(t, end)) {
            let len = self.states.len();
            self.states.resize(len + self.dim, 0.0);
            state(past, dense, t, &mut self.states[len..]);
            self.times.push(t);
        }
        Ok(Verdict::Continue)
    }

    fn ended_at(&mut self, t: f64) {
        let kept = self.times.partition_point(|time| *time <= t);
        self.times.truncate(kept);
        self.states.truncate(kept * self.dim);
    }
}
