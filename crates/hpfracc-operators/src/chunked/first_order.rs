use crate::FirstOrder;
use crate::Result;
use crate::bound::narrow;
use hpfracc_types::Real;
use ndarray::{ArrayView2, ArrayViewMut2};

/// One exponential, chunk after chunk: its recurrence needs only its state.
pub(super) struct OneExponential<T> {
    direct: T,
    rate: T,
    slope: T,
    level: T,
    start: T,
    /// By channel, the state and the previous sample.
    states: Vec<Option<(T, T)>>,
}

impl<T: Real> OneExponential<T> {
    pub(super) fn new(map: &FirstOrder, channels: usize) -> Result<Self> {
        let of = narrow([map.direct, map.rate, map.slope, map.level, map.start])?;
        let states = vec![None; channels];
        Ok(Self { direct: of[0], rate: of[1], slope: of[2], level: of[3], start: of[4], states })
    }

    pub(super) fn add(&mut self, samples: ArrayView2<'_, T>, mut results: ArrayViewMut2<'_, T>) {
        let signals = samples.outer_iter().zip(results.outer_iter_mut());
        for ((samples, mut results), place) in signals.zip(&mut self.states) {
            for (&f, y) in samples.iter().zip(&mut results) {
                let z = match *place {
                    None => self.start * f,
                    Some((z, before)) => {
                        let s = self.slope * (f - before) + self.level * before;
                        z + (s - self.rate * z)
                    }
                };
                *place = Some((z, f));
                *y += self.direct * f + z;
            }
        }
    }
}
