//! Pondering and tree reuse: what was found in the opponent's time, or before a move was taken
//! back, counts in the search that follows.

use std::thread;

use playtree::games::ConnectFour;
use playtree::{Budget, GameState, Handle, Mcts, MctsBuilder, mcts};

type Move = <ConnectFour as GameState>::Move;

fn one_worker() -> MctsBuilder<ConnectFour> {
    // Proofs would end a search early.
    Mcts::builder().threads(1).seed(3).proofs(false)
}

fn ponder_for(thinking: &mut Handle<Mcts<ConnectFour>>, state: &ConnectFour, simulations: u64) {
    thinking.ponder(state);
    while thinking.report().unwrap().simulations < simulations {
        thread::yield_now();
    }
}

/// What the search with hardly any simulations of its own rests on.
fn known(thinking: &mut Handle<Mcts<ConnectFour>>, state: &ConnectFour) -> u64 {
    thinking.think(state, &Budget::simulations(1));
    let report = thinking.wait().unwrap();
    assert_eq!(report.simulations, 1);
    report.visits() - 1
}

fn visits_of(report: &mcts::Report<Move>, mv: &Move) -> u64 {
    report.moves.iter().find(|known| known.mv == *mv).unwrap().visits
}

#[test]
fn pondering_on_all_replies_is_kept_whatever_is_played() {
    let start = ConnectFour::new();
    let budget = Budget::simulations(2_000);
    let mut thinking = one_worker().build().unwrap().start(&start, &budget);
    let ours = thinking.wait().unwrap().best_move;
    let theirs = start.apply(&ours);
    ponder_for(&mut thinking, &theirs, 20_000);
    let pondered = thinking.stop().unwrap();
    for reply in &pondered.moves {
        // A position knows at least what has passed the branch that leads there, but for the
        // visit that has made it.
        let known = known(&mut thinking, &theirs.apply(&reply.mv));
        assert!(known + 2 >= reply.visits, "{:?}: {known} of {}", reply.mv, reply.visits);
        assert!(known > 0, "{:?}: {known}", reply.mv);
    }
    thinking.into_engine().audit().unwrap();
}

#[test]
fn a_hit_loses_nothing_and_a_miss_keeps_the_table() {
    let start = ConnectFour::new();
    let budget = Budget::simulations(20_000);
    let mut thinking = one_worker().build().unwrap().start(&start, &budget);
    let report = thinking.wait().unwrap();
    let theirs = start.apply(&report.best_move);
    let reply = *report.expected_reply().unwrap();
    let hit = theirs.apply(&reply);
    ponder_for(&mut thinking, &hit, 10_000);
    // Turns into searching, without a stop in between.
    thinking.think(&hit, &Budget::simulations(100));
    let searched = thinking.wait().unwrap();
    assert_eq!(searched.simulations, 100);
    assert!(searched.visits() >= 10_100, "{}", searched.visits());

    // The own search knew something of every other reply too.
    let replies = thinking_of(&mut thinking, &theirs);
    for mv in replies.moves.iter().map(|known| known.mv).filter(|mv| *mv != reply) {
        assert!(visits_of(&replies, &mv) > 0);
        assert!(known(&mut thinking, &theirs.apply(&mv)) > 0, "{mv:?}");
    }
}

fn thinking_of(
    thinking: &mut Handle<Mcts<ConnectFour>>,
    state: &ConnectFour,
) -> mcts::Report<Move> {
    thinking.think(state, &Budget::simulations(1));
    thinking.wait().unwrap()
}

#[test]
fn a_move_taken_back_is_found_again() {
    let start = ConnectFour::new();
    let mut mcts = one_worker().build().unwrap();
    let first = mcts.search(&start, &Budget::simulations(5_000)).unwrap();
    let next = start.apply(&first.best_move).apply(first.expected_reply().unwrap());
    let second = mcts.search(&next, &Budget::simulations(5_000)).unwrap();
    assert!(second.visits() > 5_000, "forward");
    let back = mcts.search(&start, &Budget::simulations(1_000)).unwrap();
    assert_eq!(back.visits(), 6_000, "back");
    let other = start.apply(&first.moves[1].mv);
    let aside = mcts.search(&other, &Budget::simulations(10)).unwrap();
    assert!(aside.visits() + 2 >= first.moves[1].visits + 10, "sideways");
    mcts.audit().unwrap();
}

#[test]
fn reuse_can_be_turned_off() {
    let start = ConnectFour::new();
    let budget = Budget::simulations(3_000);
    let text = |report: mcts::Report<Move>| format!("{:?} {}", report.moves, report.nodes);
    let mut mcts = one_worker().reuse(false).build().unwrap();
    let first = text(mcts.search(&start, &budget).unwrap());
    assert_eq!(text(mcts.search(&start, &budget).unwrap()), first);

    let mut thinking = mcts.start(&start, &budget);
    assert_eq!(text(thinking.wait().unwrap()), first);
    // The same position with more budget is the same search.
    thinking.set_budget(&budget);
    assert_eq!(thinking.wait().unwrap().visits(), 6_000);
    thinking.think(&start, &budget);
    assert_eq!(text(thinking.wait().unwrap()), first);
    // An order that was not begun still forgets.
    thinking.think(&start, &Budget::unlimited());
    thinking.set_budget(&budget);
    thinking.wait().unwrap();
    thinking.into_engine().audit().unwrap();
}
