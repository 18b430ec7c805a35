//! `playtree analyze`: searches one position and shows what was found.

use std::io::Write;

use clap::Args;
use playtree::mcts::Sharing;
use playtree::{Budget, GameState};
use playtree_session::{Error, Game, Position, Report};
use serde_json::Value;

use crate::error::{CliError, Refusal, session_error};
use crate::games::{self, GameArgs};
use crate::interrupt;
use crate::makes::{About, Makes};
use crate::options::{EngineOptions, LimitOptions, RootOptions, values};
use crate::output;
use crate::player::Record;
use crate::progress::{self, Notes};
use crate::report::{self, ReportOptions};
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
    #[arg(conflicts_with = "json", allow_hyphen_values = true)]
    top: usize,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    report: ReportOptions,
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
pub(crate) fn run(
    args: &AnalyzeArgs,
    maker: &dyn Makes,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (game, record) = args.game.open()?;
    games::expect_going_on(record.outcome())?;
    args.table.files.check()?;
    args.report.check()?;
    let analyze = Analyze { args, maker, game, record: &record, out };
    let Some(text) = &args.searcher else { return analyze.by_mcts() };
    match spec::parse("--engine", text)?.player {
        PlayerSpec::AlphaBeta(settings) => analyze.by_alphabeta(&settings),
        PlayerSpec::Mcts(_) if text.trim() == "mcts" => analyze.by_mcts(),
        player => {
            let expected = match player {
                PlayerSpec::Mcts(_) => {
                    "mcts and its settings as options of the command, such as --exploration 1"
                }
                _ => "mcts, or alphabeta with its settings",
            };
            Err(Refusal::value(expected, text).at("--engine").into())
        }
    }
}

struct Analyze<'a, W> {
    args: &'a AnalyzeArgs,
    maker: &'a dyn Makes,
    game: Game,
    record: &'a Record,
    out: &'a mut W,
}

impl<W: Write> Analyze<'_, W> {
    /// Searches by simulations.
    fn by_mcts(self) -> Result<(), CliError> {
        let Self { args, game, record, .. } = self;
        let state = record.last();
        let mut settings = args.engine.settings(game)?;
        settings.proofs = Some(!args.no_proofs);
        (settings.threads, settings.seed) = (args.threads, args.seed);
        if settings.sharing == Some(Sharing::PerPath) {
            args.table.files.expect_none_for_a_tree()?;
        }
        settings.contempt = args.root.contempt.map(|contempt| (state.mover(), contempt));
        let root = args.root.root(state)?;
        let mut engine = self.maker.mcts(game, &settings).map_err(session_error)?;
        args.table.files.load(|file| engine.load(file, state))?;
        let (budget, notes) = (args.limits.budget(state.plies()), Notes::default());
        let report = self.wait(budget, &notes, |budget| {
            let game = record.as_played();
            let Some(every) = args.table.every() else { return engine.search(game, budget, &root) };
            engine.think(game, budget, &root)?;
            let saver = engine.saver(state)?;
            args.table.save_during(every, &saver, &notes, || engine.wait())
        })?;
        let options = args.table.options();
        let saved = args.table.files.save(|file| engine.save(file, state, &options));
        let wanted = args.report.is_wanted();
        let tree = if wanted { report::analyze::tree(&*engine, state) } else { String::new() };
        // What was found is shown, whatever became of the table.
        self.show(state, &report, &tree)?;
        saved
    }

    /// Searches by alpha-beta.
    fn by_alphabeta(self, limits: &AlphaBetaSettings) -> Result<(), CliError> {
        let Self { args, game, record, .. } = self;
        let state = record.last();
        let mut settings = limits.settings();
        settings.threads = args.threads.or(settings.threads);
        settings.seed = args.seed;
        let root = args.root.root(state)?;
        let mut engine = game.alphabeta(&settings).map_err(session_error)?;
        let budget = limits.and_limits(args.limits.budget(state.plies()));
        let search = |budget: &Budget| engine.search(record.as_played(), budget, &root);
        let report = self.wait(budget, &Notes::default(), search)?;
        self.show(state, &report, "")
    }

    /// Does a search that Ctrl-C ends too, and meanwhile shows how long it has run.
    fn wait<T>(
        &self,
        budget: Budget,
        notes: &Notes,
        search: impl FnOnce(&Budget) -> Result<T, Error>,
    ) -> Result<T, CliError> {
        let hint = if budget.is_unlimited() { " until Ctrl-C" } else { "" };
        let what = format!("searching {}{hint}", self.game.name());
        let budget = budget.and_until(&interrupt::stop_token()?);
        progress::with_notes(&what, budget.time_limit(), notes, || search(&budget))
            .map_err(|error| self.args.root.search_error(error))
    }

    /// Writes the report, whose moves are texts; `tree` is what a page shows of the tree.
    fn show(self, state: &Position, report: &Report, tree: &str) -> Result<(), CliError> {
        let Self { args, game, .. } = self;
        show(args, (game, state), report, self.maker.about(), self.out)?;
        let draw = |json: &Value| report::analyze::page(json, &state.board_text(), tree);
        args.report.write(&output::found(game, state, report, None), draw)
    }
}

/// Writes what was found of a position.
pub(crate) fn show(
    args: &AnalyzeArgs,
    (game, state): (Game, &Position),
    report: &Report,
    about: Option<About>,
    out: &mut impl Write,
) -> Result<(), CliError> {
    if args.json {
        let cluster = about.map(|about| about.json);
        return output::write_found_json(out, game, state, report, cluster);
    }
    output::write_found(out, game, state, report, args.top)?;
    about.map_or(Ok(()), |about| output::write_wrapped(out, &about.text, 2))
}
