//! `playtree solve --strategy`: the strategy as a tree for people, as JSON, or as a graph in DOT.

use std::io::Write;

use clap::ValueEnum;
use playtree::games::GameInfo;
use playtree::solver::{Strategy, StrategyKind, StrategyOptions};
use playtree::{Notation, Solvable, Solver, StopToken};

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

/// Makes the strategy and writes it. Gives the solver back.
pub(super) fn run<G: Notation + Solvable + 'static>(
    args: &SolveArgs,
    info: &'static GameInfo,
    plies: Option<u32>,
    solver: Solver<G>,
    state: &G,
    stop: &StopToken,
    out: &mut impl Write,
) -> Result<Solver<G>, CliError> {
    let mut options = StrategyOptions::new();
    if let Some(plies) = plies {
        options = options.plies(plies);
    }
    if let Some(player) = args.player {
        options = options.player(player);
    }
    // The first position is the long part, and can be watched; the table knows it then.
    let budget = args.budget(stop);
    let (mut solver, first) = solve(solver, info, state, &budget)?;
    let budget = args.budget_after(stop, first.elapsed, first.nodes);
    let mut strategy = progress::while_running("writing down the strategy", None, || {
        solver.strategy(state, &options, &budget)
    })
    .map_err(CliError::usage)?;
    strategy.nodes += first.nodes;
    strategy.elapsed += first.elapsed;
    strategy.peak_bytes = strategy.peak_bytes.max(first.peak_bytes);
    strategy.workers = strategy.workers.max(first.workers);
    let format =
        if args.json { Format::Json } else { args.strategy_format.unwrap_or(Format::Text) };
    match format {
        Format::Json => output::write_found_json(out, info, state, &strategy)?,
        Format::Dot => write_dot(out, &strategy)?,
        Format::Text => {
            output::write_board(out, info, state)?;
            write!(out, "{strategy}")?;
            let (what, unfinished) = match strategy.is_complete {
                true => ("", ""),
                false => ("so far ", ", unfinished"),
            };
            let count = output::grouped(strategy.positions.len() as u64);
            writeln!(out, "\n{what}{count} positions{unfinished}")?;
            output::write_wrapped(out, &strategy.cost(&output::WORDS), 0)?;
        }
    }
    Ok(solver)
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
