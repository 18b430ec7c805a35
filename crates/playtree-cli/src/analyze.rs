//! `playtree analyze`: searches one position and shows what was found.

use std::io::Write;

use clap::Args;
use playtree::games::{GameInfo, ReferenceGame};
use playtree::report::AsText;
use playtree::{Budget, Notation, SearchError, alphabeta};
use serde::Serialize;

use crate::error::CliError;
use crate::evaluations;
use crate::games::{self, GameArgs, RecordVisitor};
use crate::interrupt;
use crate::options::{EngineOptions, LimitOptions, RootOptions, config_error, values};
use crate::output;
use crate::player::Record;
use crate::progress::{self, Notes};
use crate::saved::TableOptions;
use crate::spec::{self, AlphaBetaSettings, PlayerSpec};

/// Search a position: the best move, its win rate, and the other moves.
///
/// Ctrl-C ends the search and shows what is known.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The searcher: mcts, or alphabeta with settings as for 'playtree match', such as
    /// alphabeta:mode=split,min-split-depth=4 [default: mcts].
    #[arg(long = "engine", value_name = "SPEC")]
    #[arg(conflicts_with_all = ["EngineOptions", "TableOptions", "Files", "no_proofs"])]
    #[arg(conflicts_with_all = ["detailed", "visit_floor", "temperature", "contempt"])]
    searcher: Option<String>,
    /// Worker threads, at most the logical cores [default: the logical cores].
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    /// Seed of the random numbers; with one thread it fixes the whole result [default: 0].
    #[arg(long, value_name = "S", value_parser = values::seed, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Do not prove wins, draws and losses.
    #[arg(long)]
    no_proofs: bool,
    /// Moves to show, best first.
    #[arg(long, value_name = "N", default_value = "10", value_parser = values::count)]
    #[arg(conflicts_with = "json")]
    top: usize,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
    // Each of these has a heading of its own, which would be that of options below it too.
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    root: RootOptions,
    #[command(flatten)]
    table: TableOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// What stands below the options.
const EXAMPLES: &str = "\
Examples:
  playtree analyze connect4 --time 2s
  playtree analyze othello --position \"moves d3 c3\" --simulations 100000
  playtree analyze xiangqi --engine alphabeta --depth 8";

/// Searches the position and writes the report.
pub(crate) fn run(args: &AnalyzeArgs, out: &mut impl Write) -> Result<(), CliError> {
    let info = games::find(&args.game.game)?;
    games::visit_record(info, args.game.position.as_deref(), Analyze { args, info, out })
}

struct Analyze<'a, W> {
    args: &'a AnalyzeArgs,
    info: &'static GameInfo,
    out: &'a mut W,
}

impl<W: Write> RecordVisitor for Analyze<'_, W> {
    type Output = Result<(), CliError>;

    fn visit<G: ReferenceGame>(self, record: Record<G>) -> Self::Output {
        games::expect_going_on::<G>(record.outcome())?;
        self.args.table.files.check()?;
        let Some(text) = &self.args.searcher else { return self.by_mcts(&record) };
        match spec::parse("--engine", text)?.player {
            PlayerSpec::AlphaBeta(settings) => self.by_alphabeta(&settings, &record),
            PlayerSpec::Mcts(_) if text.trim() == "mcts" => self.by_mcts(&record),
            _ => Err(CliError::usage(format_args!(
                "--engine: expected mcts, or alphabeta with its settings, found '{text}'"
            ))),
        }
    }
}

impl<W: Write> Analyze<'_, W> {
    /// Searches by simulations.
    fn by_mcts<G: ReferenceGame>(self, record: &Record<G>) -> Result<(), CliError> {
        let (args, state) = (self.args, record.last());
        let mut builder = args.engine.builder::<G>()?.proofs(!args.no_proofs);
        if let Some(threads) = args.threads {
            builder = builder.threads(threads);
        }
        if let Some(seed) = args.seed {
            builder = builder.seed(seed);
        }
        if let Some(contempt) = args.root.contempt {
            builder = builder.contempt(state.mover(), contempt);
        }
        let options = args.root.options(state)?.played(record.states().iter().cloned());
        let mut engine = builder.build().map_err(|error| config_error(&error))?;
        let tag = state.tag();
        args.table.files.load(|file| engine.load(file, &tag))?;
        let (budget, notes) = (args.limits.budget(state.plies()), Notes::default());
        let (engine, report) = self.wait(budget, &notes, |budget| {
            let Some(every) = args.table.every() else {
                let report = engine.search_with(state, budget, &options)?;
                return Ok((engine, report));
            };
            let mut thinking = engine.start_with(state, budget, &options);
            let saver = thinking.saver();
            let search = || thinking.wait();
            let report = args.table.save_during(every, saver, &tag, &notes, search)?;
            Ok((thinking.into_engine(), report))
        })?;
        let options = args.table.options();
        let saved = args.table.files.save(|file| engine.save(file, &tag, &options));
        // What was found is shown, whatever became of the table.
        self.show(state, &report.in_notation(state))?;
        saved
    }

    /// Searches by alpha-beta.
    fn by_alphabeta<G: ReferenceGame>(
        self,
        settings: &AlphaBetaSettings,
        record: &Record<G>,
    ) -> Result<(), CliError> {
        let (args, state) = (self.args, record.last());
        let mut builder = settings.builder(evaluations::of_game::<G>());
        if let Some(threads) = args.threads {
            builder = builder.threads(threads);
        }
        if let Some(seed) = args.seed {
            builder = builder.seed(seed);
        }
        let (only, except) = args.root.moves(state)?;
        let played = record.states().iter().cloned();
        let mut options = alphabeta::Options::new().except(except).played(played);
        if let Some(only) = only {
            options = options.only(only);
        }
        let mut engine = builder.build().map_err(|error| config_error(&error))?;
        let budget = settings.and_limits(args.limits.budget(state.plies()));
        let search = |budget: &Budget| engine.search_with(state, budget, &options);
        let report = self.wait(budget, &Notes::default(), search)?;
        self.show(state, &report.in_notation(state))
    }

    /// Does a search that Ctrl-C ends too, and meanwhile shows how long it has run.
    fn wait<T>(
        &self,
        budget: Budget,
        notes: &Notes,
        search: impl FnOnce(&Budget) -> Result<T, SearchError>,
    ) -> Result<T, CliError> {
        let hint = if budget.is_unlimited() { " until Ctrl-C" } else { "" };
        let what = format!("searching {}{hint}", self.info.name);
        let budget = budget.and_until(&interrupt::stop_token()?);
        progress::with_notes(&what, budget.time_limit(), notes, || search(&budget))
            .map_err(|error| self.args.root.search_error(error))
    }

    /// Writes the report, whose moves are texts.
    fn show<G: Notation>(
        self,
        state: &G,
        report: &(impl AsText + Serialize),
    ) -> Result<(), CliError> {
        let Self { args, info, out } = self;
        if args.json {
            output::write_found_json(out, info, state, report)
        } else {
            output::write_found(out, info, state, report, args.top)
        }
    }
}
