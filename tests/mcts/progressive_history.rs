//! Progressive history: what a move is worth elsewhere in the tree.

#![cfg(feature = "games")]

use playtree::games::{Breakthrough, ConnectFour, Hex, Othello, OthelloEvaluation, TicTacToe};
use playtree::mcts::{Parallelism, ProgressiveHistory, Selection};
use playtree::{Budget, GameState, Mcts, MctsBuilder};

use crate::fields::Fields;
use crate::grave::{against_ucb1, counts_agree};

fn weighed(weight: f64) -> Selection {
    Selection::ProgressiveHistory(ProgressiveHistory { weight, ..ProgressiveHistory::default() })
}

/// The visits of the moves of the root after this number of simulations.
fn visits<G: GameState>(start: &G, simulations: u64, builder: MctsBuilder<G>) -> Vec<u64> {
    let mut mcts = builder.threads(1).build().unwrap();
    let report = mcts.search(start, &Budget::simulations(simulations)).unwrap();
    mcts.audit().unwrap();
    report.moves.iter().map(|mv| mv.visits).collect()
}

#[test]
fn it_plays_better_in_othello() {
    let score = against_ucb1(&Othello::new(), Selection::progressive_history(), 500, 30);
    println!("progressive history against UCB1, 500 simulations: Othello {score} %");
    assert!(score >= 55.0, "{score} %");
}

#[test]
fn it_is_the_selection_of_games_that_say_so() {
    let with = |selection| visits(&Othello::new(), 2_000, Mcts::builder().selection(selection));
    let default = visits(&Othello::new(), 2_000, Mcts::builder());
    assert_eq!(default, with(Selection::progressive_history()));
    assert_ne!(default, with(Selection::default()));
    assert_ne!(default, with(weighed(3.0)));
    // Win rates of an evaluation are no noise, and where they are a prior it is UCB1.
    let at_once = || Mcts::builder().cut_off(0, OthelloEvaluation::default());
    let history = ProgressiveHistory { exploration: 0.05, weight: 0.3 };
    let history = Selection::ProgressiveHistory(history);
    let [default, asked, urgent] =
        [at_once(), at_once().selection(history), at_once().first_play_urgency(0.05)]
            .map(|builder| visits(&Othello::new(), 2_000, builder));
    assert_eq!(default, asked);
    let ucb1 = at_once().selection(Selection::Ucb1 { exploration: 0.05 });
    assert_eq!(urgent, visits(&Othello::new(), 2_000, ucb1.first_play_urgency(0.05)));
    let prior = || Mcts::builder().prior(4, OthelloEvaluation::default());
    assert_eq!(
        visits(&Othello::new(), 2_000, prior()),
        visits(&Othello::new(), 2_000, prior().selection(Selection::default()))
    );
}

/// Connect Four has codes for its rollouts only.
#[test]
fn the_codes_of_rollouts_serve_as_well() {
    let history = Selection::progressive_history();
    let four = |selection| visits(&ConnectFour::new(), 2_000, Mcts::builder().selection(selection));
    assert_ne!(four(history), four(Selection::default()));
    // Those of Breakthrough are for it.
    let start = Breakthrough::default();
    let through = |selection| visits(&start, 2_000, Mcts::builder().selection(selection));
    assert_ne!(through(history), through(Selection::default()));
    assert_eq!(through(history), visits(&start, 2_000, Mcts::builder()));
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    let refused = |error: Result<(), playtree::ConfigError>| error.unwrap_err().to_string();
    let uncoded = Mcts::<TicTacToe>::builder().selection(weighed(1.0));
    assert_eq!(
        refused(uncoded.build().map(drop)),
        "selection: expected a game that gives its moves codes (RolloutPolicy::move_codes) to \
         learn by, found one that gives none"
    );
    let urgent = Mcts::<Othello>::builder().cut_off(0, OthelloEvaluation::default());
    let urgent = urgent.selection(weighed(1.0)).first_play_urgency(0.1);
    assert_eq!(
        refused(urgent.build().map(drop)),
        "first_play_urgency: expected another selection than progressive history, which has its \
         own, found it"
    );
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let error = refused(Mcts::<Hex>::builder().selection(weighed(weight)).build().map(drop));
        assert!(error.starts_with("selection: expected a weight of 0 to 1000000"), "{error}");
    }
}

/// Nothing of a search is left when the engine has forgotten.
#[test]
fn what_is_known_of_moves_is_forgotten() {
    let builder = || Mcts::builder().threads(1).seed(3).reuse(false);
    let budget = Budget::simulations(2_000);
    let search = |mcts: &mut Mcts<Othello>| {
        let report = mcts.search(&Othello::new(), &budget).unwrap();
        report.moves.iter().map(|mv| (mv.visits, mv.win_rate)).collect::<Vec<_>>()
    };
    let mut mcts = builder().build().unwrap();
    let first = search(&mut mcts);
    mcts.forget();
    assert_eq!(search(&mut mcts), first);
}

#[test]
fn whatever_the_settings_its_counts_agree() {
    counts_agree(weighed(1.0));
}

#[test]
fn three_players_and_moves_without_codes() {
    let start = Fields::new();
    let mut mcts = Mcts::builder().threads(1).selection(weighed(1.0)).build().unwrap();
    let report = mcts.search(&start, &Budget::simulations(20_000)).unwrap();
    mcts.audit().unwrap();
    assert_eq!(report.best_move, 8);
}

#[test]
fn workers_that_play_for_many_give_the_report_of_one() {
    let of = |parallelism| visits(&Othello::new(), 5_000, Mcts::builder().parallelism(parallelism));
    let alone = of(Parallelism::Shared);
    assert_eq!(of(Parallelism::Simulated { workers: 1 }), alone);
    assert_ne!(of(Parallelism::Simulated { workers: 4 }), alone);
}
