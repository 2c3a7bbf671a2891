use crate::candidate::Place;
use crate::clock::{Clock, SystemClock};
use crate::health::Health;
use crate::history::{Event, History, Occurrence};
use crate::law::{Law, Prior};
use crate::model::{CostModel, Forecast, Sample};
use crate::settings::Settings;
use crate::site::{Site, Sites};
use crate::tally::Counted;
use crate::task::{Scalar, Stage};
use crate::timer::Timers;
use hpfracc_backend::{Kind, Workload};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError, Weak};
use std::time::Duration;

/// What selectors have learned: timings, models, history, statistics. Shared by the selector of
/// single and that of double precision.
///
/// Memory: of each candidate, kind of workload, scalar type and stage (planning, binding, executing) the timings
/// of the latest 2048 workloads, some 200 bytes each. Saving or reading them takes a few times as much while it lasts.
pub struct Experience {
    settings: Settings,
    clock: Arc<dyn Clock>,
    /// All candidates that took part; their places here are their numbers.
    candidates: RwLock<Vec<Entered>>,
    /// By device, or by name on the host.
    health: Mutex<HashMap<String, Arc<Health>>>,
    models: RwLock<HashMap<ModelKey, CostModel>>,
    /// The workloads of each selector; held weakly, as sites hold their experience.
    selectors: Mutex<Vec<Weak<Sites>>>,
    history: Mutex<History>,
    pub(crate) timers: Timers,
    /// Nanoseconds executed, and those lost to trials.
    spent: AtomicU64,
    explored: AtomicU64,
    /// Readings that the models were given.
    lessons: AtomicU64,
    /// Number of resets.
    generation: AtomicU32,
}

/// A candidate by name and place, with what it is expected to cost in either precision.
#[derive(Debug, Clone)]
pub(crate) struct Entered {
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) priors: [Option<Prior>; 2],
}

/// Candidate, kind, scalar and stage; both directions share a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ModelKey {
    pub(crate) candidate: usize,
    kind: Kind,
    pub(crate) scalar: Scalar,
    stage: Stage,
}

impl ModelKey {
    pub(crate) fn new(candidate: usize, scalar: Scalar, workload: Workload, stage: Stage) -> Self {
        let stage = if stage.is_application() { Stage::Forward } else { stage };
        Self { candidate, kind: workload.kind(), scalar, stage }
    }
}

impl Experience {
    /// Nothing learned yet, on the system's clock.
    pub fn new(settings: Settings) -> Arc<Self> {
        Self::with_clock(settings, Arc::new(SystemClock::new()))
    }

    /// Nothing learned yet, on any clock.
    pub fn with_clock(settings: Settings, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            settings,
            clock,
            candidates: RwLock::default(),
            health: Mutex::default(),
            models: RwLock::default(),
            selectors: Mutex::default(),
            history: Mutex::default(),
            timers: Timers::default(),
            spent: AtomicU64::new(0),
            explored: AtomicU64::new(0),
            lessons: AtomicU64::new(0),
            generation: AtomicU32::new(0),
        })
    }

    /// How selectors choose and learn.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The latest events, oldest first; at most 1024.
    pub fn history(&self) -> Vec<Event> {
        lock(&self.history).events()
    }

    /// Time executed by chosen candidates, and the part of it lost to trials.
    pub fn exploration_paid(&self) -> (Duration, Duration) {
        let read = |nanos: &AtomicU64| Duration::from_nanos(nanos.load(Relaxed));
        (read(&self.spent), read(&self.explored))
    }

    /// Forgets timings, statistics and history. Maps in use go on and learn anew. Devices that rest after
    /// a failure go on resting.
    pub fn reset(&self) {
        self.models.write().unwrap_or_else(PoisonError::into_inner).clear();
        lock(&self.history).clear();
        self.timers.clear();
        self.spent.store(0, Relaxed);
        self.explored.store(0, Relaxed);
        self.generation.fetch_add(1, Relaxed);
        for site in self.sites() {
            drop(site.look());
        }
    }

    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.clock.nanos()
    }

    /// Nanoseconds since a time; none if the clock was set back.
    #[inline]
    pub(crate) fn since(&self, start: u64) -> u64 {
        self.now().saturating_sub(start)
    }

    pub(crate) fn unix_seconds(&self) -> u64 {
        self.clock.unix_seconds()
    }

    pub(crate) fn lessons(&self) -> u64 {
        self.lessons.load(Relaxed)
    }

    pub(crate) fn generation(&self) -> u32 {
        self.generation.load(Relaxed)
    }

    /// The workloads of a new selector.
    pub(crate) fn open(&self) -> Arc<Sites> {
        let sites = Arc::new(Sites::default());
        let mut selectors = lock(&self.selectors);
        selectors.retain(|known| known.strong_count() > 0);
        selectors.push(Arc::downgrade(&sites));
        sites
    }

    /// A number for a candidate, and the health that it shares with others on its device.
    pub(crate) fn enter(
        &self,
        name: &str,
        place: &Place,
        (scalar, prior): (Scalar, Prior),
    ) -> (usize, Arc<Health>) {
        let text = place.to_string();
        let mut candidates = self.candidates.write().unwrap_or_else(PoisonError::into_inner);
        let known = candidates.iter().position(|c| c.name == name && c.place == text);
        let id = known.unwrap_or_else(|| {
            let (name, place) = (name.to_owned(), text.clone());
            candidates.push(Entered { name, place, priors: [None; 2] });
            candidates.len() - 1
        });
        candidates[id].priors[scalar as usize].get_or_insert(prior);
        let device = match place {
            Place::Host | Place::Threads(_) => name.to_owned(),
            Place::Device { .. } => text,
        };
        (id, Arc::clone(lock(&self.health).entry(device).or_default()))
    }

    /// All candidates, by number.
    pub(crate) fn candidates(&self) -> Vec<Entered> {
        self.candidates.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The law expected of a candidate; `None` if it does not compute with this scalar.
    fn law(&self, key: ModelKey) -> Option<Law> {
        let candidates = self.candidates.read().unwrap_or_else(PoisonError::into_inner);
        let prior = candidates.get(key.candidate)?.priors[key.scalar as usize];
        prior.map(|prior| *prior.law(key.stage))
    }

    /// All workloads of the selectors that live.
    pub(crate) fn sites(&self) -> Vec<Arc<Site>> {
        let selectors: Vec<_> = lock(&self.selectors).iter().filter_map(Weak::upgrade).collect();
        selectors.iter().flat_map(|sites| sites.all()).collect()
    }

    pub(crate) fn tell(
        &self,
        workload: Workload,
        scalar: Scalar,
        candidate: &str,
        what: Occurrence,
    ) {
        let at = Duration::from_nanos(self.now());
        let event = Event { at, workload, scalar, candidate: candidate.to_owned(), what };
        match event.what {
            Occurrence::Failed { .. } => tracing::warn!("{event}"),
            _ => tracing::debug!("{event}"),
        }
        lock(&self.history).push(event);
    }

    /// What the models say, by stage.
    pub(crate) fn forecasts(
        &self,
        candidate: usize,
        scalar: Scalar,
        workload: Workload,
    ) -> [Forecast; Stage::COUNT] {
        Stage::ALL.map(|stage| {
            let key = ModelKey::new(candidate, scalar, workload, stage);
            let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
            match models.get(&key) {
                Some(model) if !model.is_stale() => model.forecast(workload, stage),
                Some(_) => {
                    drop(models);
                    self.change_model(key, |model| {
                        model.fit();
                        model.forecast(workload, stage)
                    })
                }
                None => {
                    let law = self.law(key).unwrap_or_default();
                    CostModel::new(&law).forecast(workload, stage)
                }
            }
        })
    }

    fn change_model<R>(&self, key: ModelKey, change: impl FnOnce(&mut CostModel) -> R) -> R {
        let law = self.law(key).unwrap_or_default();
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        change(models.entry(key).or_insert_with(|| CostModel::new(&law)))
    }

    /// Time and executions remembered for exactly this workload.
    pub(crate) fn remembered(
        &self,
        candidate: usize,
        scalar: Scalar,
        workload: Workload,
        stage: Stage,
    ) -> Option<Sample> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        let model = models.get(&ModelKey::new(candidate, scalar, workload, stage))?;
        model.sample(workload, stage).copied()
    }

    /// Remembers the logarithm of a time, the executions behind it and when it was taken.
    pub(crate) fn remember(
        &self,
        (candidate, scalar): (usize, Scalar),
        workload: Workload,
        stage: Stage,
        reading: (f64, u64, u64),
    ) {
        let key = ModelKey::new(candidate, scalar, workload, stage);
        self.change_model(key, |model| model.record(workload, stage, reading));
        self.lessons.fetch_add(1, Relaxed);
    }

    /// All that is remembered, one after the other. Nothing is learned meanwhile.
    pub(crate) fn each_sample(&self, mut look: impl FnMut(&ModelKey, &Sample)) {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        for (key, model) in models.iter() {
            model.samples().iter().for_each(|sample| look(key, sample));
        }
    }

    pub(crate) fn spend(&self, counted: Counted) {
        self.spent.fetch_add(counted.nanos, Relaxed);
    }

    /// Nanoseconds lost to a trial.
    pub(crate) fn charge(&self, nanos: u64) {
        self.explored.fetch_add(nanos, Relaxed);
    }

    /// Whether a trial at this price, in seconds, stays within what exploration may cost.
    pub(crate) fn affords(&self, price: f64) -> bool {
        let (spent, explored) = self.exploration_paid();
        let exploration = self.settings.exploration;
        let allowed = exploration.fixed.as_secs_f64() + exploration.fraction * spent.as_secs_f64();
        explored.as_secs_f64() + price <= allowed
    }
}

impl fmt::Debug for Experience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experience").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Nothing is left half-changed by a panic while one of these locks is held.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same, if nobody holds it.
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
