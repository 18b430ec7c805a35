//! A solution in other forms: with moves in a notation, as text, and serialized.

use std::fmt::{self, Display};
use std::time::Duration;

use crate::budget::StopReason;
use crate::form::{check_share, form, seconds};
use crate::game::Notation;
use crate::proven::Word;
use crate::report::{Align, AsText, Table, Text, Words, bytes, speed, workers};
use crate::solvable::{Limits, Worth};

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

form! {
    /// The fields in the order of the documented JSON form.
    SolutionForm<M> of Solution<M> = found {
        #[serde(default)]
        value: Option<Word> = Word::of(found.proven()),
        #[serde(default)]
        points: Option<i32> = found.points(),
        #[serde(default)]
        distance: Option<u32> = found.distance(),
        least: Worth = found.limits.least,
        most: Worth = found.limits.most,
        #[serde(default = "Vec::new")]
        best_moves: Vec<M> = found.best_moves().collect::<Vec<_>>(),
        moves: Vec<SolvedMove<M>> = found.moves,
        question_share: f64 = found.question_share,
        nodes: u64 = found.nodes,
        #[serde(deserialize_with = "seconds")]
        seconds: Duration = found.elapsed.as_secs_f64(),
        #[serde(default)]
        nodes_per_second: f64 = found.nodes_per_second(),
        peak_bytes: u64 = found.peak_bytes,
        table_used: f64 = found.table_used,
        workers: usize = found.workers,
        complete: bool = found.is_complete,
        stop_reason: StopReason = found.stop_reason,
    }
}

impl<M> TryFrom<SolutionForm<M>> for Solution<M> {
    type Error = String;

    fn try_from(form: SolutionForm<M>) -> Result<Self, String> {
        check_share("question_share", form.question_share)?;
        check_share("table_used", form.table_used)?;
        Ok(Self {
            limits: Limits::read(form.least, form.most)?,
            is_complete: form.complete,
            moves: form.moves,
            question_share: form.question_share,
            nodes: form.nodes,
            elapsed: form.seconds,
            peak_bytes: form.peak_bytes,
            table_used: form.table_used,
            workers: form.workers,
            stop_reason: form.stop_reason,
        })
    }
}

form! {
    /// The move, and what is certain of it as of a position.
    MoveForm<M> of SolvedMove<M> = found {
        r#move: M = found.mv,
        #[serde(default)]
        value: Option<Word> = Word::of(found.limits.proven()),
        #[serde(default)]
        points: Option<i32> = found.points(),
        #[serde(default)]
        distance: Option<u32> = found.limits.distance(),
        least: Worth = found.limits.least,
        most: Worth = found.limits.most,
    }
}

impl<M> TryFrom<MoveForm<M>> for SolvedMove<M> {
    type Error = String;

    fn try_from(form: MoveForm<M>) -> Result<Self, String> {
        Ok(Self { mv: form.r#move, limits: Limits::read(form.least, form.most)? })
    }
}
