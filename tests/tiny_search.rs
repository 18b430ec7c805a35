//! A search so small that an interpreter can follow it: `ci/miri.sh` runs it, and so does
//! the ordinary test run. No files, few simulations, moves that own memory.

use playtree::{Budget, GameState, LockPolicy, Mcts, Outcome, RoundSize, Selection, ValueScheme};

/// Take one or two sticks; who takes the last one wins. Moves are words, so that every one
/// of them has to be freed exactly once.
#[derive(Clone)]
struct Sticks {
    left: u32,
    plies: u32,
}

impl GameState for Sticks {
    type Key = (u32, usize);
    type Move = String;

    const MOVE_CODES: usize = 2;

    fn move_code(&self, mv: &String) -> usize {
        usize::from(mv == "two")
    }

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }

    fn mover(&self) -> usize {
        (self.plies % 2) as usize
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<String>) {
        moves.extend(["one", "two"].iter().take(self.left as usize).map(|&word| word.to_owned()));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
    }

    fn apply(&self, mv: &String) -> Self {
        let taken = if mv == "one" { 1 } else { 2 };
        Self { left: self.left - taken, plies: self.plies + 1 }
    }
}

/// Simulations of three searches, one after the other. An interpreter takes up to a second for
/// each.
const SIMULATIONS: [u64; 3] = if cfg!(miri) { [4, 8, 4] } else { [20, 40, 20] };

const POLICIES: [LockPolicy; 3] = [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer];

/// Searches, forgets, searches again, and frees everything.
fn search(policy: LockPolicy, workers: usize, scheme: ValueScheme, selection: Selection) {
    let mut mcts = Mcts::builder()
        .threads(workers)
        .oversubscribe(true)
        .lock_policy(policy)
        .value_scheme(scheme)
        .selection(selection)
        .proofs(false)
        .round_size(RoundSize::Fixed(3))
        .build()
        .unwrap();
    let state = Sticks { left: 7, plies: 0 };
    let [first, second, last] = SIMULATIONS;
    for simulations in [first, second] {
        let report = mcts.search(&state, &Budget::simulations(simulations)).unwrap();
        assert_eq!(report.simulations, simulations);
        mcts.audit().unwrap();
        mcts.forget();
        mcts.audit().unwrap();
    }
    mcts.search(&state, &Budget::simulations(last)).unwrap();
}

#[test]
fn one_worker() {
    for policy in POLICIES {
        search(policy, 1, ValueScheme::Graph, Selection::default());
    }
    search(LockPolicy::Block, 1, ValueScheme::Tree, Selection::Ucb1Tuned);
    search(LockPolicy::Block, 1, ValueScheme::Graph, Selection::GRAVE);
}

#[test]
fn two_workers() {
    for policy in POLICIES {
        search(policy, 2, ValueScheme::Graph, Selection::default());
    }
    search(LockPolicy::Defer, 2, ValueScheme::Tree, Selection::Ucb1Tuned);
    search(LockPolicy::Block, 2, ValueScheme::Graph, Selection::GRAVE);
}

#[test]
fn two_workers_prove_a_win() {
    for policy in POLICIES {
        let builder = Mcts::builder().threads(2).oversubscribe(true);
        let mut mcts = builder.lock_policy(policy).build().unwrap();
        let state = Sticks { left: 4, plies: 0 };
        let report = mcts.search(&state, &Budget::simulations(200)).unwrap();
        mcts.audit().unwrap();
        if policy != LockPolicy::Yield {
            assert_eq!(report.best_move, "one");
        }
    }
}
