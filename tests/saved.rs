//! Saving and loading: what comes back is what was there, and a search goes on as if nothing
//! had happened.

#![cfg(feature = "games")]

#[path = "saved/common.rs"]
mod common;

use common::{Folder, Pile, audit, tag, text};
use playtree::games::{ConnectFour, Hex, LargeHex, MisereNim, NormalNim, Othello, TicTacToe};
use playtree::{
    Budget, Expansion, GameState, GameTag, LoadError, Mcts, MctsBuilder, Notation, SaveError,
    SaveOptions, Saveable, Selection, TableInfo, ValueScheme,
};

fn builder<G: GameState>() -> MctsBuilder<G> {
    Mcts::builder().threads(1).seed(7)
}

/// Searches `first` and then `second`, saving and loading in between, with the same engine.
fn interrupt<G: Saveable>(name: &str, builder: &MctsBuilder<G>, states: [&G; 2], sims: u64) {
    let folder = Folder::new(name);
    let file = folder.file("table");
    let budget = Budget::simulations(sims);
    let mut straight = builder.clone().build().unwrap();
    straight.search(states[0], &budget).unwrap();
    let info = straight.save(&file, &tag(), &SaveOptions::default()).unwrap();
    assert_eq!(TableInfo::read(&file).unwrap(), info);
    let before = audit(&straight);

    let mut resumed = builder.clone().build().unwrap();
    let loaded = resumed.load(&file, &tag()).unwrap();
    assert_eq!((&loaded.table, loaded.left_out), (&info, 0), "{name}");
    assert_eq!(audit(&resumed), before, "{name}");
    // What was loaded is saved as the same bytes.
    let again = folder.file("again");
    resumed.save(&again, &tag(), &SaveOptions::default()).unwrap();
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&again).unwrap(), "{name}");
    for state in [states[0], states[1], states[0]] {
        let expected = text(straight.search(state, &budget).unwrap());
        assert_eq!(text(resumed.search(state, &budget).unwrap()), expected, "{name}");
        assert_eq!(audit(&resumed), audit(&straight), "{name}");
    }
}

/// With every kind of statistics.
fn interrupt_all<G: Saveable>(name: &str, first: &G, second: &G) {
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        for proofs in [true, false] {
            let builder = builder().selection(selection).proofs(proofs);
            interrupt(name, &builder, [first, second], 3_000);
        }
    }
}

fn position<G: Notation>(text: &str) -> G {
    G::parse_position(text).unwrap()
}

#[test]
fn tictactoe_goes_on() {
    interrupt_all("tictactoe", &TicTacToe::new(), &position("X...O...."));
}

#[test]
fn connect_four_goes_on() {
    interrupt_all("connect4", &ConnectFour::new(), &position("44"));
}

#[test]
fn othello_goes_on() {
    let start = Othello::new();
    let mut moves = Vec::new();
    start.moves(&mut moves);
    interrupt_all("othello", &start, &start.apply(&moves[0]));
}

#[test]
fn hex_goes_on() {
    interrupt_all("hex", &Hex::new(5).unwrap(), &position("5: c3"));
    interrupt_all("large-hex", &position::<LargeHex>("12:"), &position("12: f6"));
}

#[test]
fn nim_goes_on() {
    interrupt_all::<NormalNim>("nim", &position("7,8,9,11"), &position("7,8,9,10 2"));
    interrupt_all::<MisereNim>("nim-misere", &position("7,8,9,11"), &position("7,8,9,10 2"));
}

#[test]
fn games_of_one_to_four_players_go_on() {
    fn pile<const PLAYERS: usize>() {
        let start = Pile::<PLAYERS> { left: 60, plies: 0 };
        let next = start.apply(&"take 2".to_owned());
        interrupt_all(&format!("pile-{PLAYERS}"), &start, &next);
    }
    pile::<2>();
    pile::<3>();
    pile::<4>();
}

#[test]
fn the_settings_of_expansion_make_no_difference() {
    for expansion in [Expansion::Everything, Expansion::OnePerSimulation { from_visit: 3 }] {
        let builder = builder().expansion(expansion).warm_up(2);
        interrupt("expansion", &builder, [&ConnectFour::new(), &position("4")], 2_000);
    }
}

#[test]
fn a_large_table_goes_on() {
    // Several buckets of nodes and edges.
    interrupt("large", &builder(), [&ConnectFour::new(), &position("4")], 300_000);
}
