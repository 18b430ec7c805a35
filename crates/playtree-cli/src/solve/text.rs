//! The form of a solution for people: the board, a table of moves, a summary.

use std::io::Write;
use std::time::Duration;

use playtree::games::GameInfo;
use playtree::{Notation, Solution, StopReason};

use crate::error::CliError;
use crate::output::{self, Align, Table};

/// Best moves in the summary.
const BEST_SHOWN: usize = 12;

/// Writes the game, the side to move and the board.
pub(super) fn write_board<G: Notation>(
    out: &mut impl Write,
    info: &GameInfo,
    state: &G,
) -> Result<(), CliError> {
    writeln!(out, "{}, player {} of {} to move", info.name, state.mover() + 1, G::PLAYERS)?;
    Ok(writeln!(out, "{}\n", state.board_text())?)
}

/// Writes the board, the `top` best moves and a summary.
pub(super) fn write<G: Notation>(
    out: &mut impl Write,
    info: &GameInfo,
    state: &G,
    solution: &Solution<G::Move>,
    top: usize,
) -> Result<(), CliError> {
    write_board(out, info, state)?;
    let mut table = Table::new(&[("move", Align::Left), ("worth", Align::Left)]);
    for found in solution.moves.iter().take(top) {
        table.row([state.move_text(&found.mv), found.limits.to_string()]);
    }
    table.write(out)?;
    if let Some(more @ 1..) = solution.moves.len().checked_sub(top) {
        writeln!(out, "... and {more} more (--top {} shows all)", solution.moves.len())?;
    }
    let mut summary = solution.limits.to_string();
    let best: Vec<String> = solution.best_moves().map(|mv| state.move_text(mv)).collect();
    if !best.is_empty() {
        let more = if best.len() > BEST_SHOWN { " ..." } else { "" };
        let shown = best[..best.len().min(BEST_SHOWN)].join(" ");
        summary.push_str(&format!(", best {shown}{more}"));
    }
    if !solution.is_complete {
        summary.push_str(", unfinished");
    }
    writeln!(out)?;
    output::write_wrapped(out, &summary, 0)?;
    write_summary(
        out,
        &Spent {
            nodes: solution.nodes,
            elapsed: solution.elapsed,
            peak_bytes: solution.peak_bytes,
            workers: solution.workers,
            stop_reason: solution.stop_reason,
        },
    )
}

/// What a search has taken.
pub(super) struct Spent {
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
    pub(super) peak_bytes: u64,
    pub(super) workers: usize,
    pub(super) stop_reason: StopReason,
}

/// Nodes per second; 0 if no time has passed.
pub(super) fn per_second(nodes: u64, elapsed: Duration) -> f64 {
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

/// Writes one line on what the search has taken.
pub(super) fn write_summary(out: &mut impl Write, spent: &Spent) -> Result<(), CliError> {
    let summary = format!(
        "{} nodes in {:.3} s ({}/s), {}, {}, stopped by {}",
        output::grouped(spent.nodes),
        spent.elapsed.as_secs_f64(),
        output::grouped(per_second(spent.nodes, spent.elapsed) as u64),
        output::bytes(spent.peak_bytes),
        output::workers(spent.workers),
        output::stopped_by(spent.stop_reason),
    );
    output::write_wrapped(out, &summary, 0)
}
