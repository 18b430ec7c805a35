//! Parts of saved tables and several of them: books, smaller memory, and merging.

use crate::common::{Folder, Pile, audit, tag};
use playtree::games::{ConnectFour, Hex, NormalNim, TicTacToe};
use playtree::mcts::Selection;
use playtree::{Budget, GameState, LoadError, Mcts, MctsBuilder, Notation, Saveable, save};

fn builder<G: GameState>(seed: u64) -> MctsBuilder<G> {
    Mcts::builder().threads(1).seed(seed)
}

/// An engine that has searched `state`.
fn searched<G: GameState>(builder: MctsBuilder<G>, state: &G, simulations: u64) -> Mcts<G> {
    let mut mcts = builder.build().unwrap();
    mcts.search(state, &Budget::simulations(simulations)).unwrap();
    mcts
}

/// Visits of the root's branches, by their moves as text.
fn visits<G: GameState>(mcts: &mut Mcts<G>, state: &G) -> Vec<(String, u64)> {
    let report = mcts.search(state, &Budget::simulations(0)).unwrap();
    let mut visits: Vec<_> =
        report.moves.iter().map(|mv| (format!("{:?}", mv.mv), mv.visits)).collect();
    visits.sort();
    visits
}

#[test]
fn a_book_knows_what_was_visited_often() {
    let folder = Folder::new("book");
    let file = folder.file("book");
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        let setting = || builder::<ConnectFour>(1).selection(selection);
        let start = ConnectFour::new();
        let mut whole = searched(setting(), &start, 50_000);
        let all = whole.save(&file, &tag(), &save::Options::default()).unwrap();
        let book = whole.save(&file, &tag(), &save::Options::default().min_visits(50)).unwrap();
        assert!(!all.search().unwrap().thinned && book.search().unwrap().thinned);
        assert!(book.positions > 20 && book.positions * 10 < all.positions, "{book:?}");
        let mut reader = setting().build().unwrap();
        assert_eq!(reader.load(&file, &tag()).unwrap().left_out, 0);
        audit(&reader);
        assert_eq!(visits(&mut reader, &start), visits(&mut whole, &start));
        reader.search(&start, &Budget::simulations(20_000)).unwrap();
        audit(&reader);
    }
}

#[test]
fn a_search_goes_on_from_a_book_with_proofs() {
    let folder = Folder::new("proven-book");
    let file = folder.file("book");
    // Hex and Nim prove much, with draws only here: half proven positions come back too.
    fn check<G: Saveable>(file: &std::path::Path, state: &G, simulations: u64) {
        for min_visits in [2, 5, 40] {
            let mcts = searched(builder(3), state, simulations);
            mcts.save(file, &tag(), &save::Options::default().min_visits(min_visits)).unwrap();
            let mut reader = builder(4).build().unwrap();
            reader.load(file, &tag()).unwrap();
            audit(&reader);
            for _ in 0..4 {
                reader.search(state, &Budget::simulations(simulations)).unwrap();
                audit(&reader);
            }
        }
    }
    check(&file, &TicTacToe::new(), 1_000);
    check(&file, &Hex::new(4).unwrap(), 4_000);
    check(&file, &NormalNim::parse_position("3,4,5").unwrap(), 500);
}

#[test]
fn a_table_that_has_forgotten_positions_is_saved() {
    let folder = Folder::new("evicted");
    let file = folder.file("table");
    fn check<G: Saveable>(file: &std::path::Path, state: &G) {
        let mut small = builder(1).memory_limit(Some(2 << 20)).build().unwrap();
        let report = small.search(state, &Budget::simulations(60_000)).unwrap();
        assert!(report.evicted > 0);
        audit(&small);
        let info = small.save(file, &tag(), &save::Options::default()).unwrap();
        for limit in [None, Some(2 << 20), Some(1 << 20)] {
            let mut reader = builder(1).memory_limit(limit).build().unwrap();
            let loaded = reader.load(file, &tag()).unwrap();
            assert!(loaded.left_out < info.positions);
            audit(&reader);
            assert_eq!(visits(&mut reader, state), visits(&mut small, state));
            for _ in 0..3 {
                reader.search(state, &Budget::simulations(20_000)).unwrap();
                audit(&reader);
            }
        }
    }
    check(&file, &ConnectFour::new());
    check(&file, &Hex::new(5).unwrap());
    check(&file, &NormalNim::parse_position("20,21,22,23,24,25").unwrap());
}

#[test]
fn the_length_of_a_proof_outlives_its_positions() {
    let folder = Folder::new("distance");
    let file = folder.file("table");
    let state = NormalNim::parse_position("3,4,5").unwrap();
    let mut mcts = searched(builder(1), &state, 100_000);
    let lines = |mcts: &mut Mcts<NormalNim>| {
        let report = mcts.search(&state, &Budget::simulations(0)).unwrap();
        let proven = report.moves.iter().map(|mv| (mv.mv, mv.proven));
        (report.proven, proven.collect::<Vec<_>>())
    };
    let expected = lines(&mut mcts);
    assert!(expected.0.is_some());
    // Only the root is saved: its branches know how far the end is.
    let most = audit(&mcts).root_visits as u32;
    let info = mcts.save(&file, &tag(), &save::Options::default().min_visits(most)).unwrap();
    assert_eq!(info.positions, 1);
    let mut reader = builder(1).build().unwrap();
    reader.load(&file, &tag()).unwrap();
    assert_eq!(lines(&mut reader), expected);
}

#[test]
fn less_memory_keeps_the_most_visited() {
    let folder = Folder::new("memory");
    let file = folder.file("table");
    let start = ConnectFour::new();
    let mut mcts = searched(builder(1), &start, 100_000);
    let info = mcts.save(&file, &tag(), &save::Options::default()).unwrap();
    let bytes = mcts.search(&start, &Budget::simulations(0)).unwrap().bytes;
    for part in [2, 5, 20] {
        let limit = bytes / part;
        let mut small = builder(1).memory_limit(Some(limit as usize)).build().unwrap();
        let loaded = small.load(&file, &tag()).unwrap();
        let report = small.search(&start, &Budget::simulations(0)).unwrap();
        assert!(report.bytes <= limit, "{} of {limit}", report.bytes);
        assert!(report.bytes * 10 > limit * 7, "{} of {limit}", report.bytes);
        assert_eq!(loaded.left_out + report.nodes, info.positions);
        // The root is the most visited, and has lost nothing.
        assert_eq!(visits(&mut small, &start), visits(&mut mcts, &start));
        audit(&small);
        small.search(&start, &Budget::simulations(20_000)).unwrap();
        audit(&small);
    }
    let mut roomy =
        builder::<ConnectFour>(1).memory_limit(Some(bytes as usize * 3)).build().unwrap();
    assert_eq!(roomy.load(&file, &tag()).unwrap().left_out, 0);
}

/// Merges the searches of two engines and of one half full, and looks at the sums.
fn merge<G: Saveable>(name: &str, setting: impl Fn(u64) -> MctsBuilder<G>, state: &G, other: &G) {
    let folder = Folder::new(name);
    let file = folder.file("table");
    let mut one = searched(setting(1), state, 2_000);
    let mut two = searched(setting(2), state, 3_000);
    two.search(other, &Budget::simulations(1_000)).unwrap();
    let info = two.save(&file, &tag(), &save::Options::default()).unwrap();
    let nodes = one.search(state, &Budget::simulations(0)).unwrap().nodes;
    let sum: Vec<_> = visits(&mut one, state)
        .into_iter()
        .zip(visits(&mut two, state))
        .map(|(one, two)| (one.0, one.1 + two.1))
        .collect();
    one.merge(&file, &tag()).unwrap();
    audit(&one);
    let report = one.search(state, &Budget::simulations(0)).unwrap();
    let (least, most) = (info.positions.max(nodes), info.positions + nodes);
    assert!((least..=most).contains(&report.nodes), "{name}: {}", report.nodes);
    assert_eq!(visits(&mut one, state), sum, "{name}");
    audit(&one);
    for state in [other, state] {
        one.search(state, &Budget::simulations(2_000)).unwrap();
        audit(&one);
    }
    // Into an engine that knows nothing: as if it was loaded.
    let mut empty = setting(2).build().unwrap();
    empty.merge(&file, &tag()).unwrap();
    let again = folder.file("again");
    empty.save(&again, &tag(), &save::Options::default()).unwrap();
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&again).unwrap(), "{name}");
}

#[test]
fn merged_tables_know_what_both_know() {
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        for proofs in [true, false] {
            fn next<G: GameState>(state: &G) -> G {
                let mut moves = Vec::new();
                state.moves(&mut moves);
                state.apply(&moves[0])
            }
            let start = ConnectFour::new();
            let setting = |seed| builder(seed).selection(selection).proofs(proofs);
            merge("merge-connect4", setting, &start, &next(&start));
            let start = Hex::new(4).unwrap();
            let setting = |seed| builder(seed).selection(selection).proofs(proofs);
            merge("merge-hex", setting, &start, &next(&start));
            let start = TicTacToe::new();
            let setting = |seed| builder(seed).selection(selection).proofs(proofs);
            merge("merge-tictactoe", setting, &start, &next(&start));
            let start = Pile::<3> { left: 40, plies: 0 };
            let setting = |seed| builder(seed).selection(selection).proofs(proofs);
            merge("merge-pile", setting, &start, &next(&start));
        }
    }
}

#[test]
fn merging_keeps_to_the_memory_limit() {
    let folder = Folder::new("merge-memory");
    let file = folder.file("table");
    let start = ConnectFour::new();
    let mut two = searched(builder(2), &start, 50_000);
    two.save(&file, &tag(), &save::Options::default()).unwrap();
    let limit = two.search(&start, &Budget::simulations(0)).unwrap().bytes;
    let setting = builder(1).memory_limit(Some(limit as usize));
    let mut one = searched(setting, &start, 30_000);
    let before = visits(&mut one, &start);
    let loaded = one.merge(&file, &tag()).unwrap();
    assert!(loaded.left_out > 0);
    let report = one.search(&start, &Budget::simulations(0)).unwrap();
    assert!(report.bytes <= limit, "{} of {limit}", report.bytes);
    let sum = before.into_iter().zip(visits(&mut two, &start));
    let sum: Vec<_> = sum.map(|(one, two)| (one.0, one.1 + two.1)).collect();
    assert_eq!(visits(&mut one, &start), sum);
    audit(&one);
}

/// A game whose first move depends on its first field, with the same keys.
#[derive(Clone)]
struct Told(u8, u32);

impl GameState for Told {
    type Key = u32;
    type Move = u8;
    fn key(&self) -> u32 {
        self.1
    }
    fn mover(&self) -> usize {
        self.1 as usize % 2
    }
    fn plies(&self) -> u32 {
        self.1
    }
    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend([self.0, self.0 + 1]);
        }
    }
    fn outcome(&self) -> Option<playtree::Outcome> {
        (self.1 == 4).then_some(playtree::Outcome::Draw)
    }
    fn apply(&self, _: &u8) -> Self {
        Told(self.0, self.1 + 1)
    }
}

#[test]
fn tables_that_contradict_each_other_are_not_merged() {
    let folder = Folder::new("conflict");
    let file = folder.file("table");
    let two = searched(builder(2), &Told(5, 0), 10);
    two.save(&file, &tag(), &save::Options::default()).unwrap();
    let mut one = searched(builder(1), &Told(1, 0), 10);
    let before = visits(&mut one, &Told(1, 0));
    let error = one.merge(&file, &tag()).unwrap_err();
    assert!(matches!(error, LoadError::Conflict { .. }), "{error}");
    assert_eq!(visits(&mut one, &Told(1, 0)), before);
    audit(&one);
}
