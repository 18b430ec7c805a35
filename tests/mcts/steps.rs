//! A search in steps finds, byte for byte, what one search finds, and leaves the engine as that
//! does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::mcts::{Options, Report};
use playtree::{
    Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, SearchError, StopReason, StopToken,
};

/// A report without its time.
fn text<M: std::fmt::Debug + Clone>(report: &Report<M>) -> String {
    let mut report = report.clone();
    report.elapsed = Duration::ZERO;
    format!("{report:?}")
}

/// Several searches, one after the other, in steps of a number of simulations and in one piece.
fn compare<G: GameState>(builder: impl Fn() -> MctsBuilder<G>, state: &G, budget: &Budget) {
    for step in [1, 777, u64::MAX] {
        let build = || builder().threads(1).seed(5).build().unwrap();
        let (mut stepped, mut whole) = (build(), build());
        for _ in 0..3 {
            let mut steps = stepped.begin(state, budget).unwrap();
            assert_eq!(steps.report().unwrap().stop_reason, StopReason::Running);
            let mut before = 0;
            while steps.step(step).unwrap() {
                let now = steps.report().unwrap();
                assert!(now.simulations >= before + step.min(1) && steps.goes_on());
                assert_eq!(now.stop_reason, StopReason::Running);
                before = now.simulations;
            }
            assert!(!steps.goes_on() && !steps.step(step).unwrap());
            let report = steps.finish().unwrap();
            assert_eq!(text(&report), text(&whole.search(state, budget).unwrap()));
        }
        assert_eq!(format!("{stepped:?}"), format!("{whole:?}"));
        stepped.audit().unwrap();
    }
}

#[test]
fn step_by_step_the_same_is_found() {
    let count = Budget::simulations;
    compare(Mcts::builder, &ConnectFour::new(), &count(20_000));
    compare(|| Mcts::builder().proofs(false), &Othello::new(), &count(3_000));
    // A proof ends it, a limit of nodes, and memory is made room in.
    compare(Mcts::builder, &TicTacToe::new(), &Budget::unlimited().and_simulations(1 << 40));
    compare(Mcts::builder, &ConnectFour::new(), &Budget::nodes(2_000));
    let small = || Mcts::builder().memory_limit(Some(200_000));
    compare(small, &ConnectFour::new(), &count(20_000));
}

#[test]
fn steps_can_be_ended_read_and_dropped() {
    let state = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(2).oversubscribe(true).build().unwrap();
    let mut steps = mcts.begin(&state, &Budget::unlimited()).unwrap();
    assert!(steps.step(5_000).unwrap());
    let root = steps.node(&[], usize::MAX).unwrap();
    assert!(root.visits >= 5_000 && steps.node_of(&state, 9).is_some());
    assert!(steps.step_for(Duration::from_millis(2)).unwrap());
    let report = steps.finish().unwrap();
    assert_eq!((report.stop_reason, report.workers), (StopReason::Stopped, 1));
    assert!(report.simulations > 5_000 && report.elapsed >= Duration::from_millis(2));
    // Dropped, it leaves what it has found.
    let mut steps = mcts.begin(&state, &Budget::unlimited()).unwrap();
    assert!(steps.step(1).unwrap());
    drop(steps);
    let known = mcts.search(&state, &Budget::simulations(0)).unwrap();
    assert!(known.visits() > report.visits());
    mcts.audit().unwrap();

    let token = StopToken::new();
    let mut steps = mcts.begin(&state, &Budget::until(&token)).unwrap();
    assert!(steps.step(100).unwrap());
    token.stop();
    assert!(!steps.step(u64::MAX).unwrap());
    assert_eq!(steps.finish().unwrap().stop_reason, StopReason::Stopped);

    let only = Options::new().only([known.moves[6].mv]);
    let mut steps = mcts.begin_with(&state, &Budget::simulations(50), &only).unwrap();
    while steps.step(10).unwrap() {}
    assert_eq!(steps.finish().unwrap().moves.len(), 1);
}

#[test]
fn what_cannot_be_searched_is_refused_at_the_beginning() {
    let over = TicTacToe::parse_position("XXXOO....").unwrap();
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    let error = mcts.begin(&over, &Budget::unlimited()).err();
    assert_eq!(error, Some(SearchError::GameOver(Outcome::Win(0))));
    let no_memory = Mcts::builder().threads(1).memory_limit(Some(40_000)).build();
    if let Ok(mut mcts) = no_memory {
        let mut steps = mcts.begin(&TicTacToe::new(), &Budget::simulations(100)).unwrap();
        while steps.step(10).unwrap() {}
        assert!(steps.finish().is_ok());
    }
}

/// A game that panics at a depth.
#[derive(Clone)]
struct Broken(u32);

impl GameState for Broken {
    type Key = u32;
    type Move = u8;

    fn key(&self) -> u32 {
        self.0
    }

    fn mover(&self) -> usize {
        self.0 as usize % 2
    }

    fn plies(&self) -> u32 {
        self.0
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn apply(&self, _: &u8) -> Self {
        assert!(self.0 < 9, "too deep");
        Self(self.0 + 1)
    }
}

#[test]
fn a_panic_of_the_game_ends_the_search_and_not_the_engine() {
    let mut mcts = Mcts::<Broken>::builder().threads(1).build().unwrap();
    for _ in 0..2 {
        let mut steps = mcts.begin(&Broken(0), &Budget::unlimited()).unwrap();
        let step = catch_unwind(AssertUnwindSafe(|| while steps.step(1).unwrap() {}));
        assert!(step.is_err());
        assert!(!steps.goes_on() && !steps.step(1).unwrap());
        assert_eq!(steps.finish().unwrap().stop_reason, StopReason::Stopped);
        mcts.audit().unwrap();
    }
}
