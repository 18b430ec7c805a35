//! `playtree solve --strategy`: the strategy as a tree for people, as JSON, or as a graph in DOT.

use std::io::Write;

use clap::ValueEnum;
use playtree::games::GameInfo;
use playtree::{
    Notation, Solvable, Solver, StopToken, Strategy, StrategyKind, StrategyOptions,
    StrategyPosition,
};
use serde::Serialize;

use super::json::WorthJson;
use super::text::{Spent, write_board, write_summary};
use super::{SolveArgs, solve};
use crate::error::CliError;
use crate::output;
use crate::progress;

/// How a strategy is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A tree for people, one answer a line.
    Text,
    /// One JSON object with a list of positions.
    Json,
    /// A graph for Graphviz.
    Dot,
}

/// Makes the strategy and writes it.
pub(super) fn run<G: Notation + Solvable>(
    args: &SolveArgs,
    info: &'static GameInfo,
    plies: Option<u32>,
    solver: &mut Solver<G>,
    state: &G,
    stop: &StopToken,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let mut options = StrategyOptions::new();
    if let Some(plies) = plies {
        options = options.plies(plies);
    }
    if let Some(player) = args.player {
        options = options.player(player);
    }
    // The first position is the long part, and can be watched; the table knows it then.
    let budget = args.budget(stop);
    let first = solve(solver, info, state, &budget)?;
    let budget = args.budget_after(stop, first.elapsed, first.nodes);
    let strategy = progress::while_running("writing down the strategy", None, || {
        solver.strategy(state, &options, &budget)
    })
    .map_err(CliError::usage)?;
    let spent = Spent {
        nodes: first.nodes + strategy.nodes,
        elapsed: first.elapsed + strategy.elapsed,
        peak_bytes: first.peak_bytes.max(strategy.peak_bytes),
        workers: first.workers.max(strategy.workers),
        stop_reason: strategy.stop_reason,
    };
    let format =
        if args.json { Format::Json } else { args.strategy_format.unwrap_or(Format::Text) };
    match format {
        Format::Json => output::write_json(out, &Json::new(info, plies, &strategy, &spent)),
        Format::Dot => write_dot(out, &strategy),
        Format::Text => {
            write_board(out, info, state)?;
            write!(out, "{strategy}")?;
            let (what, unfinished) = match strategy.is_complete {
                true => ("", ""),
                false => ("so far ", ", unfinished"),
            };
            let count = output::grouped(strategy.positions.len() as u64);
            writeln!(out, "\n{what}{count} positions{unfinished}")?;
            write_summary(out, &spent)
        }
    }
}

/// The JSON form. The order of the fields is part of it.
#[derive(Serialize)]
struct Json {
    game: &'static str,
    position: String,
    player: usize,
    #[serde(flatten)]
    worth: WorthJson,
    plies: Option<u32>,
    positions: Vec<PositionJson>,
    nodes: u64,
    seconds: f64,
    peak_bytes: u64,
    workers: usize,
    complete: bool,
    stop_reason: &'static str,
}

/// One position of the strategy; its place in the list is its number.
#[derive(Serialize)]
struct PositionJson {
    position: String,
    mover: usize,
    plies: u32,
    kind: &'static str,
    #[serde(flatten)]
    worth: WorthJson,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    to: usize,
}

fn kind_text(kind: StrategyKind) -> &'static str {
    match kind {
        StrategyKind::Reply => "reply",
        StrategyKind::Answers => "answers",
        StrategyKind::End(_) => "end",
        StrategyKind::Beyond => "beyond",
        _ => "unsolved",
    }
}

impl Json {
    fn new<G: Notation>(
        info: &'static GameInfo,
        plies: Option<u32>,
        strategy: &Strategy<G>,
        spent: &Spent,
    ) -> Self {
        let positions: Vec<PositionJson> = strategy.positions.iter().map(position_json).collect();
        let first = &strategy.positions[0];
        Self {
            game: info.name,
            position: first.state.position_text(),
            player: strategy.player,
            worth: first.limits.into(),
            plies,
            positions,
            nodes: spent.nodes,
            seconds: spent.elapsed.as_secs_f64(),
            peak_bytes: spent.peak_bytes,
            workers: spent.workers,
            complete: strategy.is_complete,
            stop_reason: spent.stop_reason.as_str(),
        }
    }
}

fn position_json<G: Notation>(position: &StrategyPosition<G>) -> PositionJson {
    let state = &position.state;
    let moves = position.moves.iter();
    let moves = moves.map(|found| MoveJson { mv: state.move_text(&found.mv), to: found.to });
    PositionJson {
        position: state.position_text(),
        mover: state.mover(),
        plies: position.plies,
        kind: kind_text(position.kind),
        worth: position.limits.into(),
        moves: moves.collect(),
    }
}

/// Writes the graph: a box where the player of the strategy is to move, an ellipse where another
/// player is, and what is sure of each position.
fn write_dot<G: Notation>(out: &mut impl Write, strategy: &Strategy<G>) -> Result<(), CliError> {
    writeln!(out, "digraph strategy {{")?;
    for (number, position) in strategy.positions.iter().enumerate() {
        let shape = match position.kind {
            StrategyKind::Reply => "box",
            StrategyKind::End(_) => "doublecircle",
            StrategyKind::Answers => "ellipse",
            _ => "plaintext",
        };
        let more = match position.kind {
            StrategyKind::Beyond => " ...",
            StrategyKind::Unsolved => " ?",
            _ => "",
        };
        writeln!(out, "  {number} [shape={shape}, label=\"{}{more}\"];", position.limits)?;
    }
    for (number, position) in strategy.positions.iter().enumerate() {
        for found in &position.moves {
            let text =
                position.state.move_text(&found.mv).replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(out, "  {number} -> {} [label=\"{text}\"];", found.to)?;
        }
    }
    Ok(writeln!(out, "}}")?)
}
