use crate::explain::with_causes;
use crate::history::Occurrence;
use crate::plan::Choices;
use crate::renewed::Renewed;
use crate::roster::Set;
use crate::task::{Direction, Stage};
use crate::trial;
use hpfracc_backend::{BackendError, LinearMap, Pending, Workload};
use hpfracc_types::Real;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use tracing::Instrument;

/// A map bound to the candidates that it has used, of which it runs the one preferred now.
pub(crate) struct ChoiceMap<T> {
    choices: Arc<Choices<T>>,
    /// For binding to others later.
    kernel: Option<Box<[T]>>,
    bound: Vec<Renewed<Option<Box<dyn LinearMap<T>>>>>,
    /// Candidates bound, and those that failed to bind or ran out of memory.
    ready: AtomicU64,
    failed: AtomicU64,
    lanes: [Lane; 2],
}

/// The running choice for one direction.
#[derive(Default)]
struct Lane {
    /// Epoch of the site in the upper half; below, a flag that the lease counts; the candidate's
    /// number and one. Zero: nothing was decided yet.
    settled: AtomicU64,
    /// Executions until the choice is looked at again.
    lease: AtomicI64,
    state: Mutex<LaneState>,
}

#[derive(Default)]
struct LaneState {
    /// Seconds lost so far by not running the best candidate, which is not bound.
    rent: f64,
    /// Seconds lost per execution of the current lease, and its executions.
    gain: f64,
    leased: i64,
    /// A candidate on trial, and whether its first execution, which warms caches, is over.
    trial: Option<(usize, bool)>,
}

const LEASED: u64 = 1 << 16;

/// Executions after which a device that rests is thought of again.
const UNTIL_AWAKE: i64 = 16;

impl<T: Real> ChoiceMap<T> {
    /// Bound to the candidate that is quickest for as many applications as this workload usually
    /// sees.
    pub(crate) fn bind(choices: Arc<Choices<T>>, kernel: &[T]) -> Result<Self, BackendError> {
        let map = Self {
            kernel: choices.keeps_kernel().then(|| kernel.into()),
            bound: (0..choices.site.roster.members.len()).map(|_| Renewed::default()).collect(),
            ready: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            lanes: Default::default(),
            choices,
        };
        let (mut last, mut tried) = (None, Set::default());
        loop {
            let usable = map.usable(map.now()).without(tried);
            let state = map.choices.site.look();
            let (uses, planned) = (state.applications(), map.choices.planned());
            let cost = |i| {
                state.outlay(i, planned.has(i)) + uses * state.expect(i, Stage::Forward).log.exp()
            };
            let Some(i) = state.quickest(usable, cost) else {
                return Err(last.unwrap_or_else(|| map.exhausted()));
            };
            drop(state);
            tried = tried.with(i);
            match map.bind_to(i, kernel) {
                Ok(_) => return Ok(map),
                Err(error) if error.is_bad_input() => return Err(error),
                Err(error) => last = Some(error),
            }
        }
    }

    fn now(&self) -> u64 {
        self.choices.site.roster.experience.now()
    }

    /// Candidates that may run: not left out, not failed; those at rest only if there is no other.
    fn usable(&self, now: u64) -> Set {
        let able = self.choices.able().without(Set(self.failed.load(Relaxed)));
        let awake = Set(able.0 & self.choices.site.roster.awake(now).0);
        if awake.is_empty() { able } else { awake }
    }

    fn exhausted(&self) -> BackendError {
        BackendError::Unsupported {
            backend: "selector".to_owned(),
            workload: self.choices.site.workload,
            reason: "no candidate is left that could run it",
        }
    }

    fn bind_to(&self, i: usize, kernel: &[T]) -> Result<&dyn LinearMap<T>, BackendError> {
        let mut error = None;
        let map = self.bound[i].latest().get_or_init(|| {
            // A plan that is refused has told the history itself.
            let bound = self.choices.plan(i).and_then(|plan| {
                let experience = &self.choices.site.roster.experience;
                let start = experience.now();
                let map = plan.bind(kernel).inspect_err(|error| self.refused(i, error))?;
                let nanos = experience.since(start);
                if experience.settings().learns() {
                    self.choices.site.record_once(Stage::Bind, i, nanos);
                }
                Ok(map)
            });
            match bound {
                Ok(map) => {
                    self.ready.fetch_or(1 << i, Relaxed);
                    Some(map)
                }
                Err(refusal) => {
                    error = Some(refusal);
                    None
                }
            }
        });
        if let Some(refusal) = &error {
            // A device is asked again when it has rested.
            let again = matches!(refusal, BackendError::Device { .. }) && self.bound[i].renew();
            if !again {
                self.failed.fetch_or(1 << i, Relaxed);
            }
        }
        map.as_deref().ok_or_else(|| error.unwrap_or_else(|| self.exhausted()))
    }

    /// The candidate's map, bound now if it is not yet.
    fn map(&self, i: usize) -> Result<&dyn LinearMap<T>, BackendError> {
        match (self.bound[i].latest().get(), &self.kernel) {
            (Some(Some(map)), _) => Ok(map.as_ref()),
            (_, Some(kernel)) => self.bind_to(i, kernel),
            _ => Err(self.exhausted()),
        }
    }

    /// The candidate settled on, if nothing has happened since.
    #[inline]
    fn settled(&self, direction: Direction) -> Option<usize> {
        let lane = &self.lanes[direction as usize];
        let settled = lane.settled.load(Relaxed);
        let site = &self.choices.site;
        if settled == 0 || settled >> 32 != u64::from(site.epoch()) {
            return None;
        }
        let i = (settled & (LEASED - 1)) as usize - 1;
        let leased = settled & LEASED != 0;
        if !site.roster.members[i].health.is_sound()
            || (leased && lane.lease.fetch_sub(1, Relaxed) <= 0)
        {
            return None;
        }
        Some(i)
    }

    /// Decides anew; not for each execution.
    #[cold]
    fn decide(&self, direction: Direction) -> Option<usize> {
        let lane = &self.lanes[direction as usize];
        let Some(mut held) = crate::experience::try_lock(&lane.state) else {
            return self.meanwhile(direction);
        };
        let remains = lane.lease.load(Relaxed).clamp(0, held.leased);
        held.rent += held.gain * (held.leased - remains) as f64;
        (held.gain, held.leased) = (0.0, 0);
        let site = &self.choices.site;
        let mut tried = Set::default();
        loop {
            let usable = self.usable(self.now()).without(tried);
            let ready = Set(self.ready.load(Relaxed));
            let mut state = site.look();
            let epoch = site.epoch();
            if let Some(lease) = self.trial(&mut held, &mut state, direction, usable) {
                let (i, lease) = lease;
                drop(state);
                let start = self.now();
                let fresh = self.bound[i].latest().get().is_none();
                if self.map(i).is_ok() {
                    if fresh {
                        site.roster.experience.charge(site.roster.experience.since(start));
                    }
                    self.settle(lane, epoch, (i, Some(lease)));
                    held.leased = lease;
                    return Some(i);
                }
                self.give_up_trial(&mut held, direction);
                tried = tried.with(i);
                continue;
            }
            let standing = state.standing(direction, (usable, ready, self.choices.planned()))?;
            let able = self.choices.able().without(Set(self.failed.load(Relaxed)));
            let cost = |i| state.expect(i, direction.stage()).log.exp();
            // Without learning nothing is preferred: then what would be run, if it were not at rest.
            let wanted = state.preferred[direction as usize].or_else(|| state.quickest(able, cost));
            let rests = wanted.is_some_and(|w| w != standing.best);
            drop(state);
            match standing.now {
                Some(now) if now != standing.best && held.rent < standing.price => {
                    held.gain = standing.gain;
                    let left = (standing.price - held.rent) / standing.gain.max(1e-12);
                    held.leased = left.ceil().clamp(1.0, 1e6) as i64;
                    self.settle(lane, epoch, (now, Some(held.leased)));
                    return Some(now);
                }
                _ => {}
            }
            if self.map(standing.best).is_ok() {
                held.rent = 0.0;
                held.leased = if rests { UNTIL_AWAKE } else { 0 };
                self.settle(lane, epoch, (standing.best, rests.then_some(UNTIL_AWAKE)));
                return Some(standing.best);
            }
            tried = tried.with(standing.best);
        }
    }

    /// What to run while another thread decides: the quickest of those bound.
    ///
    /// Waiting could last for ever. What is being bound may wait for a pool of threads, and a thread of
    /// a pool that waits may be given another application of this very map.
    fn meanwhile(&self, direction: Direction) -> Option<usize> {
        let usable = self.usable(self.now());
        let ready = Set(usable.0 & self.ready.load(Relaxed));
        let of = if ready.is_empty() { usable } else { ready };
        let state = self.choices.site.look();
        state.quickest(of, |i| state.expect(i, direction.stage()).log.exp())
    }

    /// The candidate on trial and its executions: one that warms caches, then a few.
    fn trial(
        &self,
        held: &mut LaneState,
        state: &mut crate::state::State,
        direction: Direction,
        usable: Set,
    ) -> Option<(usize, i64)> {
        match held.trial {
            Some((i, false)) if usable.has(i) => {
                held.trial = Some((i, true));
                let seconds = state.expect(i, direction.stage()).log.exp();
                return Some((i, i64::from(trial::repeats(seconds))));
            }
            Some(_) => {
                held.trial = None;
                state.end_trial(direction);
            }
            None => {}
        }
        self.kernel.as_ref()?;
        let i = state.begin_trial(direction, usable)?;
        held.trial = Some((i, false));
        Some((i, 1))
    }

    fn give_up_trial(&self, held: &mut LaneState, direction: Direction) {
        if held.trial.take().is_some() {
            self.choices.site.look().end_trial(direction);
        }
    }

    fn settle(&self, lane: &Lane, epoch: u32, (i, lease): (usize, Option<i64>)) {
        // The execution about to run is the first of the lease.
        lane.lease.store(lease.map_or(0, |n| n - 1), Relaxed);
        let flag = if lease.is_some() { LEASED } else { 0 };
        lane.settled.store(u64::from(epoch) << 32 | flag | (i as u64 + 1), Relaxed);
    }

    fn note_failure(&self, i: usize, error: &BackendError) {
        let site = &self.choices.site;
        let experience = &site.roster.experience;
        let rest = match error {
            // Too large here, but not for another workload.
            BackendError::Memory { .. } | BackendError::Unsupported { .. } => {
                self.failed.fetch_or(1 << i, Relaxed);
                Default::default()
            }
            _ => {
                self.renew(i);
                site.roster.members[i].health.fail(experience.now())
            }
        };
        let (name, scalar) = (&site.roster.members[i].name, site.roster.scalar);
        let what = Occurrence::Failed { error: with_causes(error), rest };
        experience.tell(site.workload, scalar, name, what);
    }

    /// Plans and binds a candidate anew when it has rested: what was on a lost device stays lost.
    fn renew(&self, i: usize) {
        self.choices.renew(i);
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
        let site = &self.choices.site;
        let experience = &site.roster.experience;
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
        let site = &self.choices.site;
        site.record(direction, i, site.roster.experience.since(start));
        self.recovered(i);
    }

    /// Notes the failure to bind or to execute, unless it is the input's.
    #[cold]
    fn refused(&self, i: usize, error: &BackendError) {
        if !error.is_bad_input() {
            self.note_failure(i, error);
        }
    }

    /// Ends the rest of a device that works again.
    #[inline]
    fn recovered(&self, i: usize) {
        let site = &self.choices.site;
        let experience = &site.roster.experience;
        let member = &site.roster.members[i];
        if !member.health.is_sound() && member.health.recover() {
            experience.tell(site.workload, site.roster.scalar, &member.name, Occurrence::Recovered);
        }
    }

    /// The same input through the other candidates, quickest first, after one has failed.
    #[cold]
    fn elsewhere(
        &self,
        direction: Direction,
        first: usize,
        mut error: BackendError,
        run: &mut impl FnMut(&dyn LinearMap<T>) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let mut tried = Set::default();
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

    /// The candidate to ask after one has failed, the quickest of those not tried yet.
    fn next(&self, direction: Direction, tried: &mut Set, failing: usize) -> Option<usize> {
        *tried = tried.with(failing);
        self.lanes[direction as usize].settled.store(0, Relaxed);
        let rest = self.usable(self.now()).without(*tried);
        let state = self.choices.site.look();
        state.quickest(rest, |i| state.expect(i, direction.stage()).log.exp())
    }

    /// [`ChoiceMap::through`] with the futures of the candidates. The time counted is that until the
    /// result is there, whatever else the program has done meanwhile.
    async fn awaited(
        &self,
        direction: Direction,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), BackendError> {
        let Some(mut i) = self.settled(direction).or_else(|| self.decide(direction)) else {
            return Err(self.exhausted());
        };
        let mut tried = Set::default();
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
        let experience = &self.choices.site.roster.experience;
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
        tracing::trace_span!("apply", workload = %self.choices.site.workload)
    }
}

impl<T> Drop for ChoiceMap<T> {
    /// A trial that nobody will finish must not keep others from being tried.
    fn drop(&mut self) {
        for direction in Direction::BOTH {
            if crate::experience::lock(&self.lanes[direction as usize].state).trial.is_some() {
                self.choices.site.look().end_trial(direction);
            }
        }
    }
}

impl<T: Real> LinearMap<T> for ChoiceMap<T> {
    fn workload(&self) -> Workload {
        self.choices.site.workload
    }

    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        self.choices.site.workload.check_signals(x, y)?;
        self.through(Direction::Forward, |map| map.apply(x, y))
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        self.choices.site.workload.check_signals(x, y)?;
        self.through(Direction::Transpose, |map| map.apply_transpose(y, x))
    }

    // The provided futures would wait for the candidate.

    fn apply_async<'a>(&'a self, x: &'a [T], y: &'a mut [T]) -> Pending<'a> {
        let work = async move {
            self.choices.site.workload.check_signals(x, y)?;
            self.awaited(Direction::Forward, x, y).await
        };
        Box::pin(work.instrument(self.span()))
    }

    fn apply_transpose_async<'a>(&'a self, y: &'a [T], x: &'a mut [T]) -> Pending<'a> {
        let work = async move {
            self.choices.site.workload.check_signals(x, y)?;
            self.awaited(Direction::Transpose, y, x).await
        };
        Box::pin(work.instrument(self.span()))
    }
}
