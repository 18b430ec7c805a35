//! Saving and loading: what comes back is what was there, and a search goes on as if nothing
//! had happened.

#![cfg(feature = "games")]

#[path = "saved/common.rs"]
mod common;

use common::{Folder, Pile, audit, tag, text};
use playtree::games::{ConnectFour, Hex, LargeHex, MisereNim, NormalNim, Othello, TicTacToe};
use playtree::{
    Budget, Expansion, GameState, LoadError, Mcts, MctsBuilder, Notation, Parallelism, SaveError,
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
fn rounds_of_several_workers_go_on() {
    let builder = builder().parallelism(Parallelism::Rounds).threads(2).oversubscribe(true);
    interrupt("rounds", &builder, [&ConnectFour::new(), &position("4")], 20_000);
}

#[test]
fn a_large_table_goes_on() {
    // Several buckets of nodes and edges.
    interrupt("large", &builder(), [&ConnectFour::new(), &position("4")], 300_000);
}

#[test]
fn a_table_of_many_workers_is_loaded_by_one() {
    let folder = Folder::new("workers");
    let file = folder.file("table");
    let mut many = Mcts::builder().threads(4).oversubscribe(true).build().unwrap();
    many.search(&ConnectFour::new(), &Budget::simulations(50_000)).unwrap();
    let info = many.save(&file, &tag(), &SaveOptions::default()).unwrap();
    let mut one = builder().build().unwrap();
    one.load(&file, &tag()).unwrap();
    assert_eq!(audit(&one), audit(&many));
    let report = one.search(&ConnectFour::new(), &Budget::simulations(1_000)).unwrap();
    assert!(report.nodes >= info.nodes && info.nodes > 10_000);
    audit(&one);
}

#[test]
fn what_is_not_saved_is_said() {
    let folder = Folder::new("refused");
    let file = folder.file("table");
    let tree = builder::<ConnectFour>().value_scheme(ValueScheme::Tree);
    let mut tree = tree.build().unwrap();
    let error = tree.save(&file, &tag(), &SaveOptions::default()).unwrap_err();
    assert!(matches!(error, SaveError::NoTable), "{error}");
    assert!(matches!(tree.load(&file, &tag()), Err(LoadError::NoTable)));
    let mcts = builder::<ConnectFour>().build().unwrap();
    let missing = folder.file("missing").join("table");
    let error = mcts.save(&missing, &tag(), &SaveOptions::default()).unwrap_err();
    assert!(matches!(error, SaveError::Io { action: "make", .. }), "{error}");
    // The folder itself cannot be replaced by a file, and nothing is left in it.
    let inner = folder.file("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("full"), "").unwrap();
    let error = mcts.save(&inner, &tag(), &SaveOptions::default()).unwrap_err();
    assert!(matches!(error, SaveError::Io { action: "replace", .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_empty_table_is_a_table() {
    let folder = Folder::new("empty");
    let file = folder.file("table");
    let mut mcts = builder::<TicTacToe>().build().unwrap();
    let info = mcts.save(&file, &tag(), &SaveOptions::default()).unwrap();
    assert_eq!((info.nodes, info.edges, info.searches), (0, 0, 0));
    mcts.search(&TicTacToe::new(), &Budget::simulations(100)).unwrap();
    mcts.load(&file, &tag()).unwrap();
    let again = text(mcts.search(&TicTacToe::new(), &Budget::simulations(100)).unwrap());
    let mut fresh = builder::<TicTacToe>().build().unwrap();
    assert_eq!(text(fresh.search(&TicTacToe::new(), &Budget::simulations(100)).unwrap()), again);
}

#[test]
fn leftovers_of_killed_programs_are_removed() {
    let folder = Folder::new("leftovers");
    let file = folder.file("table");
    for name in [".table.4000000000-0.tmp", ".other.4000000000-0.tmp", ".table.tmp"] {
        std::fs::write(folder.file(name), "left").unwrap();
    }
    let mcts = builder::<TicTacToe>().build().unwrap();
    mcts.save(&file, &tag(), &SaveOptions::default()).unwrap();
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".other.4000000000-0.tmp", ".table.tmp", "table"]);
}

#[cfg(feature = "compression")]
#[test]
fn a_compressed_table_holds_the_same() {
    let folder = Folder::new("compressed");
    let (plain, small) = (folder.file("plain"), folder.file("small"));
    let mut mcts = builder().build().unwrap();
    mcts.search(&ConnectFour::new(), &Budget::simulations(100_000)).unwrap();
    let options = SaveOptions::default();
    let first = mcts.save(&plain, &tag(), &options).unwrap();
    let second = mcts.save(&small, &tag(), &options.clone().compress(true)).unwrap();
    assert!(second.file_bytes < first.file_bytes * 9 / 10, "{second:?}");
    let mut other = builder::<ConnectFour>().build().unwrap();
    other.load(&small, &tag()).unwrap();
    let again = folder.file("again");
    other.save(&again, &tag(), &options).unwrap();
    assert!(std::fs::read(plain).unwrap() == std::fs::read(again).unwrap());
}

#[cfg(not(feature = "compression"))]
#[test]
fn compression_is_refused_without_the_feature() {
    let folder = Folder::new("compressed");
    let mcts = builder::<TicTacToe>().build().unwrap();
    let options = SaveOptions::default().compress(true);
    let error = mcts.save(folder.file("table"), &tag(), &options).unwrap_err();
    assert!(matches!(error, SaveError::NoCompression));
}
