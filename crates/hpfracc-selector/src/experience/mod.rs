//! Everything that was learned: [`Experience`] owns the timings, and every change goes through it.

pub(crate) mod budget;
pub(crate) mod candidate_list;
pub(crate) mod events;
pub(crate) mod exploration;
pub(crate) mod health;
pub(crate) mod learning;
pub(crate) mod models;
mod readings;
pub(crate) mod statistics;
pub(crate) mod sync;
pub(crate) mod tally;
pub(crate) mod timers;
pub(crate) mod timings;

use crate::candidate::Place;
use crate::clock::{Clock, SystemClock};
use crate::cost::features::Features;
use crate::cost::model::{Forecast, Sample};
use crate::cost::prior::Coefficients;
use crate::settings::Settings;
use crate::task::{Scalar, Stage};
use budget::Budget;
use events::{Event, Occurrence};
use health::Health;
use hpfracc_backend::Workload;
use models::{CostModels, ModelKey};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use sync::lock;
use timers::Timers;
use timings::{Timings, TimingsCache};

/// Everything that selectors have learned: timings, cost models, history, statistics. Shared by the
/// selectors of single and of double precision, and by the choices between methods
/// ([`Autotuner`](hpfracc_backend::Autotuner)).
///
/// Memory: some 200 bytes for each of the latest 2048 workloads of each candidate, kind of
/// workload, scalar type and stage (planning, binding, executing). Saving and loading take a few
/// times as much temporarily.
pub struct Experience {
    settings: Settings,
    clock: Arc<dyn Clock>,
    /// All candidates and methods; their indices are their numbers.
    registered: RwLock<Vec<Registered>>,
    /// By device, or by name on the host.
    health: Mutex<HashMap<String, Arc<Health>>>,
    pub(crate) models: CostModels,
    /// The workloads of each selector that exists.
    selectors: Mutex<Vec<Weak<TimingsCache<Workload>>>>,
    /// The kinds of work with several methods.
    pub(crate) tuned: RwLock<Vec<Arc<TunedWork>>>,
    /// The latest events, oldest first.
    history: Mutex<VecDeque<Event>>,
    pub(crate) timers: Timers,
    pub(crate) budget: Budget,
    /// Number of resets.
    generation: AtomicU32,
}

/// Largest number of events stored.
const EVENTS: usize = 1024;

/// A kind of work with its methods, in one precision, and the timings of its sizes.
pub(crate) struct TunedWork {
    pub(crate) name: String,
    /// Names of the sizes.
    pub(crate) sizes: Vec<String>,
    pub(crate) list: Arc<candidate_list::CandidateList>,
    pub(crate) timings: TimingsCache<Vec<u64>>,
}

/// A candidate of a selector or a method of a kind of work, with its expected cost.
#[derive(Debug, Clone)]
pub(crate) struct Registered {
    pub(crate) name: String,
    pub(crate) home: Home,
    /// Prior by scalar and stage; none for a scalar that it does not compute with.
    priors: [Option<[Coefficients; Stage::COUNT]>; 2],
}

/// What a candidate belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Home {
    /// A backend at a place.
    Place(String),
    /// A method for a kind of work.
    Work(String),
}

impl Registered {
    pub(crate) fn computes_with(&self, scalar: Scalar) -> bool {
        self.priors[scalar as usize].is_some()
    }

    pub(crate) fn is(&self, name: &str, home: &Home) -> bool {
        self.name == name && self.home == *home
    }
}

impl Experience {
    /// An empty experience on the clock of the system.
    pub fn new(settings: Settings) -> Arc<Self> {
        Self::with_clock(settings, Arc::new(SystemClock::new()))
    }

    /// An empty experience on any clock.
    pub fn with_clock(settings: Settings, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            settings,
            clock,
            registered: RwLock::default(),
            health: Mutex::default(),
            models: CostModels::default(),
            selectors: Mutex::default(),
            tuned: RwLock::default(),
            history: Mutex::default(),
            timers: Timers::default(),
            budget: Budget::default(),
            generation: AtomicU32::new(0),
        })
    }

    /// How selectors choose and learn.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The latest events, oldest first; at most 1024.
    pub fn history(&self) -> Vec<Event> {
        lock(&self.history).iter().cloned().collect()
    }

    /// Time executed in all, and the part of it lost to trials.
    pub fn exploration_paid(&self) -> (Duration, Duration) {
        self.budget.totals()
    }

    /// Clears timings, statistics and history. Maps in use continue and learn again. Devices that
    /// rest after a failure continue to rest.
    pub fn reset(&self) {
        self.models.clear();
        lock(&self.history).clear();
        self.timers.clear();
        self.budget.clear();
        self.generation.fetch_add(1, Relaxed);
        for timings in self.all_timings() {
            drop(self.look(&timings));
        }
    }

    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.clock.nanos()
    }

    /// Nanoseconds since a time; zero if the clock was set back.
    #[inline]
    pub(crate) fn since(&self, start: u64) -> u64 {
        self.now().saturating_sub(start)
    }

    pub(crate) fn unix_seconds(&self) -> u64 {
        self.clock.unix_seconds()
    }

    pub(crate) fn generation(&self) -> u32 {
        self.generation.load(Relaxed)
    }

    /// The empty cache of a new selector.
    pub(crate) fn open(&self) -> Arc<TimingsCache<Workload>> {
        let cache = Arc::new(TimingsCache::default());
        let mut selectors = lock(&self.selectors);
        selectors.retain(|known| known.strong_count() > 0);
        selectors.push(Arc::downgrade(&cache));
        cache
    }

    /// Registers a backend; returns its number, and the health that it shares with the others on
    /// its device.
    pub(crate) fn register(
        &self,
        name: &str,
        place: &Place,
        (scalar, prior): (Scalar, [Coefficients; Stage::COUNT]),
    ) -> (usize, Arc<Health>) {
        let text = place.to_string();
        let device = match place {
            Place::Host | Place::Threads(_) => name.to_owned(),
            Place::Device { .. } => text.clone(),
        };
        let id = self.number(name, &Home::Place(text));
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        registered[id].priors[scalar as usize].get_or_insert(prior);
        (id, self.health_of(&device))
    }

    /// The health of a device or of the methods of a name.
    pub(crate) fn health_of(&self, name: &str) -> Arc<Health> {
        Arc::clone(lock(&self.health).entry(name.to_owned()).or_default())
    }

    /// Registers a method; returns its number.
    pub(crate) fn register_method(
        &self,
        name: &str,
        work: &str,
        (scalar, apply): (Scalar, Coefficients),
    ) -> usize {
        let id = self.number(name, &Home::Work(work.to_owned()));
        let zero = [0.0; crate::cost::features::TERMS];
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        registered[id].priors[scalar as usize] = Some([zero, zero, apply, apply]);
        drop(registered);
        self.models.set_prior(id, scalar, apply);
        id
    }

    /// The number of a candidate, new if it has none.
    pub(crate) fn number(&self, name: &str, home: &Home) -> usize {
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        let known = registered.iter().position(|candidate| candidate.is(name, home));
        known.unwrap_or_else(|| {
            let (name, home) = (name.to_owned(), home.clone());
            registered.push(Registered { name, home, priors: [None; 2] });
            registered.len() - 1
        })
    }

    /// All candidates and methods, by number.
    pub(crate) fn registered(&self) -> Vec<Registered> {
        self.registered.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn prior(&self, key: ModelKey) -> Coefficients {
        let registered = self.registered.read().unwrap_or_else(PoisonError::into_inner);
        let known = registered.get(key.candidate).and_then(|c| c.priors[key.scalar as usize]);
        known.map_or_else(Default::default, |prior| prior[key.stage() as usize])
    }

    /// The timings of all workloads of the selectors that exist, and of all sizes of work with
    /// several methods.
    pub(crate) fn all_timings(&self) -> Vec<Arc<Timings>> {
        let selectors: Vec<_> = lock(&self.selectors).iter().filter_map(Weak::upgrade).collect();
        let mut all: Vec<_> = selectors.iter().flat_map(|cache| cache.all()).collect();
        let tuned = self.tuned.read().unwrap_or_else(PoisonError::into_inner);
        all.extend(tuned.iter().flat_map(|work| work.timings.all()));
        all
    }

    /// Adds an event about a candidate to the history.
    pub(crate) fn report(&self, timings: &Timings, i: usize, what: Occurrence) {
        let event = Event {
            at: Duration::from_nanos(self.now()),
            subject: timings.subject.clone(),
            scalar: timings.list.scalar,
            candidate: timings.list.members[i].name.clone(),
            what,
        };
        match event.what {
            Occurrence::Failed { .. } => tracing::warn!("{event}"),
            _ => tracing::debug!("{event}"),
        }
        let mut history = lock(&self.history);
        if history.len() == EVENTS {
            history.pop_front();
        }
        history.push_back(event);
    }

    /// Expected time of work with these features, by the model.
    pub(crate) fn forecast(&self, key: ModelKey, features: &Features) -> Forecast {
        self.models.forecast(key, features, || self.prior(key))
    }

    /// Stores a time in its model.
    pub(crate) fn store(&self, key: ModelKey, sample: Sample) {
        self.models.record(key, sample, || self.prior(key));
    }

    /// Marks all statistics as outdated: timings were read from a file.
    pub(crate) fn mark_outdated(&self) {
        self.all_timings().iter().for_each(|timings| timings.mark_outdated());
    }
}

impl fmt::Debug for Experience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experience").field("settings", &self.settings).finish_non_exhaustive()
    }
}
