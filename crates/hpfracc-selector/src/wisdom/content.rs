//! The text of a wisdom file: for each machine what identifies it and its timings, and a checksum.

use super::digest::{Digest, checksum};
use super::entry::{Entry, MethodEntry, keep_newest};
use crate::cost::model;
use crate::error::WisdomError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Version of the format; increased with every change in the meaning of a field.
pub(super) const FORMAT: u32 = 3;

/// The timings of a machine in a wisdom file.
///
/// The names of candidates, which occur many times, are borrowed from the text or from the
/// experience.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Content<'a> {
    pub(super) format: u32,
    pub(super) version: String,
    pub(super) cpu: String,
    pub(super) threads: usize,
    /// Name and place of each backend, sorted.
    pub(super) candidates: Vec<[String; 2]>,
    #[serde(borrow)]
    pub(super) entries: Vec<Entry<'a>>,
    /// Timings of the methods of solvers.
    #[serde(borrow)]
    pub(super) methods: Vec<MethodEntry<'a>>,
}

/// The file: the contents of all machines as they are written, and their checksum.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sealed<C> {
    checksum: String,
    content: C,
}

/// The contents of all machines.
pub(super) type Machines<'b, 'a> = Vec<&'b Content<'a>>;

/// A file without its content.
const FRAME: &str = r#"{"checksum":"0123456789abcdef","content":}"#;

impl<'a> Content<'a> {
    /// Number of timings.
    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.methods.len()
    }

    /// The file of this machine alone.
    pub(super) fn sealed(&self) -> Result<Sealed<Machines<'_, 'a>>, WisdomError> {
        let content = vec![self];
        Ok(Sealed { checksum: digest(&content)?.to_string(), content })
    }

    /// The file of this machine and others with at most `longest` bytes of text: with the newest
    /// timings of each of this machine's models, as many as a model stores, or half as many, or a
    /// quarter, and so on. Of others the first are left out until they need half of the length at
    /// most.
    pub(super) fn sealed_within<'b>(
        &'b mut self,
        others: &'b [Content<'a>],
        longest: usize,
    ) -> Result<Sealed<Machines<'b, 'a>>, WisdomError> {
        let mut first = 0;
        while first < others.len() && digest(&others[first..])?.len > longest / 2 {
            first += 1;
        }
        let others = &others[first..];
        let mut each = model::CAPACITY;
        loop {
            keep_newest(&mut self.entries, each);
            keep_newest(&mut self.methods, each);
            let digest = digest(&others.iter().chain([&*self]).collect::<Vec<_>>())?;
            let len = FRAME.len() + digest.len;
            if len <= longest {
                let content = others.iter().chain([&*self]).collect();
                return Ok(Sealed { checksum: digest.to_string(), content });
            }
            if self.len() == 0 {
                return Err(WisdomError::Long { found: len as u64, limit: longest as u64 });
            }
            each /= 2;
        }
    }

    /// The contents of all machines in a file.
    pub(super) fn read_all(text: &'a str) -> Result<Vec<Self>, WisdomError> {
        let sealed: Sealed<&RawValue> = serde_json::from_str(text)?;
        let expected = checksum(sealed.content.get());
        if sealed.checksum != expected {
            return Err(WisdomError::Damaged { found: sealed.checksum, expected });
        }
        Ok(serde_json::from_str(sealed.content.get())?)
    }

    /// The content of this machine in a file; the error is that of the machine most like it.
    pub(super) fn read(text: &'a str, here: &Content<'_>) -> Result<Self, WisdomError> {
        let mut nearest = (0, WisdomError::NoMachine);
        for machine in Self::read_all(text)? {
            match machine.check_machine(here) {
                Ok(()) => return Ok(machine),
                Err((equal, error)) if equal >= nearest.0 => nearest = (equal, error),
                Err(_) => {}
            }
        }
        Err(nearest.1)
    }

    /// Compares all but the timings. The error has the number of equal fields before the first that
    /// differs.
    pub(super) fn check_machine(&self, here: &Content<'_>) -> Result<(), (usize, WisdomError)> {
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
        let differs = fields.into_iter().enumerate().find(|(_, (_, found, here))| found != here);
        match differs {
            Some((equal, (field, found, expected))) => {
                Err((equal, WisdomError::Differs { field, found, expected }))
            }
            None => Ok(()),
        }
    }

    /// Refuses timings that no execution can have.
    pub(super) fn check(&self, now: u64) -> Result<(), WisdomError> {
        self.entries.iter().enumerate().try_for_each(|(i, entry)| entry.check(i, now))?;
        self.methods.iter().enumerate().try_for_each(|(i, entry)| entry.check(i, now))
    }
}

/// Digest of the text, which can have tens of MiB and is never in memory as a whole.
fn digest(content: &(impl Serialize + ?Sized)) -> Result<Digest, WisdomError> {
    let mut digest = Digest::default();
    serde_json::to_writer(&mut digest, content)?;
    Ok(digest)
}

#[cfg(test)]
mod tests {
    use super::super::entry::merge;
    use super::*;
    use crate::task::{Scalar, Stage};
    use hpfracc_backend::Workload;
    use std::borrow::Cow;

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
            methods: vec![],
        }
    }

    fn text(sealed: &Sealed<Machines<'_, '_>>) -> String {
        serde_json::to_string(sealed).unwrap()
    }

    #[test]
    fn merging_keeps_the_later_of_two() {
        let mut ours = content(vec![entry(1, 10), entry(2, 10)]);
        merge(&mut ours.entries, vec![entry(1, 5), entry(2, 15), entry(3, 1)]);
        let dates: Vec<u64> = ours.entries.iter().map(|e| e.at).collect();
        assert_eq!(dates, [10, 15, 1]);
        // One file with two timings of the same thing.
        merge(&mut ours.entries, vec![entry(1, 7), entry(3, 4), entry(3, 6), entry(3, 5)]);
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
            let before = Content::read(&file, &ours).unwrap();
            merge(&mut ours.entries, before.entries);
            let merged = text(&ours.sealed_within(&[], 1 << 20).unwrap());
            drop(ours);
            file = merged;
        }
        let all = Content::read(&file, &content(vec![])).unwrap();
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
        let text = text(&part.sealed_within(&[], longest).unwrap());
        assert!(text.len() <= longest);
        let found = Content::read(&text, &whole).unwrap();
        assert_eq!(found.entries, whole.entries[1000 - found.entries.len()..]);
        assert!(found.entries.len() >= 250, "{}", found.entries.len());
        assert!(matches!(part.sealed_within(&[], 10), Err(WisdomError::Long { limit: 10, .. })));
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
            let (_, error) = other.check_machine(&here).unwrap_err();
            assert!(matches!(error, WisdomError::Differs { field, .. } if field == expected));
        }
    }

    /// A file has a section for each machine; what does not fit is left out, the first machines first.
    #[test]
    fn machines_have_their_own_timings() {
        let of = |cpu: &str, n: usize| Content {
            cpu: cpu.to_owned(),
            ..content((1..=n).map(|n| entry(n, n as u64)).collect())
        };
        let (others, mut ours) = ([of("a", 5), of("b", 3)], of("c", 2));
        let file = text(&ours.sealed_within(&others, 1 << 20).unwrap());
        for (cpu, n) in [("a", 5), ("b", 3), ("c", 2)] {
            assert_eq!(Content::read(&file, &of(cpu, 0)).unwrap().entries.len(), n);
        }
        let missing = Content::read(&file, &of("d", 0)).unwrap_err();
        assert!(matches!(missing, WisdomError::Differs { field: "cpu", .. }), "{missing}");
        let none = text(&Sealed { checksum: checksum("[]"), content: vec![] });
        let error = Content::read(&none, &ours).unwrap_err();
        assert!(matches!(error, WisdomError::NoMachine), "{error}");
        let short = text(&ours.sealed_within(&others, file.len() - 1).unwrap());
        let left: Vec<_> = Content::read_all(&short).unwrap().into_iter().map(|m| m.cpu).collect();
        assert_eq!(left, ["b", "c"]);
    }

    #[test]
    fn what_is_written_is_read() {
        let content = content(vec![entry(1, 10), entry(7, 11)]);
        let text = text(&content.sealed().unwrap());
        assert_eq!(text.len(), FRAME.len() + digest(&[&content]).unwrap().len);
        let found = Content::read(&text, &content).unwrap();
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
