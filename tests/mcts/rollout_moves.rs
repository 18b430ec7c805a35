//! Rollouts that look for moves that win, and rollouts that learn from those before.

#![cfg(feature = "games")]

use std::time::Duration;

use playtree::games::{Breakthrough, ConnectFour, Hex, Othello, TicTacToe};
use playtree::mcts::{
    self, BaseMoves, Choice, Decisive, Learned, Mast, Nst, Parallelism, Replies, RolloutMoves,
};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Notation, Outcome};

use crate::fields::Fields;

fn all_kinds() -> Vec<RolloutMoves> {
    let greedy = Choice::Greedy { share: 0.7 };
    let gibbs = Choice::Gibbs { temperature: 0.1 };
    let none = RolloutMoves::default();
    vec![
        RolloutMoves { base: BaseMoves::Uniform, ..none },
        RolloutMoves { decisive: Decisive::WinsAndThreats, ..none },
        RolloutMoves { learned: Learned::Mast(Mast::default()), ..none },
        RolloutMoves { learned: Learned::Mast(Mast { choice: gibbs }), ..none },
        RolloutMoves { learned: Learned::Nst(Nst::default()), ..none },
        RolloutMoves { replies: Replies::ToOne, ..none },
        RolloutMoves {
            decisive: Decisive::Wins,
            replies: Replies::ToTwo,
            learned: Learned::Nst(Nst { choice: greedy, least: 3 }),
            base: BaseMoves::Uniform,
        },
    ]
}

/// Everything in a report but the time it took and the number of workers.
fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
    (report.elapsed, report.workers) = (Duration::ZERO, 0);
    format!("{report:?}")
}

/// The reports of two searches of an engine, the second one with what the first has learnt.
fn searches<G: GameState>(builder: MctsBuilder<G>, start: &G, simulations: u64) -> [String; 2] {
    let mut mcts = builder.build().unwrap();
    let mut search = || {
        let report = mcts.search(start, &Budget::simulations(simulations)).unwrap();
        mcts.audit().unwrap();
        text(report)
    };
    [search(), search()]
}

#[test]
fn in_rounds_the_number_of_workers_does_not_change_the_report() {
    fn agree<G: GameState>(start: &G) {
        for moves in all_kinds() {
            let run = |workers| {
                let builder = Mcts::builder().parallelism(Parallelism::Rounds);
                let builder = builder.threads(workers).oversubscribe(true);
                searches(builder.rollout_moves(moves), start, 3_000)
            };
            let alone = run(1);
            for workers in [2, 8] {
                assert_eq!(run(workers), alone, "{workers} workers, {moves:?}");
            }
        }
    }
    agree(&Breakthrough::default());
    agree(&Hex::new(5).unwrap());
    agree(&Fields::new());
}

#[test]
fn one_worker_and_a_seed_fix_the_report_and_each_kind_is_another_search() {
    let start = Breakthrough::default();
    let mut seen = Vec::new();
    for moves in all_kinds() {
        let run = || searches(Mcts::builder().threads(1).rollout_moves(moves), &start, 3_000);
        assert_eq!(run(), run(), "{moves:?}");
        seen.push(run());
        // What was learnt goes with all else.
        let mut mcts = Mcts::builder().threads(1).rollout_moves(moves).build().unwrap();
        let budget = Budget::simulations(3_000);
        let first = text(mcts.search(&start, &budget).unwrap());
        mcts.forget();
        assert_eq!(text(mcts.search(&start, &budget).unwrap()), first, "{moves:?}");
    }
    seen.push(searches(Mcts::builder().threads(1), &start, 3_000));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), all_kinds().len() + 1);
}

#[test]
fn many_workers_learn_together() {
    for moves in all_kinds() {
        let builder = Mcts::builder().threads(4).oversubscribe(true).rollout_moves(moves);
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(&Othello::new(), &Budget::simulations(5_000)).unwrap();
        assert_eq!(report.simulations, 5_000);
        mcts.audit().unwrap();
    }
}

#[test]
fn a_search_plays_a_win_in_one() {
    fn wins<G: Notation>(position: &str) {
        let start = G::parse_position(position).unwrap();
        for moves in all_kinds().into_iter().filter(|moves| moves.decisive != Decisive::Off) {
            let moves = RolloutMoves { learned: Learned::Nothing, ..moves };
            let moves = RolloutMoves { replies: Replies::Off, ..moves };
            let builder = Mcts::builder().threads(1).proofs(false).rollout_moves(moves);
            let mut mcts = builder.build().unwrap();
            let best = mcts.best_move(&start, &Budget::simulations(500)).unwrap();
            let end = start.apply(&best).outcome();
            assert_eq!(end, Some(Outcome::Win(start.mover())), "{position}");
        }
    }
    wins::<ConnectFour>("112233");
    wins::<Breakthrough>("8/P6p/8/8/8/8/8/8 w");
    wins::<TicTacToe>("XX.OO....");
}

#[test]
fn without_codes_nothing_is_learnt() {
    let refused = all_kinds().into_iter().filter(RolloutMoves::learn);
    for moves in refused {
        let error = Mcts::<TicTacToe>::builder().rollout_moves(moves).build().map(drop);
        assert_eq!(
            error.unwrap_err().to_string(),
            "rollout_moves: expected a game that gives its moves codes \
             (RolloutPolicy::move_codes) to learn by, found one that gives none"
        );
    }
    let wins = RolloutMoves { decisive: Decisive::Wins, ..RolloutMoves::default() };
    assert!(Mcts::<TicTacToe>::builder().rollout_moves(wins).build().is_ok());
    // The typed door takes the codes that the game has.
    let mast = RolloutMoves { learned: Learned::Mast(Mast::default()), ..wins };
    assert!(Mcts::<Breakthrough>::builder().coded_rollouts(mast).build().is_ok());
    for choice in [
        Choice::Greedy { share: 1.5 },
        Choice::Greedy { share: f64::NAN },
        Choice::Gibbs { temperature: 0.0 },
    ] {
        for learned in [Learned::Mast(Mast { choice }), Learned::Nst(Nst { choice, least: 1 })] {
            let moves = RolloutMoves { learned, ..wins };
            assert!(Mcts::<Hex>::builder().rollout_moves(moves).build().is_err(), "{choice:?}");
        }
    }
}

/// MAST in Breakthrough, as published: stronger than random moves at equal simulations.
#[test]
fn what_was_learnt_is_worth_something() {
    let random = RolloutMoves { base: BaseMoves::Uniform, ..RolloutMoves::default() };
    let mast = RolloutMoves { learned: Learned::Mast(Mast::default()), ..random };
    let (start, budget) = (Breakthrough::new(6, 6).unwrap(), Budget::simulations(400));
    let mut points = 0;
    for seed in 0..20 {
        let engine =
            |moves| Mcts::builder().threads(1).seed(seed).rollout_moves(moves).build().unwrap();
        let learns = seed as usize % 2;
        let mut engines = [engine(random), engine(random)];
        engines[learns] = engine(mast);
        let mut state = start;
        while state.outcome().is_none() {
            let best = engines[state.mover()].best_move(&state, &budget).unwrap();
            state = state.apply(&best);
        }
        points += u32::from(state.outcome().unwrap().score(learns) == 1.0);
    }
    println!("MAST in 6x6 Breakthrough, 400 simulations: {points} of 20");
    assert!(points >= 11, "{points} of 20");
}
