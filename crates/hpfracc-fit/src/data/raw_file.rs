use super::Source;
use crate::SourceError;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// File of numbers in double precision, little-endian, row after row, without a header.
///
/// ```
/// use hpfracc_fit::{RawFile, Source};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("rows.f64");
/// let numbers = [0.0, 1.0, 0.5, 2.0, 1.0, 3.0];
/// std::fs::write(&path, numbers.map(f64::to_le_bytes).concat())?;
/// let file = RawFile::open(&path, 2)?;
/// assert_eq!(file.rows(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RawFile {
    path: PathBuf,
    file: File,
    columns: usize,
    rows: usize,
    modified: Option<SystemTime>,
}

impl RawFile {
    /// File with this number of columns.
    ///
    /// # Errors
    /// [`SourceError`] for a file that cannot be opened, or whose length is not a whole number of rows.
    pub fn open(path: impl AsRef<Path>, columns: usize) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| SourceError::io(path, "open", &error))?;
        Self::of(file, path, columns)
    }

    /// An open file.
    pub(super) fn of(file: File, path: &Path, columns: usize) -> Result<Self, SourceError> {
        let facts = file.metadata().map_err(|error| SourceError::io(path, "open", &error))?;
        let (bytes, row) = (facts.len(), 8 * columns as u64);
        if row == 0 || bytes % row != 0 {
            let reason = format!(
                "has {bytes} bytes, expected a multiple of {row}: {columns} numbers of 8 bytes a row"
            );
            return Err(SourceError::new(path, reason));
        }
        let rows = usize::try_from(bytes / row)
            .map_err(|_| SourceError::new(path, "has more rows than this machine can count"))?;
        let modified = facts.modified().ok();
        Ok(Self { path: path.to_owned(), file, columns, rows, modified })
    }
}

impl Source for RawFile {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn read(&self, first: usize, values: &mut [f64]) -> Result<(), SourceError> {
        let offset = first as u64 * 8 * self.columns as u64;
        read_at(&self.file, bytemuck::cast_slice_mut(values), offset)
            .map_err(|error| SourceError::io(&self.path, "read", &error))?;
        if cfg!(target_endian = "big") {
            values.iter_mut().for_each(|x| *x = f64::from_bits(x.to_bits().swap_bytes()));
        }
        Ok(())
    }

    fn unchanged(&self) -> Result<(), SourceError> {
        let facts =
            self.file.metadata().map_err(|error| SourceError::io(&self.path, "read", &error))?;
        let bytes = self.rows as u64 * 8 * self.columns as u64;
        if facts.len() != bytes || facts.modified().ok() != self.modified {
            return Err(SourceError::new(&self.path, "has changed since the first pass over it"));
        }
        Ok(())
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
