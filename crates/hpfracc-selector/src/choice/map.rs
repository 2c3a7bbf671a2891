use super::candidate_plans::CandidatePlans;
use super::renewable::Renewable;
use super::running_choice::{Rent, RunningChoice};
use crate::experience::candidate_list::CandidateSet;
use crate::experience::events::Occurrence;
use crate::experience::learning::StatisticsGuard;
use crate::experience::sync::{lock, try_lock};
use crate::experience::{Experience, exploration};
use crate::task::{Direction, Stage};
use hpfracc_backend::{BackendError, LinearMap, Pending, Workload};
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
    /// Binds the candidate that is fastest for the mean number of applications of this workload.
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
            let usable = map.usable().without(tried);
            let statistics = map.plans.look();
            let (uses, planned) = (statistics.applications(), map.plans.planned());
            let cost = |i| {
                let outlay = statistics.outlay(i, planned.has(i));
                outlay + uses * statistics.seconds(i, Stage::Forward)
            };
            let Some(i) = map.plans.list().fastest(usable, cost) else {
                return Err(last.unwrap_or_else(|| map.exhausted()));
            };
            drop(statistics);
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
        BackendError::Unsupported {
            backend: "selector".to_owned(),
            workload: self.plans.workload,
            reason: "no candidate is left that could run it",
        }
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
                self.give_up_trial(&mut rent, direction);
                tried = tried.with(i);
                continue;
            }
            let sets = (usable, ready, self.plans.planned());
            let standing = statistics.standing(list, direction, sets)?;
            // Without learning no candidate is preferred: then the fastest of all, awake or not.
            let cost = |i| statistics.seconds(i, direction.stage());
            let preferred = statistics.preferred[direction as usize];
            let wanted = preferred.or_else(|| list.fastest(self.able(), cost));
            let rests = wanted.is_some_and(|wanted| wanted != standing.best);
            drop(statistics);
            match standing.now {
                Some(now) if now != standing.best && rent.paid < standing.price => {
                    rent.gain = standing.gain;
                    let left = (standing.price - rent.paid) / standing.gain.max(1e-12);
                    rent.leased = left.ceil().clamp(1.0, 1e6) as i64;
                    choice.settle(epoch, now, Some(rent.leased));
                    return Some(now);
                }
                _ => {}
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
        self.plans.list().fastest(of, |i| statistics.seconds(i, direction.stage()))
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
                let seconds = statistics.seconds(i, direction.stage());
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
            self.experience().add_lost(self.experience().since(start));
        }
        done
    }

    fn give_up_trial(&self, rent: &mut Rent, direction: Direction) {
        if rent.trial.take().is_some() {
            self.plans.look().end_trial(direction);
        }
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

    #[inline]
    fn through(
        &self,
        direction: Direction,
        run: impl FnMut(&dyn LinearMap<T>) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let _span = self.span().entered();
        let Some(i) = self.settled(direction).or_else(|| self.decide(direction)) else {
            return Err(self.exhausted());
        };
        let mut run = run;
        match self.timed(direction, i, &mut run) {
            Err(error) if !error.is_bad_input() => self.elsewhere(direction, i, error, &mut run),
            done => done,
        }
    }

    #[inline]
    fn timed(
        &self,
        direction: Direction,
        i: usize,
        run: &mut impl FnMut(&dyn LinearMap<T>) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let experience = self.experience();
        let map = self.map(i)?;
        if !experience.settings().learns() {
            run(map).inspect_err(|error| self.refused(i, error))?;
            self.recovered(i);
            return Ok(());
        }
        let start = experience.now();
        run(map).inspect_err(|error| self.refused(i, error))?;
        self.succeeded(direction, i, start);
        Ok(())
    }

    #[inline]
    fn succeeded(&self, direction: Direction, i: usize, start: u64) {
        let experience = self.experience();
        let nanos = experience.since(start);
        experience.record_execution(&self.plans.timings, direction, i, nanos);
        self.recovered(i);
    }

    /// Reports a failure to bind or to execute, unless the input is the reason.
    #[cold]
    fn refused(&self, i: usize, error: &BackendError) {
        if !error.is_bad_input() {
            self.report_failure(i, error);
        }
    }

    /// Ends the rest of a device that works again.
    #[inline]
    fn recovered(&self, i: usize) {
        let timings = &self.plans.timings;
        let health = &timings.list.members[i].health;
        if !health.is_sound() && health.recover() {
            self.experience().report(timings, i, Occurrence::Recovered);
        }
    }

    /// Applies the other candidates to the same input, fastest first, after one has failed.
    #[cold]
    fn elsewhere(
        &self,
        direction: Direction,
        first: usize,
        mut error: BackendError,
        run: &mut impl FnMut(&dyn LinearMap<T>) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let mut tried = CandidateSet::default();
        let mut failing = first;
        loop {
            let Some(next) = self.next(direction, &mut tried, failing) else {
                return Err(error);
            };
            match self.timed(direction, next, run) {
                Err(other) if !other.is_bad_input() => (failing, error) = (next, other),
                done => return done,
            }
        }
    }

    /// The candidate to run after one has failed: the fastest of those not tried yet.
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
        self.plans.list().fastest(rest, |i| statistics.seconds(i, direction.stage()))
    }

    /// [`SelectorMap::through`] with the futures of the candidates. The time recorded is that until
    /// the result is ready, including any other work of the program meanwhile.
    async fn awaited(
        &self,
        direction: Direction,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), BackendError> {
        let Some(mut i) = self.settled(direction).or_else(|| self.decide(direction)) else {
            return Err(self.exhausted());
        };
        let mut tried = CandidateSet::default();
        loop {
            match self.awaited_by(direction, i, from, to).await {
                Err(error) if !error.is_bad_input() => {
                    i = self.next(direction, &mut tried, i).ok_or(error)?;
                }
                done => return done,
            }
        }
    }

    async fn awaited_by(
        &self,
        direction: Direction,
        i: usize,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), BackendError> {
        let map = self.map(i)?;
        let experience = self.experience();
        let start = experience.settings().learns().then(|| experience.now());
        let done = match direction {
            Direction::Forward => map.apply_async(from, to).await,
            Direction::Transpose => map.apply_transpose_async(from, to).await,
        };
        done.inspect_err(|error| self.refused(i, error))?;
        match start {
            Some(start) => self.succeeded(direction, i, start),
            None => self.recovered(i),
        }
        Ok(())
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

    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        self.plans.workload.check_signals(x, y)?;
        self.through(Direction::Forward, |map| map.apply(x, y))
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        self.plans.workload.check_signals(x, y)?;
        self.through(Direction::Transpose, |map| map.apply_transpose(y, x))
    }

    // The provided futures would block until the candidate is done.

    fn apply_async<'a>(&'a self, x: &'a [T], y: &'a mut [T]) -> Pending<'a> {
        let work = async move {
            self.plans.workload.check_signals(x, y)?;
            self.awaited(Direction::Forward, x, y).await
        };
        Box::pin(work.instrument(self.span()))
    }

    fn apply_transpose_async<'a>(&'a self, y: &'a [T], x: &'a mut [T]) -> Pending<'a> {
        let work = async move {
            self.plans.workload.check_signals(x, y)?;
            self.awaited(Direction::Transpose, y, x).await
        };
        Box::pin(work.instrument(self.span()))
    }
}
