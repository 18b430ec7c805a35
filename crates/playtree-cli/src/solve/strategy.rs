//! `playtree solve --strategy`: the strategy as a tree for people, as JSON, or as a graph in DOT.

use std::io::Write;

use clap::ValueEnum;
use playtree::budget::SharedBudget;
use playtree::solver::{StrategyKind, StrategyOptions};
use playtree_session::Report;
use playtree_session::engine::{SolverEngine, Strategy};

use super::{Task, solution};
use crate::error::{CliError, session_error};
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
pub(super) fn run(
    task: &Task<'_>,
    plies: Option<u32>,
    solver: &mut dyn SolverEngine,
    out: &mut impl Write,
) -> Result<Option<Report>, CliError> {
    let Task { args, game, record, stop } = *task;
    let state = record.last();
    let mut options = StrategyOptions::new();
    if let Some(plies) = plies {
        options = options.plies(plies);
    }
    if let Some(player) = args.player {
        options = options.player(player);
    }
    // The first position is the long part, and can be watched; the table knows it then.
    let report = task.solve(solver)?;
    let first = solution(&report);
    let mut budget = SharedBudget::new(args.budget(stop));
    budget.set_elapsed(first.elapsed);
    budget.add(first.nodes, first.nodes);
    let mut strategy = progress::while_running("writing down the strategy", None, || {
        solver.strategy(state, &options, &budget.rest())
    })
    .map_err(session_error)?;
    strategy.add_cost(&report);
    let format =
        if args.json { Format::Json } else { args.strategy_format.unwrap_or(Format::Text) };
    match format {
        Format::Json => output::write_found_json(out, game, state, &*strategy, None)?,
        Format::Dot => write_dot(out, &*strategy)?,
        Format::Text => {
            output::write_board(out, game, state)?;
            write!(out, "{strategy}")?;
            let (what, unfinished) = match strategy.is_complete() {
                true => ("", ""),
                false => ("so far ", ", unfinished"),
            };
            let count = output::grouped(strategy.len() as u64);
            writeln!(out, "\n{what}{count} positions{unfinished}")?;
            output::write_wrapped(out, &strategy.cost(&output::WORDS), 0)?;
        }
    }
    Ok(None)
}

/// Writes the graph: a box where the player of the strategy is to move, an ellipse where another
/// player is, and what is sure of each position.
fn write_dot(out: &mut impl Write, strategy: &dyn Strategy) -> Result<(), CliError> {
    writeln!(out, "digraph strategy {{")?;
    for number in 0..strategy.len() {
        let (limits, kind, _) = strategy.position(number);
        let shape = match kind {
            StrategyKind::Reply => "box",
            StrategyKind::End(_) => "doublecircle",
            StrategyKind::Answers => "ellipse",
            _ => "plaintext",
        };
        let more = match kind {
            StrategyKind::Beyond => " ...",
            StrategyKind::Unsolved => " ?",
            _ => "",
        };
        writeln!(out, "  {number} [shape={shape}, label=\"{}{more}\"];", limits)?;
    }
    for number in 0..strategy.len() {
        for (text, to) in strategy.position(number).2 {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(out, "  {number} -> {} [label=\"{text}\"];", to)?;
        }
    }
    Ok(writeln!(out, "}}")?)
}
