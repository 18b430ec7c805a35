//! `playtree analyze`: searches one position and shows what was found.

mod alphabeta;
mod json;
mod text;

use std::fmt::Debug;
use std::io::Write;

use clap::Args;
use playtree::games::GameInfo;
use playtree::{Notation, Saveable, Solvable};

use crate::error::CliError;
use crate::games::{self, GameArgs, RecordVisitor};
use crate::interrupt;
use crate::options::{EngineOptions, LimitOptions, RootOptions, config_error, values};
use crate::output;
use crate::player::Record;
use crate::progress::{self, Notes};
use crate::saved::{self, TableOptions};
use crate::spec::{self, PlayerSpec};

/// Search a position: the best move, its win rate, and the other moves beside it.
///
/// Ctrl-C ends the search and shows what is known.
#[derive(Args, Debug)]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The searcher: mcts, or alphabeta with settings as for 'playtree match', such as
    /// alphabeta:mode=split,min-split-depth=4 [default: mcts].
    #[arg(long = "engine", value_name = "SPEC")]
    #[arg(conflicts_with_all = ["EngineOptions", "TableOptions", "no_proofs"])]
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

    fn visit<G: Notation + Saveable + Solvable + Debug + 'static>(
        self,
        record: Record<G>,
    ) -> Self::Output {
        let Self { args, info, out } = self;
        games::expect_going_on::<G>(record.outcome())?;
        args.table.check()?;
        let state = record.last().clone();
        if let Some(text) = &args.searcher {
            let spec = spec::parse("--engine", text)?;
            match &spec.player {
                PlayerSpec::AlphaBeta(settings) => {
                    return alphabeta::run(args, settings, info, &record, out);
                }
                PlayerSpec::Mcts(_) if text.trim() == "mcts" => {}
                _ => {
                    return Err(CliError::usage(format_args!(
                        "--engine: expected mcts, or alphabeta with its settings, found '{text}'"
                    )));
                }
            }
        }
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
        let options = args.root.options(&state)?.played(record.states().iter().cloned());
        let mut engine = builder.build().map_err(|error| config_error(&error))?;
        args.table.load(&mut engine, info, &state)?;
        let budget = args.limits.budget(state.plies());
        let hint = if budget.is_unlimited() { " until Ctrl-C" } else { "" };
        let budget = budget.and_until(&interrupt::stop_token()?);
        let what = format!("searching {}{hint}", info.name);
        let (limit, notes) = (budget.time_limit(), Notes::default());
        let report = match args.table.every() {
            None => progress::while_running(&what, limit, || {
                engine.search_with(&state, &budget, &options)
            }),
            Some(every) => {
                let mut thinking = engine.start_with(&state, &budget, &options);
                let (saver, tag) = (thinking.saver(), saved::tag(info, &state));
                let report = args.table.save_during(every, saver, &tag, &notes, || {
                    progress::with_notes(&what, limit, &notes, || thinking.wait())
                });
                engine = thinking.into_engine();
                report
            }
        }
        .map_err(|error| args.root.search_error(error))?;
        let saved = args.table.save(&engine, info, &state);
        // What was found is shown, whatever became of the table.
        if args.json {
            output::write_json(out, &json::Analysis::new(info, &state, &report))?;
        } else {
            text::write(out, info, &state, &report, args.top)?;
        }
        saved
    }
}

/// A line of play as text. Each move is written in the position where it is played.
fn line_text<G: Notation>(state: &G, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let mut texts = Vec::with_capacity(line.len());
    for mv in line {
        texts.push(state.move_text(mv));
        state.apply_in_place(mv);
    }
    texts
}
