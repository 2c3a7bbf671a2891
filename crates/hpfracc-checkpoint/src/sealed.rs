//! Binary format with a checksum, described in the documentation of the crate.

use crate::{CheckpointError, Damage, crc64};
use hpfracc_types::Real;
use std::path::Path;

/// Length of the header in bytes.
const HEAD: usize = 8 + 4 + 8;

/// Kind of a file and version of its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The first bytes of the file.
    pub kind: [u8; 8],
    /// Version of the contents.
    pub version: u32,
}

/// Writer of the contents of a sealed file.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A file without contents.
    pub fn new(format: Format) -> Self {
        let mut bytes = format.kind.to_vec();
        bytes.extend(format.version.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        Self { bytes }
    }

    /// Writes an integer.
    pub fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }

    /// Writes the bits of a number.
    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    /// Writes a text with its length.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    /// Writes numbers with their count, each with the size of the scalar.
    pub fn scalars<T: Real>(&mut self, scalars: &[T]) {
        self.word(scalars.len() as u64);
        let wide = scalars.iter().map(|x| x.widen());
        if size_of::<T>() == 4 {
            self.bytes.extend(wide.flat_map(|x| (x as f32).to_le_bytes()));
        } else {
            self.bytes.extend(wide.flat_map(f64::to_le_bytes));
        }
    }

    /// The bytes of the file: header, contents, checksum.
    pub fn seal(mut self) -> Vec<u8> {
        let length = (self.bytes.len() - HEAD) as u64;
        self.bytes[12..HEAD].copy_from_slice(&length.to_le_bytes());
        let sum = crc64(&self.bytes);
        self.bytes.extend(sum.to_le_bytes());
        self.bytes
    }
}

/// Contents that are read from the start. Errors name the file.
#[derive(Debug)]
pub struct Reader<'a> {
    path: &'a Path,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The contents of a file with a valid checksum.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`], [`CheckpointError::Version`].
    pub fn open(
        Format { kind, version }: Format,
        path: &'a Path,
        bytes: &'a [u8],
    ) -> Result<Self, CheckpointError> {
        let damaged = |damage| CheckpointError::Damaged { path: path.to_owned(), damage };
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
            return Err(CheckpointError::Version {
                path: path.to_owned(),
                found,
                expected: version,
            });
        }
        Ok(Self { path, rest })
    }

    /// Error for contents that do not match the version.
    pub fn damaged(&self) -> CheckpointError {
        CheckpointError::Damaged { path: self.path.to_owned(), damage: Damage::Contents }
    }

    /// Error for the contents of another computation: the value of `what` differs.
    pub fn foreign(&self, what: &str, found: String, expected: String) -> CheckpointError {
        let (path, what) = (self.path.to_owned(), what.to_owned());
        CheckpointError::Foreign { path, what, found, expected }
    }

    fn take(&mut self, bytes: u64) -> Result<&'a [u8], CheckpointError> {
        let bytes = usize::try_from(bytes).ok().filter(|bytes| *bytes <= self.rest.len());
        let (taken, rest) = self.rest.split_at(bytes.ok_or_else(|| self.damaged())?);
        self.rest = rest;
        Ok(taken)
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] for contents that are too short or invalid.
    pub fn word(&mut self) -> Result<u64, CheckpointError> {
        let (word, rest) = self.rest.split_first_chunk().ok_or_else(|| self.damaged())?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// Reads the bits of a number.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] for contents that are too short or invalid.
    pub fn number(&mut self) -> Result<f64, CheckpointError> {
        self.word().map(f64::from_bits)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] for contents that are too short or invalid.
    pub fn text(&mut self) -> Result<String, CheckpointError> {
        let length = self.word()?;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| self.damaged())
    }

    /// Reads numbers of the size of the scalar.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] for contents that are too short or invalid.
    pub fn scalars<T: Real>(&mut self) -> Result<Vec<T>, CheckpointError> {
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

    /// Reads a count and as many items, each of which takes at least one byte.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] for contents that are too short or invalid.
    pub fn items<V>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<V, CheckpointError>,
    ) -> Result<Vec<V>, CheckpointError> {
        let length = self.word()?;
        (0..length).map(|_| item(self)).collect()
    }

    /// Ends the contents, of which nothing may be left.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] for any rest.
    pub fn end(self) -> Result<(), CheckpointError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { kind: *b"examples", version: 3 };

    fn open(bytes: &[u8]) -> Result<Reader<'_>, CheckpointError> {
        Reader::open(FORMAT, Path::new("a"), bytes)
    }

    /// Whether an error is that of a file with this damage.
    fn is<T>(result: Result<T, CheckpointError>, expected: Damage) -> bool {
        matches!(result, Err(CheckpointError::Damaged { damage, .. }) if damage == expected)
    }

    fn example() -> Vec<u8> {
        let mut writer = Writer::new(FORMAT);
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
        assert!(is(
            Reader::open(Format { kind: *b"anything", ..FORMAT }, path, &bytes),
            Damage::Kind
        ));
        let older = Reader::open(Format { version: 2, ..FORMAT }, path, &bytes);
        assert!(matches!(older, Err(CheckpointError::Version { found: 3, expected: 2, .. })));
    }

    #[test]
    fn lengths_are_not_believed() {
        let mut writer = Writer::new(FORMAT);
        writer.word(u64::MAX);
        let bytes = writer.seal();
        let open = || open(&bytes).unwrap();
        assert!(is(open().text(), Damage::Contents));
        assert!(is(open().scalars::<f64>(), Damage::Contents));
        assert!(is(open().items(|reader| reader.word()), Damage::Contents));
    }
}
