//! The form of a report for people: the board, a table of moves, a summary.

use std::io::Write;

use playtree::games::GameInfo;
use playtree::{MoveReport, Notation, Report};

use super::line_text;
use crate::error::CliError;
use crate::output::{self, Align, Table};

/// Moves of a principal variation in the table.
const PV_SHOWN: usize = 8;

/// Writes the board, the `top` best moves and a summary.
pub(super) fn write<G: Notation>(
    out: &mut impl Write,
    info: &GameInfo,
    state: &G,
    report: &Report<G::Move>,
    top: usize,
) -> Result<(), CliError> {
    writeln!(out, "{}, player {} of {} to move", info.name, state.mover() + 1, G::PLAYERS)?;
    writeln!(out, "{}\n", state.board_text())?;
    let mut table = Table::new(&[
        ("move", Align::Left),
        ("visits", Align::Right),
        ("win rate", Align::Right),
        ("lcb", Align::Right),
        ("proven", Align::Left),
        ("pv", Align::Left),
    ]);
    for found in report.moves.iter().take(top) {
        table.row(move_row(state, found));
    }
    table.write(out)?;
    if let Some(more @ 1..) = report.moves.len().checked_sub(top) {
        writeln!(out, "... and {more} more (--top {} shows all)", report.moves.len())?;
    }
    write_summary(out, &state.move_text(&report.best_move), report)
}

fn move_row<G: Notation>(state: &G, found: &MoveReport<G::Move>) -> [String; 6] {
    let share = |value: Option<f64>| value.map_or_else(|| "-".into(), output::percent);
    let shown = &found.pv[..found.pv.len().min(PV_SHOWN)];
    let mut pv = line_text(state, shown).join(" ");
    if shown.len() < found.pv.len() {
        pv.push_str(" ...");
    }
    [
        state.move_text(&found.mv),
        output::grouped(found.visits),
        share(found.win_rate),
        share(found.lcb),
        found.proven.map_or_else(String::new, |proven| proven.to_string()),
        pv,
    ]
}

fn write_summary<M>(
    out: &mut impl Write,
    best_move: &str,
    report: &Report<M>,
) -> Result<(), CliError> {
    write!(out, "\nbest move {best_move}, ")?;
    if report.visits() == 0 && report.proven.is_none() {
        write!(out, "nothing searched")?;
    } else {
        write!(out, "win rate {}", output::percent(report.win_rate))?;
    }
    if let Some(proven) = report.proven {
        write!(out, ", proven {proven}")?;
    }
    writeln!(out)?;
    let mut summary = format!(
        "{} simulations in {:.3} s ({}/s), {} nodes, {}, {}, stopped by {}",
        output::grouped(report.simulations),
        report.elapsed.as_secs_f64(),
        output::grouped(report.simulations_per_second() as u64),
        output::grouped(report.nodes),
        output::bytes(report.bytes),
        output::workers(report.workers),
        output::stopped_by(report.stop_reason),
    );
    for (count, what) in [
        (report.dropped, "results lost (--lock-policy yield)"),
        (report.deferred, "results handed on"),
        (report.contended, "waits for a lock"),
    ] {
        if count > 0 {
            summary.push_str(&format!(", {} {what}", output::grouped(count)));
        }
    }
    if report.memory_full {
        summary.push_str(", memory limit reached");
    }
    output::write_wrapped(out, &summary, 0)
}
