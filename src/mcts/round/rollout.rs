//! Phase 3, rollout: random games from where the simulations have come to.

use crate::error::SearchError;
use crate::game::{GameState, Outcome};
use crate::mcts::control::Pace;
use crate::played::Played;
use crate::rng::Rng;

use super::{Hearsay, Round, RoundRules};

impl<G: GameState> Round<G> {
    /// Phase 3: the rollouts, until the search is over; those not done do not come back.
    pub(super) fn roll_out(
        &mut self,
        rng: &mut Rng,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            if !step.place.is_rolled_out() {
                continue;
            }
            // For a leaf `mover` is still the parent's, for a node its own.
            let (viewer, visits) = (usize::from(step.mover), step.visits);
            for _ in 0..visits {
                if pace.is_over() {
                    return Ok(());
                }
                let limit = self.rules.rollout_limit;
                let (state, moves) = (&self.states[at], &mut self.moves);
                let played = self.hearsay.as_mut().map(Hearsay::next);
                let outcome = self.knowledge.roll_out(state, rng, moves, limit, pace, played)?;
                let Some(outcome) = outcome else { return Ok(()) };
                self.score(at, &outcome, viewer, 1);
                if let Some(hearsay) = &mut self.hearsay {
                    hearsay.note(at as u32, &outcome, self.rules.draws);
                }
            }
        }
        Ok(())
    }

    /// Adds the result of `visits` simulations to a step.
    #[inline]
    pub(super) fn score(&mut self, at: usize, outcome: &Outcome, viewer: usize, visits: u32) {
        let RoundRules { draws, layout, .. } = self.rules;
        let step = &mut self.steps[at];
        step.returned += visits;
        step.sum += u64::from(visits) * u64::from(draws.fixed(outcome, viewer));
        let planes = layout.count();
        if planes > 0 {
            let sums = &mut self.planes[at * planes..][..planes];
            for _ in 0..visits {
                layout.add_outcome(draws, outcome, viewer, sums);
            }
        }
    }
}

/// Plays random moves to the end of the game, noting them in `played` if there is one. `None` if the
/// search is over before.
#[inline]
pub(crate) fn rollout<G: GameState>(
    state: &G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    limit: u32,
    pace: &mut Pace<'_>,
    mut played: Option<&mut Played>,
) -> Result<Option<Outcome>, SearchError> {
    let outcome = match &mut played {
        None => state.rollout(rng),
        Some(played) => state.rollout_noting(rng, played),
    };
    if outcome.is_some() {
        return Ok(outcome);
    }
    walk(state, rng, buffer, limit, pace, played, |state| state.repetition(&[]))
}

/// Plays at most `limit` random moves, one by one; `stopped` says what it has come to if the game
/// goes on after them. They are noted in `played` if there is one. `None` if the search is over before.
#[inline]
pub(crate) fn walk<G: GameState>(
    state: &G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    limit: u32,
    pace: &mut Pace<'_>,
    mut played: Option<&mut Played>,
    stopped: impl FnOnce(&G) -> Outcome,
) -> Result<Option<Outcome>, SearchError> {
    let mut state = state.clone();
    for ply in 1..=limit {
        if let Some(outcome) = state.outcome() {
            return Ok(Some(outcome));
        }
        let Some(mv) = state.random_move(rng, buffer) else {
            return Err(SearchError::NoMoves { plies: state.plies() });
        };
        if let Some(played) = &mut played {
            played.note(state.mover(), state.move_code(&mv));
        }
        state.apply_in_place(&mv);
        if ply % PLIES_BETWEEN_LOOKS == 0 && pace.is_over() {
            return Ok(None);
        }
    }
    Ok(Some(state.outcome().unwrap_or_else(|| stopped(&state))))
}

/// How often a long rollout looks whether the search is over.
const PLIES_BETWEEN_LOOKS: u32 = 32;
