//! Saved tables on the command line: `--load` and `--save` of `analyze` and `solve`, and `playtree
//! table`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use playtree::games::GameInfo;
use playtree::{
    FactsInfo, FactsOptions, GameTag, LoadError, Mcts, Notation, SaveOptions, Saveable, Solvable,
    Solver, TableInfo, TableKind,
};
use serde::Serialize;

use crate::error::CliError;
use crate::options::values;
use crate::output;

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
    /// Save only positions with at least this many visits: an opening book.
    #[arg(long, value_name = "N", value_parser = values::small, requires = "save")]
    save_visits: Option<u32>,
    /// Compress the saved file.
    #[arg(long, requires = "save")]
    compress: bool,
}

impl TableOptions {
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
        let visits = self.save_visits.unwrap_or(0);
        let options = SaveOptions::default().min_visits(visits).compress(self.compress);
        engine
            .save(file, &tag(info, state), &options)
            .map_err(|error| CliError::at("--save", error))
            .map(|_| ())
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
        other => other.to_string(),
    }
}

/// The name and the encoding of a game. The name tells the size of a board of Hex, and of one of
/// Othello that is not the usual one: the keys of Othello leave it out.
fn tag<G: Notation>(info: &GameInfo, state: &G) -> GameTag {
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

/// Print what a saved table says of itself.
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

/// Writes the header of the file.
pub(crate) fn run(args: &TableArgs, out: &mut impl Write) -> Result<(), CliError> {
    let info = match TableInfo::read(&args.file) {
        Err(LoadError::Kind { found: TableKind::Facts, .. }) => return run_facts(args, out),
        info => info.map_err(|error| CliError::at("FILE", unloadable(&error)))?,
    };
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
    writeln!(out, "{}, format version {}", info.game, info.version)?;
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
    writeln!(out, "{}, facts of a solver, format version {}", info.game, info.version)?;
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
