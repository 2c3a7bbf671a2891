use hpfracc_lanes::Rows;
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;

/// Event that stops a path: a function g of time and state crosses zero. First passage times,
/// absorption and barriers are such events.
///
/// A path stops in the first step at whose end g has crossed zero, or at the start where g is 0.
/// The time of the crossing lies where a line between the values of g at both ends of the step is
/// zero, and the state there on a line between the states; it stays at this value from then on, at
/// all later saved times. Of several events the earliest one stops the path, the first one of
/// equal times.
///
/// Error: crossings between two nodes that both lie on one side of the barrier are missed. The
/// strong error of the stop time of a diffusion is `O(sqrt h)`, whatever the order of the scheme: a
/// barrier acts as if it were shifted away from the path by `0.5826 sigma sqrt(h)`, sigma being the
/// standard deviation of g per root of time at the barrier (Broadie, Glasserman and Kou, Math. Finance 7 (1997) 325, DOI
/// 10.1111/1467-9965.00035). Equations without noise are located within `O(h^2)`.
///
/// ```
/// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
/// use hpfracc_sde::noise::Brownian;
/// use hpfracc_sde::{Ensemble, EulerMaruyama, FirstPassage, StopEvent};
///
/// // When does a mean reverting process that starts at 1 first reach 0?
/// let problem = OrnsteinUhlenbeck::default().problem::<f64>((0.0, 5.0))?;
/// let zero = StopEvent::new(|_t, x, g| g.copy_from_slice(&x[0])).falling();
/// let problem = problem.stopping_when(zero);
/// let ensemble = Ensemble::new(1000, 500)?;
/// let (noise, collector) = (Brownian::new(7, 1)?, FirstPassage::default());
/// let passage = ensemble.solve(&problem, &EulerMaruyama, &noise, &collector)?;
/// assert!(passage.events[0].stopped > 900 && passage.events[0].mean < 2.0);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
pub struct StopEvent<T> {
    g: Arc<Function<T>>,
    rising: bool,
    falling: bool,
}

/// Writes g of time and states, a number for each path.
type Function<T> = dyn Fn(f64, Rows<'_, T>, &mut [T]) + Send + Sync;

/// Stop of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathStop {
    /// The event that stopped it, in the order in which events were added, from 0.
    pub event: usize,
    /// Time of the crossing.
    pub t: f64,
}

impl PathStop {
    /// Stop at a share, 0 to 1, of step `step` of length h.
    pub fn in_step(event: usize, (t0, h): (f64, f64), step: usize, share: f64) -> Self {
        Self { event, t: t0 + (step as f64 + share) * h }
    }
}

impl<T> StopEvent<T> {
    /// Zeros of g in both directions. `g(t, x, values)` writes a number for each path; x has a row
    /// for each component, with a lane for each path.
    pub fn new(g: impl Fn(f64, Rows<'_, T>, &mut [T]) + Send + Sync + 'static) -> Self {
        Self { g: Arc::new(g), rising: true, falling: true }
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

    /// Writes g of all paths.
    pub(crate) fn write(&self, t: f64, x: Rows<'_, T>, values: &mut [T]) {
        (self.g)(t, x, values);
    }

    /// Directions that count, as numbers.
    pub(crate) fn directions(&self) -> [f64; 2] {
        [self.rising, self.falling].map(|counts| f64::from(u8::from(counts)))
    }
}

impl<T: Real> StopEvent<T> {
    /// Share of a step at which g crosses zero between these values at its ends.
    pub(crate) fn crossing(&self, before: T, after: T) -> Option<T> {
        let rises = before < T::zero() && after >= T::zero();
        let falls = before > T::zero() && after <= T::zero();
        let crosses = rises && self.rising || falls && self.falling;
        crosses.then(|| before / (before - after))
    }
}

impl<T> Clone for StopEvent<T> {
    fn clone(&self) -> Self {
        Self { g: Arc::clone(&self.g), ..*self }
    }
}

impl<T> fmt::Debug for StopEvent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopEvent")
            .field("rising", &self.rising)
            .field("falling", &self.falling)
            .finish_non_exhaustive()
    }
}
