//! Replacing a file at once: a reader finds the old content or the new one.
//!
//! The new content goes to a file beside it, `.NAME.PROCESS-NUMBER.tmp`, which is written
//! out to the disk and then renamed; then the folder is written out too. Its writer holds a
//! lock on it, so the next save can tell the leftover of a killed program from the work of
//! another and remove it.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use super::blocks::WriteError;
use super::error::SaveError;

/// Bytes written to the file at once.
const BUFFER: usize = 1 << 18;

/// Replaces the file at `path` by what `write` writes. On any error it is left as it was.
///
/// A symbolic link stays, and what it leads to is replaced; so is nothing but a regular file. The
/// new file has the permissions of the old one, and its owner and group if the system allows that.
pub(crate) fn replace<T>(
    path: &Path,
    write: impl FnOnce(BufWriter<&File>) -> Result<T, WriteError>,
) -> Result<T, SaveError> {
    let new = Replacement::begin(path)?;
    let out = BufWriter::with_capacity(BUFFER, &new.file);
    let value = write(out).map_err(|error| new.failed(error))?;
    new.take_place()?;
    Ok(value)
}

/// A file that is written beside the one that it will replace.
struct Replacement {
    path: PathBuf,
    folder: PathBuf,
    temporary: Temporary,
    file: File,
}

impl Replacement {
    fn begin(path: &Path) -> Result<Self, SaveError> {
        let (path, old) = target(path)?;
        let Some(name) = path.file_name() else {
            let error = ErrorKind::InvalidFilename.into();
            return Err(SaveError::io("write", &path, error));
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let prefix = format!(".{}.", name.to_string_lossy());
        remove_leftovers(&folder, &prefix);
        let (temporary, file) = create(&folder, &prefix, old.is_some())?;
        if let Some(old) = &old {
            permissions::copy(old, &file)
                .map_err(|error| SaveError::io("set the permissions", &temporary.0, error))?;
        }
        Ok(Self { path, folder, temporary, file })
    }

    /// The error of writing to it.
    fn failed(&self, error: WriteError) -> SaveError {
        match error {
            WriteError::Io(error) => SaveError::io("write", &self.temporary.0, error),
            WriteError::Save(error) => error,
        }
    }

    fn take_place(self) -> Result<(), SaveError> {
        let Self { path, folder, temporary, file } = self;
        file.sync_all().map_err(|error| SaveError::io("write out", &temporary.0, error))?;
        // It may have become something else in the meantime.
        target(&path)?;
        fs::rename(&temporary.0, &path).map_err(|error| SaveError::io("replace", &path, error))?;
        temporary.keep();
        sync_folder(&folder).map_err(|error| SaveError::io("write out", &folder, error))
    }
}

/// Symbolic links in a row that are followed where there is nothing at their end; where there is
/// something, the system counts.
const MOST_LINKS: usize = 40;

/// The path with symbolic links followed, and what is there: a regular file, or nothing yet.
fn target(path: &Path) -> Result<(PathBuf, Option<Metadata>), SaveError> {
    let failed = |error| SaveError::io("replace", path, error);
    match fs::metadata(path) {
        Ok(old) if old.is_file() => {
            // The name of a plain file stays as the user has written it.
            let is_link = fs::symlink_metadata(path).map_err(failed)?.is_symlink();
            let end = if is_link { fs::canonicalize(path).map_err(failed)? } else { path.into() };
            Ok((end, Some(old)))
        }
        Ok(other) => Err(SaveError::NotAFile { path: path.into(), found: kind_of(&other) }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut end = path.to_owned();
            for _ in 0..MOST_LINKS {
                // A link is relative to the folder that it is in.
                let Ok(next) = fs::read_link(&end) else { break };
                end = end.parent().unwrap_or(Path::new("")).join(next);
            }
            Ok((end, None))
        }
        Err(error) => Err(failed(error)),
    }
}

/// What is there, in a word, if it is no regular file.
pub(super) fn kind_of(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if found.is_dir() { "a folder" } else { "something else" }
}

/// A file that is removed when this is dropped. Without a path there is none.
struct Temporary(PathBuf);

impl Temporary {
    /// Leaves the file, which has another name by now.
    fn keep(mut self) {
        self.0 = PathBuf::new();
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.0.as_os_str().is_empty() {
            return;
        }
        // If it cannot be removed there is nothing left to be done.
        let _ = fs::remove_file(&self.0);
    }
}

/// Makes a file in `folder` that is in use nowhere else, and locks it. If it is `private`, only its
/// owner can open it as yet.
fn create(folder: &Path, prefix: &str, private: bool) -> Result<(Temporary, File), SaveError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if private {
        permissions::make_private(&mut options);
    }
    let mut number = 0u32;
    loop {
        let path = folder.join(format!("{prefix}{}-{number}.tmp", std::process::id()));
        number = number.wrapping_add(1);
        let file = match options.open(&path) {
            Ok(file) => file,
            // In use by another thread.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(SaveError::io("make", &path, error)),
        };
        // Another save may have taken the file for a leftover before it was locked. Where files
        // cannot be locked at all, no save does.
        if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && path.exists() {
            return Ok((Temporary(path), file));
        }
    }
}

/// Removes files of killed programs: those that no program has locked.
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
        // A pipe of that name would not open before it is written to.
        if entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
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

/// Permissions, owner and group of a file that takes the place of another one.
#[cfg(unix)]
mod permissions {
    use std::fs::{File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};

    pub(super) fn make_private(options: &mut OpenOptions) {
        options.mode(0o600);
    }

    pub(super) fn copy(old: &Metadata, file: &File) -> io::Result<()> {
        let own = file.metadata()?;
        let (uid, gid) = (old.uid(), old.gid());
        // Only root may give files away; any user may choose among the own groups.
        let mut has_group = own.gid() == gid;
        if !has_group || own.uid() != uid {
            has_group |=
                fchown(file, Some(uid), Some(gid)).is_ok() || fchown(file, None, Some(gid)).is_ok();
        }
        // Reading, writing, running: a file that runs as its owner is no table.
        let mut mode = old.mode() & 0o777;
        if !has_group {
            // Another group gets no more than all users have.
            mode &= 0o707 | (mode & 0o007) << 3;
        }
        file.set_permissions(Permissions::from_mode(mode))
    }
}

/// Elsewhere a new file has the permissions of its folder.
#[cfg(not(unix))]
mod permissions {
    use std::fs::{File, Metadata, OpenOptions};

    pub(super) fn make_private(_: &mut OpenOptions) {}

    pub(super) fn copy(_: &Metadata, _: &File) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::replace;
    use crate::save::SaveError;

    /// An empty folder that is removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("playtree-replace-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        fn names(&self) -> Vec<String> {
            let names = fs::read_dir(&self.0).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn write(path: &Path) -> Result<(), SaveError> {
        replace(path, |mut out| Ok(out.write_all(b"new")?))
    }

    #[test]
    fn symbolic_links_stay_and_what_they_lead_to_is_replaced() {
        let folder = Folder::new("links");
        let at = |name: &str| folder.0.join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("deep/old"), "old").unwrap();
        symlink("deep/old", at("to-old")).unwrap();
        symlink("to-old", at("twice")).unwrap();
        symlink("deep/new", at("to-new")).unwrap();
        symlink(at("to-new"), at("far")).unwrap();
        for (link, end) in [("twice", "deep/old"), ("far", "deep/new")] {
            write(&at(link)).unwrap();
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
            assert!(fs::symlink_metadata(at(end)).unwrap().is_file(), "{end}");
            assert_eq!(fs::read(at(end)).unwrap(), b"new", "{end}");
        }
        assert_eq!(folder.names(), ["deep", "far", "to-new", "to-old", "twice"]);
        symlink("round", at("round")).unwrap();
        assert!(matches!(write(&at("round")), Err(SaveError::Io { .. })));
        symlink("nowhere/x", at("dangling")).unwrap();
        assert!(matches!(write(&at("dangling")), Err(SaveError::Io { .. })));
        assert!(fs::symlink_metadata(at("dangling")).unwrap().is_symlink());
    }

    #[test]
    fn nothing_but_a_regular_file_is_replaced() {
        let folder = Folder::new("kinds");
        let at = |name: &str| folder.0.join(name);
        let _socket = UnixListener::bind(at("socket")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        symlink("/dev/null", at("null")).unwrap();
        symlink("folder", at("link")).unwrap();
        let pipe = Command::new("mkfifo").arg(at("pipe")).status();
        let has_pipe = pipe.is_ok_and(|status| status.success());
        let before = folder.names();
        for (name, expected) in [
            ("socket", "a socket"),
            ("folder", "a folder"),
            ("link", "a folder"),
            ("null", "a device"),
            ("pipe", "a pipe"),
        ] {
            if name == "pipe" && !has_pipe {
                continue;
            }
            let Err(SaveError::NotAFile { path, found }) = write(&at(name)) else {
                panic!("{name} was replaced");
            };
            assert_eq!((path, found), (at(name), expected));
        }
        assert_eq!(folder.names(), before);
    }

    #[test]
    fn permissions_are_those_of_the_old_file() {
        let folder = Folder::new("permissions");
        let path = folder.0.join("table");
        write(&path).unwrap();
        for mode in [0o600, 0o640, 0o666, 0o444] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            write(&path).unwrap();
            let found = fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
            assert_eq!(found, mode, "{found:o}, expected {mode:o}");
        }
        assert_eq!(folder.names(), ["table"]);
    }
}
