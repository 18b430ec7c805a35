//! A game so far, and which of its positions have come again.

use std::collections::HashMap;
use std::fmt;

use playtree::{GameState, Notation, Outcome};

/// A position that comes for this time ends a game.
const REPETITIONS: usize = 3;

/// The positions and moves of a game.
#[derive(Clone)]
pub(crate) struct Record<G: GameState> {
    /// Every position, the start first; one more than there are moves.
    states: Vec<G>,
    moves: Vec<G::Move>,
    /// Where each position is.
    places: HashMap<G::Key, Vec<usize>>,
}

impl<G: GameState> Record<G> {
    /// A game that has not begun.
    pub(crate) fn new(start: G) -> Self {
        let places = HashMap::from([(start.key(), vec![0])]);
        Self { states: vec![start], moves: Vec::new(), places }
    }

    /// Every position, the start first.
    pub(crate) fn states(&self) -> &[G] {
        &self.states
    }

    /// The number of moves.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The position after the last move.
    pub(crate) fn last(&self) -> &G {
        &self.states[self.moves.len()]
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: G::Move) {
        let next = self.last().apply(&mv);
        self.places.entry(next.key()).or_default().push(self.states.len());
        self.states.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back; whether there was one.
    pub(crate) fn take_back(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        if let Some(places) = self.states.pop().and_then(|state| self.places.get_mut(&state.key()))
        {
            places.pop();
        }
        true
    }

    /// What the game says if its last position has come for the third time: the verdict on what
    /// was played since the second.
    pub(crate) fn repetition(&self) -> Option<Outcome> {
        let (last, before) = self.states.split_last()?;
        let places = self.places.get(&last.key())?;
        // The last place is that of the position itself.
        self.verdict(last, before, &places[..places.len() - 1])
    }

    /// The legal moves that end the game at once with less than a draw for the side to move, by
    /// a repetition; none if there are no other moves.
    pub(crate) fn losing_repetitions(&self) -> Vec<G::Move> {
        if self.places.values().all(|places| places.len() + 1 < REPETITIONS) {
            return Vec::new();
        }
        let state = self.last();
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let legal = moves.len();
        moves.retain(|mv| {
            let next = state.apply(mv);
            let places = self.places.get(&next.key()).map_or(&[][..], Vec::as_slice);
            let verdict = self.verdict(&next, &self.states, places);
            verdict.is_some_and(|outcome| outcome.score(state.mover()) < 0.5)
        });
        if moves.len() < legal { moves } else { Vec::new() }
    }

    /// The verdict on a position that was at these places among those before it.
    fn verdict(&self, state: &G, before: &[G], places: &[usize]) -> Option<Outcome> {
        let since = *places.last().filter(|_| places.len() + 1 >= REPETITIONS)?;
        let cycle: Vec<&G> = before[since..].iter().collect();
        Some(state.repetition(&cycle))
    }
}

impl<G: Notation> Record<G> {
    /// The moves from the given number on, each as written where it was played.
    pub(crate) fn texts_from(&self, first: usize) -> impl Iterator<Item = String> {
        let moves = self.states.iter().zip(&self.moves).skip(first);
        moves.map(|(state, mv)| state.move_text(mv))
    }
}

impl<G: GameState> fmt::Debug for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("moves", &self.moves).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two players walk on a ring of four; who comes to a place for the third time by going up
    /// has lost.
    #[derive(Clone, Debug, PartialEq)]
    struct Ring {
        place: u8,
        plies: u32,
        up: bool,
    }

    impl GameState for Ring {
        type Key = (u8, usize);
        type Move = bool;
        fn key(&self) -> Self::Key {
            (self.place, self.mover())
        }
        fn mover(&self) -> usize {
            self.plies as usize % 2
        }
        fn plies(&self) -> u32 {
            self.plies
        }
        fn moves(&self, moves: &mut Vec<bool>) {
            moves.extend([true, false]);
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn apply(&self, up: &bool) -> Self {
            let place = if *up { self.place + 1 } else { self.place + 3 } % 4;
            Self { place, plies: self.plies + 1, up: *up }
        }
        fn repetition(&self, cycle: &[&Self]) -> Outcome {
            assert_eq!(cycle[0].key(), self.key());
            assert_eq!(cycle.last().map(|state| state.plies + 1), Some(self.plies));
            if self.up { Outcome::Win(self.mover()) } else { Outcome::Draw }
        }
    }

    fn walk(steps: &[bool]) -> Record<Ring> {
        let mut record = Record::new(Ring { place: 0, plies: 0, up: false });
        for (number, up) in steps.iter().enumerate() {
            assert_eq!(record.repetition(), None, "before step {number}");
            record.play(*up);
        }
        record
    }

    #[test]
    fn the_third_time_ends_the_game_by_its_own_verdict() {
        let there_and_back = [true, false, true, false];
        assert_eq!(walk(&there_and_back).repetition(), Some(Outcome::Draw));
        let mut record = walk(&[false, true, false, true]);
        assert_eq!(record.repetition(), Some(Outcome::Win(0)));
        assert!(record.take_back());
        assert_eq!(record.repetition(), None);
        record.play(true);
        assert_eq!(record.repetition(), Some(Outcome::Win(0)));
    }

    #[test]
    fn a_move_that_loses_by_repetition_is_known_before_it_is_played() {
        assert_eq!(walk(&[false, true, false]).losing_repetitions(), [true]);
        assert!(walk(&[true, false, true]).losing_repetitions().is_empty());
        assert!(walk(&[]).losing_repetitions().is_empty());
    }
}
