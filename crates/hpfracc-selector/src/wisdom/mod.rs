//! Remembering timings from one run to the next.

mod content;
mod cpu;
mod file;

use crate::error::WisdomError;
use crate::experience::{Entered, Experience};
use content::{Content, Entry};
use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;

impl Experience {
    /// All timings as JSON, to be read by [`Experience::read_wisdom`] on this machine.
    ///
    /// The text names its format, this crate's version, processor, number of threads, and all
    /// candidates with device and driver, and carries a checksum.
    ///
    /// # Errors
    /// [`WisdomError::Syntax`] if the text cannot be made.
    pub fn wisdom(&self) -> Result<String, WisdomError> {
        Ok(serde_json::to_string(&self.content(&self.candidates()).sealed()?)?)
    }

    /// Takes the timings of a text made by [`Experience::wisdom`]; of two for the same thing the
    /// later one counts. Returns how many entries the text has.
    ///
    /// All selectors on this experience have to exist already: their candidates are compared.
    ///
    /// # Errors
    /// [`WisdomError`]: nothing is taken if the text is damaged, is for another machine or has an
    /// impossible entry.
    pub fn read_wisdom(&self, text: &str) -> Result<usize, WisdomError> {
        let content = Content::read(text)?;
        let candidates = self.candidates();
        content.check_machine(&here(&candidates))?;
        let entries = content.entries.len();
        self.take(content, &candidates)?;
        Ok(entries)
    }

    /// Reads a file written by [`Experience::save_wisdom`]. Returns how many entries it has.
    ///
    /// # Errors
    /// As [`Experience::read_wisdom`], and [`WisdomError::File`], [`WisdomError::Long`].
    pub fn load_wisdom(&self, path: impl AsRef<Path>) -> Result<usize, WisdomError> {
        self.read_wisdom(&file::read(path.as_ref())?)
    }

    /// Writes all timings to a file that other processes may be writing, too: what it holds for this
    /// machine is merged in, the later timing of the same thing counts, and the file is replaced as a
    /// whole. A file beside it with `.lock` at the end of its name keeps writers apart.
    ///
    /// Of each candidate, kind of workload, scalar type and stage the newest 2048 timings are kept, as in
    /// memory, or fewer if the file would be longer than [`Experience::load_wisdom`] reads.
    ///
    /// # Errors
    /// [`WisdomError::File`], [`WisdomError::Long`] if the names of the candidates alone are too long. A file
    /// that is damaged, for another machine or has an impossible entry is replaced.
    pub fn save_wisdom(&self, path: impl AsRef<Path>) -> Result<(), WisdomError> {
        let path = path.as_ref();
        let _lock = file::lock(path)?;
        let candidates = self.candidates();
        let mut content = self.content(&candidates);
        let text = file::read(path).unwrap_or_default();
        let now = self.unix_seconds();
        if let Ok(before) = Content::read(&text)
            && before.check_machine(&content).is_ok()
            && before.entries.iter().enumerate().all(|(i, entry)| entry.check(i, now).is_ok())
        {
            content.merge(before);
        }
        file::replace(path, &content.sealed_within(file::LONGEST as usize)?)
    }

    /// What is remembered now.
    fn content<'a>(&self, candidates: &'a [Entered]) -> Content<'a> {
        let mut entries = Vec::new();
        self.each_sample(|key, sample| {
            // One that has come after the list was made is told the next time.
            let Some(Entered { name, place, .. }) = candidates.get(key.candidate) else { return };
            entries.push(Entry {
                candidate: Cow::Borrowed(name),
                place: Cow::Borrowed(place),
                scalar: key.scalar,
                workload: sample.workload,
                stage: sample.stage,
                seconds: sample.log.exp(),
                executions: sample.executions,
                at: sample.at,
            });
        });
        // The same timings give the same file, in an order that means nothing.
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        entries.sort_by_cached_key(|entry| hash.hash_one(entry.key()));
        Content { entries, ..here(candidates) }
    }

    /// Takes the entries that are later than what is known.
    fn take(&self, content: Content<'_>, candidates: &[Entered]) -> Result<(), WisdomError> {
        let now = self.unix_seconds();
        // All are looked at before any is taken.
        let numbers = content.entries.iter().enumerate().map(|(index, entry)| {
            let of = |c: &Entered| {
                c.name == entry.candidate
                    && c.place == entry.place
                    && c.priors[entry.scalar as usize].is_some()
            };
            let number = candidates.iter().position(of).ok_or_else(|| {
                let reason = format!("no candidate {} for {}", entry.candidate, entry.scalar);
                WisdomError::Entry { index, reason }
            })?;
            entry.check(index, now)?;
            Ok(number)
        });
        let numbers = numbers.collect::<Result<Vec<usize>, WisdomError>>()?;
        for (entry, number) in content.entries.iter().zip(numbers) {
            let (scalar, workload, stage) = (entry.scalar, entry.workload, entry.stage);
            let known = self.remembered(number, scalar, workload, stage);
            if known.is_none_or(|sample| sample.at <= entry.at) {
                let reading = (entry.seconds.ln(), entry.executions, entry.at);
                self.remember((number, scalar), workload, stage, reading);
            }
        }
        self.sites().iter().for_each(|site| site.expect_news());
        Ok(())
    }
}

/// A file of this machine, without timings.
fn here(candidates: &[Entered]) -> Content<'static> {
    let mut candidates: Vec<[String; 2]> =
        candidates.iter().map(|c| [c.name.clone(), c.place.clone()]).collect();
    candidates.sort();
    Content {
        format: content::FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu: cpu::name(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        candidates,
        entries: Vec::new(),
    }
}
