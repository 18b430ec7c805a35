//! A report in other forms: with moves in a notation, as text, and serialized.

use std::fmt::{self, Display};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::game::Notation;
use crate::report::{
    Align, AsText, Table, Text, Words, bytes, grouped, joined, line_in_notation, speed, workers,
};

use super::{MoveReport, Report, ScoreBound};

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

/// The fields in the order of the documented JSON form.
impl<M: Serialize> Serialize for Report<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Report", 16)?;
        fields.serialize_field("best_move", &self.best_move)?;
        fields.serialize_field("win_rate", &self.win_rate)?;
        fields.serialize_field("proven", &self.proven)?;
        fields.serialize_field("seconds", &self.elapsed.as_secs_f64())?;
        fields.serialize_field("nodes", &self.nodes)?;
        fields.serialize_field("bytes", &self.table_bytes)?;
        fields.serialize_field("workers", &self.workers)?;
        fields.serialize_field("stop_reason", &self.stop_reason)?;
        fields.serialize_field("moves", &self.moves)?;
        fields.serialize_field("depth", &self.depth)?;
        fields.serialize_field("score", &self.score)?;
        fields.serialize_field("nodes_per_second", &self.nodes_per_second())?;
        fields.serialize_field("splits", &self.splits)?;
        fields.serialize_field("aborted_splits", &self.aborted_splits)?;
        fields.serialize_field("wasted_nodes", &self.wasted_nodes)?;
        fields.serialize_field("idle_seconds", &self.idle.as_secs_f64())?;
        fields.end()
    }
}

/// The fields in the order of the documented JSON form.
impl<M: Serialize> Serialize for MoveReport<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("MoveReport", 7)?;
        fields.serialize_field("move", &self.mv)?;
        fields.serialize_field("proven", &self.proven())?;
        fields.serialize_field("pv", &self.pv)?;
        fields.serialize_field("score", &self.score)?;
        fields.serialize_field("bound", self.bound.as_str())?;
        fields.serialize_field("depth", &self.depth)?;
        fields.serialize_field("nodes", &self.nodes)?;
        fields.end()
    }
}
