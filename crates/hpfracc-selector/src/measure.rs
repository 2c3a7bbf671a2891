//! Timing candidates on buffers of our own.

use crate::history::Occurrence;
use crate::selector::Selector;
use crate::settings::Effort;
use crate::task::{Direction, Stage};
use hpfracc_backend::{BackendError, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// How thoroughly.
struct Thoroughness {
    /// Candidates whose expected time, less 1.5 standard deviations, is beyond this many times the
    /// least one are not run.
    within: f64,
    rounds: usize,
    /// Nanoseconds of one timing at least; short work is repeated within it.
    slice: u64,
    budget: u64,
}

struct Contestant<T> {
    index: usize,
    map: Box<dyn LinearMap<T>>,
    bind_nanos: u64,
    repeats: [u64; 2],
    least: [f64; 2],
    executions: [u64; 2],
}

impl<T: Real> Selector<T> {
    /// Times the candidates that could win, forward and transposed, on buffers of its own; the next
    /// choices for this workload rest on that.
    ///
    /// Candidates take turns, and the least of several timings counts, each long enough for the
    /// clock. Those that the model rules out by a wide margin are not run. Rounds end when the time
    /// that [`Settings`](crate::Settings) allow is used up; the first is always finished. For
    /// [`Effort::Estimate`] and [`Effort::WisdomOnly`] nothing is done.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero, [`BackendError::Memory`] if the host's limit leaves
    /// no room for the buffers.
    pub fn measure(&self, workload: Workload, effort: Effort) -> Result<(), BackendError> {
        workload.check()?;
        let settings = self.roster.experience.settings();
        let budget = u64::try_from(settings.measuring.as_nanos()).unwrap_or(u64::MAX);
        let how = match effort {
            Effort::Estimate | Effort::WisdomOnly => return Ok(()),
            Effort::Measure => Thoroughness { within: 3.0, rounds: 5, slice: 100_000, budget },
            Effort::Exhaustive => Thoroughness {
                within: 10.0,
                rounds: 25,
                slice: 500_000,
                budget: budget.saturating_mul(10),
            },
        };
        let _span = tracing::debug_span!("measure", %workload).entered();
        let buffers = Buffers::<T>::new(workload, settings.limits.host_bytes)?;
        let contestants = self.contest(workload, &how, buffers);
        let site = self.site(workload);
        for c in &contestants {
            let forward = c.least[0];
            site.look().tell(c.index, Occurrence::Measured { seconds: forward });
        }
        let times: Vec<(usize, Stage, f64, u64)> = contestants
            .iter()
            .flat_map(|c| {
                let apply = Direction::BOTH
                    .map(|d| (c.index, d.stage(), c.least[d as usize], c.executions[d as usize]));
                let bind = (c.index, Stage::Bind, c.bind_nanos as f64 * 1e-9, 1);
                apply.into_iter().chain([bind])
            })
            .collect();
        site.set_measured(&times);
        Ok(())
    }

    fn contest(
        &self,
        workload: Workload,
        how: &Thoroughness,
        mut buffers: Buffers<T>,
    ) -> Vec<Contestant<T>> {
        let experience = &self.roster.experience;
        let now = || experience.now();
        let mut contestants: Vec<Contestant<T>> = self
            .promising(workload, how.within)
            .into_iter()
            .filter_map(|(index, plan)| {
                let start = now();
                // A candidate that does not bind does not take part; real use will tell why.
                let map = plan.bind(&buffers.kernel).ok()?;
                let bind_nanos = experience.since(start);
                let least = [f64::INFINITY; 2];
                Some(Contestant {
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
                contestants.retain_mut(|c| {
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
                        // Caches were cold: this tells how often to repeat, and counts as a last
                        // resort if there is no time for more.
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
        contestants
    }

    /// Candidates that can take the workload and are not ruled out by the model.
    fn promising(&self, workload: Workload, within: f64) -> Vec<(usize, Arc<dyn Plan<T>>)> {
        let choices = self.choices(workload);
        let forecasts: Vec<_> =
            (0..self.roster.members.len()).map(|i| self.roster.forecasts(i, workload)).collect();
        let apply = |i: usize| forecasts[i][Stage::Forward as usize];
        let awake = self.roster.awake(self.roster.experience.now());
        let able = crate::roster::Set(choices.able().0 & awake.0);
        let mut planned = Vec::new();
        let mut order: Vec<usize> = self.roster.hardware(able).iter().collect();
        order.sort_by(|&a, &b| apply(a).log.total_cmp(&apply(b).log));
        let mut least = f64::INFINITY;
        for i in order {
            let forecast = apply(i);
            if forecast.log - 1.5 * forecast.deviation > least + within.ln() {
                continue;
            }
            if let Ok(plan) = choices.plan(i) {
                least = least.min(forecast.log);
                planned.push((i, Arc::clone(plan)));
            }
        }
        planned
    }
}

/// A kernel that every kind of map takes, and signals of moderate size.
struct Buffers<T> {
    kernel: Vec<T>,
    x: Vec<T>,
    y: Vec<T>,
    /// Results: not written over the signals, so that repeats do not grow without end.
    out: Vec<T>,
}

impl<T: Real> Buffers<T> {
    fn new(workload: Workload, limit: Option<u64>) -> Result<Self, BackendError> {
        let (batch, kernel) = (workload.batch(), workload.kernel_len());
        let (x, y) = (workload.signal_len() * batch, workload.output_len() * batch);
        // The kernel is bound, too.
        let needed = (2 * kernel + x + y + x.max(y)).saturating_mul(size_of::<T>());
        if let Some(limit) = limit.filter(|&limit| needed as u64 > limit) {
            return Err(BackendError::Memory {
                backend: "selector".to_owned(),
                workload,
                needed,
                limit: usize::try_from(limit).unwrap_or(usize::MAX),
            });
        }
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
        match direction {
            Direction::Forward => map.apply(&self.x, &mut self.out[..self.y.len()]),
            Direction::Transpose => map.apply_transpose(&self.y, &mut self.out[..self.x.len()]),
        }
    }
}
