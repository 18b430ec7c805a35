//! Three and more players, each of whom maximises his own points (max^n, Luckhardt and Irani 1986).
//!
//! What one player gets says little about another one, so nothing is cut off: every position is
//! looked at once, as long as the table has room. Of several moves with the same points for the one
//! who moves he takes the first, as he does not care and the others' points depend on it.

use std::collections::HashMap;
use std::hash::Hash;

use crate::control::{Control, Pace};
use crate::error::SearchError;
use crate::game::MAX_PLAYERS;
use crate::mcts::{check_moves, checked_mover};
use crate::solvable::{PLIES_LIMIT, Solvable};

use super::search::checked_points;

/// The points of each player.
pub(super) type Points = [i16; MAX_PLAYERS];

/// The points of a position after each of its moves; fewer if the search was stopped.
pub(super) fn solve<G: Solvable>(
    state: &G,
    moves: &[G::Move],
    control: &Control,
    memory_limit: usize,
) -> Result<(Vec<Points>, usize), SearchError> {
    // What a hash map takes for an entry when it has just grown, and the old one is still there.
    let entry = (size_of::<(G::Key, Points)>() + 1) * 4;
    let mut search = MaxN {
        known: HashMap::new(),
        room: memory_limit / entry,
        pace: Pace::new(control),
        control,
    };
    let mut found = Vec::new();
    for mv in moves {
        match search.points(&state.apply(mv), 1)? {
            Some(points) => found.push(points),
            None => break,
        }
    }
    search.pace.tell();
    let bytes = search.known.len().min(search.room) * entry;
    Ok((found, bytes))
}

struct MaxN<'a, K> {
    known: HashMap<K, Points>,
    /// As many positions are kept.
    room: usize,
    pace: Pace<'a>,
    control: &'a Control,
}

impl<K: Eq + Hash> MaxN<'_, K> {
    /// The points with best play; `None` if the search was stopped.
    fn points<G: Solvable<Key = K>>(
        &mut self,
        state: &G,
        ply: u32,
    ) -> Result<Option<Points>, SearchError> {
        self.pace.count();
        if let Some(outcome) = state.outcome() {
            let mut points = Points::default();
            for (player, points) in points.iter_mut().enumerate().take(G::PLAYERS) {
                *points = checked_points(state, &outcome, player)? as i16;
            }
            return Ok(Some(points));
        }
        if self.control.is_stopped() {
            return Ok(None);
        }
        if ply >= PLIES_LIMIT {
            return Err(SearchError::TooDeep { plies: PLIES_LIMIT });
        }
        // Not the canonical key: alike positions may give the players' points by different moves.
        let key = state.key();
        if let Some(&points) = self.known.get(&key) {
            return Ok(Some(points));
        }
        let mover = checked_mover(state)?;
        let mut moves = Vec::new();
        state.moves(&mut moves);
        check_moves(state, &moves)?;
        let mut best: Option<Points> = None;
        for mv in &moves {
            let Some(points) = self.points(&state.apply(mv), ply + 1)? else { return Ok(None) };
            if best.is_none_or(|best| points[mover] > best[mover]) {
                best = Some(points);
            }
        }
        if let Some(best) = best
            && self.known.len() < self.room
        {
            self.known.insert(key, best);
        }
        Ok(best)
    }
}
