//! The JSON form of a report. The order of the fields is part of it.

use playtree::games::GameInfo;
use playtree::{Notation, Proven, Report};
use serde::Serialize;

use super::line_text;

/// A report, with moves as text.
#[derive(Serialize)]
pub(super) struct Analysis {
    game: &'static str,
    position: String,
    best_move: String,
    win_rate: f64,
    proven: Option<&'static str>,
    simulations: u64,
    seconds: f64,
    simulations_per_second: f64,
    nodes: u64,
    bytes: u64,
    dropped: u64,
    deferred: u64,
    contended: u64,
    workers: usize,
    stop_reason: &'static str,
    moves: Vec<MoveAnalysis>,
}

/// One legal move in the JSON form.
#[derive(Serialize)]
struct MoveAnalysis {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    win_rate: Option<f64>,
    lcb: Option<f64>,
    proven: Option<&'static str>,
    pv: Vec<String>,
}

impl Analysis {
    /// The report on `state` in this form.
    pub(super) fn new<G: Notation>(
        info: &'static GameInfo,
        state: &G,
        report: &Report<G::Move>,
    ) -> Self {
        let moves = report.moves.iter().map(|found| MoveAnalysis {
            mv: state.move_text(&found.mv),
            visits: found.visits,
            win_rate: found.win_rate,
            lcb: found.lcb,
            proven: found.proven.map(Proven::as_str),
            pv: line_text(state, &found.pv),
        });
        Self {
            game: info.name,
            position: state.position_text(),
            best_move: state.move_text(&report.best_move),
            win_rate: report.win_rate,
            proven: report.proven.map(Proven::as_str),
            simulations: report.simulations,
            seconds: report.elapsed.as_secs_f64(),
            simulations_per_second: report.simulations_per_second(),
            nodes: report.nodes,
            bytes: report.bytes,
            dropped: report.dropped,
            deferred: report.deferred,
            contended: report.contended,
            workers: report.workers,
            stop_reason: report.stop_reason.as_str(),
            moves: moves.collect(),
        }
    }
}
