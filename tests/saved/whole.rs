//! Saving and loading: what comes back is what was there, and a search goes on as if nothing
//! had happened.

use crate::common::{Folder, Pile, audit, tag, text};
use playtree::games::{
    ConnectFour, Hex, LargeHex, MisereNim, NormalNim, Othello, TicTacToe, Xiangqi,
};
use playtree::mcts::{self, Expansion, Parallelism, Selection, Sharing};
use playtree::{
    Budget, GameState, LoadError, Mcts, MctsBuilder, Notation, SaveError, Saveable, save,
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
    let info = straight.save(&file, &tag(), &save::Options::default()).unwrap();
    assert_eq!(save::Info::read(&file).unwrap(), info);
    let before = audit(&straight);

    let mut resumed = builder.clone().build().unwrap();
    let loaded = resumed.load(&file, &tag()).unwrap();
    assert_eq!((&loaded.info, loaded.left_out), (&info, 0), "{name}");
    assert_eq!(audit(&resumed), before, "{name}");
    // What was loaded is saved as the same bytes.
    let again = folder.file("again");
    resumed.save(&again, &tag(), &save::Options::default()).unwrap();
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
fn xiangqi_goes_on() {
    let start = Xiangqi::new();
    let next = start.apply(&start.parse_move("h2e2").unwrap());
    // A random game has some four hundred plies: few simulations.
    interrupt("xiangqi", &builder(), [&start, &next], 300);
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
    let info = many.save(&file, &tag(), &save::Options::default()).unwrap();
    let mut one = builder().build().unwrap();
    one.load(&file, &tag()).unwrap();
    assert_eq!(audit(&one), audit(&many));
    let report = one.search(&ConnectFour::new(), &Budget::simulations(1_000)).unwrap();
    assert!(report.nodes >= info.positions && info.positions > 10_000);
    audit(&one);
}

/// Searches with some moves only, saves, loads, and goes on with all moves.
fn interrupt_restricted<G: Saveable>(name: &str, builder: &MctsBuilder<G>, state: &G, before: u64) {
    let folder = Folder::new(name);
    let file = folder.file("table");
    let budget = Budget::simulations(3_000);
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mut straight = builder.clone().build().unwrap();
    straight.search(state, &Budget::simulations(before)).unwrap();
    // Two roots beside the table: one in use still, and one from before.
    let only = mcts::Options::new().only(moves[..2].to_vec());
    straight.search_with(state, &budget, &only).unwrap();
    let except = mcts::Options::new().except([moves[0].clone()]);
    let report = straight.search_with(state, &budget, &except).unwrap();
    let info = straight.save(&file, &tag(), &save::Options::default()).unwrap();
    assert_eq!(info.positions, report.nodes - 2, "{name}");
    assert!(!info.search().unwrap().thinned, "{name}");

    let mut resumed = builder.clone().build().unwrap();
    assert_eq!(resumed.load(&file, &tag()).unwrap().left_out, 0, "{name}");
    // The root is the position's own, with the visits of the first search.
    let root = audit(&resumed);
    assert!(root.edges > 0 && root.root_visits <= before, "{name}: {root:?}");
    let again = folder.file("again");
    resumed.save(&again, &tag(), &save::Options::default()).unwrap();
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&again).unwrap(), "{name}");
    for _ in 0..2 {
        // All but the memory that the roots beside the table take.
        let search = |mcts: &mut Mcts<G>, beside: u64| {
            let mut report = mcts.search(state, &budget).unwrap();
            report.nodes -= beside;
            report.bytes = 0;
            text(report)
        };
        assert_eq!(search(&mut resumed, 0), search(&mut straight, 2), "{name}");
        assert_eq!(audit(&resumed), audit(&straight), "{name}");
    }
    // Merged into an engine that has such roots too.
    let mut other = builder.clone().seed(8).build().unwrap();
    let own = other.search(state, &budget).unwrap();
    other.search_with(state, &budget, &except).unwrap();
    other.merge(&file, &tag()).unwrap();
    let merged = audit(&other);
    assert!(merged.nodes > 1, "{name}: {merged:?}");
    assert_eq!(merged.root_visits, own.simulations + root.root_visits, "{name}");
}

#[test]
fn a_search_of_some_moves_leaves_its_root_out_of_the_file() {
    fn check<G: Saveable>(name: &str, state: &G) {
        // The roots beside the table count as nodes, so a tree that asks how many there are would
        // no longer be small a moment sooner with them.
        let builder = || builder::<G>().expansion(Expansion::OnePerSimulation { from_visit: 1 });
        for selection in [Selection::default(), Selection::Ucb1Tuned] {
            for (before, proofs) in [(0, true), (2_000, true), (2_000, false)] {
                let builder = builder().selection(selection).proofs(proofs);
                interrupt_restricted(name, &builder, state, before);
            }
        }
    }
    check("some-connect4", &position::<ConnectFour>("44"));
    check("some-othello", &Othello::new());
    check("some-pile", &Pile::<3> { left: 60, plies: 0 });
}

#[test]
fn a_full_memory_leaves_it_out_too() {
    let folder = Folder::new("some-full");
    let file = folder.file("table");
    let state = ConnectFour::new();
    let builder = builder().memory_limit(Some(1 << 20));
    let mut small = builder.clone().build().unwrap();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    for mv in [0, 3, 6, 3] {
        let only = mcts::Options::new().only([moves[mv], moves[2]]);
        let report = small.search_with(&state, &Budget::simulations(30_000), &only).unwrap();
        assert!(report.memory_full);
        let info = small.save(&file, &tag(), &save::Options::default()).unwrap();
        assert!(info.positions < report.nodes);
        let mut reader = self::builder().build().unwrap();
        reader.load(&file, &tag()).unwrap();
        assert!(audit(&reader).edges > 0);
        reader.search(&state, &Budget::simulations(3_000)).unwrap();
        audit(&reader);
    }
}

#[test]
fn a_table_is_loaded_only_where_a_draw_is_worth_the_same() {
    let folder = Folder::new("contempt");
    let file = folder.file("table");
    let state = TicTacToe::new();
    let with = |player, contempt| builder::<TicTacToe>().contempt(player, contempt);
    interrupt("contempt-same", &with(0, 0.25), [&state, &position("X...O....")], 500);
    let mut mcts = with(0, 0.25).build().unwrap();
    mcts.search(&state, &Budget::simulations(500)).unwrap();
    let info = mcts.save(&file, &tag(), &save::Options::default()).unwrap();
    assert_eq!(info.search().unwrap().draws, [0.25, 0.75]);
    assert_eq!(save::Info::read(&file).unwrap(), info);
    // What one side avoids the other one longs for.
    let mut same = with(1, -0.25).build().unwrap();
    same.merge(&file, &tag()).unwrap();
    assert_eq!(audit(&same), audit(&mcts));

    for (player, contempt, worth) in
        [(0, 0.0, [0.5, 0.5]), (0, -0.25, [0.75, 0.25]), (1, 0.125, [0.625, 0.375])]
    {
        let mut other = with(player, contempt).build().unwrap();
        other.search(&state, &Budget::simulations(300)).unwrap();
        let mut untouched = with(player, contempt).build().unwrap();
        untouched.search(&state, &Budget::simulations(300)).unwrap();
        for error in [other.load(&file, &tag()), other.merge(&file, &tag())] {
            let Err(LoadError::Draws { expected, found }) = error else {
                panic!("{error:?}");
            };
            assert_eq!((expected, found), (worth.to_vec(), vec![0.25, 0.75]));
        }
        let budget = Budget::simulations(300);
        let expected = text(untouched.search(&state, &budget).unwrap());
        assert_eq!(text(other.search(&state, &budget).unwrap()), expected);
        assert_eq!(audit(&other), audit(&untouched));
    }
    let error = builder::<TicTacToe>().build().unwrap().load(&file, &tag()).unwrap_err();
    let expected = "expected a table of draws worth [0.5, 0.5] to the players, found [0.25, 0.75]";
    assert_eq!(error.to_string(), expected);

    // With three players it matters whose contempt it is.
    let start = Pile::<3> { left: 30, plies: 0 };
    let with = |player| builder::<Pile<3>>().contempt(player, 0.25).build().unwrap();
    let mut first = with(0);
    first.search(&start, &Budget::simulations(300)).unwrap();
    let info = first.save(&file, &tag(), &save::Options::default()).unwrap();
    assert_eq!(info.search().unwrap().draws, [0.25, 0.5, 0.5]);
    with(0).load(&file, &tag()).unwrap();
    assert!(matches!(with(1).load(&file, &tag()), Err(LoadError::Draws { .. })));
}

#[test]
fn what_is_not_saved_is_said() {
    let folder = Folder::new("refused");
    let file = folder.file("table");
    let tree = builder::<ConnectFour>().sharing(Sharing::PerPath);
    let mut tree = tree.build().unwrap();
    let error = tree.save(&file, &tag(), &save::Options::default()).unwrap_err();
    assert!(matches!(error, SaveError::NoTable), "{error}");
    assert!(matches!(tree.load(&file, &tag()), Err(LoadError::NoTable)));
    let mcts = builder::<ConnectFour>().build().unwrap();
    let missing = folder.file("missing").join("table");
    let error = mcts.save(&missing, &tag(), &save::Options::default()).unwrap_err();
    assert!(matches!(error, SaveError::Io { action: "make", .. }), "{error}");
    // The folder itself cannot be replaced by a file, and nothing is left in it.
    let inner = folder.file("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("full"), "").unwrap();
    let error = mcts.save(&inner, &tag(), &save::Options::default()).unwrap_err();
    assert!(matches!(error, SaveError::NotAFile { found: "a folder", .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_empty_table_is_a_table() {
    let folder = Folder::new("empty");
    let file = folder.file("table");
    let mut mcts = builder::<TicTacToe>().build().unwrap();
    let info = mcts.save(&file, &tag(), &save::Options::default()).unwrap();
    let search = info.search().unwrap();
    assert_eq!((info.positions, search.edges, search.searches), (0, 0, 0));
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
    mcts.save(&file, &tag(), &save::Options::default()).unwrap();
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
    let options = save::Options::default();
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
    let options = save::Options::default().compress(true);
    let error = mcts.save(folder.file("table"), &tag(), &options).unwrap_err();
    assert!(matches!(error, SaveError::NoCompression));
}
