//! A solution in other forms: with moves in a notation, as text, and serialized.

use std::fmt::{self, Display};
use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::budget::StopReason;
use crate::game::Notation;
use crate::report::{Align, AsText, Table, Text, Words, bytes, speed, workers};

use super::{Solution, SolvedMove};

/// Best moves in the answer.
const MOVES_SHOWN: usize = 12;

impl<M> Solution<M> {
    /// The same solution with moves as texts, as they are written at `state`, the position solved.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> Solution<String> {
        Solution {
            limits: self.limits,
            is_complete: self.is_complete,
            moves: self.moves.iter().map(|found| found.in_notation(state)).collect(),
            question_share: self.question_share,
            nodes: self.nodes,
            elapsed: self.elapsed,
            peak_bytes: self.peak_bytes,
            table_used: self.table_used,
            workers: self.workers,
            stop_reason: self.stop_reason,
        }
    }
}

impl<M> SolvedMove<M> {
    /// The same with the move as text, as it is written at `state`, the position solved.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> SolvedMove<String> {
        SolvedMove { mv: state.move_text(&self.mv), limits: self.limits }
    }
}

impl<M: Display> AsText for Solution<M> {
    fn table(&self) -> Table {
        let mut table = Table::new(&[("move", Align::Left), ("worth", Align::Left)]);
        for found in &self.moves {
            table.row([found.mv.to_string(), found.limits.to_string()]);
        }
        table
    }

    fn answer(&self) -> String {
        let mut text = self.limits.to_string();
        let best: Vec<String> = self.best_moves().map(|mv| mv.to_string()).collect();
        if !best.is_empty() {
            let more = if best.len() > MOVES_SHOWN { " ..." } else { "" };
            let shown = best[..best.len().min(MOVES_SHOWN)].join(" ");
            text.push_str(&format!(", best {shown}{more}"));
        }
        if !self.is_complete {
            text.push_str(", unfinished");
        }
        text
    }

    fn cost(&self, words: &Words) -> String {
        cost(self.nodes, self.elapsed, self.peak_bytes, self.workers, self.stop_reason, words)
    }
}

/// What a solver has taken and what has ended it, on one line.
pub(in crate::solver) fn cost(
    nodes: u64,
    elapsed: Duration,
    peak_bytes: u64,
    worker_count: usize,
    stop_reason: StopReason,
    words: &Words,
) -> String {
    let speed = speed(nodes, "nodes", elapsed);
    let (bytes, workers) = (bytes(peak_bytes), workers(worker_count));
    format!("{speed}, {bytes}, {workers}, {}", words.stopped_by(stop_reason))
}

impl<M: Display> Display for Solution<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text::new(self).fmt(f)
    }
}

/// `d3 (win in 7)`.
impl<M: Display> Display for SolvedMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.mv, self.limits)
    }
}

/// The fields in the order of the documented JSON form.
impl<M: Serialize> Serialize for Solution<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let best_moves: Vec<&M> = self.best_moves().collect();
        let mut fields = serializer.serialize_struct("Solution", 14)?;
        self.limits.serialize_into(&mut fields)?;
        fields.serialize_field("best_moves", &best_moves)?;
        fields.serialize_field("moves", &self.moves)?;
        fields.serialize_field("nodes", &self.nodes)?;
        fields.serialize_field("seconds", &self.elapsed.as_secs_f64())?;
        fields.serialize_field("nodes_per_second", &self.nodes_per_second())?;
        fields.serialize_field("peak_bytes", &self.peak_bytes)?;
        fields.serialize_field("workers", &self.workers)?;
        fields.serialize_field("complete", &self.is_complete)?;
        fields.serialize_field("stop_reason", &self.stop_reason)?;
        fields.end()
    }
}
