//! `playtree analyze --engine alphabeta`: the same with the other searcher.

use std::io::Write;

use playtree::games::GameInfo;
use playtree::{
    AlphaBetaMove, AlphaBetaOptions, AlphaBetaReport, Budget, Notation, Proven, Score, ScoreBound,
    Solvable, VALUE_LIMIT,
};
use serde::Serialize;

use super::{AnalyzeArgs, line_text};
use crate::error::CliError;
use crate::evaluations::Evaluation;
use crate::interrupt;
use crate::options::config_error;
use crate::output::{self, Align, Table};
use crate::player::Record;
use crate::progress;
use crate::spec::AlphaBetaSettings;

/// Searches the position and writes the report.
pub(super) fn run<G: Notation + Solvable + 'static>(
    args: &AnalyzeArgs,
    settings: &AlphaBetaSettings,
    info: &'static GameInfo,
    record: &Record<G>,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let state = record.last();
    let mut builder = settings.builder(Evaluation::of_game());
    if let Some(threads) = args.threads {
        builder = builder.threads(threads);
    }
    if let Some(seed) = args.seed {
        builder = builder.seed(seed);
    }
    let (only, except) = args.root.moves(state)?;
    let played = record.states().iter().cloned();
    let mut options = AlphaBetaOptions::new().except(except).played(played);
    if let Some(only) = only {
        options = options.only(only);
    }
    let mut engine = builder.build().map_err(|error| config_error(&error))?;
    let budget: Budget = args.limits.budget(state.plies());
    let budget = settings.and_limits(budget).and_until(&interrupt::stop_token()?);
    let what = format!("searching {}", info.name);
    let report = progress::while_running(&what, budget.time_limit(), || {
        engine.search_with(state, &budget, &options)
    })
    .map_err(|error| args.root.search_error(error))?;
    if args.json {
        output::write_json(out, &Analysis::new(info, state, &report))
    } else {
        write(out, info, state, &report, args.top)
    }
}

/// The JSON form: the fields of the Monte Carlo search first, null where they say nothing here.
#[derive(Serialize)]
struct Analysis {
    game: &'static str,
    position: String,
    best_move: String,
    win_rate: f64,
    proven: Option<&'static str>,
    simulations: Option<u64>,
    seconds: f64,
    simulations_per_second: Option<f64>,
    nodes: u64,
    bytes: u64,
    dropped: Option<u64>,
    deferred: Option<u64>,
    contended: Option<u64>,
    workers: usize,
    stop_reason: &'static str,
    moves: Vec<MoveAnalysis>,
    depth: u32,
    score: ScoreAnalysis,
    nodes_per_second: f64,
    splits: u64,
    aborted_splits: u64,
    wasted_nodes: u64,
    idle_seconds: f64,
}

/// One legal move in the JSON form.
#[derive(Serialize)]
struct MoveAnalysis {
    #[serde(rename = "move")]
    mv: String,
    visits: Option<u64>,
    win_rate: Option<f64>,
    lcb: Option<f64>,
    proven: Option<&'static str>,
    pv: Vec<String>,
    score: Option<ScoreAnalysis>,
    bound: &'static str,
    depth: u32,
    nodes: u64,
}

/// A score in the JSON form: a value, or the plies to a proven end; neither for a proven draw.
#[derive(Serialize)]
struct ScoreAnalysis {
    value: Option<i32>,
    plies: Option<u32>,
}

impl From<Score> for ScoreAnalysis {
    fn from(score: Score) -> Self {
        let plies = match score {
            Score::Win { plies } | Score::Loss { plies } => Some(plies),
            Score::Value(_) | Score::Draw => None,
        };
        Self { value: score.value(), plies }
    }
}

impl MoveAnalysis {
    fn new<G: Notation>(state: &G, found: &AlphaBetaMove<G::Move>) -> Self {
        // A limit of a score is no proof.
        let exact = found.score.filter(|_| found.bound == ScoreBound::Exact);
        Self {
            mv: state.move_text(&found.mv),
            visits: None,
            win_rate: None,
            lcb: None,
            proven: exact.and_then(Score::proven).map(Proven::as_str),
            pv: line_text(state, &found.pv),
            score: found.score.map(ScoreAnalysis::from),
            bound: found.bound.as_str(),
            depth: found.depth,
            nodes: found.nodes,
        }
    }
}

impl Analysis {
    fn new<G: Notation>(
        info: &'static GameInfo,
        state: &G,
        report: &AlphaBetaReport<G::Move>,
    ) -> Self {
        Self {
            game: info.name,
            position: state.position_text(),
            best_move: state.move_text(&report.best_move),
            win_rate: report.win_rate,
            proven: report.proven.map(Proven::as_str),
            simulations: None,
            seconds: report.elapsed.as_secs_f64(),
            simulations_per_second: None,
            nodes: report.nodes,
            bytes: report.table_bytes,
            dropped: None,
            deferred: None,
            contended: None,
            workers: report.workers,
            stop_reason: report.stop_reason.as_str(),
            moves: report.moves.iter().map(|found| MoveAnalysis::new(state, found)).collect(),
            depth: report.depth,
            score: report.score.into(),
            nodes_per_second: report.nodes_per_second(),
            splits: report.splits,
            aborted_splits: report.aborted_splits,
            wasted_nodes: report.wasted_nodes,
            idle_seconds: report.idle.as_secs_f64(),
        }
    }
}

/// `+35`, `win in 3`.
fn score_text(score: Score) -> String {
    match score {
        Score::Win { plies } => format!("win in {plies}"),
        Score::Loss { plies } => format!("loss in {plies}"),
        Score::Draw => "draw".into(),
        // A position with this value has ended by a rule of the game.
        Score::Value(VALUE_LIMIT) => "win by repetition".into(),
        Score::Value(value) if value == -VALUE_LIMIT => "loss by repetition".into(),
        Score::Value(value) => format!("{value:+}"),
    }
}

/// Writes the board, the `top` best moves and a summary.
fn write<G: Notation>(
    out: &mut impl Write,
    info: &GameInfo,
    state: &G,
    report: &AlphaBetaReport<G::Move>,
    top: usize,
) -> Result<(), CliError> {
    writeln!(out, "{}, player {} of {} to move", info.name, state.mover() + 1, G::PLAYERS)?;
    writeln!(out, "{}\n", state.board_text())?;
    let mut table = Table::new(&[
        ("move", Align::Left),
        ("score", Align::Right),
        ("depth", Align::Right),
        ("nodes", Align::Right),
        ("pv", Align::Left),
    ]);
    for found in report.moves.iter().take(top) {
        let limit = match found.bound {
            ScoreBound::Exact => "",
            ScoreBound::AtMost => "<= ",
            ScoreBound::AtLeast => ">= ",
        };
        let score = found.score.map(|score| format!("{limit}{}", score_text(score)));
        table.row([
            state.move_text(&found.mv),
            score.unwrap_or_else(|| "-".into()),
            found.depth.to_string(),
            output::grouped(found.nodes),
            line_text(state, &found.pv).join(" "),
        ]);
    }
    table.write(out)?;
    if let Some(more @ 1..) = report.moves.len().checked_sub(top) {
        writeln!(out, "... and {more} more (--top {} shows all)", report.moves.len())?;
    }
    writeln!(
        out,
        "\nbest move {}, score {}, depth {}",
        state.move_text(&report.best_move),
        score_text(report.score),
        report.depth
    )?;
    let summary = format!(
        "{} nodes in {:.3} s ({}/s), {}, {}, {} splits, {} aborted, {} nodes wasted, stopped by {}",
        output::grouped(report.nodes),
        report.elapsed.as_secs_f64(),
        output::grouped(report.nodes_per_second() as u64),
        output::bytes(report.table_bytes),
        output::workers(report.workers),
        output::grouped(report.splits),
        output::grouped(report.aborted_splits),
        output::grouped(report.wasted_nodes),
        output::stopped_by(report.stop_reason),
    );
    output::write_wrapped(out, &summary, 0)
}
