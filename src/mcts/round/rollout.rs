//! Phase 3, rollout: games played to their end from where the simulations have come to, or
//! [questions](questions) to a network.

pub(super) mod caller;
pub(super) mod chosen;
pub(super) mod questions;
mod together;

use std::ops::ControlFlow;

use super::leaf::Knowledge;
use crate::error::SearchError;
use crate::game::{GameState, MOST_ROLLOUTS_AT_ONCE, MoveCoding, Outcome, Played, RolloutPolicy};
use crate::laws::checked_mover;
use crate::mcts::claims::Pace;
use crate::mcts::learned::Trail;
use crate::mcts::tree::Tree;
use crate::repetition::Line;
use crate::rng::Rng;

use super::{Round, RoundRules, Step, Supply};

/// Fewer rollouts than this are not worth to be played side by side.
const FEWEST_AT_ONCE: usize = 4;

/// Plays rollouts, one after the other or side by side, whichever the policy does better.
#[derive(Debug)]
pub(crate) struct Rollouts<G: GameState> {
    /// How each of those that are played at a time has ended.
    outcomes: Vec<Outcome>,
    /// The moves of each, if they are to be noted.
    played: Vec<Played>,
    moves: Vec<G::Move>,
    /// The moves of the rollout under way in their order, if rollouts learn.
    trail: Option<Trail>,
}

impl<G: GameState> Rollouts<G> {
    /// Rollouts whose moves are noted if there are codes to do it by.
    pub(crate) fn new(knowledge: &Knowledge<G>) -> Self {
        let at_once = knowledge.rollouts_at_once();
        let noted = |codes: MoveCoding<G>| vec![Played::new(G::PLAYERS, codes.count()); at_once];
        let played = knowledge.codes.map(noted).unwrap_or_default();
        // What a policy has never written is no player's.
        let outcomes = vec![Outcome::Win(usize::MAX); at_once];
        let trail = knowledge.memory().map(|_| Trail::default());
        Self { outcomes, played, moves: Vec::new(), trail }
    }

    /// Drops the moves that were last used.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
    }

    /// The most that are played at a time.
    #[inline]
    pub(crate) fn at_once(&self) -> usize {
        self.outcomes.len()
    }

    /// The memory that this holds, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.played.first().map_or(0, Played::words);
        let of_moves = size_of::<Played>() + words * size_of::<u64>();
        size_of_val(&*self.outcomes) + self.played.len() * of_moves
    }

    /// Plays `count` rollouts, at most [`at_once`](Self::at_once), each from its `position`, which
    /// `last_codes` have led to. `ended` gets the number of a rollout, how it has ended, and its
    /// moves if they are noted.
    /// Breaks off if the search is over before.
    ///
    /// # Errors
    /// If the game breaks a law.
    #[inline]
    pub(crate) fn play<'a>(
        &mut self,
        knowledge: &Knowledge<G>,
        (limit, count): (u32, usize),
        (position, last_codes): (impl Fn(usize) -> &'a G, impl Fn(usize) -> [u32; 2]),
        rng: &mut Rng,
        pace: &mut Pace<'_>,
        mut ended: impl FnMut(usize, &Outcome, Noted<'_>),
    ) -> Result<ControlFlow<()>, SearchError>
    where
        G: 'a,
    {
        if count >= FEWEST_AT_ONCE {
            if pace.is_over_before(count as u32) {
                return Ok(ControlFlow::Break(()));
            }
            let mut positions = [position(0); MOST_ROLLOUTS_AT_ONCE];
            for (number, place) in positions[..count].iter_mut().enumerate() {
                *place = position(number);
            }
            let outcomes = &mut self.outcomes[..count];
            let played = self.played.get_mut(..count).unwrap_or_default();
            played.iter_mut().for_each(Played::clear);
            knowledge.roll_out_side_by_side(&positions[..count], rng, outcomes, played);
            for (number, outcome) in outcomes.iter().enumerate() {
                if !outcome.is_of::<G>() {
                    return Err(SearchError::of_outcome(*outcome, position(number)));
                }
                ended(number, outcome, Noted { played: played.get(number), trail: None });
            }
            return Ok(ControlFlow::Continue(()));
        }
        let noted = self.played.first_mut().zip(knowledge.codes);
        let limit = knowledge.most_plies(limit);
        let (moves, trail) = (&mut self.moves, self.trail.as_mut());
        let mut supply = RolloutSupply { rng, moves, limit, pace, noted, trail };
        for number in 0..count {
            if supply.pace.is_over() {
                return Ok(ControlFlow::Break(()));
            }
            supply.clear_noted();
            if let Some(trail) = &mut supply.trail {
                trail.begin(last_codes(number));
            }
            let state = position(number);
            let outcome = knowledge.roll_out(state, &mut supply)?;
            let Some(outcome) = outcome else { return Ok(ControlFlow::Break(())) };
            if !outcome.is_of::<G>() {
                return Err(SearchError::of_outcome(outcome, state));
            }
            let played = supply.noted.as_ref().map(|(played, _)| &**played);
            ended(number, &outcome, Noted { played, trail: supply.trail.as_deref() });
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The moves of a rollout, where they are noted: as sets, and in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted<'a> {
    pub(crate) played: Option<&'a Played>,
    pub(crate) trail: Option<&'a Trail>,
}

impl<G: GameState> Round<G> {
    /// Phase 3: the rollouts, or the questions, until the search is over; those not done do not
    /// come back.
    pub(super) fn roll_out(
        &mut self,
        tree: &Tree<G>,
        supply: &mut Supply<'_, '_>,
    ) -> Result<(), SearchError> {
        let Supply { rng, allotment, pace } = supply;
        let (rng, pace) = (&mut **rng, &mut **pace);
        if self.knowledge.network.is_some() {
            return self.ask_all(tree, allotment, pace);
        }
        let (mut leaves, mut waiting) = ([0; MOST_ROLLOUTS_AT_ONCE], 0);
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            if !step.place.is_rolled_out() {
                continue;
            }
            for _ in 0..step.visits {
                leaves[waiting] = at as u32;
                waiting += 1;
                if waiting == self.rollouts.at_once() {
                    if self.roll_out_from(&leaves[..waiting], rng, pace)?.is_break() {
                        return Ok(());
                    }
                    waiting = 0;
                }
            }
        }
        self.roll_out_from(&leaves[..waiting], rng, pace).map(|_| ())
    }

    /// A rollout from each of these steps, until the search is over.
    #[inline]
    fn roll_out_from(
        &mut self,
        leaves: &[u32],
        rng: &mut Rng,
        pace: &mut Pace<'_>,
    ) -> Result<ControlFlow<()>, SearchError> {
        let learns = self.knowledge.memory().is_some();
        let last_codes: Vec<[u32; 2]> = if learns {
            leaves.iter().map(|&at| self.last_codes(at as usize)).collect()
        } else {
            Vec::new()
        };
        let last_codes = |number: usize| last_codes[number];
        let Self { rules, knowledge, rollouts, steps, states, planes, moves_seen, lessons, .. } =
            self;
        let position = |number: usize| &states[leaves[number] as usize];
        let what = (rules.rollout_limit, leaves.len());
        let position = (position, last_codes);
        rollouts.play(knowledge, what, position, rng, pace, |number, outcome, noted| {
            let at = leaves[number];
            // For a leaf `mover` is still the parent's, for a node its own.
            let viewer = usize::from(steps[at as usize].mover);
            add_score(rules, steps, planes, at as usize, (outcome, viewer, 1));
            if let (Some(moves_seen), Some(played)) = (&mut *moves_seen, noted.played) {
                moves_seen.note(at, outcome, played, rules.draws);
            }
            if let Some(trail) = noted.trail {
                lessons.note((lessons.len(), at), outcome, &trail.moves, rules.draws);
            }
        })
    }

    /// Adds the result of `visits` simulations to a step.
    #[inline]
    pub(super) fn score(&mut self, at: usize, outcome: &Outcome, viewer: usize, visits: u32) {
        add_score(&self.rules, &mut self.steps, &mut self.planes, at, (outcome, viewer, visits));
    }
}

/// Adds to a step what `visits` simulations have come to for the viewer.
#[inline]
fn add_score(
    &RoundRules { draws, layout, .. }: &RoundRules,
    steps: &mut [Step],
    planes: &mut [u64],
    at: usize,
    (outcome, viewer, visits): (&Outcome, usize, u32),
) {
    let step = &mut steps[at];
    step.returned += visits;
    step.sum += u64::from(visits) * u64::from(draws.fixed(outcome, viewer));
    let count = layout.count();
    if count > 0 {
        let sums = &mut planes[at * count..][..count];
        for _ in 0..visits {
            layout.add_outcome(draws, outcome, viewer, sums);
        }
    }
}

/// What rollouts are played with, one after the other.
pub(crate) struct RolloutSupply<'a, 'p, G: GameState> {
    pub(crate) rng: &'a mut Rng,
    /// Working memory of the policy.
    pub(crate) moves: &'a mut Vec<G::Move>,
    /// The most plies.
    pub(crate) limit: u32,
    pub(crate) pace: &'a mut Pace<'p>,
    /// Where the moves are noted, by what codes, if a search wants to know them.
    pub(crate) noted: Option<(&'a mut Played, MoveCoding<G>)>,
    /// Where they are noted in their order, if rollouts learn.
    pub(crate) trail: Option<&'a mut Trail>,
}

impl<G: GameState> RolloutSupply<'_, '_, G> {
    #[inline]
    fn clear_noted(&mut self) {
        if let Some((played, _)) = &mut self.noted {
            played.clear();
        }
    }
}

/// A [`RolloutPolicy`] whose type is left open, as a search holds it. One call plays a whole
/// game: within it the type is known, and no move is played through a table of functions.
pub(crate) trait AnyPolicy<G: GameState>: Send + Sync {
    /// Plays to the end of the game. `None` if the search is over before.
    ///
    /// # Errors
    /// If the game breaks a law.
    fn roll_out(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> Result<Option<Outcome>, SearchError>;

    /// Plays at most `supply.limit` moves, one by one; `stopped` says what they have come to if
    /// the game goes on after them. `None` if the search is over before.
    ///
    /// # Errors
    /// If the game breaks a law, and that of `stopped`.
    fn walk(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
        stopped: &dyn Fn(&G) -> Result<Outcome, SearchError>,
    ) -> Result<Option<Outcome>, SearchError>;

    /// As [`RolloutPolicy::next_move`].
    fn draw_move(&self, state: &G, rng: &mut Rng, moves: &mut Vec<G::Move>) -> Option<G::Move>;

    /// As [`RolloutPolicy::winning_move`].
    fn find_win(&self, state: &G, moves: &mut Vec<G::Move>) -> Option<G::Move>;

    /// As [`RolloutPolicy::play_side_by_side`].
    fn roll_out_side_by_side(
        &self,
        positions: &[&G],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        played: &mut [Played],
    );
}

impl<G: GameState, P: RolloutPolicy<G>> AnyPolicy<G> for P {
    #[inline]
    fn roll_out(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> Result<Option<Outcome>, SearchError> {
        let outcome = match &mut supply.noted {
            None => self.play(state, supply.rng),
            Some((played, _)) => self.play_noting(state, supply.rng, played),
        };
        if outcome.is_some() {
            return Ok(outcome);
        }
        // The policy may have given up on the way.
        supply.clear_noted();
        walk(self, state, supply, |state| Ok(state.repetition(&Line::new(&[], state))))
    }

    fn walk(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
        stopped: &dyn Fn(&G) -> Result<Outcome, SearchError>,
    ) -> Result<Option<Outcome>, SearchError> {
        walk(self, state, supply, stopped)
    }

    fn draw_move(&self, state: &G, rng: &mut Rng, moves: &mut Vec<G::Move>) -> Option<G::Move> {
        self.next_move(state, rng, moves)
    }

    fn find_win(&self, state: &G, moves: &mut Vec<G::Move>) -> Option<G::Move> {
        self.winning_move(state, moves)
    }

    fn roll_out_side_by_side(
        &self,
        positions: &[&G],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        played: &mut [Played],
    ) {
        self.play_side_by_side(positions, rng, outcomes, played);
    }
}

/// As [`AnyPolicy::walk`].
#[inline]
fn walk<G: GameState>(
    policy: &impl RolloutPolicy<G>,
    state: &G,
    supply: &mut RolloutSupply<'_, '_, G>,
    stopped: impl FnOnce(&G) -> Result<Outcome, SearchError>,
) -> Result<Option<Outcome>, SearchError> {
    let mut state = state.clone();
    for ply in 1..=supply.limit {
        if let Some(outcome) = state.outcome() {
            return Ok(Some(outcome));
        }
        let Some(mv) = policy.next_move(&state, supply.rng, supply.moves) else {
            return Err(no_move(&state));
        };
        if let Some((played, codes)) = &mut supply.noted {
            played.note(checked_mover(&state)?, codes.code(&state, &mv));
        }
        state.apply_in_place(&mv);
        if ply % PLIES_BETWEEN_LOOKS == 0 && supply.pace.is_over() {
            return Ok(None);
        }
    }
    state.outcome().map_or_else(|| stopped(&state), Ok).map(Some)
}

/// That a policy has no move at a position where the game goes on: by its own fault, or the game's.
#[cold]
fn no_move<G: GameState>(state: &G) -> SearchError {
    let (mut moves, plies) = (Vec::new(), state.plies());
    state.moves(&mut moves);
    if moves.is_empty() {
        SearchError::NoMoves { plies }
    } else {
        SearchError::PolicyMove { plies }
    }
}

/// How often a long rollout looks whether the search is over.
const PLIES_BETWEEN_LOOKS: u32 = 32;
