//! A report in other forms: with moves in a notation, as text, and serialized.

use std::fmt::{self, Display};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::game::Notation;
use crate::report::{
    Align, AsText, Table, Text, Words, bytes, grouped, joined, line_in_notation, percent, speed,
    workers,
};

use super::{MoveReport, Report};

/// Moves of a principal variation in the table.
const MOVES_SHOWN: usize = 8;

impl<M> Report<M> {
    /// The same report with moves as texts, each as it is written in the position where it is
    /// played. `state` is the position searched.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> Report<String> {
        Report {
            best_move: state.move_text(&self.best_move),
            win_rate: self.win_rate,
            scores: self.scores.clone(),
            proven: self.proven,
            simulations: self.simulations,
            elapsed: self.elapsed,
            nodes: self.nodes,
            bytes: self.bytes,
            dropped: self.dropped,
            deferred: self.deferred,
            contended: self.contended,
            workers: self.workers,
            stop_reason: self.stop_reason,
            memory_full: self.memory_full,
            evicted: self.evicted,
            moves: self.moves.iter().map(|found| found.in_notation(state)).collect(),
        }
    }
}

impl<M> MoveReport<M> {
    /// The same with moves as texts, as [`Report::in_notation`] has them.
    #[must_use]
    pub fn in_notation<G: Notation<Move = M>>(&self, state: &G) -> MoveReport<String> {
        MoveReport {
            mv: state.move_text(&self.mv),
            visits: self.visits,
            win_rate: self.win_rate,
            lcb: self.lcb,
            proven: self.proven,
            pv: line_in_notation(state, &self.pv),
        }
    }
}

impl<M: Display> AsText for Report<M> {
    fn table(&self) -> Table {
        let mut table = Table::new(&[
            ("move", Align::Left),
            ("visits", Align::Right),
            ("win rate", Align::Right),
            ("lcb", Align::Right),
            ("proven", Align::Left),
            ("pv", Align::Left),
        ]);
        for found in &self.moves {
            let share = |value: Option<f64>| value.map_or_else(|| "-".into(), percent);
            let shown = &found.pv[..found.pv.len().min(MOVES_SHOWN)];
            let more = if shown.len() < found.pv.len() { " ..." } else { "" };
            table.row([
                found.mv.to_string(),
                grouped(found.visits),
                share(found.win_rate),
                share(found.lcb),
                found.proven.map_or_else(String::new, |proven| proven.to_string()),
                format!("{}{more}", joined(shown)),
            ]);
        }
        table
    }

    fn answer(&self) -> String {
        let mut text = format!("best move {}, ", self.best_move);
        if self.visits() == 0 && self.proven.is_none() {
            text.push_str("nothing searched");
        } else {
            text.push_str(&format!("win rate {}", percent(self.win_rate)));
        }
        if let Some(proven) = self.proven {
            text.push_str(&format!(", proven {proven}"));
        }
        text
    }

    fn cost(&self, words: &Words) -> String {
        let mut text = format!(
            "{}, {} nodes, {}, {}, {}",
            speed(self.simulations, "simulations", self.elapsed),
            grouped(self.nodes),
            bytes(self.bytes),
            workers(self.workers),
            words.stopped_by(self.stop_reason),
        );
        for (count, what) in [
            (self.dropped, format!("results lost ({})", words.yielding)),
            (self.deferred, "results handed on".into()),
            (self.contended, "waits for a lock".into()),
        ] {
            if count > 0 {
                text.push_str(&format!(", {} {what}", grouped(count)));
            }
        }
        if self.memory_full {
            text.push_str(", memory limit reached");
        }
        text
    }
}

impl<M: Display> Display for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text::new(self).fmt(f)
    }
}

/// `d3, 1,000 visits, win rate 55.0 %, proven win in 3`.
impl<M: Display> Display for MoveReport<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} visits", self.mv, grouped(self.visits))?;
        if let Some(win_rate) = self.win_rate {
            write!(f, ", win rate {}", percent(win_rate))?;
        }
        match self.proven {
            Some(proven) => write!(f, ", proven {proven}"),
            None => Ok(()),
        }
    }
}

/// The fields in the order of the documented JSON form.
impl<M: Serialize> Serialize for Report<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Report", 14)?;
        fields.serialize_field("best_move", &self.best_move)?;
        fields.serialize_field("win_rate", &self.win_rate)?;
        fields.serialize_field("proven", &self.proven)?;
        fields.serialize_field("simulations", &self.simulations)?;
        fields.serialize_field("seconds", &self.elapsed.as_secs_f64())?;
        fields.serialize_field("simulations_per_second", &self.simulations_per_second())?;
        fields.serialize_field("nodes", &self.nodes)?;
        fields.serialize_field("bytes", &self.bytes)?;
        fields.serialize_field("dropped", &self.dropped)?;
        fields.serialize_field("deferred", &self.deferred)?;
        fields.serialize_field("contended", &self.contended)?;
        fields.serialize_field("workers", &self.workers)?;
        fields.serialize_field("stop_reason", &self.stop_reason)?;
        fields.serialize_field("moves", &self.moves)?;
        fields.end()
    }
}
