//! What a search has found, in the numbers that protocols have in common.

use std::time::Duration;

use playtree::Proven;
use playtree_session::Report;

/// What a search has found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finding {
    /// In plies.
    pub(crate) depth: usize,
    /// Of the longest line, in plies.
    pub(crate) selective_depth: usize,
    /// Simulations of this search, or nodes of alpha-beta.
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: u64,
    pub(crate) elapsed: Duration,
    /// What is used of the table, in thousandths; `None` of one without a limit.
    pub(crate) table_used: Option<u64>,
    /// The moves that were looked at, the best one first.
    pub(crate) variations: Vec<Variation>,
}

/// A move of the root and what follows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variation {
    /// The move and the best answers, as the game writes them; never empty.
    pub(crate) line: Vec<String>,
    /// Simulations that passed the move, or nodes below it.
    pub(crate) visits: u64,
    /// Expected score of the side to move, in [0, 1].
    pub(crate) win_rate: f64,
    /// Its lower 95 % confidence bound; the win rate itself where there is none.
    pub(crate) lower_bound: f64,
    pub(crate) proven: Option<Proven>,
}

/// The greatest score in hundredths of a pawn that is no proof.
const MOST_CENTIPAWNS: f64 = 9_999.0;

impl Variation {
    pub(crate) fn mv(&self) -> &str {
        self.line.first().map_or("", String::as_str)
    }

    /// The win rate `w` in hundredths of a pawn, by the formula of Leela Chess Zero:
    /// `90 tan(1.5637541897 (2 w - 1))`.
    pub(crate) fn centipawns(&self) -> i32 {
        let centipawns = 90.0 * (1.563_754_189_7 * (2.0 * self.win_rate - 1.0)).tan();
        centipawns.round().clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS) as i32
    }

    /// Own moves until the side to move has won, below zero until it has lost; `None` unless that
    /// is proven.
    pub(crate) fn moves_to_mate(&self) -> Option<i64> {
        match self.proven? {
            Proven::Win { plies } => Some(i64::from(plies.div_ceil(2))),
            Proven::Loss { plies } => Some(-i64::from(plies.div_ceil(2))),
            Proven::Draw => None,
        }
    }
}

impl Finding {
    /// What a report says; `limit` is that of its table, in bytes.
    pub(crate) fn of(report: &Report, limit: Option<u64>) -> Self {
        let mut finding = match report {
            Report::Mcts(report) => Self {
                nodes: report.simulations,
                nodes_per_second: report.simulations_per_second() as u64,
                elapsed: report.elapsed,
                table_used: limit.map(|limit| (1000 * report.bytes / limit.max(1)).min(1000)),
                variations: report
                    .moves
                    .iter()
                    .map(|found| Variation {
                        line: line(&found.pv, &found.mv),
                        visits: found.visits,
                        win_rate: found.win_rate.unwrap_or(report.win_rate),
                        lower_bound: found.lcb.or(found.win_rate).unwrap_or(report.win_rate),
                        proven: found.proven,
                    })
                    .collect(),
                ..Self::default()
            },
            Report::AlphaBeta(report) => Self {
                depth: report.depth as usize,
                selective_depth: report.selective_depth as usize,
                nodes: report.nodes,
                nodes_per_second: report.nodes_per_second() as u64,
                elapsed: report.elapsed,
                table_used: (report.table_bytes > 0).then_some((1000.0 * report.table_used) as u64),
                variations: vec![Variation {
                    line: line(&report.pv, &report.best_move),
                    visits: report.nodes,
                    win_rate: report.win_rate,
                    lower_bound: report.win_rate,
                    proven: report.proven,
                }],
            },
            _ => Self::default(),
        };
        // A temperature or the seed may choose another move than the first one.
        let best = report.best_move();
        if let Some(at) = finding.variations.iter().position(|found| found.mv() == best) {
            finding.variations[..=at].rotate_right(1);
        }
        if finding.depth == 0 {
            let lengths = finding.variations.iter().map(|found| found.line.len());
            finding.selective_depth = lengths.max().unwrap_or(0);
            finding.depth = finding.variations.first().map_or(0, |best| best.line.len());
        }
        finding
    }

    /// The move to play.
    pub(crate) fn best(&self) -> Option<&Variation> {
        self.variations.first()
    }
}

/// A line of play that begins with this move.
fn line(pv: &[String], mv: &str) -> Vec<String> {
    if pv.first().is_some_and(|first| first == mv) { pv.to_vec() } else { vec![mv.to_owned()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variation(win_rate: f64, proven: Option<Proven>) -> Variation {
        Variation { line: vec!["a".into()], visits: 1, win_rate, lower_bound: win_rate, proven }
    }

    #[test]
    fn win_rates_are_pawns_and_proofs_are_moves() {
        let centipawns = |win_rate| variation(win_rate, None).centipawns();
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(centipawns), [-9999, -89, 0, 89, 9999]);
        let mate = |proven| variation(0.5, Some(proven)).moves_to_mate();
        assert_eq!(mate(Proven::Win { plies: 1 }), Some(1));
        assert_eq!(mate(Proven::Win { plies: 5 }), Some(3));
        assert_eq!(mate(Proven::Loss { plies: 4 }), Some(-2));
        assert_eq!(mate(Proven::Draw), None);
    }
}
