//! Numbers as text, and files that appear whole or not at all.

use crate::{Error, Series};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A number with 17 significant digits: enough to get the same double precision number back.
///
/// ```
/// use hpfracc_cli::output::digits17;
///
/// assert_eq!(digits17(316.1), "316.10000000000002");
/// assert_eq!(digits17(-1.5e-9), "-1.5000000000000000e-9");
/// assert_eq!(digits17(0.0), "0.0000000000000000");
/// ```
pub fn digits17(x: f64) -> String {
    let scientific = format!("{x:.16e}");
    let exponent: Option<i32> = scientific.rsplit_once('e').and_then(|(_, e)| e.parse().ok());
    match exponent {
        // Sixteen digits follow the first one, wherever the point stands.
        Some(e @ -4..=16) => format!("{x:.decimals$}", decimals = (16 - e) as usize),
        _ => scientific,
    }
}

/// A number for a message: without the rounding in its last digits.
pub(crate) fn rounded(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}

/// A series and what was made of it as CSV: the time as it stood in the file, the samples, and a
/// named column for each result, numbers with 17 significant digits.
///
/// # Errors
/// [`Error::Csv`] if the writer refuses.
pub fn to_csv(series: &Series, results: &[(&str, &[f64])]) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Csv { name: "output".to_owned(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut row = vec![series.time_name.clone(), series.name.clone()];
    row.extend(results.iter().map(|(name, _)| (*name).to_owned()));
    writer.write_record(&row).map_err(failed)?;
    for (j, (label, sample)) in series.labels.iter().zip(&series.values).enumerate() {
        row.clear();
        row.extend([label.clone(), digits17(*sample)]);
        row.extend(results.iter().map(|(_, values)| digits17(values[j])));
        writer.write_record(&row).map_err(failed)?;
    }
    writer.into_inner().map_err(|e| failed(e.into_error().into()))
}

/// A file that is written but does not carry its name yet: dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Pending {
    state: State,
    target: PathBuf,
    /// The target as it was named.
    name: String,
}

#[derive(Debug)]
enum State {
    Beside(NamedTempFile),
    /// A pipe or a device cannot be replaced by renaming.
    Direct(Vec<u8>),
}

impl Pending {
    /// Writes `bytes` beside `target`, in the same folder.
    ///
    /// # Errors
    /// [`Error::Write`] if the folder cannot be written.
    pub fn new(target: &Path, bytes: Vec<u8>) -> Result<Self, Error> {
        let name = target.display().to_string();
        // Renaming onto a link would replace the link, not the file it points at.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let written = |source| Error::Write { name: name.clone(), source };
        if fs::metadata(&target).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
            return Ok(Self { state: State::Direct(bytes), target, name });
        }
        if target.is_dir() {
            return Err(written(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let folder = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = Builder::new();
        builder.prefix(".hpfracc-").suffix(".part");
        #[cfg(unix)]
        {
            // As for any new file, less the umask; a temporary file would be private.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder).map_err(written)?;
        file.write_all(&bytes).map_err(written)?;
        Ok(Self { state: State::Beside(file), target, name })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`Error::Write`] if the system refuses.
    pub fn publish(self) -> Result<(), Error> {
        let result = match self.state {
            State::Beside(file) => file.persist(&self.target).map(drop).map_err(|e| e.error),
            State::Direct(bytes) => OpenOptions::new()
                .write(true)
                .open(&self.target)
                .and_then(|mut device| device.write_all(&bytes)),
        };
        result.map_err(|source| Error::Write { name: self.name, source })
    }
}

/// Writes a whole file or nothing.
///
/// # Errors
/// [`Error::Write`] if the system refuses.
pub fn write_file(target: &Path, bytes: Vec<u8>) -> Result<(), Error> {
    Pending::new(target, bytes)?.publish()
}

/// Writes to standard output.
///
/// # Errors
/// [`Error::Write`]; see [`Error::is_closed_pipe`].
pub fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|source| Error::Write { name: "<stdout>".to_owned(), source })
}

/// Says something on standard error. Whoever has closed it does not want to read it.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "hpfracc: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seventeen_digits_whatever_the_size() {
        for (x, text) in [
            (1.0, "1.0000000000000000"),
            (0.1, "0.10000000000000001"),
            (-1234.5, "-1234.5000000000000"),
            (1e16, "10000000000000000"),
            (1e17, "1.0000000000000000e17"),
            (1e-4, "0.00010000000000000000"),
            (9.999999999999999e-5, "9.9999999999999991e-5"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(digits17(x), text);
        }
        for x in [std::f64::consts::PI, 1.0 / 3.0, 5e-324, f64::MAX, 1e22, 123456789.123456789] {
            assert_eq!(digits17(x).parse::<f64>().unwrap(), x);
        }
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        drop(Pending::new(&target, b"half".to_vec()).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_file(&target, b"whole".to_vec()).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
