//! Every adapter plays well where that is easy to tell, and does the work it was asked for.

use std::sync::atomic::Ordering;

use playtree::games::{ConnectFour, Hex};
use playtree::{GameState, Notation, Outcome};

use super::minimax::Minimax;
use crate::engine::{Engine, Entry, Game, Limit, Settings};

/// Nim with one pile: take one to three, and the player that takes the last wins. A pile that is a
/// multiple of four is lost.
#[derive(Clone)]
pub(super) struct Pile {
    pub(super) left: u32,
    pub(super) plies: u32,
}

impl GameState for Pile {
    type Key = (u32, usize);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }

    /// At the end the first player, which is as good as any: no adapter must ask.
    fn mover(&self) -> usize {
        if self.left == 0 { 0 } else { self.plies as usize % 2 }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(3));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win((self.plies as usize + 1) % 2))
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1 }
    }
}

impl Game for Pile {}

pub(super) fn settings(threads: usize) -> Settings {
    Settings { threads, exploration: None, seed: 1, proofs: true, split_freeing: false }
}

/// The entries and the numbers of threads to try them with.
fn setups() -> impl Iterator<Item = (Entry, usize)> {
    let all = Entry::ALL.into_iter().chain([Entry::TreantUniform]);
    let all = all.flat_map(|entry| [(entry, 1), (entry, 2)]);
    all.filter(|(entry, threads)| *threads <= entry.most_threads())
}

#[test]
fn evaluations_take_the_place_of_rollouts() {
    for entry in [Entry::PlaytreeEvaluation, Entry::TreantEvaluation] {
        let error = entry.check::<Hex>().unwrap_err().to_string();
        assert!(error.starts_with("expected a game with an evaluation"), "{error}");
        entry.check::<ConnectFour>().unwrap();
        // Whoever is to move has three in column 4.
        for text in ["414141", "7414141"] {
            let state = ConnectFour::parse_position(text).unwrap();
            let mut engine = entry.make(Settings { proofs: false, ..settings(1) });
            let found = engine.search(&state, Limit::Simulations(500));
            assert_eq!(state.move_text(&found.best), "4", "{}", entry.name());
        }
    }
}

#[test]
fn every_adapter_finds_the_winning_move() {
    for (entry, threads) in setups() {
        let mut engine = entry.make::<Pile>(settings(threads));
        // Both players to move: a sign error would show in one of the two.
        for plies in [0, 1] {
            for (left, best) in [(5, 1), (6, 2), (7, 3), (9, 1), (3, 3)] {
                let found = engine.search(&Pile { left, plies }, Limit::Simulations(5_000));
                assert_eq!(found.best, best, "{entry:?}, {threads} threads, pile of {left}");
                engine.release();
            }
        }
    }
}

#[test]
fn every_adapter_does_the_simulations_asked() {
    // No simulation reaches the end of this game within the tree, so that nothing is proven.
    let state = Pile { left: 200, plies: 0 };
    for (entry, threads) in setups() {
        let mut engine = entry.make::<Pile>(settings(threads));
        let found = engine.search(&state, Limit::Simulations(501));
        assert_eq!(found.simulations, Some(501), "{entry:?}, {threads} threads");
        assert!(found.seconds > 0.0);
    }
}

#[test]
fn every_adapter_goes_on_after_moves_of_both_sides() {
    for (entry, threads) in setups() {
        let mut engine = entry.make::<Pile>(settings(threads));
        let found = engine.search(&Pile { left: 9, plies: 0 }, Limit::Simulations(5_000));
        engine.played(&found.best);
        engine.played(&2);
        let state = Pile { left: 7 - found.best, plies: 2 };
        let found = engine.search(&state, Limit::Simulations(5_000));
        assert_eq!(found.best, 2, "{entry:?}, {threads} threads");
    }
}

#[test]
fn kept_visits_are_no_simulations() {
    for (entry, threads) in setups() {
        let mut engine = entry.make::<Pile>(settings(threads));
        engine.search(&Pile { left: 200, plies: 0 }, Limit::Simulations(99));
        engine.played(&1);
        engine.played(&1);
        let found = engine.search(&Pile { left: 198, plies: 2 }, Limit::Simulations(501));
        assert_eq!(found.simulations, Some(501), "{entry:?}, {threads} threads");
    }
}

#[test]
fn minimax_rolls_out_once_per_simulation() {
    for threads in [1, 2] {
        let mut engine = Minimax::new(settings(threads));
        engine.search(&Pile { left: 200, plies: 0 }, Limit::Simulations(501));
        assert_eq!(engine.played.load(Ordering::Relaxed), 501);
    }
}

#[test]
fn minimax_tells_its_search_from_its_freeing() {
    let mut engine = Minimax::new(Settings { split_freeing: true, ..settings(1) });
    let found = engine.search(&Pile { left: 200, plies: 0 }, Limit::Simulations(5_000));
    assert!(found.freeing_seconds > 0.0);
}

#[test]
fn a_time_limit_is_used_and_ends_the_search() {
    let time = std::time::Duration::from_millis(50);
    for (entry, threads) in setups() {
        // A proven root would end the search before its time.
        let mut engine = entry.make::<Pile>(Settings { proofs: false, ..settings(threads) });
        let found = engine.search(&Pile { left: 200, plies: 0 }, Limit::Time(time));
        // board-game guesses from the speed of a short search: nothing is sure but an end.
        let least = if entry.has_time_limit() { 0.005 } else { 0.0 };
        assert!(found.seconds > least, "{entry:?}: {} s", found.seconds);
    }
}
