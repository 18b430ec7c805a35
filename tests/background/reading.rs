//! The tree of a Monte Carlo search is read while its workers search, also while positions are
//! evicted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use playtree::games::ConnectFour;
use playtree::mcts::NodeReport;
use playtree::{Budget, GameState, Handle, Mcts, Watcher};

type Column = <ConnectFour as GameState>::Move;

/// Walks down a tree by branches of a number each, as far as there are any. The positions read.
fn walk(watcher: &Watcher<Mcts<ConnectFour>>, mut choice: usize) -> usize {
    let (mut line, mut state) = (Vec::<Column>::new(), ConnectFour::new());
    let mut read = 0;
    while let Some(node) = watcher.node(&line, usize::MAX) {
        check(&node, &state);
        // The key may find it when the line no longer does, but never another position.
        if let Some(same) = watcher.node_of(&state, 2) {
            assert_eq!(same.mover, state.mover());
        }
        read += 1;
        let Some(branch) = node.branches.get(choice % node.branch_count.max(1)) else { break };
        line.push(branch.mv);
        state = state.apply(&branch.mv);
        choice = choice.rotate_right(3) + 1;
    }
    read
}

fn check(node: &NodeReport<Column>, state: &ConnectFour) {
    let mut legal = Vec::new();
    state.moves(&mut legal);
    assert_eq!(node.mover, state.mover());
    assert!(node.branch_count == 0 || node.branch_count == legal.len());
    assert!(node.branches.iter().all(|branch| legal.contains(&branch.mv)));
    let rates = node.branches.iter().filter_map(|branch| branch.win_rate);
    assert!(rates.chain(node.win_rate).all(|rate| (0.0..=1.0).contains(&rate)));
}

#[test]
fn a_tree_is_read_while_it_is_searched_and_evicted() {
    let start = ConnectFour::new();
    let engine =
        Mcts::builder().threads(2).oversubscribe(true).memory_limit(Some(400_000)).proofs(false);
    let mut thinking = engine.build().unwrap().start(&start, &Budget::simulations(300_000));
    let over = AtomicBool::new(false);
    let read: usize = thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|number| {
                let (watcher, over) = (thinking.watcher(), &over);
                scope.spawn(move || {
                    let mut read = 0;
                    let mut choice = number;
                    while !over.load(Ordering::Relaxed) {
                        read += walk(&watcher, choice);
                        choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    }
                    read
                })
            })
            .collect();
        assert!(thinking.wait().is_ok());
        over.store(true, Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().unwrap()).sum()
    });
    let evicted = thinking.wait().unwrap().evicted;
    println!("{read} positions read, {evicted} evicted");
    assert!(read > 100 && evicted > 1_000, "{read} positions read, {evicted} evicted");
    check_end(thinking);
}

/// After the end the tree stays to be read, and its sums agree, until something else is ordered.
fn check_end(mut thinking: Handle<Mcts<ConnectFour>>) {
    let report = thinking.wait().unwrap();
    let root = thinking.node(&[], usize::MAX).expect("it has ended");
    let of_branches: u64 = root.branches.iter().map(|branch| branch.visits).sum();
    assert_eq!(root.visits, root.rollouts + of_branches);
    assert_eq!(of_branches, report.visits());
    assert_eq!(thinking.node_of(&ConnectFour::new(), usize::MAX), Some(root));
    let best = thinking.node(&[report.best_move], 3).expect("the most visited branch");
    let next = ConnectFour::new().apply(&report.best_move);
    thinking.think(&next, &Budget::simulations(1));
    thinking.wait().unwrap();
    let now = thinking.node(&[], 3).expect("it was searched again");
    assert!(now.number == best.number && now.visits >= best.visits);
    let mcts = thinking.into_engine();
    mcts.audit().unwrap();
    assert_eq!(mcts.node(&[], 3), Some(now));
}
