//! The handle of a Monte Carlo search, where it is not as that of every searcher.

use std::time::Duration;

use playtree::games::{ConnectFour, Othello};
use playtree::mcts::{self, Parallelism, RoundSize, Sharing};
use playtree::{
    Budget, GameState, Handle, Mcts, MctsBuilder, Notation, Proven, SearchError, StopReason,
};

use crate::handle;
use crate::subject::{Move, Restrictable, Subject, check_line, check_reports, measure_stops};

fn workers<G: GameState>(threads: usize) -> MctsBuilder<G> {
    Mcts::builder().threads(threads).oversubscribe(true).seed(1)
}

impl<G: GameState + 'static> Subject for Mcts<G> {
    const VARIANTS: usize = 3;
    const SPENT: StopReason = StopReason::Simulations;

    fn build(variant: usize, threads: usize) -> Self {
        let variants =
            [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 4 }];
        workers(threads).parallelism(variants[variant]).build().unwrap()
    }

    fn start(self, state: &G, budget: &Budget) -> Handle<Self> {
        Mcts::start(self, state, budget)
    }

    fn search(&mut self, state: &G, budget: &Budget) -> Result<Self::Report, SearchError> {
        Mcts::search(self, state, budget)
    }

    fn budget(count: u64) -> Budget {
        Budget::simulations(count)
    }

    fn work(report: &Self::Report) -> u64 {
        report.simulations
    }

    fn stop_reason(report: &Self::Report) -> StopReason {
        report.stop_reason
    }

    fn elapsed(report: &Self::Report) -> Duration {
        report.elapsed
    }

    fn best(report: &Self::Report) -> Move<Self> {
        report.best_move.clone()
    }

    fn moves(report: &Self::Report) -> Vec<Move<Self>> {
        report.moves.iter().map(|found| found.mv.clone()).collect()
    }

    fn text(report: &Self::Report) -> String {
        let mcts::Report { best_move, simulations, stop_reason, moves, .. } = report;
        let visits: Vec<_> = moves.iter().map(|found| (&found.mv, found.visits)).collect();
        format!("{best_move:?} {simulations} {stop_reason} {visits:?}")
    }

    fn is_far(report: &Self::Report) -> bool {
        report.simulations >= 20_000
    }

    fn check(state: &G, before: &Self::Report, now: &Self::Report) {
        assert!(now.visits() >= now.simulations, "{} of {}", now.visits(), now.simulations);
        assert!(now.visits() >= before.visits());
        for known in &now.moves {
            let earlier = before.moves.iter().find(|found| found.mv == known.mv).unwrap();
            assert!(known.visits >= earlier.visits, "visits fall");
            assert!(known.win_rate.is_none_or(|rate| (0.0..=1.0).contains(&rate)));
            check_line(state, &known.pv);
        }
    }

    fn check_kept(before: &Self::Report, now: &Self::Report) {
        assert!(now.visits() >= before.visits() + now.simulations, "visits are lost");
    }

    fn is_drawn(report: &Self::Report) -> bool {
        report.proven == Some(Proven::Draw)
    }

    fn audit(&self) {
        Mcts::audit(self).unwrap();
    }
}

impl<G: GameState + 'static> Restrictable for Mcts<G> {
    fn start_with(self, state: &G, budget: &Budget, options: &mcts::Options<G>) -> Handle<Self> {
        Mcts::start_with(self, state, budget, options)
    }

    fn without(mv: G::Move) -> mcts::Options<G> {
        mcts::Options::default().except([mv])
    }
}

/// What a reader has found is not given out again before it is done.
#[test]
fn a_search_can_be_read_while_positions_are_evicted() {
    for sharing in [Sharing::Shared, Sharing::PerPath] {
        let mcts =
            workers::<ConnectFour>(2).memory_limit(Some(300_000)).sharing(sharing).build().unwrap();
        check_reports(mcts, &ConnectFour::new(), |report| report.simulations >= 200_000);
    }
}

/// `cargo test --release --test background measure_stop -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_stop() {
    for (threads, size) in [(1, None), (2, None), (1, Some(2_048)), (2, Some(2_048))] {
        let rounds = size.map_or(RoundSize::default(), RoundSize::Fixed);
        let mcts = Mcts::builder().threads(threads).round_size(rounds).build().unwrap();
        let thinking = mcts.start(&Othello::new(), &Budget::unlimited());
        measure_stops(&format!("{threads} worker(s), {rounds:?}"), thinking);
    }
}

/// There is no table to find the position by.
#[test]
fn a_change_of_budget_keeps_a_tree_without_a_table() {
    let state = Othello::new();
    let mcts = workers(2).sharing(Sharing::PerPath).build().unwrap();
    let mut thinking = mcts.start(&state, &Budget::simulations(1_000));
    thinking.wait().unwrap();
    thinking.set_budget(&Budget::simulations(1_000));
    assert_eq!(thinking.wait().unwrap().visits(), 2_000);
    // But not that of another position, when the one asked for has none.
    thinking.think(&Othello::parse_position(OVER).unwrap(), &Budget::unlimited());
    assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
    thinking.set_budget(&Budget::simulations(10));
    assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
    thinking.think(&state, &Budget::simulations(10));
    assert_eq!(thinking.wait().unwrap().visits(), 10);
}

/// One disc, and neither side can move.
const OVER: &str = "X--------------------------------------------------------------- X";

#[test]
fn options_last_until_the_next_position() {
    handle::check_options_last_until_the_next_position::<Mcts<Othello>>();
}
