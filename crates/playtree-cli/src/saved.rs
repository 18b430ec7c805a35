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
use playtree::games::GameInfo;
use playtree::{
    FactsInfo, FactsOptions, GameTag, LoadError, Mcts, Notation, SaveOptions, Saveable, Saver,
    Solvable, Solver, TableInfo, TableKind,
};
use serde::Serialize;

use crate::error::CliError;
use crate::harmless::harmless;
use crate::options::values;
use crate::output;
use crate::progress::Notes;

/// The table that a search begins with, and what becomes of it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Saved table")]
pub(crate) struct TableOptions {
    /// Begin with the table saved in this file, of the same game and kind of search.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the table to this file after the search; the file is replaced at once.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Save it this often during the search as well: seconds, or a time such as 5m. An error is
    /// shown, and the search goes on.
    #[arg(long, value_name = "TIME", value_parser = values::interval, requires = "save")]
    save_every: Option<Duration>,
    /// Save only positions with at least this many visits: an opening book.
    #[arg(long, value_name = "N", value_parser = values::small, requires = "save")]
    save_visits: Option<u32>,
    /// Compress the saved file.
    #[arg(long, requires = "save")]
    compress: bool,
}

impl TableOptions {
    /// Refuses a file that cannot be saved to, before there is something to be lost.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        check(self.save.as_deref())
    }

    /// Loads the table of `--load`.
    pub(crate) fn load<G: Notation + Saveable>(
        &self,
        engine: &mut Mcts<G>,
        info: &GameInfo,
        state: &G,
    ) -> Result<(), CliError> {
        let Some(file) = &self.load else { return Ok(()) };
        engine
            .load(file, &tag(info, state))
            .map_err(|error| CliError::at("--load", unloadable(&error)))
            .map(|_| ())
    }

    /// Saves the table for `--save`.
    pub(crate) fn save<G: Notation + Saveable>(
        &self,
        engine: &Mcts<G>,
        info: &GameInfo,
        state: &G,
    ) -> Result<(), CliError> {
        let Some(file) = &self.save else { return Ok(()) };
        engine
            .save(file, &tag(info, state), &self.options())
            .map_err(|error| CliError::at("--save", error))
            .map(|_| ())
    }

    fn options(&self) -> SaveOptions {
        let visits = self.save_visits.unwrap_or(0);
        SaveOptions::default().min_visits(visits).compress(self.compress)
    }

    /// The file and the interval of `--save-every`.
    pub(crate) fn every(&self) -> Option<(&Path, Duration)> {
        Some((self.save.as_deref()?, self.save_every?))
    }

    /// Does `work`, and meanwhile saves the table each time that `every` has passed; `notes` gets
    /// the result of each save.
    pub(crate) fn save_during<G: Notation + Saveable + 'static, T>(
        &self,
        (file, every): (&Path, Duration),
        saver: Saver<G>,
        tag: &GameTag,
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
                    match saver.save(file, tag, &options) {
                        Ok(info) => {
                            saves += 1;
                            let (nodes, size) = (info.nodes, info.file_bytes);
                            notes.set(format!(
                                "saved {} with {} positions in {}",
                                times(saves),
                                output::grouped(nodes),
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

/// The facts that a solver begins with, and what becomes of them.
#[derive(Args, Debug)]
#[command(next_help_heading = "Saved facts")]
pub(crate) struct FactsFiles {
    /// Begin with the facts saved in this file, which must be of the same game.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save what is known to this file at the end; the file is replaced at once.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compress the saved file.
    #[arg(long, requires = "save")]
    compress: bool,
}

impl FactsFiles {
    /// Refuses a file that cannot be saved to, before there is something to be lost.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        check(self.save.as_deref())
    }

    /// Loads the facts of `--load`.
    pub(crate) fn load<G: Notation + Saveable + Solvable>(
        &self,
        solver: &mut Solver<G>,
        info: &GameInfo,
        state: &G,
    ) -> Result<(), CliError> {
        let Some(file) = &self.load else { return Ok(()) };
        solver
            .load(file, &tag(info, state))
            .map_err(|error| CliError::at("--load", unloadable(&error)))
            .map(|_| ())
    }

    /// Saves the facts for `--save`.
    pub(crate) fn save<G: Notation + Saveable + Solvable>(
        &self,
        solver: &Solver<G>,
        info: &GameInfo,
        state: &G,
    ) -> Result<(), CliError> {
        let Some(file) = &self.save else { return Ok(()) };
        solver
            .save(file, &tag(info, state), &FactsOptions::default().compress(self.compress))
            .map_err(|error| CliError::at("--save", error))
            .map(|_| ())
    }
}

/// Why a file cannot be loaded, in the words of the command line.
fn unloadable(error: &LoadError) -> String {
    match error {
        LoadError::Foreign { .. } => {
            "expected a table or facts saved by playtree, found another kind of file".into()
        }
        // Only that selection keeps more than a mean of each position.
        LoadError::Settings { what: "further statistics of each position", found: 0, .. } => {
            "expected a table of a search with --selection ucb1-tuned, found one of another \
             selection"
                .into()
        }
        LoadError::Settings {
            what: "further statistics of each position", expected: 0, ..
        } => {
            "expected a table of a search without --selection ucb1-tuned, found one with it".into()
        }
        LoadError::Layout { .. } | LoadError::Facts { .. } => {
            "expected a file of this version of playtree, found one that is written in another form"
                .into()
        }
        LoadError::Content { .. } => format!("damaged: {error}"),
        other => other.to_string(),
    }
}

/// `once`, `3 times`.
fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// Refuses what `--save` cannot replace or make. It is looked at again when the table is saved.
fn check(file: Option<&Path>) -> Result<(), CliError> {
    let Some(file) = file else { return Ok(()) };
    let refuse = |expected: &str, found: &dyn Display| {
        let message = format!("{}: expected {expected}, found {found}", file.display());
        Err(CliError::at("--save", message))
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

/// The name and the encoding of a game. The name tells the size of a board of Hex, and of one of
/// Othello that is not the usual one: the keys of Othello leave it out.
pub(crate) fn tag<G: Notation>(info: &GameInfo, state: &G) -> GameTag {
    let text = state.position_text();
    let squares = || text.split_whitespace().next().unwrap_or("").chars().count();
    let name = match (info.name, text.split_once(':')) {
        ("hex", Some((size, _))) => format!("hex {size}"),
        ("othello", _) if squares() < 64 => format!("othello {}", squares().isqrt()),
        (name, _) => name.to_owned(),
    };
    GameTag::new(name, ENCODING)
}

/// The version of what the keys and moves of the games mean.
const ENCODING: u32 = 1;

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

/// The JSON form.
#[derive(Serialize)]
struct Header<'a> {
    version: u32,
    game: &'a str,
    encoding: u32,
    layout: String,
    players: usize,
    planes: usize,
    compressed: bool,
    proofs: bool,
    thinned: bool,
    nodes: u64,
    expanded: u64,
    edges: u64,
    searches: u64,
    simulations: u64,
    /// Left out if a draw is worth half a point to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<Vec<f64>>,
    bytes: u64,
}

/// What is wrong behind a header that is as it should be.
fn damaged(file: &Path, error: LoadError) -> CliError {
    match error {
        LoadError::Content { .. } => {
            CliError::usage(format_args!("{}: damaged: {error}", file.display()))
        }
        other => CliError::usage(other),
    }
}

/// Writes the header of the file.
pub(crate) fn run(args: &TableArgs, out: &mut impl Write) -> Result<(), CliError> {
    let info = match TableInfo::read(&args.file) {
        Err(LoadError::Kind { found: TableKind::Facts, .. }) => return run_facts(args, out),
        info => info.map_err(|error| CliError::at("FILE", unloadable(&error)))?,
    };
    TableInfo::verify(&args.file).map_err(|error| damaged(&args.file, error))?;
    let draws = Some(info.draws()).filter(|draws| draws.iter().any(|&draw| draw != 0.5));
    if args.json {
        return output::write_json(
            out,
            &Header {
                version: info.version,
                game: info.game.name(),
                encoding: info.game.encoding(),
                layout: format!("{:016x}", info.layout),
                players: info.players,
                planes: info.planes,
                compressed: info.compressed,
                proofs: info.proofs,
                thinned: info.thinned,
                nodes: info.nodes,
                expanded: info.expanded,
                edges: info.edges,
                searches: info.searches,
                simulations: info.simulations,
                draws,
                bytes: info.file_bytes,
            },
        );
    }
    let yes = |on: bool| if on { "yes" } else { "no" };
    writeln!(out, "{}, format version {}", harmless(&info.game.to_string()), info.version)?;
    writeln!(out, "  players      {}", info.players)?;
    writeln!(out, "  planes       {}", info.planes)?;
    writeln!(out, "  layout       {:016x}", info.layout)?;
    writeln!(out, "  positions    {}", output::grouped(info.nodes))?;
    writeln!(out, "  expanded     {}", output::grouped(info.expanded))?;
    writeln!(out, "  branches     {}", output::grouped(info.edges))?;
    writeln!(out, "  searches     {}", output::grouped(info.searches))?;
    writeln!(out, "  simulations  {}", output::grouped(info.simulations))?;
    if let Some(draws) = draws {
        let draws: Vec<_> = draws.iter().map(|draw| format!("{draw:.3}")).collect();
        writeln!(out, "  draws        {}", draws.join(", "))?;
    }
    writeln!(out, "  proofs       {}", yes(info.proofs))?;
    writeln!(out, "  thinned      {}", yes(info.thinned))?;
    writeln!(out, "  compressed   {}", yes(info.compressed))?;
    writeln!(out, "  file         {}", output::bytes(info.file_bytes))?;
    Ok(())
}

/// The JSON form of the header of a file of facts.
#[derive(Serialize)]
struct FactsHeader<'a> {
    version: u32,
    game: &'a str,
    encoding: u32,
    layout: String,
    form: String,
    players: usize,
    max_points: u64,
    counts_plies: bool,
    compressed: bool,
    facts: u64,
    buckets: u64,
    bytes: u64,
}

/// Writes the header of a file of facts.
fn run_facts(args: &TableArgs, out: &mut impl Write) -> Result<(), CliError> {
    let info =
        FactsInfo::read(&args.file).map_err(|error| CliError::at("FILE", unloadable(&error)))?;
    FactsInfo::verify(&args.file).map_err(|error| damaged(&args.file, error))?;
    if args.json {
        return output::write_json(
            out,
            &FactsHeader {
                version: info.version,
                game: info.game.name(),
                encoding: info.game.encoding(),
                layout: format!("{:016x}", info.layout),
                form: format!("{:016x}", info.form),
                players: info.players,
                max_points: info.max_points,
                counts_plies: info.counts_plies,
                compressed: info.compressed,
                facts: info.facts,
                buckets: info.buckets,
                bytes: info.file_bytes,
            },
        );
    }
    let yes = |on: bool| if on { "yes" } else { "no" };
    let game = info.game.to_string();
    writeln!(out, "{}, facts of a solver, format version {}", harmless(&game), info.version)?;
    writeln!(out, "  players      {}", info.players)?;
    writeln!(out, "  points       {}", info.max_points)?;
    writeln!(out, "  plies count  {}", yes(info.counts_plies))?;
    writeln!(out, "  layout       {:016x}", info.layout)?;
    writeln!(out, "  form         {:016x}", info.form)?;
    writeln!(out, "  facts        {}", output::grouped(info.facts))?;
    writeln!(out, "  buckets      {}", output::grouped(info.buckets))?;
    writeln!(out, "  compressed   {}", yes(info.compressed))?;
    writeln!(out, "  file         {}", output::bytes(info.file_bytes))?;
    Ok(())
}
