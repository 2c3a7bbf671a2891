//! Wisdom files: timings stored from one run to the next.

mod content;
mod digest;
mod entry;
mod file;
mod processor;

use crate::cost::features::Features;
use crate::cost::model::{Reading, Sample};
use crate::error::WisdomError;
use crate::experience::models::ModelKey;
use crate::experience::{Experience, Home, Registered};
use crate::task::{Stage, Subject, WorkSizes};
use content::Content;
use entry::{Entry, MethodEntry, Timing, merge};
use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::path::Path;
use std::sync::Arc;

impl Experience {
    /// All timings as JSON text for [`Experience::read_wisdom`] on this machine.
    ///
    /// The text has its format, the version of this crate, processor, number of threads, all
    /// candidates with device and driver, and a checksum.
    ///
    /// # Errors
    /// [`WisdomError::Syntax`] if the serialiser fails.
    pub fn wisdom(&self) -> Result<String, WisdomError> {
        Ok(serde_json::to_string(&self.content(&self.registered()).sealed()?)?)
    }

    /// Adds the timings for this machine of a text made by [`Experience::wisdom`]; of two with the same key the
    /// later one is stored. Returns the number of timings in the text.
    ///
    /// All selectors on this experience must exist before: their candidates are compared. Methods
    /// of solvers are added as they are.
    ///
    /// # Errors
    /// [`WisdomError`] if the text is damaged, is for another machine or has an impossible timing:
    /// then no timing is added.
    pub fn read_wisdom(&self, text: &str) -> Result<usize, WisdomError> {
        let registered = self.registered();
        let content = Content::read(text, &here(&registered))?;
        let timings = content.len();
        self.take(content, &registered)?;
        Ok(timings)
    }

    /// Reads a file written by [`Experience::save_wisdom`]. Returns the number of timings in it.
    ///
    /// # Errors
    /// As [`Experience::read_wisdom`], and [`WisdomError::File`], [`WisdomError::Long`].
    pub fn load_wisdom(&self, path: impl AsRef<Path>) -> Result<usize, WisdomError> {
        self.read_wisdom(&file::read(path.as_ref())?)
    }

    /// Writes all timings to a file, which several processes may write at once, on several machines,
    /// too: each kind of machine has its own timings in it. Those of this machine are merged: of two
    /// with the same key the later one is written. The file is replaced atomically. A lock file next to it, its name with `.lock` at the end, serialises
    /// writers.
    ///
    /// The newest 2048 timings of each candidate, kind of workload, scalar type and stage are
    /// written, as in memory, or fewer if the file would exceed the limit of
    /// [`Experience::load_wisdom`].
    ///
    /// # Errors
    /// [`WisdomError::File`], [`WisdomError::Long`] if the names of the candidates alone are too
    /// long. A file that is damaged is replaced; so are timings of another version of this crate, and
    /// those of a machine with an impossible one.
    pub fn save_wisdom(&self, path: impl AsRef<Path>) -> Result<(), WisdomError> {
        let path = path.as_ref();
        let _lock = file::lock(path)?;
        let registered = self.registered();
        let mut content = self.content(&registered);
        let text = file::read(path).unwrap_or_default();
        let now = self.unix_seconds();
        // Those of another version are never read again.
        let readable = |machine: &Content<'_>| {
            (machine.format, &machine.version) == (content.format, &content.version)
                && machine.check(now).is_ok()
        };
        let machines = Content::read_all(&text).unwrap_or_default().into_iter().filter(readable);
        let (before, others): (Vec<_>, Vec<_>) =
            machines.partition(|machine| machine.check_machine(&content).is_ok());
        for before in before {
            merge(&mut content.entries, before.entries);
            merge(&mut content.methods, before.methods);
        }
        file::replace(path, &content.sealed_within(&others, file::LONGEST as usize)?)
    }

    /// The timings stored now.
    fn content<'a>(&self, registered: &'a [Registered]) -> Content<'a> {
        let (mut entries, mut methods) = (Vec::new(), Vec::new());
        self.models.for_each(|key, sample| {
            // A candidate that was registered after the list was made is written the next time.
            let Some(Registered { name, home, .. }) = registered.get(key.candidate) else { return };
            let Reading { log, executions, at } = sample.reading;
            let seconds = log.exp();
            match (home, &sample.subject) {
                (Home::Place(place), Subject::Map(workload)) => entries.push(Entry {
                    candidate: Cow::Borrowed(name),
                    place: Cow::Borrowed(place),
                    scalar: key.scalar,
                    workload: *workload,
                    stage: sample.stage,
                    seconds,
                    executions,
                    at,
                }),
                (Home::Work(_), Subject::Work(work)) => methods.push(MethodEntry {
                    method: Cow::Borrowed(name),
                    scalar: key.scalar,
                    work: WorkSizes::clone(work),
                    counts: sample.features.counts,
                    seconds,
                    executions,
                    at,
                }),
                _ => {}
            }
        });
        // The same timings give the same file, in an arbitrary order.
        entries.sort_by_cached_key(|entry| hash(&entry.key()));
        methods.sort_by_cached_key(|entry| hash(&entry.key()));
        Content { entries, methods, ..here(registered) }
    }

    /// Adds the timings that are later than those stored.
    fn take(&self, content: Content<'_>, registered: &[Registered]) -> Result<(), WisdomError> {
        content.check(self.unix_seconds())?;
        // All are checked before any is added.
        let numbers = content.entries.iter().enumerate().map(|(index, entry)| {
            let home = Home::Place(entry.place.clone().into_owned());
            let is_of =
                |c: &Registered| c.is(&entry.candidate, &home) && c.computes_with(entry.scalar);
            registered.iter().position(is_of).ok_or_else(|| {
                let reason = format!("no candidate {} for {}", entry.candidate, entry.scalar);
                WisdomError::Entry { index, reason }
            })
        });
        let numbers = numbers.collect::<Result<Vec<usize>, WisdomError>>()?;
        for (entry, number) in content.entries.into_iter().zip(numbers) {
            let subject = Subject::Map(entry.workload);
            let key = ModelKey::new(number, entry.scalar, &subject, entry.stage);
            let features = Features::of_workload(entry.workload, entry.stage);
            let (stage, reading) = (entry.stage, entry.reading());
            self.add_if_later(key, Sample { subject, stage, features, reading });
        }
        for entry in content.methods {
            let number = self.number(&entry.method, &Home::Work(entry.work.name.clone()));
            let reading = entry.reading();
            let features = Features::of_sizes(entry.work.values(), entry.counts);
            let subject = Subject::Work(Arc::new(entry.work));
            let stage = Stage::Forward;
            let key = ModelKey::new(number, entry.scalar, &subject, stage);
            self.add_if_later(key, Sample { subject, stage, features, reading });
        }
        self.mark_outdated();
        Ok(())
    }

    fn add_if_later(&self, key: ModelKey, sample: Sample) {
        let stored = self.models.reading(key, &sample.subject, sample.stage);
        if stored.is_none_or(|stored| stored.at <= sample.reading.at) {
            self.store(key, sample);
        }
    }
}

fn hash(key: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(key)
}

/// The content of this machine, without timings.
fn here(registered: &[Registered]) -> Content<'static> {
    let backend = |c: &Registered| match &c.home {
        Home::Place(place) => Some([c.name.clone(), place.clone()]),
        Home::Work(_) => None,
    };
    let mut candidates: Vec<[String; 2]> = registered.iter().filter_map(backend).collect();
    candidates.sort();
    Content {
        format: content::FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu: processor::name(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        candidates,
        entries: Vec::new(),
        methods: Vec::new(),
    }
}
