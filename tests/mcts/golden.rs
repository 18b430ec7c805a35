//! One worker, a seed and a number of simulations give the same report, byte for byte, on
//! every machine; and that report is the signature of the search.

#![cfg(feature = "games")]

use playtree::games::{ConnectFour, Hex, Othello};
use playtree::{
    Budget, GameState, LockPolicy, Mcts, MctsBuilder, Parallelism, Report, Selection, ValueScheme,
};

/// Everything in a report but the time it took.
fn text<M: std::fmt::Debug>(mut report: Report<M>) -> String {
    report.elapsed = std::time::Duration::ZERO;
    format!("{report:?}")
}

fn repeat<G: GameState>(state: &G, selection: Selection, scheme: ValueScheme) {
    let run = |seed, policy| {
        let builder = Mcts::builder().threads(1).seed(seed).lock_policy(policy);
        let mut mcts = builder.selection(selection).value_scheme(scheme).build().unwrap();
        let mut report = || text(mcts.search(state, &Budget::simulations(3_000)).unwrap());
        [report(), report()]
    };
    let first = run(1, LockPolicy::Block);
    assert_eq!(run(1, LockPolicy::Block), first);
    // Alone, a worker finds no lock busy.
    assert_eq!(run(1, LockPolicy::Yield), first);
    assert_eq!(run(1, LockPolicy::Defer), first);
    assert_ne!(run(2, LockPolicy::Block), first);
}

#[test]
fn the_same_seed_gives_the_same_report() {
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        for scheme in [ValueScheme::Graph, ValueScheme::Tree] {
            repeat(&ConnectFour::new(), selection, scheme);
            repeat(&Hex::new(5).unwrap(), selection, scheme);
            repeat(&Othello::new(), selection, scheme);
        }
    }
}

/// FNV-1a (Fowler, Noll and Vo).
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The signature of the search. Change it, on purpose, with every commit that changes what
/// the search does, and write "Signature: ..." in that commit; a commit that changes it by
/// accident is an error.
const SIGNATURE: u64 = 0xd423_c329_a975_b54e;

/// The same in rounds, which is another search.
const SIGNATURE_IN_ROUNDS: u64 = 0xa643_35d6_bec4_d538;

fn signature(builder: MctsBuilder<ConnectFour>) -> u64 {
    let mut mcts = builder.seed(1).build().unwrap();
    let report = mcts.search(&ConnectFour::new(), &Budget::simulations(10_000)).unwrap();
    let moves = report.moves.iter().map(|m| format!("{:?} {} {:?};", m.mv, m.visits, m.win_rate));
    hash(&moves.collect::<String>())
}

#[test]
fn the_signature_has_not_changed() {
    let found = signature(Mcts::builder().threads(1));
    println!("Signature: {found:#018x}");
    assert_eq!(found, SIGNATURE, "the search is another one: {found:#018x}");
}

#[test]
fn the_signature_in_rounds_has_not_changed() {
    let found = signature(Mcts::builder().threads(2).parallelism(Parallelism::Rounds));
    println!("Signature in rounds: {found:#018x}");
    assert_eq!(found, SIGNATURE_IN_ROUNDS, "the search is another one: {found:#018x}");
}
