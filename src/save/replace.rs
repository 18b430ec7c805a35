//! Replacing a file at once: whoever opens it finds the old content or the new one.
//!
//! The new content goes to a file beside it, `.NAME.PROCESS-NUMBER.tmp`, which is written
//! out to the disk and then renamed; then the folder is written out too. Its writer holds a
//! lock on it, so the next save can tell the leftover of a killed program from the work of
//! another and remove it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use super::blocks::WriteError;
use super::error::SaveError;

/// Bytes written to the file at once.
const BUFFER: usize = 1 << 18;

/// Replaces the file at `path` by what `write` writes. On any error it is left as it was.
pub(crate) fn replace<T>(
    path: &Path,
    write: impl FnOnce(BufWriter<&File>) -> Result<T, WriteError>,
) -> Result<T, SaveError> {
    let Some(name) = path.file_name() else {
        let error = ErrorKind::InvalidFilename.into();
        return Err(SaveError::io("write", path, error));
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let prefix = format!(".{}.", name.to_string_lossy());
    remove_leftovers(folder, &prefix);
    let (temporary, file) = create(folder, &prefix)?;
    let value = write(BufWriter::with_capacity(BUFFER, &file)).map_err(|error| match error {
        WriteError::Io(error) => SaveError::io("write", &temporary.0, error),
        WriteError::Save(error) => error,
    })?;
    file.sync_all().map_err(|error| SaveError::io("write out", &temporary.0, error))?;
    fs::rename(&temporary.0, path).map_err(|error| SaveError::io("replace", path, error))?;
    std::mem::forget(temporary);
    sync_folder(folder).map_err(|error| SaveError::io("write out", folder, error))?;
    Ok(value)
}

/// A file that is removed when this is dropped.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // If it cannot be removed there is nothing left to be done.
        let _ = fs::remove_file(&self.0);
    }
}

/// Makes a file in `folder` that nobody else has, and locks it.
fn create(folder: &Path, prefix: &str) -> Result<(Temporary, File), SaveError> {
    let mut number = 0u32;
    loop {
        let path = folder.join(format!("{prefix}{}-{number}.tmp", std::process::id()));
        number = number.wrapping_add(1);
        let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            // In use by another thread.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(SaveError::io("make", &path, error)),
        };
        // Another save may have taken the file for a leftover before it was locked. Where
        // files cannot be locked at all, nobody does.
        if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && path.exists() {
            return Ok((Temporary(path), file));
        }
    }
}

/// Removes files of killed programs: those that nobody has locked.
fn remove_leftovers(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Some(number) = name.strip_prefix(prefix).and_then(|n| n.strip_suffix(".tmp")) else {
            continue;
        };
        let (process, number) = number.split_once('-').unwrap_or_default();
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        if !is_number(process) || !is_number(number) {
            continue;
        }
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere a folder cannot be opened as a file; the system writes it out by itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
