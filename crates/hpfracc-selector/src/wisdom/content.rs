use crate::error::WisdomError;
use crate::experience::ModelKey;
use crate::model;
use crate::task::{Scalar, Stage};
use hpfracc_backend::Workload;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::{fmt, io};

/// Changes with the meaning of any field.
pub(super) const FORMAT: u32 = 1;

/// Everything in a wisdom file but the checksum.
///
/// A file has the names of its candidates a hundred thousand times: they are borrowed from its text, or from
/// the experience that it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Content<'a> {
    pub(super) format: u32,
    pub(super) version: String,
    pub(super) cpu: String,
    pub(super) threads: usize,
    /// Name and place of each candidate, sorted.
    pub(super) candidates: Vec<[String; 2]>,
    #[serde(borrow)]
    pub(super) entries: Vec<Entry<'a>>,
}

/// One timing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry<'a> {
    #[serde(borrow)]
    pub(super) candidate: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) place: Cow<'a, str>,
    pub(super) scalar: Scalar,
    pub(super) workload: Workload,
    pub(super) stage: Stage,
    pub(super) seconds: f64,
    pub(super) executions: u64,
    /// Seconds since 1970.
    pub(super) at: u64,
}

/// What a timing is of: candidate, place, scalar, workload and stage.
pub(super) type Key<'a> = (&'a str, &'a str, Scalar, Workload, Stage);

/// The file: the content as it is written, and its checksum, so that a flipped digit is noticed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sealed<C> {
    checksum: String,
    content: C,
}

/// A file without its content.
const FRAME: &str = r#"{"checksum":"0123456789abcdef","content":}"#;

/// A clock that is set wrongly is forgiven a day.
const DAY: u64 = 86_400;

impl<'a> Content<'a> {
    /// With its checksum.
    pub(super) fn sealed(&self) -> Result<Sealed<&Self>, WisdomError> {
        Ok(Sealed { checksum: self.digest()?.to_string(), content: self })
    }

    /// [`sealed`](Self::sealed), with as many timings of each model as are kept in use, or half as many, or a
    /// quarter, the newest ones, so that the text has at most `longest` bytes.
    pub(super) fn sealed_within(&mut self, longest: usize) -> Result<Sealed<&Self>, WisdomError> {
        let mut each = model::CAPACITY;
        loop {
            self.keep_newest(each);
            let digest = self.digest()?;
            let len = FRAME.len() + digest.len;
            if len <= longest {
                return Ok(Sealed { checksum: digest.to_string(), content: self });
            }
            if self.entries.is_empty() {
                return Err(WisdomError::Long { found: len as u64, limit: longest as u64 });
            }
            each /= 2;
        }
    }

    /// Of the text, which may have some ten MiB and is nowhere as a whole.
    fn digest(&self) -> Result<Digest, WisdomError> {
        let mut digest = Digest::default();
        serde_json::to_writer(&mut digest, self)?;
        Ok(digest)
    }

    /// Drops all but the newest entries of each model.
    fn keep_newest(&mut self, each: usize) {
        let mut newest: Vec<usize> = (0..self.entries.len()).collect();
        newest.sort_by_key(|&i| Reverse(self.entries[i].at));
        let mut found = HashMap::new();
        let mut kept = vec![false; newest.len()];
        for i in newest {
            let count = found.entry(self.entries[i].model()).or_insert(0);
            *count += 1;
            kept[i] = *count <= each;
        }
        let mut kept = kept.into_iter();
        self.entries.retain(|_| kept.next() == Some(true));
    }

    pub(super) fn read(text: &'a str) -> Result<Self, WisdomError> {
        let sealed: Sealed<&RawValue> = serde_json::from_str(text)?;
        let expected = checksum(sealed.content.get());
        if sealed.checksum != expected {
            return Err(WisdomError::Damaged { found: sealed.checksum, expected });
        }
        Ok(serde_json::from_str(sealed.content.get())?)
    }

    /// Compares all but the entries.
    pub(super) fn check_machine(&self, here: &Content<'_>) -> Result<(), WisdomError> {
        let list = |content: &Content<'_>| {
            let each = content.candidates.iter().map(|[name, place]| format!("{name} ({place})"));
            each.collect::<Vec<_>>().join(", ")
        };
        let fields = [
            ("format", self.format.to_string(), here.format.to_string()),
            ("version", self.version.clone(), here.version.clone()),
            ("cpu", self.cpu.clone(), here.cpu.clone()),
            ("threads", self.threads.to_string(), here.threads.to_string()),
            ("candidates", list(self), list(here)),
        ];
        match fields.into_iter().find(|(_, found, expected)| found != expected) {
            Some((field, found, expected)) => Err(WisdomError::Differs { field, found, expected }),
            None => Ok(()),
        }
    }

    /// Takes over the entries of another content for the same machine, where they are later or the
    /// only ones.
    pub(super) fn merge(&mut self, other: Self) {
        let both = || self.entries.iter().chain(&other.entries).enumerate();
        let mut latest: HashMap<Key<'_>, (u64, usize)> = HashMap::new();
        for (i, entry) in both() {
            let known = latest.entry(entry.key()).or_insert((entry.at, i));
            if known.0 < entry.at {
                *known = (entry.at, i);
            }
        }
        let mut kept = vec![false; both().count()];
        latest.into_values().for_each(|(_, i)| kept[i] = true);
        let mut kept = kept.into_iter();
        let mut kept = |_: &Entry<'_>| kept.next() == Some(true);
        self.entries.retain(&mut kept);
        self.entries.extend(other.entries.into_iter().filter(kept));
    }
}

impl Entry<'_> {
    /// What was timed.
    pub(super) fn key(&self) -> Key<'_> {
        (&self.candidate, &self.place, self.scalar, self.workload, self.stage)
    }

    /// The model that learns from it: candidate and place, and the rest of its key.
    fn model(&self) -> (&str, &str, ModelKey) {
        let key = ModelKey::new(0, self.scalar, self.workload, self.stage);
        (&self.candidate, &self.place, key)
    }

    /// Refuses what no execution could have left behind.
    pub(super) fn check(&self, index: usize, now: u64) -> Result<(), WisdomError> {
        let refuse = |reason: String| Err(WisdomError::Entry { index, reason });
        if let Err(error) = self.workload.check() {
            return refuse(error.to_string());
        }
        if !(1e-12..1e9).contains(&self.seconds) {
            return refuse(format!("it took {} s", self.seconds));
        }
        if self.executions == 0 {
            return refuse("it rests on no execution".to_owned());
        }
        if self.at > now.saturating_add(DAY) {
            return refuse(format!("it was taken {} s after now", self.at - now));
        }
        Ok(())
    }
}

/// FNV-1a over the bytes, and their number: each step is one-to-one in the state, so that no single flipped
/// bit goes unnoticed. G. Fowler, L. C. Noll, K.-P. Vo, draft-eastlake-fnv.
struct Digest {
    hash: u64,
    len: usize,
}

impl Default for Digest {
    fn default() -> Self {
        Self { hash: 0xcbf2_9ce4_8422_2325, len: 0 }
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.hash = bytes.iter().fold(self.hash, step);
        self.len += bytes.len();
    }
}

impl io::Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.hash)
    }
}

fn checksum(text: &str) -> String {
    let mut digest = Digest::default();
    digest.add(text.as_bytes());
    digest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(len: usize, at: u64) -> Entry<'static> {
        Entry {
            candidate: "a".into(),
            place: "host".into(),
            scalar: Scalar::F64,
            workload: Workload::CausalConvolution { len, batch: 1 },
            stage: Stage::Forward,
            seconds: 1e-3,
            executions: 5,
            at,
        }
    }

    fn content(entries: Vec<Entry<'_>>) -> Content<'_> {
        Content {
            format: FORMAT,
            version: "1".to_owned(),
            cpu: "c".to_owned(),
            threads: 2,
            candidates: vec![],
            entries,
        }
    }

    fn text(sealed: &Sealed<&Content<'_>>) -> String {
        serde_json::to_string(sealed).unwrap()
    }

    #[test]
    fn checksum_of_the_published_test_vector() {
        assert_eq!(checksum("foobar"), "85944171f73967e8");
    }

    #[test]
    fn merging_keeps_the_later_of_two() {
        let mut ours = content(vec![entry(1, 10), entry(2, 10)]);
        ours.merge(content(vec![entry(1, 5), entry(2, 15), entry(3, 1)]));
        let dates: Vec<u64> = ours.entries.iter().map(|e| e.at).collect();
        assert_eq!(dates, [10, 15, 1]);
        // One file with two timings of the same thing.
        ours.merge(content(vec![entry(1, 7), entry(3, 4), entry(3, 6), entry(3, 5)]));
        assert_eq!(ours.entries, [entry(1, 10), entry(2, 15), entry(3, 6)]);
    }

    /// However many runs add to a file, it holds what one of them would.
    #[test]
    fn a_merged_file_keeps_the_newest_of_each_model() {
        let days = |range: std::ops::Range<usize>| range.map(|n| entry(n, n as u64)).collect();
        let mut all = content(days(1..1000));
        all.entries.iter_mut().for_each(|entry| entry.stage = Stage::Bind);
        let mut file = text(&all.sealed().unwrap());
        for run in 0..3 {
            let mut ours = content(days(1 + 1000 * run..1001 + 1000 * run));
            ours.merge(Content::read(&file).unwrap());
            let merged = text(&ours.sealed_within(1 << 20).unwrap());
            drop(ours);
            file = merged;
        }
        let all = Content::read(&file).unwrap();
        let of = |stage| all.entries.iter().filter(move |entry| entry.stage == stage);
        assert_eq!(of(Stage::Bind).count(), 999);
        assert_eq!(of(Stage::Forward).count(), model::CAPACITY);
        let first = 3001 - model::CAPACITY as u64;
        assert!(of(Stage::Forward).all(|entry| entry.at >= first));
    }

    /// What reading would refuse for its length is not written.
    #[test]
    fn a_text_that_would_be_too_long_has_fewer_timings() {
        let whole = content((1..=1000).map(|n| entry(n, n as u64)).collect());
        let longest = text(&whole.sealed().unwrap()).len() / 3;
        let mut part = whole.clone();
        let text = text(&part.sealed_within(longest).unwrap());
        assert!(text.len() <= longest);
        let found = Content::read(&text).unwrap();
        assert_eq!(found.entries, whole.entries[1000 - found.entries.len()..]);
        assert!(found.entries.len() >= 250, "{}", found.entries.len());
        assert!(matches!(part.sealed_within(10), Err(WisdomError::Long { limit: 10, .. })));
    }

    #[test]
    fn a_differing_field_is_named() {
        let here = content(vec![]);
        assert!(here.check_machine(&here).is_ok());
        let others = [
            ("format", Content { format: FORMAT + 1, ..here.clone() }),
            ("version", Content { version: "2".to_owned(), ..here.clone() }),
            ("cpu", Content { cpu: "d".to_owned(), ..here.clone() }),
            ("threads", Content { threads: 3, ..here.clone() }),
            ("candidates", Content { candidates: vec![Default::default()], ..here.clone() }),
        ];
        for (expected, other) in others {
            let error = other.check_machine(&here).unwrap_err();
            assert!(matches!(error, WisdomError::Differs { field, .. } if field == expected));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let content = content(vec![entry(1, 10), entry(7, 11)]);
        let text = text(&content.sealed().unwrap());
        assert_eq!(text.len(), FRAME.len() + content.digest().unwrap().len);
        let found = Content::read(&text).unwrap();
        assert_eq!(found, content);
        let borrowed = |entry: &Entry<'_>| matches!(entry.place, Cow::Borrowed(_));
        assert!(found.entries.iter().all(borrowed), "names are copied");
    }

    #[test]
    fn impossible_entries_are_refused() {
        assert!(entry(1, 10).check(0, 10).is_ok());
        let broken = [
            Entry { seconds: f64::NAN, ..entry(1, 1) },
            Entry { seconds: -1.0, ..entry(1, 1) },
            Entry { executions: 0, ..entry(1, 1) },
            entry(0, 1),
            entry(1, u64::MAX),
        ];
        for entry in broken {
            assert!(matches!(entry.check(3, 10), Err(WisdomError::Entry { index: 3, .. })));
        }
    }
}
