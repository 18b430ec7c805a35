//! Any position of the tree can be read after a search: by a line of moves and by its key.

use playtree::games::{ConnectFour, TicTacToe};
use playtree::mcts::{NodeReport, Options, Sharing};
use playtree::{Budget, GameState, Mcts, Notation};

type Move<G> = <G as GameState>::Move;

/// Reads everything that hangs together below a line, and checks that it does: sums, points of
/// view, and that the key finds what the line finds. The number of positions read.
fn check_below<G: GameState>(
    mcts: &Mcts<G>,
    state: &G,
    line: &mut Vec<Move<G>>,
    depth: usize,
) -> usize {
    let Some(node) = mcts.node(line, usize::MAX) else { return 0 };
    assert_eq!(mcts.node_of(state, usize::MAX).as_ref(), Some(&node), "{line:?}");
    assert_eq!((node.mover, node.branches.len()), (state.mover(), node.branch_count));
    let of_branches: u64 = node.branches.iter().map(|branch| branch.visits).sum();
    assert_eq!(node.visits, node.rollouts + of_branches, "{line:?}");
    assert!(node.branches.iter().all(|branch| branch.in_flight == 0), "{line:?}");
    if node.branch_count > 0 {
        let mut legal = Vec::new();
        state.moves(&mut legal);
        let found = |mv: &Move<G>| node.branches.iter().filter(|branch| branch.mv == *mv).count();
        assert!(legal.iter().all(|mv| found(mv) == 1), "{line:?}");
        assert_eq!(legal.len(), node.branch_count, "{line:?}");
    }
    // A part of it is its beginning.
    let best = mcts.node(line, 2).unwrap();
    assert_eq!(best.branch_count, node.branch_count);
    assert_eq!(best.branches, node.branches[..node.branches.len().min(2)]);
    let mut read = 1;
    for branch in node.branches.iter().filter(|_| depth > 0) {
        line.push(branch.mv.clone());
        let child = mcts.node(line, 0);
        assert_eq!(child.as_ref().map(|child| child.number), branch.child);
        assert_eq!(child.map_or(0, |child| child.visits), branch.child_visits);
        // Simulations that find the child proven are visits of the branch alone.
        let by_proof = branch.proven.is_some();
        let seen = branch.child.is_none() || branch.child_visits + 1 >= branch.visits;
        assert!(seen || by_proof, "{line:?}");
        read += check_below(mcts, &state.apply(&branch.mv), line, depth - 1);
        line.pop();
    }
    read
}

fn searched<G: GameState>(mcts: &mut Mcts<G>, state: &G, count: u64) -> NodeReport<Move<G>> {
    let report = mcts.search(state, &Budget::simulations(count)).unwrap();
    let root = mcts.node(&[], usize::MAX).unwrap();
    assert_eq!(root.branches.len(), report.moves.len());
    for found in &report.moves {
        let branch = root.branches.iter().find(|branch| branch.mv == found.mv).unwrap();
        assert_eq!((branch.visits, branch.win_rate), (found.visits, found.win_rate));
        assert_eq!(branch.proven, found.proven);
    }
    assert_eq!((root.win_rate, &root.scores), (Some(report.win_rate), &report.scores));
    assert_eq!(root.proven, report.proven);
    root
}

#[test]
fn a_tree_can_be_walked_by_lines_and_by_keys() {
    let start = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    assert_eq!(mcts.node(&[], 9), None, "nothing was searched");
    let root = searched(&mut mcts, &start, 30_000);
    assert!(root.visits >= 30_000);
    let read = check_below(&mcts, &start, &mut Vec::new(), 4);
    assert!(read > 500, "{read} positions");

    // Two lines to one position.
    let line = |text: &str| {
        let mut state = start;
        let moves = text.split(' ').map(|text| {
            let mv = state.parse_move(text).unwrap();
            state = state.apply(&mv);
            mv
        });
        moves.collect::<Vec<_>>()
    };
    let (one, other) = (mcts.node(&line("4 1 3"), 9), mcts.node(&line("3 1 4"), 9));
    assert_eq!(one, other);
    assert!(one.is_some());
    assert_eq!(mcts.node(&line("4 4 4 4 4 4"), 9).map(|node| node.plies), Some(6));
    // What is no line of play is not there, and what the key finds is no matter of lines.
    let full = [line("4"), line("4"), line("4 4 4 4 4 4")].concat();
    assert_eq!(mcts.node(&full, 9), None);

    // A search of another position has another root; the table still has the first.
    let next = start.apply(&line("4")[0]);
    searched(&mut mcts, &next, 10);
    assert!(mcts.node_of(&start, 9).unwrap().visits >= 30_000);
    assert_eq!(mcts.node(&[], 9).unwrap().number, mcts.node_of(&next, 9).unwrap().number);
    mcts.forget();
    assert_eq!((mcts.node(&[], 9), mcts.node_of(&start, 9)), (None, None));
}

#[test]
fn reading_changes_nothing() {
    let start = TicTacToe::new();
    let engine = || Mcts::builder().threads(1).seed(3).proofs(false).build().unwrap();
    let (mut read, mut alone) = (engine(), engine());
    for _ in 0..3 {
        let budget = Budget::simulations(500);
        let report = read.search(&start, &budget).unwrap();
        check_below(&read, &start, &mut Vec::new(), 3);
        let same = alone.search(&start, &budget).unwrap();
        assert_eq!(format!("{:?}", report.moves), format!("{:?}", same.moves));
    }
}

#[test]
fn proofs_and_restricted_roots_are_read() {
    let start = TicTacToe::new();
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    let root = searched(&mut mcts, &start, 100_000);
    assert!(root.proven.is_some());
    assert!(root.branches.iter().any(|branch| branch.proven == root.proven));
    // The end of a game is no position of the tree.
    let won = TicTacToe::parse_position("XX.OO....").unwrap();
    mcts.search(&won, &Budget::simulations(1_000)).unwrap();
    let node = mcts.node(&[], 1).unwrap();
    assert_eq!((node.branches[0].child, node.branches[0].child_visits), (None, 0));

    // A search of some moves has a root of its own; by its key the position has all.
    let mut legal = Vec::new();
    start.moves(&mut legal);
    let only = Options::default().only([legal[0], legal[1]]);
    mcts.search_with(&start, &Budget::simulations(50), &only).unwrap();
    assert_eq!(mcts.node(&[], 9).unwrap().branch_count, 2);
    assert_eq!(mcts.node_of(&start, 9).unwrap().branch_count, 9);
    assert_eq!(mcts.node(&legal[8..], 9), None);
}

#[test]
fn without_a_table_lines_are_all_there_is() {
    let start = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(1).sharing(Sharing::PerPath).build().unwrap();
    searched(&mut mcts, &start, 5_000);
    assert_eq!(mcts.node_of(&start, 9), None);
    let best = mcts.node(&[], 1).unwrap().branches[0].clone();
    assert!(mcts.node(&[best.mv], 9).is_some());
}

#[test]
fn a_position_is_displayed_with_its_branches() {
    let start = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    mcts.search(&start, &Budget::simulations(5_000)).unwrap();
    let text = mcts.node(&[], 3).unwrap().in_notation(&start).to_string();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("move  visits"), "{text}");
    assert!(lines[1].starts_with('4'), "{text}");
    assert_eq!(lines[4], "... and 4 more", "{text}");
    assert!(lines[6].starts_with("position #") && lines[6].contains(" rollouts, "), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
}
