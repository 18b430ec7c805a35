//! One worker, a seed and a number of simulations give the same report, byte for byte, on
//! every machine; and that report is the signature of the search.

#![cfg(feature = "games")]

use playtree::games::{ConnectFour, Hex, Othello, OthelloEvaluation};
use playtree::mcts::{self, LockPolicy, Parallelism, RoundSize, Selection, Sharing};
use playtree::{Budget, Evaluate, GameState, Mcts, MctsBuilder};

/// Everything in a report but the time it took.
fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
    report.elapsed = std::time::Duration::ZERO;
    format!("{report:?}")
}

fn repeat<G: GameState>(state: &G, selection: Selection, scheme: Sharing) {
    let run = |seed, policy| {
        let builder = Mcts::builder().threads(1).seed(seed).lock_policy(policy);
        let mut mcts = builder.selection(selection).sharing(scheme).build().unwrap();
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
        for scheme in [Sharing::Shared, Sharing::PerPath] {
            repeat(&ConnectFour::new(), selection, scheme);
            repeat(&Hex::new(5).unwrap(), selection, scheme);
            repeat(&Othello::new(), selection, scheme);
        }
    }
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        repeat(&Hex::new(5).unwrap(), Selection::grave(), scheme);
        repeat(&Othello::new(), Selection::grave(), scheme);
        repeat(&Othello::new(), Selection::progressive_history(), scheme);
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
const SIGNATURE: u64 = 0xe62d_8f99_77c6_af15;

/// The same of a search of so few simulations that each goes alone.
const SIGNATURE_ONE_BY_ONE: u64 = 0xe1f0_4255_a4ff_acf8;

/// The same in rounds, which is another search.
const SIGNATURE_IN_ROUNDS: u64 = 0x9073_9361_eada_dd14;

/// The same of a search that asks what moves are worth as later ones.
const SIGNATURE_OF_GRAVE: u64 = 0xc362_2546_e593_b3a9;

/// The same of a search that asks what moves are worth elsewhere in the tree.
const SIGNATURE_OF_HISTORY: u64 = 0x5ed8_41d8_dade_061a;

/// The same of a search that plays many rollouts side by side, and asks for their moves: the same
/// with vectors of any width.
const SIGNATURE_SIDE_BY_SIDE: u64 = 0x6c3e_3adb_6342_ba3a;

/// The same of a search that never rolls out, with the other selection.
const SIGNATURE_WITH_EVALUATION: u64 = 0xe707_1550_1848_bd04;

/// The signature of a search of a state, with `simulations` simulations, is the one given.
fn check<G: GameState>(
    kind: &str,
    builder: MctsBuilder<G>,
    (state, simulations): (&G, u64),
    signature: u64,
) {
    let mut mcts = builder.seed(1).build().unwrap();
    let report = mcts.search(state, &Budget::simulations(simulations)).unwrap();
    let moves = report.moves.iter().map(|m| format!("{:?} {} {:?};", m.mv, m.visits, m.win_rate));
    let found = hash(&moves.collect::<String>());
    println!("{kind}: {found:#018x}");
    assert_eq!(found, signature, "the search is another one: {found:#018x}");
}

#[test]
fn the_signature_has_not_changed() {
    let of = (&ConnectFour::new(), 100_000);
    check("Signature", Mcts::builder().threads(1), of, SIGNATURE);
}

#[test]
fn the_signature_one_by_one_has_not_changed() {
    let builder = Mcts::builder().threads(1);
    check("Signature one by one", builder, (&ConnectFour::new(), 10_000), SIGNATURE_ONE_BY_ONE);
}

#[test]
fn the_signature_of_grave_has_not_changed() {
    let builder = Mcts::builder().threads(1).selection(Selection::grave());
    check("Signature of GRAVE", builder, (&Hex::new(7).unwrap(), 10_000), SIGNATURE_OF_GRAVE);
}

#[test]
fn the_signature_of_history_has_not_changed() {
    let builder = Mcts::builder().threads(1).selection(Selection::progressive_history());
    check("Signature of history", builder, (&Othello::new(), 10_000), SIGNATURE_OF_HISTORY);
}

#[test]
fn the_signature_side_by_side_has_not_changed() {
    let builder = Mcts::builder().threads(1).round_size(RoundSize::Fixed(100));
    let builder = builder.selection(Selection::grave());
    check("Signature side by side", builder, (&Othello::new(), 10_000), SIGNATURE_SIDE_BY_SIDE);
}

#[test]
fn the_signature_in_rounds_has_not_changed() {
    let builder = Mcts::builder().threads(2).parallelism(Parallelism::Rounds);
    check("Signature in rounds", builder, (&ConnectFour::new(), 10_000), SIGNATURE_IN_ROUNDS);
}

/// With the win rates that the library provides, not those of the evaluation.
struct Plain(OthelloEvaluation);

impl Evaluate<Othello> for Plain {
    fn evaluate(&self, state: &Othello) -> i32 {
        self.0.evaluate(state)
    }
}

#[test]
fn the_signature_with_an_evaluation_has_not_changed() {
    let builder = Mcts::builder().threads(1).selection(Selection::Ucb1Tuned);
    let builder = builder.cut_off(0, Plain(OthelloEvaluation::new()));
    let state = Othello::new();
    check("Signature with an evaluation", builder, (&state, 10_000), SIGNATURE_WITH_EVALUATION);
}
