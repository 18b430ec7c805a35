//! GRAVE: what a move is worth as a later one, where the game says which moves are the same.

#![cfg(feature = "games")]

use playtree::game::random_move;
use playtree::games::gomoku::Rule;
use playtree::games::{ConnectFour, Gomoku, Hex, Othello};
use playtree::mcts::{self, Grave, InFlight, LockPolicy, Parallelism, Selection, Sharing};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Rng};

use crate::fields::Fields;

/// The share of points, in percent, of a selection against UCB1, from openings of two random moves
/// that both sides play.
pub(crate) fn against_ucb1<G: GameState>(
    start: &G,
    selection: Selection,
    simulations: u64,
    openings: u64,
) -> f64 {
    let budget = Budget::simulations(simulations);
    let mut points = 0.0;
    for seed in 0..openings {
        let mut rng = Rng::from_seed(seed);
        let opening = (0..2).fold(start.clone(), |state, _| {
            let mv = random_move(&state, &mut rng, &mut Vec::new()).unwrap();
            state.apply(&mv)
        });
        for ours in 0..2 {
            let engine = |selection| {
                Mcts::builder().threads(1).seed(seed).selection(selection).build().unwrap()
            };
            let mut engines = [engine(Selection::default()), engine(Selection::default())];
            engines[ours] = engine(selection);
            let mut state = opening.clone();
            while state.outcome().is_none() {
                let best = engines[state.mover()].best_move(&state, &budget).unwrap();
                state = state.apply(&best);
            }
            points += state.outcome().unwrap().score(ours);
        }
    }
    100.0 * points / (2 * openings) as f64
}

#[test]
fn it_plays_better_where_stones_stay() {
    let hex = against_ucb1(&Hex::new(7).unwrap(), Selection::grave(), 500, 10);
    let start = Gomoku::new(9, Rule::KOrMore).unwrap();
    let gomoku = against_ucb1(&start, Selection::grave(), 500, 10);
    println!("GRAVE against UCB1, 500 simulations: 7x7 Hex {hex} %, 9x9 Gomoku {gomoku} %");
    assert!(hex >= 75.0 && gomoku >= 75.0, "{hex} % and {gomoku} %");
}

/// What the engine plays in a game that names its moves, unless something else is asked for.
#[test]
fn it_is_the_selection_of_games_that_name_their_moves() {
    fn visits<G: GameState>(start: &G, builder: MctsBuilder<G>) -> Vec<u64> {
        let mut mcts = builder.threads(1).build().unwrap();
        let report = mcts.search(start, &Budget::simulations(2_000)).unwrap();
        report.moves.iter().map(|mv| mv.visits).collect()
    }
    let hex = Hex::new(5).unwrap();
    let with = |selection| visits(&hex, Mcts::builder().selection(selection));
    assert_eq!(visits(&hex, Mcts::builder()), with(Selection::grave()));
    assert_ne!(with(Selection::default()), with(Selection::grave()));
    // Reading a reference of its own from other positions is another search.
    let local = Selection::Grave(Grave { reference: 5, ..Grave::default() });
    assert_ne!(with(local), with(Selection::grave()));
    let four = ConnectFour::new();
    let ucb1 = Mcts::builder().selection(Selection::default());
    assert_eq!(visits(&four, Mcts::builder()), visits(&four, ucb1));
    let error = Mcts::<ConnectFour>::builder().selection(Selection::grave()).build();
    let error = error.map(drop).unwrap_err().to_string();
    let expected = "selection: expected a game that gives its moves codes (GameState::move_codes) with \
        GRAVE, found one that gives none";
    assert_eq!(error, expected);
    for (exploration, bias) in [(-1.0, 0.0), (0.0, -1.0), (f64::NAN, 0.0), (0.0, f64::NAN)] {
        let selection = Selection::Grave(Grave { exploration, bias, reference: 50 });
        assert!(Mcts::<Hex>::builder().selection(selection).build().is_err());
    }
}

#[test]
fn whatever_the_settings_its_counts_agree() {
    counts_agree(Selection::grave());
}

/// The counts of a search agree whatever locks, sharing and marks do, before and after it forgets.
pub(crate) fn counts_agree(selection: Selection) {
    let policies = [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer];
    for policy in policies {
        for scheme in [Sharing::Shared, Sharing::PerPath] {
            for in_flight in
                [InFlight::Count, InFlight::Ignore, InFlight::VirtualLoss { weight: 2.0 }]
            {
                let builder = Mcts::builder().threads(4).oversubscribe(true).lock_policy(policy);
                let builder = builder.sharing(scheme).in_flight(in_flight);
                let mut mcts = builder.selection(selection).build().unwrap();
                let report = mcts.search(&Othello::new(), &Budget::simulations(3_000)).unwrap();
                assert_eq!(report.simulations, 3_000);
                mcts.audit().unwrap_or_else(|wrong| panic!("{policy:?} {scheme:?}: {wrong}"));
                mcts.forget();
                mcts.search(&Othello::new(), &Budget::simulations(300)).unwrap();
                mcts.audit().unwrap();
            }
        }
    }
}

#[test]
fn three_players_and_moves_without_codes() {
    let start = Fields::new();
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    let report = mcts.search(&start, &Budget::simulations(20_000)).unwrap();
    mcts.audit().unwrap();
    assert_eq!(report.best_move, 8);
    // By the typed door it is the same search.
    let mut typed = Mcts::builder().threads(1).grave(Grave::default()).build().unwrap();
    let again = typed.search(&start, &Budget::simulations(20_000)).unwrap();
    let visits = |report: &mcts::Report<usize>| -> Vec<_> {
        report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect()
    };
    assert_eq!(visits(&again), visits(&report));
}

#[test]
fn workers_that_play_for_many_give_the_report_of_one() {
    let report = |parallelism| {
        let mut mcts = Mcts::builder().threads(1).parallelism(parallelism).build().unwrap();
        let report = mcts.search(&Hex::new(6).unwrap(), &Budget::simulations(5_000)).unwrap();
        report.moves.iter().map(|mv| mv.visits).collect::<Vec<_>>()
    };
    let alone = report(Parallelism::Shared);
    assert_eq!(report(Parallelism::Simulated { workers: 1 }), alone);
    assert_ne!(report(Parallelism::Simulated { workers: 4 }), alone);
}
