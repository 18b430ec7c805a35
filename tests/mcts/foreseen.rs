//! Ends that a game foresees are proven when a position gets its branches.

#![cfg(feature = "games")]

use playtree::games::{Breakthrough, ConnectFour};
use playtree::{Budget, GameState, Mcts, Notation, Outcome, Proven, StopReason, mcts};

fn searched<G: GameState>(state: &G, simulations: u64) -> mcts::Report<G::Move> {
    let mut mcts = Mcts::builder().seed(1).build().unwrap();
    mcts.search(state, &Budget::simulations(simulations)).unwrap()
}

/// The moves with what is proven of them, in order of their texts.
fn proven<G: Notation>(position: &str) -> Vec<String> {
    let state = G::parse_position(position).unwrap();
    let report = searched(&state, 1);
    let text = |m: &mcts::MoveReport<G::Move>| {
        Some(format!("{} {}", state.move_text(&m.mv), m.proven.as_ref()?))
    };
    let mut proven: Vec<String> = report.moves.iter().filter_map(text).collect();
    proven.sort();
    proven
}

#[test]
fn moves_of_connect_four_are_proven_by_one_simulation() {
    // A third one in a row, with both ends open, and what the other side can do about it.
    assert_eq!(proven::<ConnectFour>("4455")[..], ["3 win in 3", "6 win in 3"]);
    let lost = ["1", "2", "3", "4", "5", "6", "7"].map(|column| format!("{column} loss in 2"));
    assert_eq!(proven::<ConnectFour>("44553"), lost);
}

#[test]
fn moves_of_breakthrough_are_proven_by_one_simulation() {
    // Black stands before its goal, and only one piece can take it.
    let position = "4p3/8/8/8/8/8/p6P/1P4PP w";
    let found = proven::<Breakthrough>(position);
    assert!(!found.contains(&"b1a2 loss in 2".to_owned()), "{found:?}");
    assert!(found.iter().all(|text| text.ends_with("loss in 2")), "{found:?}");
    let state = Breakthrough::parse_position(position).unwrap();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    assert_eq!(found.len(), moves.len() - 1);
}

#[test]
fn a_root_whose_moves_are_all_foreseen_needs_no_simulation() {
    let state = ConnectFour::parse_position("4455").unwrap();
    let report = searched(&state, 1_000_000);
    assert_eq!((report.stop_reason, report.simulations), (StopReason::Proven, 0));
    assert_eq!(report.proven, Some(Proven::Win { plies: 3 }));
    let mut plain = Mcts::builder().proofs(false).build().unwrap();
    let report = plain.search(&state, &Budget::simulations(100)).unwrap();
    assert_eq!((report.simulations, report.proven), (100, None));
}

/// A game that foresees something wrong, or in a number of plies that cannot be.
#[derive(Clone)]
struct Liar {
    game: ConnectFour,
    plies: u32,
}

impl GameState for Liar {
    type Key = u64;
    type Move = <ConnectFour as GameState>::Move;

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn mover(&self) -> usize {
        self.game.mover()
    }

    fn plies(&self) -> u32 {
        self.game.plies()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.game.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        Self { game: self.game.apply(mv), ..*self }
    }

    fn foreseen(&self) -> Option<Proven> {
        match self.game.key() % 7 {
            0 => Some(Proven::Win { plies: self.plies }),
            1 => Some(Proven::Loss { plies: self.plies }),
            2 => Some(Proven::Draw),
            _ => None,
        }
    }
}

#[test]
fn what_is_foreseen_may_be_anything() {
    for plies in [0, 1, u32::MAX] {
        for threads in [1, 2] {
            let liar = Liar { game: ConnectFour::new(), plies };
            let mut mcts = Mcts::builder().threads(threads).seed(2).build().unwrap();
            let mut state = liar.clone();
            while state.outcome().is_none() {
                let report = mcts.search(&state, &Budget::simulations(2_000)).unwrap();
                mcts.audit().unwrap();
                state = state.apply(&report.best_move);
            }
        }
    }
}
