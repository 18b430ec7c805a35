//! A search of a second by more workers than there are cores: what `ci/tsan.sh` watches.

#![cfg(feature = "games")]

use std::time::Duration;

use playtree::games::{ConnectFour, Hex, NormalNim};
use playtree::mcts::{LockPolicy, Selection};
use playtree::{Budget, GameState, GameTag, Mcts, Notation, StopToken, save};

/// Two searches of one engine, a fresh one each for the three lock policies: about a second.
fn search<G: GameState>(state: &G, selection: Selection, proofs: bool) {
    for policy in [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer] {
        let mut mcts = Mcts::builder()
            .threads(4)
            .oversubscribe(true)
            .lock_policy(policy)
            .selection(selection)
            .proofs(proofs)
            .build()
            .unwrap();
        for _ in 0..2 {
            let token = StopToken::new();
            let budget = Budget::time(Duration::from_millis(170)).and_until(&token);
            let report = mcts.search(state, &budget).unwrap();
            mcts.audit().unwrap_or_else(|error| panic!("{policy:?}: {error}"));
            println!(
                "{policy:?}: {} simulations, {} dropped, {} deferred, {} contended",
                report.simulations, report.dropped, report.deferred, report.contended
            );
        }
    }
}

#[test]
fn connect_four() {
    search(&ConnectFour::new(), Selection::default(), true);
}

#[test]
fn connect_four_with_more_statistics() {
    search(&ConnectFour::new(), Selection::Ucb1Tuned, true);
}

#[test]
fn hex_with_what_moves_are_worth_as_later_ones() {
    search(&Hex::new(5).unwrap(), Selection::grave(), true);
}

#[test]
fn hex_with_what_moves_are_worth_elsewhere_in_the_tree() {
    search(&Hex::new(5).unwrap(), Selection::progressive_history(), true);
}

/// A few positions, all of them contended.
#[test]
fn nim() {
    search(&NormalNim::parse_position("1,2").unwrap(), Selection::default(), false);
}

/// At a memory limit that is soon reached: positions are evicted all the time, and once in a while
/// the table is saved and loaded.
#[test]
fn connect_four_with_evictions_and_saves() {
    let builder = Mcts::builder().threads(2).oversubscribe(true).memory_limit(Some(200_000));
    let file = std::env::temp_dir().join(format!("playtree-parallel-{}", std::process::id()));
    let (tag, options) = (GameTag::new("connect4", 1), save::Options::default());
    for policy in [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer] {
        let builder = builder.clone().lock_policy(policy);
        let engine = builder.clone().build().unwrap();
        let mut thinking = engine.start(&ConnectFour::new(), &Budget::unlimited());
        let (mut saves, mut evicted) = (0, 0);
        while saves < 3 || evicted < 2_000 {
            thinking.save(&file, &tag, &options).unwrap();
            saves += 1;
            let mut loaded = builder.clone().build().unwrap();
            loaded.load(&file, &tag).unwrap();
            loaded.audit().unwrap_or_else(|error| panic!("{policy:?}: {error}"));
            evicted = thinking.report().map_or(0, |report| report.evicted);
        }
        thinking.stop().unwrap();
        thinking.into_engine().audit().unwrap_or_else(|error| panic!("{policy:?}: {error}"));
        println!("{policy:?}: {evicted} positions evicted, {saves} saves meanwhile");
    }
    std::fs::remove_file(&file).unwrap();
}
