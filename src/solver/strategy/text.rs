//! A strategy as text: a tree with one answer a line, and the reply to it behind it.

use std::fmt;

use crate::game::Notation;
use crate::sorting::sort_by_number;

use super::{Strategy, StrategyKind, StrategyMove};

/// A line is an answer, what the position is worth then to the player of the strategy, and behind
/// `>` his reply; the answers to that follow below, indented, those first that are worst for him.
/// `#7` numbers a position that several lines of play lead to, and `= #7` stands for all that
/// follows there. `...` is where the strategy was to end, `?` what is not solved.
impl<G: Notation> fmt::Display for Strategy<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut leading = vec![0u32; self.positions.len()];
        for position in &self.positions {
            position.moves.iter().for_each(|mv| leading[mv.to] += 1);
        }
        write!(f, "player {} of {}", self.player + 1, G::PLAYERS)?;
        let mut tree = Tree { strategy: self, leading, written: vec![false; self.positions.len()] };
        tree.write(f, 0, 1)
    }
}

struct Tree<'a, G: Notation> {
    strategy: &'a Strategy<G>,
    /// Moves that lead to each position.
    leading: Vec<u32>,
    written: Vec<bool>,
}

impl<G: Notation> Tree<'_, G> {
    /// Ends the line, which has come to the position `at`, and writes what follows.
    fn write(&mut self, f: &mut fmt::Formatter<'_>, mut at: usize, indent: usize) -> fmt::Result {
        let strategy = self.strategy;
        let mut is_answer = true;
        loop {
            let position = &strategy.positions[at];
            if self.leading[at] > 1 && !position.moves.is_empty() {
                if std::mem::replace(&mut self.written[at], true) {
                    return writeln!(f, " = #{at}");
                }
                write!(f, " #{at}")?;
            }
            if let StrategyKind::End(_) = position.kind {
                return writeln!(f, " {}", position.limits);
            }
            if std::mem::take(&mut is_answer) || position.kind == StrategyKind::Beyond {
                write!(f, " ({})", position.limits)?;
            }
            match (position.kind, position.moves.first()) {
                (StrategyKind::Reply, Some(reply)) => {
                    write!(f, " > {}", position.state.move_text(&reply.mv))?;
                    at = reply.to;
                }
                (StrategyKind::Unsolved, _) => return writeln!(f, " ?"),
                (StrategyKind::Beyond, _) => return writeln!(f, " ..."),
                _ => break,
            }
        }
        writeln!(f)?;
        let position = &strategy.positions[at];
        let mut answers: Vec<&StrategyMove<G::Move>> = position.moves.iter().collect();
        sort_by_number(&mut answers, |answer| strategy.positions[answer.to].limits.number());
        for answer in answers {
            write!(f, "{:1$}{2}", "", 2 * indent, position.state.move_text(&answer.mv))?;
            self.write(f, answer.to, indent + 1)?;
        }
        Ok(())
    }
}
