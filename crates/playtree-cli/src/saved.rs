//! Saved tables on the command line: `--load` and `--save` of `analyze` and `solve`, and `playtree
//! table`.

use std::fmt::Display;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clap::Args;
use playtree::LoadError;
use playtree::save::{self, Info, Loaded, Mismatch};
use playtree_session::Error;
use playtree_session::engine::Saver;

use crate::error::CliError;
use crate::options::values;
use crate::output;
use crate::progress::{self, Notes};

/// The table that a search begins with, and what becomes of it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Saved table")]
pub(crate) struct Files {
    /// Begin with the table saved in this file, of the same game and kind of search.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the table to this file after the search; the file is replaced at once.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compress the saved file.
    #[arg(long, requires = "save")]
    compress: bool,
}

impl Files {
    /// Refuses a file that cannot be saved to, before there is something to be lost.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        check("--save", self.save.as_deref())
    }

    /// Refuses to load and to save where each path has nodes of its own: there is no table then.
    pub(crate) fn expect_none_for_a_tree(&self) -> Result<(), CliError> {
        let options = [("--load", &self.load), ("--save", &self.save)];
        match options.iter().find(|(_, file)| file.is_some()) {
            Some((option, _)) => {
                Err(CliError::at(option, "expected --values graph, found --values tree"))
            }
            None => Ok(()),
        }
    }

    /// Loads the file of `--load` with `load`.
    pub(crate) fn load(
        &self,
        load: impl FnOnce(&Path) -> Result<Loaded, Error>,
    ) -> Result<(), CliError> {
        let Some(file) = &self.load else { return Ok(()) };
        let loaded = progress::while_running("loading the table", None, || load(file));
        loaded.map(drop).map_err(|error| match error {
            Error::Library(playtree::Error::Load(error)) => unloadable("--load", file, &error),
            other => CliError::at("--load", other),
        })
    }

    /// Saves to the file of `--save` with `save`.
    pub(crate) fn save(
        &self,
        save: impl FnOnce(&Path) -> Result<Info, Error>,
    ) -> Result<(), CliError> {
        let Some(file) = &self.save else { return Ok(()) };
        let saved = progress::while_running("saving the table", None, || save(file));
        saved.map(drop).map_err(|error| CliError::at("--save", error))
    }

    /// What `--compress` says.
    pub(crate) fn options(&self) -> save::Options {
        save::Options::default().compress(self.compress)
    }
}

/// What is saved of the table of a Monte Carlo search, and when.
#[derive(Args, Debug)]
#[command(next_help_heading = "Saved table")]
pub(crate) struct TableOptions {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Save it this often during the search as well: seconds, or a time such as 5m. An error is
    /// shown, and the search goes on.
    #[arg(long, value_name = "TIME", value_parser = values::interval, requires = "save")]
    #[arg(allow_hyphen_values = true)]
    save_every: Option<Duration>,
    /// Save only positions with at least this many visits: an opening book.
    #[arg(long, value_name = "N", value_parser = values::small, requires = "save")]
    #[arg(allow_hyphen_values = true)]
    save_visits: Option<u32>,
}

impl TableOptions {
    /// What `--compress` and `--save-visits` say.
    pub(crate) fn options(&self) -> save::Options {
        self.files.options().min_visits(self.save_visits.unwrap_or(0))
    }

    /// The file and the interval of `--save-every`.
    pub(crate) fn every(&self) -> Option<(&Path, Duration)> {
        Some((self.files.save.as_deref()?, self.save_every?))
    }

    /// Does `work`, and meanwhile saves the table each time that `every` has passed; `notes` gets
    /// the result of each save.
    pub(crate) fn save_during<T>(
        &self,
        (file, every): (&Path, Duration),
        saver: &Saver,
        notes: &Notes,
        work: impl FnOnce() -> T,
    ) -> T {
        let options = self.options();
        thread::scope(|scope| {
            // Dropped when the work is over, also by a panic: that ends the saving.
            let (_working, over) = channel::<()>();
            let mut saves = 0;
            let save = move || {
                while over.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    match saver(file, &options) {
                        Ok(info) => {
                            saves += 1;
                            let (positions, size) = (info.positions, info.file_bytes);
                            notes.set(format!(
                                "saved {} with {} positions in {}",
                                times(saves),
                                output::grouped(positions),
                                output::bytes(size)
                            ));
                        }
                        Err(error) => notes.warn(&format!("--save: {error}; the search goes on")),
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, save) {
                notes.warn(&format!("--save-every: {error}; the table is saved at the end"));
            }
            work()
        })
    }
}

/// Why a file that stands at `place` cannot be loaded, in the words of the command line.
fn unloadable(place: &str, file: &Path, error: &LoadError) -> CliError {
    let message = match error {
        // These name the file.
        LoadError::Io { .. } | LoadError::NotAFile { .. } => return CliError::at(place, error),
        LoadError::Foreign { .. } => {
            "expected a table or facts saved by playtree, found another kind of file".into()
        }
        // Only that selection keeps more than a mean of each position.
        LoadError::Settings { what: Mismatch::Planes, found: 0, .. } => {
            "expected a table of a search with --selection ucb1-tuned, found one of another \
             selection"
                .into()
        }
        LoadError::Settings { what: Mismatch::Planes, expected: 0, .. } => {
            "expected a table of a search without --selection ucb1-tuned, found one with it".into()
        }
        LoadError::Layout { .. } | LoadError::Facts { .. } => {
            "expected a file of this version of playtree, found one that is written in another form"
                .into()
        }
        LoadError::Content { .. } => format!("damaged: {error}"),
        other => other.to_string(),
    };
    CliError::at(place, format_args!("{}: {message}", file.display()))
}

/// `once`, `3 times`.
fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// Refuses what this option cannot replace or make. It is looked at again when it is written.
pub(crate) fn check(option: &str, file: Option<&Path>) -> Result<(), CliError> {
    let Some(file) = file else { return Ok(()) };
    let refuse = |expected: &str, found: &dyn Display| {
        let message = format!("{}: expected {expected}, found {found}", file.display());
        Err(CliError::at(option, message))
    };
    match fs::metadata(file) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) if found.is_dir() => refuse("a regular file or none", &"a folder"),
        Ok(_) => refuse("a regular file or none", &"a device, a pipe or a socket"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // Where a symbolic link leads is seen when it is followed.
            let is_link = file.is_symlink();
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            match folder {
                Some(folder) if !is_link && !folder.is_dir() => {
                    refuse(&format!("a folder {} for it", folder.display()), &"none")
                }
                _ if file.file_name().is_none() => refuse("the name of a file", &"none"),
                _ => Ok(()),
            }
        }
        Err(error) => refuse("a file that can be replaced", &error),
    }
}

/// Print what a saved table says of itself, if its checksums hold.
#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object instead of the text.
    #[arg(long)]
    json: bool,
}

/// Writes the header of the file.
pub(crate) fn run(args: &TableArgs, out: &mut impl Write) -> Result<(), CliError> {
    let file = &args.file;
    let verified = progress::while_running("checking the table", None, || Info::verify(file));
    let info = verified.map_err(|error| unloadable("FILE", file, &error))?;
    if args.json { output::write_json(out, &info) } else { Ok(writeln!(out, "{info}")?) }
}
