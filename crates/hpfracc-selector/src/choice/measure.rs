//! Measuring candidates on internal buffers.

use super::selector::Selector;
use crate::experience::events::Occurrence;
use crate::memory_limits;
use crate::settings::Effort;
use crate::task::Stage;
use hpfracc_backend::{BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// Extent of a measurement.
struct Protocol {
    /// Largest ratio of the expected time, less 1.5 standard deviations, to the least expected
    /// one; candidates beyond it are not run.
    within: f64,
    rounds: usize,
    /// Least nanoseconds of one timing: short work is repeated.
    slice: u64,
    /// Nanoseconds after which no other round starts.
    budget: u64,
}

struct Measured<T> {
    index: usize,
    map: Box<dyn LinearMap<T>>,
    bind_nanos: u64,
    repeats: [u64; 2],
    least: [f64; 2],
    executions: [u64; 2],
}

impl<T: Real> Selector<T> {
    /// Measures the candidates that could be the fastest, forward and transposed, on internal
    /// buffers; the next choices for this workload rest on these times.
    ///
    /// Candidates are interleaved, and the least of several timings counts, each long enough for
    /// the clock. Candidates that are far slower by the model are not run. Rounds end when the time
    /// in [`Settings`](crate::Settings) is used up; the first round is always finished. With
    /// [`Effort::Estimate`] and [`Effort::WisdomOnly`] nothing is measured.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero, [`BackendError::Memory`] if the buffers exceed the
    /// memory limit of the host.
    pub fn measure(&self, workload: Workload, effort: Effort) -> Result<(), BackendError> {
        workload.check()?;
        let settings = self.experience.settings();
        let budget = u64::try_from(settings.measuring.as_nanos()).unwrap_or(u64::MAX);
        let how = match effort {
            Effort::Estimate | Effort::WisdomOnly => return Ok(()),
            Effort::Measure => Protocol { within: 3.0, rounds: 5, slice: 100_000, budget },
            Effort::Exhaustive => Protocol {
                within: 10.0,
                rounds: 25,
                slice: 500_000,
                budget: budget.saturating_mul(10),
            },
        };
        let _span = tracing::debug_span!("measure", %workload).entered();
        let buffers = Buffers::<T>::new(workload, settings.memory_limits.host_bytes)?;
        let measured = self.interleave(workload, &how, buffers);
        let timings = self.timings(workload);
        for c in &measured {
            let what = Occurrence::Measured { seconds: c.least[0] };
            self.experience.look(&timings).report(c.index, what);
        }
        let times: Vec<(usize, Stage, f64, u64)> = measured
            .iter()
            .flat_map(|c| {
                let apply = Direction::BOTH.map(|d| {
                    (c.index, Stage::of(d), c.least[d as usize], c.executions[d as usize])
                });
                let bind = (c.index, Stage::Bind, c.bind_nanos as f64 * 1e-9, 1);
                apply.into_iter().chain([bind])
            })
            .collect();
        self.experience.record_measured(&timings, &times);
        Ok(())
    }

    /// Times all candidates in turn, round after round.
    fn interleave(
        &self,
        workload: Workload,
        how: &Protocol,
        mut buffers: Buffers<T>,
    ) -> Vec<Measured<T>> {
        let experience = &self.experience;
        let now = || experience.now();
        let mut candidates: Vec<Measured<T>> = self
            .promising(workload, how.within)
            .into_iter()
            .filter_map(|(index, plan)| {
                let start = now();
                // A candidate that fails to bind is skipped; its error shows in real use.
                let map = plan.bind(&buffers.kernel).ok()?;
                let bind_nanos = experience.since(start);
                let least = [f64::INFINITY; 2];
                Some(Measured {
                    index,
                    map,
                    bind_nanos,
                    repeats: [0; 2],
                    least,
                    executions: [0; 2],
                })
            })
            .collect();
        let begun = now();
        for round in 0..=how.rounds {
            for direction in Direction::BOTH {
                candidates.retain_mut(|c| {
                    let d = direction as usize;
                    let repeats = c.repeats[d].max(1);
                    let start = now();
                    for _ in 0..repeats {
                        if buffers.run(c.map.as_ref(), direction).is_err() {
                            return false;
                        }
                    }
                    let nanos = experience.since(start).max(1);
                    if round == 0 {
                        // The caches are cold: this round sets the number of repeats, and counts
                        // only if there is no time for another.
                        c.repeats[d] = (how.slice / nanos).clamp(1, 100_000);
                    }
                    let seconds = nanos as f64 * 1e-9 / repeats as f64;
                    c.least[d] = c.least[d].min(seconds);
                    c.executions[d] += repeats;
                    true
                });
            }
            if experience.since(begun) > how.budget {
                break;
            }
        }
        candidates
    }

    /// Plans of the candidates that could be the fastest by the model.
    fn promising(&self, workload: Workload, within: f64) -> Vec<(usize, Arc<dyn Plan<T>>)> {
        let plans = self.plans(workload);
        let statistics = plans.look();
        let forecasts: Vec<_> =
            (0..self.list.members.len()).map(|i| statistics.forecasts(i)).collect();
        drop(statistics);
        let apply = |i: usize| forecasts[i][Stage::Forward as usize];
        let able = plans.able().and(self.list.awake(self.experience.now()));
        let mut planned = Vec::new();
        let mut order: Vec<usize> = self.list.hardware(able).iter().collect();
        order.sort_by(|&a, &b| apply(a).log.total_cmp(&apply(b).log));
        let mut least = f64::INFINITY;
        for i in order {
            let forecast = apply(i);
            if forecast.log - 1.5 * forecast.deviation > least + within.ln() {
                continue;
            }
            if let Ok(plan) = plans.plan(i) {
                least = least.min(forecast.log);
                planned.push((i, Arc::clone(plan)));
            }
        }
        planned
    }
}

/// A kernel that is valid for every kind of map, and signals of moderate values.
struct Buffers<T> {
    kernel: Vec<T>,
    x: Vec<T>,
    y: Vec<T>,
    /// Results, apart from the signals, so that values do not grow with the repeats.
    out: Vec<T>,
}

impl<T: Real> Buffers<T> {
    fn new(workload: Workload, limit: Option<u64>) -> Result<Self, BackendError> {
        let (batch, kernel) = (workload.batch(), workload.kernel_len());
        let (x, y) = (workload.signal_len() * batch, workload.output_len() * batch);
        // The bound map has a copy of the kernel.
        let needed = (2 * kernel + x + y + x.max(y)).saturating_mul(size_of::<T>());
        memory_limits::check("selector", workload, needed, limit)?;
        let wave = |n: usize| -> Vec<T> {
            (0..n).map(|i| T::narrow(0.25 + (i % 97) as f64 / 128.0)).collect()
        };
        let real = |i: usize| match workload {
            // Imaginary parts are zero: such symbols are Hermitian if they are even.
            Workload::SpectralMultiplier { .. } => {
                T::narrow(if i.is_multiple_of(2) { 0.5 } else { 0.0 })
            }
            _ => T::narrow(1.0 / (1.0 + i as f64)),
        };
        let kernel = (0..kernel).map(real).collect();
        Ok(Self { kernel, x: wave(x), y: wave(y), out: vec![T::zero(); x.max(y)] })
    }

    fn run(&mut self, map: &dyn LinearMap<T>, direction: Direction) -> Result<(), BackendError> {
        let (from, to_len) = match direction {
            Direction::Forward => (&self.x, self.y.len()),
            Direction::Transpose => (&self.y, self.x.len()),
        };
        map.run(direction, from, &mut self.out[..to_len])
    }
}
