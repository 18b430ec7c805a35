//! Three and more players, each of whom maximises his own points (max^n, Luckhardt and Irani 1986).
//!
//! What one player gets says little about another one, so nothing is cut off: every position is
//! looked at once, as long as the table has room. Of several moves with the same points for the one
//! who moves he takes the first, as he does not care and the others' points depend on it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::budget::StopReason;
use crate::error::SearchError;
use crate::game::MAX_PLAYERS;
use crate::laws::{check_moves, checked_mover};
use crate::solvable::{Limits, PLIES_LIMIT, Solvable, Worth};
use crate::sorting::sort_by_number;
use crate::stop::{Pace, Positions};

use super::numbers::checked_points;
use super::solution::{Solution, SolvedMove};
use super::view::{Live, Show};

/// The points of each player.
type Points = [i16; MAX_PLAYERS];

/// Solves a position with these moves, at least one. `begun` gets what to read before the first
/// position is searched.
pub(super) fn solve<G: Solvable>(
    state: &G,
    moves: Vec<G::Move>,
    positions: &Positions,
    memory_limit: usize,
    begun: Option<Show<'_, G::Move>>,
) -> Result<Solution<G::Move>, SearchError> {
    let mut limits = vec![Limits::of_game::<G>(); moves.len()];
    let live = begun.map(|begun| {
        let live = Arc::new(Live::new(best_of::<G>(&limits), moves.clone(), limits.clone()));
        begun(Arc::clone(&live));
        live
    });
    // What a hash map takes for an entry when it has just grown, and the old one is still there.
    let entry = (size_of::<(G::Key, Points)>() + 1) * 4;
    let mut search = MaxN {
        known: HashMap::new(),
        room: memory_limit / entry,
        pace: Pace::new(positions),
        positions,
        line: Vec::new(),
        spare: Vec::new(),
    };
    let bytes = |search: &MaxN<'_, G>| (search.known.len().min(search.room) * entry) as u64;
    let (mover, count) = (state.mover(), moves.len());
    let mut searched = 0;
    for mv in &moves {
        let Some(points) = search.points(state.apply(mv))? else { break };
        let worth = Worth { points: i32::from(points[mover]), plies: 0 };
        limits[searched] = Limits::exactly(worth);
        if let Some(live) = &live {
            live.write(|found| {
                found.moves[searched] = limits[searched];
                found.limits = best_of::<G>(&limits);
                found.peak_bytes = bytes(&search);
            });
            live.set_share((searched + 1) as f64 / count as f64);
        }
        searched += 1;
    }
    search.pace.add();
    let is_complete = searched == count;
    if is_complete {
        if let Some(live) = &live {
            live.write(|found| found.is_complete = true);
        }
        positions.stop.stop(StopReason::Proven);
    }
    let position = best_of::<G>(&limits);
    let solved = |(mv, limits)| SolvedMove { mv, limits };
    let mut moves: Vec<_> = moves.into_iter().zip(limits).map(solved).collect();
    sort_by_number(&mut moves, |mv| -mv.limits.number());
    Ok(Solution {
        limits: position,
        is_complete,
        moves,
        question_share: searched as f64 / count as f64,
        nodes: positions.visited(),
        elapsed: positions.stop.elapsed(),
        peak_bytes: bytes(&search),
        table_used: 0.0,
        workers: positions.stop.workers(),
        stop_reason: positions.reason(),
    })
}

/// What a position is worth whose moves are worth that.
fn best_of<G: Solvable>(moves: &[Limits]) -> Limits {
    let better = |one: Limits, other: Limits| Limits {
        least: one.least.max(other.least),
        most: one.most.max(other.most),
    };
    moves.iter().copied().reduce(better).unwrap_or(Limits::of_game::<G>())
}

/// The line under search is not on the stack: positions and keys may be large, and lines long.
struct MaxN<'a, G: Solvable> {
    known: HashMap<G::Key, Points>,
    /// The most positions that are kept.
    room: usize,
    pace: Pace<'a>,
    positions: &'a Positions,
    line: Vec<Frame<G>>,
    /// Lists of moves that are not in use.
    spare: Vec<Vec<G::Move>>,
}

/// A position on the line.
struct Frame<G: Solvable> {
    state: G,
    key: G::Key,
    mover: usize,
    moves: Vec<G::Move>,
    /// The move that is tried next.
    next: usize,
    /// The points after the best move so far.
    best: Option<Points>,
}

/// What a look at a position has shown.
enum Visit {
    /// Its points, with best play.
    Known(Points),
    /// It is on the line now.
    Open,
    /// The search was stopped.
    Stopped,
}

impl<G: Solvable> MaxN<'_, G> {
    /// The points of a position a ply below the root, with best play; `None` if the search was
    /// stopped.
    fn points(&mut self, state: G) -> Result<Option<Points>, SearchError> {
        let mut visit = self.visit(state)?;
        loop {
            match (visit, self.line.last_mut()) {
                (Visit::Stopped, _) => return Ok(None),
                (Visit::Known(points), None) => return Ok(Some(points)),
                (Visit::Known(points), Some(Frame { best, mover, .. })) => {
                    if best.is_none_or(|best| points[*mover] > best[*mover]) {
                        *best = Some(points);
                    }
                }
                (Visit::Open, _) => {}
            }
            let Some(frame) = self.line.last_mut() else { return Ok(None) };
            visit = match frame.moves.get(frame.next) {
                Some(mv) => {
                    let after = frame.state.apply(mv);
                    frame.next += 1;
                    self.visit(after)?
                }
                None => self.leave(),
            };
        }
    }

    /// Looks at a position, and puts it on the line if that does not show its points.
    fn visit(&mut self, state: G) -> Result<Visit, SearchError> {
        self.pace.count();
        if let Some(outcome) = state.outcome() {
            let mut points = Points::default();
            for (player, points) in points.iter_mut().enumerate().take(G::PLAYERS) {
                *points = checked_points(&state, &outcome, player)? as i16;
            }
            return Ok(Visit::Known(points));
        }
        if self.positions.stop.is_stopped() {
            return Ok(Visit::Stopped);
        }
        // The root is not on the line.
        if self.line.len() + 1 >= PLIES_LIMIT as usize {
            return Err(SearchError::TooDeep { plies: PLIES_LIMIT });
        }
        // Not the canonical key: alike positions may give the players' points by different moves.
        let key = state.key();
        if let Some(&points) = self.known.get(&key) {
            return Ok(Visit::Known(points));
        }
        let mover = checked_mover(&state)?;
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        state.moves(&mut moves);
        check_moves(&state, &moves)?;
        self.line.push(Frame { state, key, mover, moves, next: 0, best: None });
        Ok(Visit::Open)
    }

    /// Takes the last position off the line: all of its moves were tried.
    fn leave(&mut self) -> Visit {
        let Some(Frame { key, moves, best: Some(best), .. }) = self.line.pop() else {
            return Visit::Stopped;
        };
        self.spare.push(moves);
        if self.known.len() < self.room {
            self.known.insert(key, best);
        }
        Visit::Known(best)
    }
}
