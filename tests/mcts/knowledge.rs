//! Rollouts that are cut off with an evaluation, and prior visits.

#![cfg(feature = "games")]

use playtree::games::{
    Breakthrough, BreakthroughEvaluation, ConnectFour, ConnectFourEvaluation, Gomoku,
    GomokuEvaluation, Othello, OthelloEvaluation,
};
use playtree::mcts::{self, Expansion, LockPolicy, Parallelism, RoundSize, Selection, Sharing};
use playtree::{Budget, Evaluate, GameState, Mcts, MctsBuilder, Notation, Proven, StopReason};

fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
    report.elapsed = std::time::Duration::ZERO;
    format!("{report:?}")
}

/// The ways to use an evaluation.
fn builders<G: GameState, E: Evaluate<G> + Clone + 'static>(evaluation: &E) -> Vec<MctsBuilder<G>> {
    let with = |plies| Mcts::builder().threads(1).cut_off(plies, evaluation.clone());
    vec![
        with(0),
        with(1),
        with(7),
        with(2).prior(3, evaluation.clone()),
        Mcts::builder().threads(1).prior(8, evaluation.clone()),
        Mcts::builder().threads(1).prior(8, evaluation.clone()).first_play_urgency(0.2),
        with(0).warm_up(1).selection(Selection::default()),
    ]
}

/// One worker and a seed fix the report, the statistics agree, and another seed (where anything is
/// random) or no evaluation is another search.
fn repeat<G: GameState + 'static, E: Evaluate<G> + Clone + 'static>(state: &G, evaluation: &E) {
    let run = |builder: MctsBuilder<G>| {
        let mut mcts = builder.build().unwrap();
        let report = text(mcts.search(state, &Budget::simulations(500)).unwrap());
        mcts.audit().unwrap();
        report
    };
    let plain = run(Mcts::builder().threads(1));
    for (number, builder) in builders(evaluation).into_iter().enumerate() {
        let first = run(builder.clone());
        assert_eq!(run(builder.clone()), first);
        // With the first one every position is valued as it is, and no branch is drawn.
        let other = run(builder.clone().seed(1));
        assert_eq!(other == first, number == 0, "{number}");
        assert_ne!(first, plain);
        run(builder.clone().sharing(Sharing::PerPath));
        if state.plies() > 10 {
            run(builder.clone().expansion(Expansion::Everything));
        }
    }
}

#[test]
fn a_seed_fixes_a_search_with_an_evaluation() {
    let undecided = "333333555552";
    repeat(&ConnectFour::parse_position(undecided).unwrap(), &ConnectFourEvaluation::new());
    repeat(&Othello::new(), &OthelloEvaluation::new());
    repeat(&Breakthrough::default(), &BreakthroughEvaluation::new());
    repeat(&Gomoku::default(), &GomokuEvaluation::new());
}

#[test]
fn rounds_give_the_same_report_for_any_number_of_workers() {
    let evaluation = BreakthroughEvaluation::new();
    for builder in builders(&evaluation) {
        let report = |threads| {
            let builder = builder.clone().threads(threads).oversubscribe(true);
            let mut mcts = builder.parallelism(Parallelism::Rounds).build().unwrap();
            let report = mcts.search(&Breakthrough::default(), &Budget::simulations(3_000));
            let report = text(report.unwrap());
            mcts.audit().unwrap();
            report.replace(&format!("workers: {threads},"), "")
        };
        let alone = report(1);
        assert_eq!(report(3), alone);
        assert_eq!(report(8), alone);
    }
}

#[test]
fn workers_that_share_the_tree_keep_their_counts() {
    for policy in [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer] {
        for builder in builders(&OthelloEvaluation::new()) {
            let builder = builder.threads(4).oversubscribe(true).lock_policy(policy);
            let mut mcts = builder.build().unwrap();
            let report = mcts.search(&Othello::new(), &Budget::simulations(20_000)).unwrap();
            assert_eq!(report.simulations, 20_000);
            mcts.audit().unwrap();
        }
    }
}

/// The visits that a position begins with are not simulations: the first one is rolled out from it.
#[test]
fn a_simulation_makes_one_node() {
    for builder in builders(&OthelloEvaluation::new()) {
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(&Othello::new(), &Budget::simulations(1_000)).unwrap();
        assert!((900..=1_001).contains(&report.nodes), "{}", report.nodes);
    }
}

/// An evaluation that is wrong about everything: who is to move has lost.
#[derive(Clone)]
struct Wrong;

impl<G: GameState> Evaluate<G> for Wrong {
    fn evaluate(&self, _state: &G) -> i32 {
        -playtree::evaluate::VALUE_LIMIT
    }
}

/// A node's branches are tried in the order of their promise, and those that have no use are not.
#[test]
fn unpromising_branches_wait() {
    /// Likes the last of the columns, 0 to 6, and values nothing.
    #[derive(Clone)]
    struct Last;
    impl Evaluate<ConnectFour> for Last {
        fn evaluate(&self, _state: &ConnectFour) -> i32 {
            0
        }
        fn promise(&self, _state: &ConnectFour, mv: &<ConnectFour as GameState>::Move) -> i32 {
            mv.index() as i32
        }
    }
    let tried = |builder: MctsBuilder<ConnectFour>, simulations| {
        let mut mcts = builder.threads(1).proofs(false).round_size(RoundSize::Fixed(1)).build();
        let budget = Budget::simulations(simulations);
        let report = mcts.as_mut().unwrap().search(&ConnectFour::new(), &budget).unwrap();
        let tried = report.moves.iter().filter(|mv| mv.visits > 0);
        let mut tried: Vec<usize> = tried.map(|mv| mv.mv.index()).collect();
        tried.sort();
        tried
    };
    let with = |urgency| Mcts::builder().cut_off(0, Last).first_play_urgency(urgency);
    // Every value is a half: an untried branch is worth more or less by its urgency alone.
    assert_eq!(tried(with(0.5), 3), [4, 5, 6]);
    assert_eq!(tried(with(-0.4), 300), [6]);
    assert_eq!(tried(Mcts::builder().cut_off(0, Last).warm_up(1), 7).len(), 7);
}

/// A round gives untried branches one visit each, as simulations one by one would.
#[test]
fn a_round_tries_branches_as_one_by_one() {
    let start = Breakthrough::default();
    let tried = |size| {
        let builder = Mcts::builder().threads(1).cut_off(0, BreakthroughEvaluation::new());
        let mut mcts = builder.round_size(RoundSize::Fixed(size)).build().unwrap();
        let report = mcts.search(&start, &Budget::simulations(2_000)).unwrap();
        mcts.audit().unwrap();
        report.moves.iter().filter(|mv| mv.visits > 0).count()
    };
    let (alone, together) = (tried(1), tried(64));
    assert!(alone > 1 && together.abs_diff(alone) <= 5, "{alone} {together}");
}

/// A value of 0 or 1 is no proof, and what is proven is so whatever the evaluation says.
#[test]
fn proofs_come_from_the_game_alone() {
    for builder in builders(&Wrong) {
        // First wins in five plies, by exhaustive search.
        let start = Breakthrough::parse_position("ppp/3/PPP w").unwrap();
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(&start, &Budget::simulations(100_000)).unwrap();
        assert!(matches!(report.proven, Some(Proven::Win { .. })), "{:?}", report.proven);
        assert_eq!(report.stop_reason, StopReason::Proven);
    }
    for builder in builders(&Wrong) {
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(&Breakthrough::default(), &Budget::simulations(3_000)).unwrap();
        assert_eq!(report.proven, None);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |builder: MctsBuilder<Othello>| builder.build().unwrap_err().to_string();
    let prior = |visits| Mcts::builder().prior(visits, OthelloEvaluation::new());
    assert_eq!(refused(prior(0)), "prior: expected 1 to 1000 visits, found 0");
    assert_eq!(refused(prior(1001)), "prior: expected 1 to 1000 visits, found 1001");
    let urgency =
        |builder: MctsBuilder<Othello>, urgency| refused(builder.first_play_urgency(urgency));
    assert_eq!(urgency(prior(1), 1.5), "first_play_urgency: expected -1 to 1, found 1.5");
    assert_eq!(urgency(prior(1), f64::NAN), "first_play_urgency: expected -1 to 1, found NaN");
    assert_eq!(
        urgency(prior(1).warm_up(2), 0.1),
        "first_play_urgency: expected no warm_up beside it, found one"
    );
    assert_eq!(
        urgency(Mcts::builder(), 0.1),
        "first_play_urgency: expected cut_off or prior, found neither"
    );
    assert_eq!(
        refused(prior(1).selection(Selection::Ucb1Tuned)),
        "prior: expected another selection than UCB1-Tuned, found it"
    );
}
