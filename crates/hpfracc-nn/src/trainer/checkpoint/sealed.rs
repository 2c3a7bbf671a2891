//! Binary format with a checksum.
//!
//! Eight bytes for the kind of file, the version (u32), the number of content bytes (u64), the
//! contents, and the [`crc64`] of everything before it. All numbers are little-endian;
//! floating-point numbers are their bits.

use crate::Scalar;
use crate::trainer::crc64::crc64;
use crate::trainer::error::{Damage, TrainerError};
use std::path::Path;

/// Length of the header in bytes.
const HEAD: usize = 8 + 4 + 8;

/// Writer of contents.
#[derive(Debug)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn new(kind: [u8; 8], version: u32) -> Self {
        let mut bytes = kind.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        Self { bytes }
    }

    pub(super) fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }

    pub(super) fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    /// Writes each number with the size of the scalar.
    pub(super) fn scalars<T: Scalar>(&mut self, scalars: &[T]) {
        self.word(scalars.len() as u64);
        let wide = scalars.iter().map(|x| x.widen());
        if size_of::<T>() == 4 {
            self.bytes.extend(wide.flat_map(|x| (x as f32).to_le_bytes()));
        } else {
            self.bytes.extend(wide.flat_map(f64::to_le_bytes));
        }
    }

    pub(super) fn seal(mut self) -> Vec<u8> {
        let length = (self.bytes.len() - HEAD) as u64;
        self.bytes[12..HEAD].copy_from_slice(&length.to_le_bytes());
        let sum = crc64(&self.bytes);
        self.bytes.extend(sum.to_le_bytes());
        self.bytes
    }
}

/// Contents that are read from the start. Errors name the file.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    path: &'a Path,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn open(
        (kind, version): ([u8; 8], u32),
        path: &'a Path,
        bytes: &'a [u8],
    ) -> Result<Self, TrainerError> {
        let damaged = |damage| TrainerError::Damaged { path: path.to_owned(), damage };
        let found = bytes.len() as u64;
        let short = || damaged(Damage::Length { found, expected: (HEAD + 8) as u64 });
        let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or_else(short)?;
        if head[..8] != kind {
            return Err(damaged(Damage::Kind));
        }
        let length = head[12..].iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        let (rest, sum) = rest.split_last_chunk::<8>().ok_or_else(short)?;
        if rest.len() as u64 != length {
            let expected = length.saturating_add((HEAD + 8) as u64);
            return Err(damaged(Damage::Length { found, expected }));
        }
        let (found, expected) = (crc64(&bytes[..bytes.len() - 8]), u64::from_le_bytes(*sum));
        if found != expected {
            return Err(damaged(Damage::Checksum { found, expected }));
        }
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found != version {
            return Err(TrainerError::Version { path: path.to_owned(), found, expected: version });
        }
        Ok(Self { path, rest })
    }

    /// Error for contents that do not match the version.
    pub(super) fn damaged(&self) -> TrainerError {
        TrainerError::Damaged { path: self.path.to_owned(), damage: Damage::Contents }
    }

    /// Error for the contents of another training.
    pub(super) fn foreign(&self, what: &str, found: String, expected: String) -> TrainerError {
        let (path, what) = (self.path.to_owned(), what.to_owned());
        TrainerError::Foreign { path, what, found, expected }
    }

    fn take(&mut self, bytes: u64) -> Result<&'a [u8], TrainerError> {
        let bytes = usize::try_from(bytes).ok().filter(|bytes| *bytes <= self.rest.len());
        let (taken, rest) = self.rest.split_at(bytes.ok_or_else(|| self.damaged())?);
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn word(&mut self) -> Result<u64, TrainerError> {
        let (word, rest) = self.rest.split_first_chunk().ok_or_else(|| self.damaged())?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*word))
    }

    pub(super) fn number(&mut self) -> Result<f64, TrainerError> {
        self.word().map(f64::from_bits)
    }

    pub(super) fn text(&mut self) -> Result<String, TrainerError> {
        let length = self.word()?;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| self.damaged())
    }

    pub(super) fn scalars<T: Scalar>(&mut self) -> Result<Vec<T>, TrainerError> {
        let length = self.word()?;
        let length = length.checked_mul(size_of::<T>() as u64).ok_or_else(|| self.damaged())?;
        let bytes = self.take(length)?;
        if size_of::<T>() == 4 {
            let (words, _) = bytes.as_chunks::<4>();
            Ok(words.iter().map(|word| T::narrow(f64::from(f32::from_le_bytes(*word)))).collect())
        } else {
            let (words, _) = bytes.as_chunks::<8>();
            Ok(words.iter().map(|word| T::narrow(f64::from_le_bytes(*word))).collect())
        }
    }

    /// So many items, none of which takes no bytes.
    pub(super) fn items<V>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<V, TrainerError>,
    ) -> Result<Vec<V>, TrainerError> {
        let length = self.word()?;
        (0..length).map(|_| item(self)).collect()
    }

    /// Nothing may be left.
    pub(super) fn end(self) -> Result<(), TrainerError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: [u8; 8] = *b"examples";

    fn open(bytes: &[u8]) -> Result<Reader<'_>, TrainerError> {
        Reader::open((KIND, 3), Path::new("a"), bytes)
    }

    /// Whether an error is that of a file with this damage.
    fn is<T>(result: Result<T, TrainerError>, expected: Damage) -> bool {
        matches!(result, Err(TrainerError::Damaged { damage, .. }) if damage == expected)
    }

    fn example() -> Vec<u8> {
        let mut writer = Writer::new(KIND, 3);
        writer.word(7);
        writer.text("0.weight");
        writer.scalars(&[0.1f32, -0.0, f32::MIN_POSITIVE / 4.0]);
        writer.scalars(&[1.0 / 3.0, f64::INFINITY]);
        writer.seal()
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let bytes = example();
        let mut reader = open(&bytes).unwrap();
        assert_eq!(reader.word().unwrap(), 7);
        assert_eq!(reader.text().unwrap(), "0.weight");
        let scalars: Vec<f32> = reader.scalars().unwrap();
        let bits: Vec<u32> = scalars.iter().map(|x| x.to_bits()).collect();
        assert_eq!(bits, [0.1f32, -0.0, f32::MIN_POSITIVE / 4.0].map(f32::to_bits));
        assert_eq!(reader.scalars::<f64>().unwrap(), [1.0 / 3.0, f64::INFINITY]);
        reader.end().unwrap();
    }

    #[test]
    fn any_changed_bit_and_any_lost_end_is_found() {
        let bytes = example();
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&changed).is_err(), "{bit}");
        }
        for length in 0..bytes.len() {
            assert!(open(&bytes[..length]).is_err(), "{length}");
        }
        let longer = [&bytes[..], &[0]].concat();
        let (found, expected) = (longer.len() as u64, bytes.len() as u64);
        assert!(is(open(&longer), Damage::Length { found, expected }));
        let path = Path::new("a");
        assert!(is(Reader::open((*b"anything", 3), path, &bytes), Damage::Kind));
        let older = Reader::open((KIND, 2), path, &bytes);
        assert!(matches!(older, Err(TrainerError::Version { found: 3, expected: 2, .. })));
    }

    #[test]
    fn lengths_are_not_believed() {
        let mut writer = Writer::new(KIND, 3);
        writer.word(u64::MAX);
        let bytes = writer.seal();
        let open = || open(&bytes).unwrap();
        assert!(is(open().text(), Damage::Contents));
        assert!(is(open().scalars::<f64>(), Damage::Contents));
        assert!(is(open().items(|reader| reader.word()), Damage::Contents));
    }
}
