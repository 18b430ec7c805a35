//! A report in other forms: with moves in a notation, as text, and serialized.

use std::fmt::{self, Display};

use std::time::Duration;

use crate::budget::StopReason;
use crate::form::{check, check_share, form, seconds};
use crate::game::{MAX_PLAYERS, Notation};
use crate::proven::{Proven, Word};
use crate::report::{
    Align, AsText, Table, Text, Words, bytes, grouped, joined, line_in_notation, percent, speed,
    workers,
};

use super::{BranchReport, MoveReport, NetworkReport, NodeReport, Report};

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
            network: self.network,
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
            prior: self.prior,
            policy: self.policy,
        }
    }
}

impl<M: Display> AsText for Report<M> {
    fn table(&self) -> Table {
        let has_priors = self.moves.iter().any(|found| found.prior.is_some());
        let mut columns = vec![
            ("move", Align::Left),
            ("visits", Align::Right),
            ("win rate", Align::Right),
            ("lcb", Align::Right),
            ("proven", Align::Left),
            ("pv", Align::Left),
        ];
        if has_priors {
            columns.insert(1, ("prior", Align::Right));
        }
        let mut table = Table::new(&columns);
        for found in &self.moves {
            let share = |value: Option<f64>| value.map_or_else(|| "-".into(), percent);
            let shown = &found.pv[..found.pv.len().min(MOVES_SHOWN)];
            let more = if shown.len() < found.pv.len() { " ..." } else { "" };
            let mut row = vec![
                found.mv.to_string(),
                grouped(found.visits),
                share(found.win_rate),
                share(found.lcb),
                found.proven.map_or_else(String::new, |proven| proven.to_string()),
                format!("{}{more}", joined(shown)),
            ];
            if has_priors {
                row.insert(1, share(found.prior));
            }
            table.row(row);
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
        if let Some(network) = self.network {
            text.push_str(&format!(", network: {network}"));
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

/// `800 positions in 27 calls, 12 of them from memory`.
impl Display for NetworkReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (evaluations, calls) = (grouped(self.evaluations), grouped(self.calls));
        write!(f, "{evaluations} positions in {calls} calls")?;
        match self.cached {
            0 => Ok(()),
            cached => write!(f, ", {} of them from memory", grouped(cached)),
        }
    }
}

form! {
    /// The fields in the order of the documented JSON form.
    ReportForm<M> of Report<M> = found {
        best_move: M = found.best_move,
        win_rate: f64 = found.win_rate,
        scores: Vec<f64> = found.scores,
        proven: Option<Word> = Word::of(found.proven),
        proven_plies: Option<u32> = found.proven.and_then(Proven::plies),
        simulations: u64 = found.simulations,
        #[serde(deserialize_with = "seconds")]
        seconds: Duration = found.elapsed.as_secs_f64(),
        #[serde(default)]
        simulations_per_second: f64 = found.simulations_per_second(),
        nodes: u64 = found.nodes,
        bytes: u64 = found.bytes,
        dropped: u64 = found.dropped,
        deferred: u64 = found.deferred,
        contended: u64 = found.contended,
        workers: usize = found.workers,
        stop_reason: StopReason = found.stop_reason,
        memory_full: bool = found.memory_full,
        evicted: u64 = found.evicted,
        moves: Vec<MoveReport<M>> = found.moves,
    }
    optional {
        network: Option<NetworkReport> = found.network,
    }
}

impl<M> TryFrom<ReportForm<M>> for Report<M> {
    type Error = String;

    fn try_from(form: ReportForm<M>) -> Result<Self, String> {
        check_share("win_rate", form.win_rate)?;
        check_scores(&form.scores)?;
        // They are added up.
        let visits = form.moves.iter().try_fold(0u64, |sum, found| sum.checked_add(found.visits));
        check("moves", "fewer than 2^64 visits together", "more", visits.is_some())?;
        Ok(Self {
            best_move: form.best_move,
            win_rate: form.win_rate,
            scores: form.scores,
            proven: Word::with_plies(form.proven, form.proven_plies)?,
            simulations: form.simulations,
            elapsed: form.seconds,
            nodes: form.nodes,
            bytes: form.bytes,
            dropped: form.dropped,
            deferred: form.deferred,
            contended: form.contended,
            workers: form.workers,
            stop_reason: form.stop_reason,
            memory_full: form.memory_full,
            evicted: form.evicted,
            moves: form.moves,
            network: form.network,
        })
    }
}

form! {
    /// The fields in the order of the documented JSON form.
    MoveForm<M> of MoveReport<M> = found {
        r#move: M = found.mv,
        visits: u64 = found.visits,
        win_rate: Option<f64> = found.win_rate,
        lcb: Option<f64> = found.lcb,
        proven: Option<Word> = Word::of(found.proven),
        proven_plies: Option<u32> = found.proven.and_then(Proven::plies),
        pv: Vec<M> = found.pv,
    }
    optional {
        prior: Option<f64> = found.prior,
        policy: Option<f64> = found.policy,
    }
}

impl<M> TryFrom<MoveForm<M>> for MoveReport<M> {
    type Error = String;

    fn try_from(form: MoveForm<M>) -> Result<Self, String> {
        let MoveForm { r#move: mv, visits, win_rate, lcb, proven, proven_plies, pv, .. } = form;
        let MoveForm { prior, policy, .. } = form;
        check_share("policy", policy.unwrap_or(0.0))?;
        check_share("prior", prior.unwrap_or(0.0))?;
        check_share("win_rate", win_rate.unwrap_or(0.0))?;
        check_share("lcb", lcb.unwrap_or(0.0))?;
        let proven = Word::with_plies(proven, proven_plies)?;
        Ok(Self { mv, visits, win_rate, lcb, proven, pv, prior, policy })
    }
}

form! {
    /// The fields of a position of the tree.
    NodeForm<M> of NodeReport<M> = found {
        number: u32 = found.number,
        plies: u32 = found.plies,
        mover: usize = found.mover,
        visits: u64 = found.visits,
        rollouts: u64 = found.rollouts,
        win_rate: Option<f64> = found.win_rate,
        scores: Vec<f64> = found.scores,
        proven: Option<Word> = Word::of(found.proven),
        proven_plies: Option<u32> = found.proven.and_then(Proven::plies),
        branch_count: usize = found.branch_count,
        branches: Vec<BranchReport<M>> = found.branches,
    }
}

impl<M> TryFrom<NodeForm<M>> for NodeReport<M> {
    type Error = String;

    fn try_from(form: NodeForm<M>) -> Result<Self, String> {
        check_share("win_rate", form.win_rate.unwrap_or(0.0))?;
        check_scores(&form.scores)?;
        let (players, least) = (form.scores.len(), form.branches.len());
        check("mover", format!("one of {players} players"), form.mover, form.mover < players)?;
        let count = form.branch_count;
        check("branch_count", format!("at least {least}"), count, count >= least)?;
        Ok(Self {
            number: form.number,
            plies: form.plies,
            mover: form.mover,
            visits: form.visits,
            rollouts: form.rollouts,
            win_rate: form.win_rate,
            scores: form.scores,
            proven: Word::with_plies(form.proven, form.proven_plies)?,
            branch_count: count,
            branches: form.branches,
        })
    }
}

form! {
    /// The fields of a branch.
    BranchForm<M> of BranchReport<M> = found {
        r#move: M = found.mv,
        visits: u64 = found.visits,
        in_flight: u32 = found.in_flight,
        win_rate: Option<f64> = found.win_rate,
        proven: Option<Word> = Word::of(found.proven),
        proven_plies: Option<u32> = found.proven.and_then(Proven::plies),
        child: Option<u32> = found.child,
        child_visits: u64 = found.child_visits,
    }
    optional {
        prior: Option<f64> = found.prior,
    }
}

impl<M> TryFrom<BranchForm<M>> for BranchReport<M> {
    type Error = String;

    fn try_from(form: BranchForm<M>) -> Result<Self, String> {
        check_share("win_rate", form.win_rate.unwrap_or(0.0))?;
        check_share("prior", form.prior.unwrap_or(0.0))?;
        Ok(Self {
            mv: form.r#move,
            visits: form.visits,
            in_flight: form.in_flight,
            win_rate: form.win_rate,
            proven: Word::with_plies(form.proven, form.proven_plies)?,
            child: form.child,
            child_visits: form.child_visits,
            prior: form.prior,
        })
    }
}

/// Refuses scores that are none, or that are not those of the players of a game.
fn check_scores(scores: &[f64]) -> Result<(), String> {
    let expected = format!("a number for each of 1 to {MAX_PLAYERS} players");
    check("scores", expected, scores.len(), (1..=MAX_PLAYERS).contains(&scores.len()))?;
    scores.iter().try_for_each(|&score| check_share("scores", score))
}
