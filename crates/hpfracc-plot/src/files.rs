//! Output files, written completely or not at all.

use crate::PlotError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Beginning and end of a temporary name.
const PREFIX: &str = ".hpfracc-";
const SUFFIX: &str = ".part";

/// File under a temporary name next to its target; removed when dropped unpublished.
#[derive(Debug)]
pub struct PendingFile {
    state: State,
    target: PathBuf,
    /// Target as named by the caller.
    name: String,
}

#[derive(Debug)]
enum State {
    Temporary(NamedTempFile),
    /// Pipe or device, which renaming cannot replace, and content to write at the end.
    Open(File, Vec<u8>),
}

impl PendingFile {
    /// Writes `bytes` to a temporary file in the folder of `target`.
    ///
    /// # Errors
    /// [`PlotError::Write`] if the folder cannot be written.
    pub fn new(target: &Path, bytes: Vec<u8>) -> Result<Self, PlotError> {
        let mut pending = Self::begin(target)?;
        match &mut pending.state {
            State::Temporary(file) => file
                .write_all(&bytes)
                .map_err(|source| PlotError::Write { name: pending.name.clone(), source })?,
            State::Open(_, content) => *content = bytes,
        }
        Ok(pending)
    }

    /// Empty temporary file in the folder of `target`, to be written through [`PendingFile::file`];
    /// pipes and devices are opened directly.
    ///
    /// # Errors
    /// [`PlotError::Write`] if the folder cannot be written.
    pub fn begin(target: &Path) -> Result<Self, PlotError> {
        let name = target.display().to_string();
        let written = |source| PlotError::Write { name: name.clone(), source };
        let target = resolve(target).map_err(written)?;
        let old = fs::metadata(&target).ok();
        let open = || OpenOptions::new().write(true).open(&target).map_err(written);
        match &old {
            Some(old) if old.is_dir() => {
                return Err(written(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            Some(old) if !old.is_file() => {
                let state = State::Open(open()?, Vec::new());
                return Ok(Self { state, target, name });
            }
            // Renaming checks permissions of the folder only: check those of the file.
            Some(old) if old.permissions().readonly() => {
                return Err(written(io::Error::from(io::ErrorKind::PermissionDenied)));
            }
            Some(_) => drop(open()?),
            None => {}
        }
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            // The default permissions of a new file; those of a temporary file are private.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        remove_leftovers(folder_of(&target));
        let file = builder.tempfile_in(folder_of(&target)).map_err(written)?;
        // Some file systems have no locks: then leftovers cannot be told apart, and stay.
        let _ = file.as_file().try_lock();
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions()).map_err(written)?;
        }
        Ok(Self { state: State::Temporary(file), target, name })
    }

    /// Handle to write to, after [`PendingFile::begin`].
    ///
    /// # Errors
    /// [`PlotError::Write`] if the operating system has no further handle.
    pub fn file(&self) -> Result<File, PlotError> {
        let file = match &self.state {
            State::Temporary(file) => file.as_file().try_clone(),
            State::Open(file, _) => file.try_clone(),
        };
        file.map_err(|source| PlotError::Write { name: self.name.clone(), source })
    }

    /// Renames the file to its target.
    ///
    /// # Errors
    /// [`PlotError::Write`] on an I/O error.
    pub fn publish(self) -> Result<(), PlotError> {
        let result = match self.state {
            State::Temporary(file) => file.persist(&self.target).map(drop).map_err(|e| e.error),
            State::Open(mut file, content) => file.write_all(&content),
        };
        result.map_err(|source| PlotError::Write { name: self.name, source })
    }
}

/// Removes temporary files of processes that were killed: those which nobody has locked, and which
/// are older than the moment between creating and locking a file.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes());
        let written = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours
            && written().is_some_and(|age| age > Duration::from_secs(1))
            && OpenOptions::new().write(true).open(entry.path()).is_ok_and(|f| f.try_lock().is_ok())
        {
            // A leftover that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Target of a path with symbolic links followed, existing or not: renaming onto a link would
/// replace the link in place of its target.
///
/// # Errors
/// The error of the operating system, and one for links in a circle.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    // Maximum of operating systems.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(existing) = fs::canonicalize(&path) {
            return Ok(existing);
        }
        let Ok(target) = fs::read_link(&path) else {
            let (folder, name) = (fs::canonicalize(folder_of(&path)), path.file_name());
            // A missing folder becomes an error when the file is written.
            return Ok(match (folder, name) {
                (Ok(folder), Some(name)) => folder.join(name),
                _ => path,
            });
        };
        path = folder_of(&path).join(target);
    }
    Err(io::Error::other("too many links"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a complete file or none.
///
/// # Errors
/// [`PlotError::Write`] on an I/O error.
pub fn write_file(target: &Path, bytes: Vec<u8>) -> Result<(), PlotError> {
    PendingFile::new(target, bytes)?.publish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        drop(PendingFile::new(&target, b"half".to_vec()).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_file(&target, b"whole".to_vec()).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn leftovers_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str, age: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(age)).unwrap();
            file
        };
        create(".hpfracc-killed.part", 60);
        create("other.part", 60);
        create(".hpfracc-new.part", 0);
        let locked = create(".hpfracc-locked.part", 60);
        locked.try_lock().unwrap();
        write_file(&folder.path().join("out"), b"x".to_vec()).unwrap();
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".hpfracc-locked.part", ".hpfracc-new.part", "other.part", "out"]);
    }

    #[test]
    fn two_paths_of_a_new_file_are_equal() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, inner) = (folder.path().join("x"), folder.path().join("inner"));
        fs::create_dir(&inner).unwrap();
        assert_eq!(resolve(&plain).unwrap(), resolve(&inner.join("../x")).unwrap());
        assert_eq!(resolve(Path::new("new.x")).unwrap(), resolve(Path::new("./new.x")).unwrap());
        assert_ne!(resolve(&plain).unwrap(), resolve(&inner.join("x")).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        fs::write(&target, "old").unwrap();
        for mode in [0o600, 0o666, 0o755] {
            fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
            write_file(&target, b"new".to_vec()).unwrap();
            assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, mode);
            assert_eq!(fs::read(&target).unwrap(), b"new");
        }
        fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(write_file(&target, b"newer".to_vec()), Err(PlotError::Write { .. })));
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deep")).unwrap();
        // Two relative links to a file that does not exist.
        symlink("deep/second", path("first")).unwrap();
        symlink("../file", path("deep/second")).unwrap();
        for text in ["new", "newer"] {
            write_file(&path("first"), text.as_bytes().to_vec()).unwrap();
            assert_eq!(fs::read(path("file")).unwrap(), text.as_bytes());
            assert!(fs::symlink_metadata(path("first")).unwrap().is_symlink());
            assert!(fs::symlink_metadata(path("deep/second")).unwrap().is_symlink());
        }
        symlink("round", path("round")).unwrap();
        assert!(matches!(write_file(&path("round"), Vec::new()), Err(PlotError::Write { .. })));
        assert!(fs::symlink_metadata(path("round")).unwrap().is_symlink());
    }
}
