use super::candidate_plans::CandidatePlans;
use super::renewable::Renewable;
use super::running_choice::{Rent, RunningChoice};
use crate::experience::candidate_list::CandidateSet;
use crate::experience::events::Occurrence;
use crate::experience::learning::StatisticsGuard;
use crate::experience::sync::{lock, try_lock};
use crate::experience::{Experience, exploration};
use crate::task::Stage;
use hpfracc_backend::{BackendError, Direction, LinearMap, Pending, Workload};
use hpfracc_types::Real;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tracing::Instrument;

/// A map bound to the candidates that it has used. It runs the one preferred now.
pub(crate) struct SelectorMap<T> {
    plans: Arc<CandidatePlans<T>>,
    /// Stored for binding to other candidates later.
    kernel: Option<Box<[T]>>,
    bound: Vec<Renewable<Option<Box<dyn LinearMap<T>>>>>,
    /// Sets of the candidates bound, and of those that failed to bind or ran out of memory.
    ready: AtomicU64,
    failed: AtomicU64,
    choices: [RunningChoice; 2],
}

/// Number of executions after which a device that rests is considered again.
const UNTIL_AWAKE: i64 = 16;

impl<T: Real> SelectorMap<T> {
    /// Binds the first choice of the plans, or the next one if that fails.
    pub(crate) fn bind(plans: Arc<CandidatePlans<T>>, kernel: &[T]) -> Result<Self, BackendError> {
        let map = Self {
            kernel: plans.keeps_kernel().then(|| kernel.into()),
            bound: (0..plans.list().members.len()).map(|_| Renewable::default()).collect(),
            ready: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            choices: Default::default(),
            plans,
        };
        let (mut last, mut tried) = (None, CandidateSet::default());
        loop {
            let Some(i) = map.plans.first_choice(map.usable().without(tried)) else {
                return Err(last.unwrap_or_else(|| map.exhausted()));
            };
            tried = tried.with(i);
            match map.bind_to(i, kernel) {
                Ok(_) => return Ok(map),
                Err(error) if error.is_bad_input() => return Err(error),
                Err(error) => last = Some(error),
            }
        }
    }

    fn experience(&self) -> &Experience {
        &self.plans.experience
    }

    /// Candidates that are neither left out nor failed.
    fn able(&self) -> CandidateSet {
        self.plans.able().without(CandidateSet(self.failed.load(Relaxed)))
    }

    /// Candidates that may run: those whose devices rest only if there is no other.
    fn usable(&self) -> CandidateSet {
        self.plans.awake(self.able())
    }

    /// Candidates that are bound.
    fn ready(&self) -> CandidateSet {
        CandidateSet(self.ready.load(Relaxed))
    }

    fn exhausted(&self) -> BackendError {
        let reason = "no candidate is left that could run it";
        BackendError::unsupported("selector", self.plans.workload, reason)
    }

    fn bind_to(&self, i: usize, kernel: &[T]) -> Result<&dyn LinearMap<T>, BackendError> {
        let (map, error) = self.bound[i].get_or_make(|| {
            // The history has the refusal of a plan already.
            let plan = self.plans.plan(i)?;
            let experience = self.experience();
            let start = experience.now();
            let map = plan.bind(kernel).inspect_err(|error| self.refused(i, error))?;
            let nanos = experience.since(start);
            if experience.settings().learns() {
                experience.record_once(&self.plans.timings, Stage::Bind, i, nanos);
            }
            self.ready.fetch_or(1 << i, Relaxed);
            Ok(map)
        });
        if let Some(refusal) = &error {
            // A device is used again after its rest.
            let again = matches!(refusal, BackendError::Device { .. }) && self.bound[i].renew();
            if !again {
                self.failed.fetch_or(1 << i, Relaxed);
            }
        }
        map.map(|map| &**map).ok_or_else(|| error.unwrap_or_else(|| self.exhausted()))
    }

    /// The map of a candidate, bound now if necessary.
    fn map(&self, i: usize) -> Result<&dyn LinearMap<T>, BackendError> {
        match (self.bound[i].latest().get(), &self.kernel) {
            (Some(Some(map)), _) => Ok(map.as_ref()),
            (_, Some(kernel)) => self.bind_to(i, kernel),
            _ => Err(self.exhausted()),
        }
    }

    /// The candidate settled on, unless the choice has to be made again.
    #[inline]
    fn settled(&self, direction: Direction) -> Option<usize> {
        let timings = &self.plans.timings;
        let is_sound = |i: usize| timings.list.members[i].health.is_sound();
        self.choices[direction as usize].settled(timings.epoch(), is_sound)
    }

    /// Makes the choice again; not for each execution.
    #[cold]
    fn decide(&self, direction: Direction) -> Option<usize> {
        let choice = &self.choices[direction as usize];
        let Some(mut rent) = try_lock(&choice.rent) else {
            return self.fastest_bound(direction);
        };
        rent.pay(choice);
        let (timings, list) = (&self.plans.timings, self.plans.list());
        let mut tried = CandidateSet::default();
        loop {
            let usable = self.usable().without(tried);
            let ready = self.ready();
            let mut statistics = self.plans.look();
            let epoch = timings.epoch();
            if let Some((i, lease)) = self.trial(&mut rent, &mut statistics, direction, usable) {
                drop(statistics);
                if self.bind_for_trial(i) {
                    choice.settle(epoch, i, Some(lease));
                    rent.leased = lease;
                    return Some(i);
                }
                rent.trial = None;
                self.plans.look().end_trial(direction);
                tried = tried.with(i);
                continue;
            }
            let sets = (usable, ready, self.plans.planned());
            let standing = statistics.standing(list, direction, sets)?;
            // The best of all, awake or not.
            let rests = statistics.best(list, direction, self.able()) != Some(standing.best);
            drop(statistics);
            if let Some(now) = standing.now
                && now != standing.best
                && rent.paid < standing.price
                && !self.plans.is_fixed()
            {
                rent.gain = standing.gain;
                let left = (standing.price - rent.paid) / standing.gain.max(1e-12);
                rent.leased = left.ceil().clamp(1.0, 1e6) as i64;
                choice.settle(epoch, now, Some(rent.leased));
                return Some(now);
            }
            if self.map(standing.best).is_ok() {
                rent.paid = 0.0;
                rent.leased = if rests { UNTIL_AWAKE } else { 0 };
                choice.settle(epoch, standing.best, rests.then_some(UNTIL_AWAKE));
                return Some(standing.best);
            }
            tried = tried.with(standing.best);
        }
    }

    /// The choice while another thread decides: the fastest of the candidates bound.
    ///
    /// Waiting could be a deadlock. Binding may wait for a thread pool, and a thread of the pool
    /// that waits may be given another application of this very map.
    fn fastest_bound(&self, direction: Direction) -> Option<usize> {
        let usable = self.usable();
        let of = usable.and(self.ready()).or_if_empty(usable);
        let statistics = self.plans.look();
        statistics.best(self.plans.list(), direction, of)
    }

    /// The candidate on trial and its number of executions: one that warms caches, then a few.
    fn trial(
        &self,
        rent: &mut Rent,
        statistics: &mut StatisticsGuard<'_>,
        direction: Direction,
        usable: CandidateSet,
    ) -> Option<(usize, i64)> {
        match rent.trial {
            Some((i, false)) if usable.has(i) => {
                rent.trial = Some((i, true));
                let seconds = statistics.seconds(i, Stage::of(direction));
                return Some((i, i64::from(exploration::repeats(seconds))));
            }
            Some(_) => {
                rent.trial = None;
                statistics.end_trial(direction);
            }
            None => {}
        }
        self.kernel.as_ref()?;
        let i = statistics.begin_trial(direction, usable)?;
        rent.trial = Some((i, false));
        Some((i, 1))
    }

    /// Binds a candidate on trial; the time is lost. Returns whether it is bound.
    fn bind_for_trial(&self, i: usize) -> bool {
        let start = self.experience().now();
        let new = self.bound[i].latest().get().is_none();
        let done = self.map(i).is_ok();
        if done && new {
            self.experience().budget.add_lost(self.experience().since(start));
        }
        done
    }

    fn report_failure(&self, i: usize, error: &BackendError) {
        let rest = match error {
            // Another workload may fit.
            BackendError::Memory { .. } | BackendError::Unsupported { .. } => {
                self.failed.fetch_or(1 << i, Relaxed);
                Default::default()
            }
            _ => {
                self.renew(i);
                self.plans.list().members[i].health.fail(self.experience().now())
            }
        };
        let what = Occurrence::Failed { error: error.with_causes(), rest };
        self.experience().report(&self.plans.timings, i, what);
    }

    /// Discards plan and map of a candidate, because what was on a lost device stays lost. Both are
    /// made again after its rest.
    fn renew(&self, i: usize) {
        self.plans.renew(i);
        if self.kernel.is_some() && self.bound[i].renew() {
            self.ready.fetch_and(!(1 << i), Relaxed);
        }
    }

    /// The candidate to run first.
    #[inline]
    fn first(&self, direction: Direction) -> Result<usize, BackendError> {
        let settled = self.settled(direction).or_else(|| self.decide(direction));
        settled.ok_or_else(|| self.exhausted())
    }

    /// The candidate to run after one has failed: the fastest of those not tried yet.
    #[cold]
    fn next(
        &self,
        direction: Direction,
        tried: &mut CandidateSet,
        failing: usize,
    ) -> Option<usize> {
        *tried = tried.with(failing);
        self.choices[direction as usize].unsettle();
        let rest = self.usable().without(*tried);
        let statistics = self.plans.look();
        self.plans.list().fastest(rest, |i| statistics.seconds(i, Stage::of(direction)))
    }

    /// The time now, if executions are timed.
    #[inline]
    fn start(&self) -> Option<u64> {
        let experience = self.experience();
        experience.settings().learns().then(|| experience.now())
    }

    /// Records an execution: its time, the recovery of a device, or a failure.
    #[inline]
    fn record(
        &self,
        direction: Direction,
        i: usize,
        start: Option<u64>,
        outcome: Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        outcome.inspect_err(|error| self.refused(i, error))?;
        let (experience, timings) = (self.experience(), &self.plans.timings);
        if let Some(start) = start {
            experience.record_execution(timings, direction, i, experience.since(start));
        }
        // A device that works again ends its rest.
        let health = &timings.list.members[i].health;
        if !health.is_sound() && health.recover() {
            experience.report(timings, i, Occurrence::Recovered);
        }
        Ok(())
    }

    /// Reports a failure to bind or to execute, unless the input is the reason.
    #[cold]
    fn refused(&self, i: usize, error: &BackendError) {
        if !error.is_bad_input() {
            self.report_failure(i, error);
        }
    }

    #[inline]
    fn span(&self) -> tracing::Span {
        tracing::trace_span!("apply", workload = %self.plans.workload)
    }
}

impl<T> Drop for SelectorMap<T> {
    /// Ends the trials of this map, so that others can be scheduled.
    fn drop(&mut self) {
        for direction in Direction::BOTH {
            if lock(&self.choices[direction as usize].rent).trial.is_some() {
                let CandidatePlans { experience, timings, .. } = &*self.plans;
                experience.look(timings).end_trial(direction);
            }
        }
    }
}

impl<T: Real> LinearMap<T> for SelectorMap<T> {
    fn workload(&self) -> Workload {
        self.plans.workload
    }

    /// After a failure the other candidates compute the same input, fastest first.
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let _span = self.span().entered();
        let (mut i, mut tried) = (self.first(direction)?, CandidateSet::default());
        loop {
            let done = self.map(i).and_then(|map| {
                let start = self.start();
                self.record(direction, i, start, map.run(direction, from, to))
            });
            match done {
                Err(error) if !error.is_bad_input() => {
                    i = self.next(direction, &mut tried, i).ok_or(error)?;
                }
                done => return done,
            }
        }
    }

    /// [`SelectorMap::run`] with the futures of the candidates: the provided future would block
    /// until the candidate is done. The time recorded is that until the result is ready, including
    /// any other work of the program meanwhile.
    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [T],
        to: &'a mut [T],
    ) -> Pending<'a> {
        let work = async move {
            let (mut i, mut tried) = (self.first(direction)?, CandidateSet::default());
            loop {
                let done = match self.map(i) {
                    Ok(map) => {
                        let start = self.start();
                        let outcome = map.run_async(direction, from, to).await;
                        self.record(direction, i, start, outcome)
                    }
                    Err(error) => Err(error),
                };
                match done {
                    Err(error) if !error.is_bad_input() => {
                        i = self.next(direction, &mut tried, i).ok_or(error)?;
                    }
                    done => return done,
                }
            }
        };
        Box::pin(work.instrument(self.span()))
    }
}
