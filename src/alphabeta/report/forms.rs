//! A report in other forms: with moves in a notation, as text, and serialized.

use std::fmt::{self, Display};

use std::time::Duration;

use crate::budget::StopReason;
use crate::form::{check_share, form, seconds};
use crate::game::Notation;
use crate::proven::{Proven, Word};
use crate::report::{
    Align, AsText, Table, Text, Words, bytes, grouped, joined, line_in_notation, speed, workers,
};

use super::{MoveReport, Report, Score, ScoreBound};

impl<M> Report<M> {
    /// The same report with moves as texts, each as it is written in the position where it is
    /// played. `state` is the position searched.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> Report<String> {
        Report {
            best_move: state.move_text(&self.best_move),
            score: self.score,
            proven: self.proven,
            win_rate: self.win_rate,
            pv: line_in_notation(state, &self.pv),
            depth: self.depth,
            selective_depth: self.selective_depth,
            nodes: self.nodes,
            elapsed: self.elapsed,
            workers: self.workers,
            stop_reason: self.stop_reason,
            moves: self.moves.iter().map(|found| found.in_notation(state)).collect(),
            splits: self.splits,
            aborted_splits: self.aborted_splits,
            wasted_nodes: self.wasted_nodes,
            idle: self.idle,
            table_bytes: self.table_bytes,
            table_entries: self.table_entries,
            table_used: self.table_used,
        }
    }
}

impl<M> MoveReport<M> {
    /// The same with moves as texts, as [`Report::in_notation`] has them.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> MoveReport<String> {
        MoveReport {
            mv: state.move_text(&self.mv),
            score: self.score,
            bound: self.bound,
            depth: self.depth,
            nodes: self.nodes,
            pv: line_in_notation(state, &self.pv),
        }
    }

    /// `+35`, `<= win in 3`, or `-` if the move was not searched.
    fn score_text(&self) -> String {
        let limit = match self.bound {
            ScoreBound::Exact => "",
            ScoreBound::AtMost => "<= ",
            ScoreBound::AtLeast => ">= ",
        };
        self.score.map_or_else(|| "-".into(), |score| format!("{limit}{score}"))
    }
}

impl<M: Display> AsText for Report<M> {
    fn table(&self) -> Table {
        let mut table = Table::new(&[
            ("move", Align::Left),
            ("score", Align::Right),
            ("depth", Align::Right),
            ("nodes", Align::Right),
            ("pv", Align::Left),
        ]);
        for found in &self.moves {
            table.row([
                found.mv.to_string(),
                found.score_text(),
                found.depth.to_string(),
                grouped(found.nodes),
                joined(&found.pv),
            ]);
        }
        table
    }

    fn answer(&self) -> String {
        format!("best move {}, score {}, depth {}", self.best_move, self.score, self.depth)
    }

    fn cost(&self, words: &Words) -> String {
        format!(
            "{}, {}, {}, {} splits, {} aborted, {} nodes wasted, {}",
            speed(self.nodes, "nodes", self.elapsed),
            bytes(self.table_bytes),
            workers(self.workers),
            grouped(self.splits),
            grouped(self.aborted_splits),
            grouped(self.wasted_nodes),
            words.stopped_by(self.stop_reason),
        )
    }
}

impl<M: Display> Display for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text::new(self).fmt(f)
    }
}

/// `d3, score <= +35, depth 7`.
impl<M: Display> Display for MoveReport<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, score {}, depth {}", self.mv, self.score_text(), self.depth)
    }
}

form! {
    /// The fields in the order of the documented JSON form.
    ReportForm<M> of Report<M> = found {
        best_move: M = found.best_move,
        win_rate: f64 = found.win_rate,
        proven: Option<Word> = Word::of(found.proven),
        proven_plies: Option<u32> = found.proven.and_then(Proven::plies),
        #[serde(deserialize_with = "seconds")]
        seconds: Duration = found.elapsed.as_secs_f64(),
        nodes: u64 = found.nodes,
        bytes: u64 = found.table_bytes,
        workers: usize = found.workers,
        stop_reason: StopReason = found.stop_reason,
        moves: Vec<MoveReport<M>> = found.moves,
        pv: Vec<M> = found.pv,
        depth: u32 = found.depth,
        selective_depth: u32 = found.selective_depth,
        score: Score = found.score,
        #[serde(default)]
        nodes_per_second: f64 = found.nodes_per_second(),
        splits: u64 = found.splits,
        aborted_splits: u64 = found.aborted_splits,
        wasted_nodes: u64 = found.wasted_nodes,
        #[serde(deserialize_with = "seconds")]
        idle_seconds: Duration = found.idle.as_secs_f64(),
        table_entries: u64 = found.table_entries,
        table_used: f64 = found.table_used,
    }
}

impl<M> TryFrom<ReportForm<M>> for Report<M> {
    type Error = String;

    fn try_from(form: ReportForm<M>) -> Result<Self, String> {
        check_share("win_rate", form.win_rate)?;
        check_share("table_used", form.table_used)?;
        Ok(Self {
            best_move: form.best_move,
            score: form.score,
            proven: Word::with_plies(form.proven, form.proven_plies)?,
            win_rate: form.win_rate,
            pv: form.pv,
            depth: form.depth,
            selective_depth: form.selective_depth,
            nodes: form.nodes,
            elapsed: form.seconds,
            workers: form.workers,
            stop_reason: form.stop_reason,
            moves: form.moves,
            splits: form.splits,
            aborted_splits: form.aborted_splits,
            wasted_nodes: form.wasted_nodes,
            idle: form.idle_seconds,
            table_bytes: form.bytes,
            table_entries: form.table_entries,
            table_used: form.table_used,
        })
    }
}

form! {
    /// The fields in the order of the documented JSON form. What is proven follows from the score.
    MoveForm<M> of MoveReport<M> = found {
        r#move: M = found.mv,
        #[serde(default)]
        proven: Option<Word> = Word::of(found.proven()),
        pv: Vec<M> = found.pv,
        score: Option<Score> = found.score,
        bound: ScoreBound = found.bound,
        depth: u32 = found.depth,
        nodes: u64 = found.nodes,
    }
}

impl<M> TryFrom<MoveForm<M>> for MoveReport<M> {
    type Error = String;

    fn try_from(form: MoveForm<M>) -> Result<Self, String> {
        let MoveForm { r#move: mv, pv, score, bound, depth, nodes, .. } = form;
        Ok(Self { mv, score, bound, depth, nodes, pv })
    }
}
