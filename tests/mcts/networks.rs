//! Networks: what they are asked, what a search makes of the answers, and what ends one.

#![cfg(feature = "games")]

mod asking;
mod batches;
mod root;

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playtree::error::{ConfigError, Requirement, Setting};
use playtree::evaluate::{
    Answers, Cached, Evaluate, Network, NetworkError, OneByOne, Question, VALUE_LIMIT,
};
use playtree::games::{ConnectFour, ConnectFourEvaluation, Hex, Othello, TicTacToe};
use playtree::mcts::{
    Decisive, Expansion, Options, Parallelism, Puct, RolloutMoves, RoundSize, Selection, Sharing,
};
use playtree::save;
use playtree::{
    Budget, GameState, GameTag, Mcts, MctsBuilder, Notation, Outcome, Proven, Rng, Scores,
    SearchError, Solver,
};

/// Values and policies without sense, the same for each position: a number of its key.
pub(crate) struct Noise;

fn number<K: std::hash::Hash>(key: &K, salt: u64) -> f32 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((key, salt));
    (hash >> 40) as f32 / (1u64 << 24) as f32
}

/// Answers with numbers of the keys: values from `low` to `high`, logits from 0 to `spread`.
fn answer_by_key<G: GameState>(
    questions: &[Question<'_, G>],
    answers: &mut Answers,
    (low, high): (f32, f32),
    spread: f32,
) {
    for (at, question) in questions.iter().enumerate() {
        let key = question.state.key();
        answers.value(at, low + (high - low) * number(&key, 0));
        for (branch, logit) in (1..).zip(answers.policy(at)) {
            *logit = spread * number(&key, branch);
        }
    }
}

impl<G: GameState> Network<G> for Noise {
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        answer_by_key(questions, answers, (0.0, 1.0), 3.0);
        Ok(())
    }

    fn batch(&self) -> usize {
        16
    }
}

/// What a network does with one call, for a test.
struct Tapped<N, F> {
    network: N,
    batch: usize,
    tap: F,
}

impl<G, N, F> Network<G> for Tapped<N, F>
where
    G: GameState,
    N: Network<G>,
    F: Fn(&[Question<'_, G>], &mut Answers) -> Result<(), NetworkError> + Send + Sync,
{
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        self.network.evaluate(questions, answers)?;
        (self.tap)(questions, answers)
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

fn with<G: GameState>(network: impl Network<G> + 'static) -> MctsBuilder<G> {
    Mcts::builder().threads(1).seed(5).network(network)
}

/// The exact worth of every position of tic-tac-toe to its side to move, 0, 1 or 2 half points.
fn solved() -> HashMap<<TicTacToe as GameState>::Key, (TicTacToe, u8)> {
    fn solve(
        state: &TicTacToe,
        known: &mut HashMap<<TicTacToe as GameState>::Key, (TicTacToe, u8)>,
    ) -> u8 {
        match state.outcome() {
            Some(Outcome::Win(winner)) => return if winner == state.mover() { 2 } else { 0 },
            Some(_) => return 1,
            None => {}
        }
        if let Some((_, worth)) = known.get(&state.key()) {
            return *worth;
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let worth = moves.iter().map(|mv| 2 - solve(&state.apply(mv), known)).max().unwrap();
        known.insert(state.key(), (*state, worth));
        worth
    }
    let mut known = HashMap::new();
    solve(&TicTacToe::new(), &mut known);
    known
}

/// Knows what each position of tic-tac-toe is worth, and perhaps its best moves.
#[derive(Clone)]
struct Exact {
    known: Arc<HashMap<<TicTacToe as GameState>::Key, (TicTacToe, u8)>>,
    knows_moves: bool,
}

impl Exact {
    fn worth(&self, state: &TicTacToe) -> u8 {
        match state.outcome() {
            Some(Outcome::Win(winner)) => 2 * u8::from(winner == state.mover()),
            Some(_) => 1,
            None => self.known[&state.key()].1,
        }
    }

    fn keeps(&self, state: &TicTacToe, mv: &<TicTacToe as GameState>::Move) -> bool {
        2 - self.worth(&state.apply(mv)) == self.worth(state)
    }
}

impl Network<TicTacToe> for Exact {
    fn evaluate(
        &self,
        questions: &[Question<'_, TicTacToe>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        for (at, Question { state, moves }) in questions.iter().enumerate() {
            answers.value(at, f32::from(self.worth(state)) / 2.0);
            if self.knows_moves {
                for (logit, mv) in answers.policy(at).iter_mut().zip(*moves) {
                    *logit = if self.keeps(state, mv) { 4.0 } else { 0.0 };
                }
            }
        }
        Ok(())
    }
}

/// In which share of some positions of tic-tac-toe the search keeps their worth, without proofs.
fn kept(exact: &Exact, settings: MctsBuilder<TicTacToe>, simulations: u64) -> f64 {
    let mut mcts = settings.proofs(false).reuse(false).build().unwrap();
    let mut positions: Vec<_> = exact.known.values().map(|(state, _)| state).collect();
    positions.sort_by_key(|state| state.position_text());
    let budget = Budget::simulations(simulations);
    let positions: Vec<_> = positions.into_iter().step_by(5).collect();
    let keeps = |state: &&&TicTacToe| {
        let best = mcts.best_move(state, &budget).unwrap();
        exact.keeps(state, &best)
    };
    let count = positions.len();
    positions.iter().filter(keeps).count() as f64 / count as f64
}

#[test]
fn exact_answers_keep_the_worth_of_every_position() {
    let exact = Exact { known: Arc::new(solved()), knows_moves: true };
    assert_eq!(kept(&exact, with(exact.clone()), 50), 1.0);
}

#[test]
fn exact_values_are_no_worse_with_priors_that_are_alike_than_with_ucb1() {
    let exact = Exact { known: Arc::new(solved()), knows_moves: false };
    for simulations in [50, 100] {
        let puct = kept(&exact, with(exact.clone()), simulations);
        let ucb1 = with(exact.clone()).selection(Selection::Ucb1 { exploration: 0.45 });
        let ucb1 = kept(&exact, ucb1, simulations);
        assert!(puct >= ucb1, "{simulations}: {puct} and {ucb1}");
    }
}

#[test]
fn batches_cost_little() {
    let exact = Exact { known: Arc::new(solved()), knows_moves: false };
    let share = |batch| {
        let tap = |_: &[Question<'_, TicTacToe>], _: &mut Answers| Ok(());
        let network = Tapped { network: exact.clone(), batch, tap };
        kept(&exact, with(network), 100)
    };
    let (alone, together) = (share(1), share(16));
    assert!(together >= alone - 0.02 && together > 0.97, "{alone} and {together}");
}

/// Knows late positions of Connect Four from the solver.
struct SolverNet(Mutex<Solver<ConnectFour>>);

impl SolverNet {
    /// -1, 0 or 1 for the side to move.
    fn worth(&self, state: &ConnectFour) -> i32 {
        if let Some(outcome) = state.outcome() {
            return match outcome {
                Outcome::Win(winner) if winner == state.mover() => 1,
                Outcome::Win(_) => -1,
                _ => 0,
            };
        }
        let mut solver = self.0.lock().unwrap();
        match solver.solve(state, &Budget::unlimited()).unwrap().proven().unwrap() {
            Proven::Win { .. } => 1,
            Proven::Draw => 0,
            Proven::Loss { .. } => -1,
        }
    }
}

impl Network<ConnectFour> for SolverNet {
    fn evaluate(
        &self,
        questions: &[Question<'_, ConnectFour>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        for (at, Question { state, moves }) in questions.iter().enumerate() {
            let worth = self.worth(state);
            answers.value(at, (worth + 1) as f32 / 2.0);
            for (logit, mv) in answers.policy(at).iter_mut().zip(*moves) {
                *logit = if -self.worth(&state.apply(mv)) == worth { 4.0 } else { 0.0 };
            }
        }
        Ok(())
    }
}

#[test]
fn the_solvers_answers_keep_the_worth_in_connect_four() {
    let network = Arc::new(SolverNet(Mutex::new(Solver::builder().threads(1).build().unwrap())));
    let mut mcts = with(Arc::clone(&network)).proofs(false).reuse(false).build().unwrap();
    let mut rng = Rng::from_seed(3);
    let mut searched = 0;
    while searched < 25 {
        let mut state = ConnectFour::new();
        while state.plies() < 24 && state.outcome().is_none() {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            state = state.apply(&moves[rng.below(moves.len())]);
        }
        if state.outcome().is_some() {
            continue;
        }
        searched += 1;
        let report = mcts.search(&state, &Budget::simulations(50)).unwrap();
        let after = state.apply(&report.best_move);
        assert_eq!(-network.worth(&after), network.worth(&state), "{}", state.position_text());
    }
}

#[test]
fn one_worker_and_a_seed_give_the_same_report() {
    let run = || {
        let mut mcts = with::<Othello>(Noise).build().unwrap();
        let mut report = mcts.search(&Othello::new(), &Budget::simulations(3_000)).unwrap();
        mcts.audit().unwrap();
        let network = report.network.unwrap();
        assert!(network.mean_batch() > 8.0, "{network:?}");
        report.elapsed = Duration::ZERO;
        format!("{report:?}")
    };
    assert_eq!(run(), run());
}

#[test]
fn rounds_give_the_same_report_for_any_number_of_workers() {
    fn run<G: GameState>(state: &G, workers: usize, selection: Option<Selection>) -> Vec<String> {
        let mut builder = Mcts::builder().network(Noise).seed(1);
        builder = builder.parallelism(Parallelism::Rounds).threads(workers).oversubscribe(true);
        if let Some(selection) = selection {
            builder = builder.selection(selection);
        }
        let mut mcts = builder.build().unwrap();
        let mut search = || {
            let mut report = mcts.search(state, &Budget::simulations(4_000)).unwrap();
            mcts.audit().unwrap();
            let asked = report.network.unwrap().evaluations;
            assert!(asked > 1_000, "{asked} questions");
            (report.elapsed, report.workers) = (Duration::ZERO, 0);
            format!("{report:?}")
        };
        vec![search(), search()]
    }
    for workers in [2, 8] {
        assert_eq!(run(&Othello::new(), workers, None), run(&Othello::new(), 1, None));
        let hex = Hex::new(5).unwrap();
        let tuned = Some(Selection::Ucb1Tuned);
        assert_eq!(run(&hex, workers, tuned), run(&hex, 1, tuned));
    }
}

#[test]
fn what_is_asked_is_open_and_not_too_much_at_a_time() {
    let asked = Arc::new(AtomicUsize::new(0));
    let before = Arc::clone(&asked);
    let tap = move |questions: &[Question<'_, ConnectFour>], _: &mut Answers| {
        let so_far = before.fetch_add(questions.len(), Ordering::Relaxed);
        let most = (so_far / 8).clamp(1, 32);
        assert!(questions.len() <= most, "{} at once after {so_far}", questions.len());
        for Question { state, moves } in questions {
            let mut legal = Vec::new();
            state.moves(&mut legal);
            assert!(state.outcome().is_none() && legal == *moves);
            // One that can be won at once is proven.
            let wins = |mv| state.apply(mv).outcome() == Some(Outcome::Win(state.mover()));
            assert!(!moves.iter().any(wins));
        }
        Ok(())
    };
    let mut mcts = with(Tapped { network: Noise, batch: 32, tap }).build().unwrap();
    let report = mcts.search(&ConnectFour::new(), &Budget::simulations(2_000)).unwrap();
    let network = report.network.unwrap();
    assert_eq!(network.evaluations, asked.load(Ordering::Relaxed) as u64);
    // The root is asked about before the first simulation.
    assert!(network.evaluations <= report.simulations + 1, "{network:?}");
    assert!(network.calls < network.evaluations / 10, "{network:?}");
    assert_eq!(report.simulations, 2_000);
}

#[test]
fn audits_hold_with_priors_and_little_memory() {
    let state = Othello::new();
    for (workers, parallelism) in
        [(1, Parallelism::Shared), (3, Parallelism::Shared), (2, Parallelism::Rounds)]
    {
        let builder = Mcts::builder().network(Noise).parallelism(parallelism);
        let builder = builder.threads(workers).oversubscribe(true).memory_limit(Some(400_000));
        let mut mcts = builder.build().unwrap();
        let mut state = state;
        let mut evicted = 0;
        for _ in 0..4 {
            let report = mcts.search(&state, &Budget::simulations(6_000)).unwrap();
            mcts.audit().unwrap();
            assert!(report.bytes <= 400_000, "{} bytes", report.bytes);
            let priors: f64 = report.moves.iter().map(|found| found.prior.unwrap()).sum();
            assert!((priors - 1.0).abs() < 1e-3, "priors of {priors}");
            evicted += report.evicted;
            state = state.apply(&report.best_move);
        }
        assert!(evicted > 1_000, "{evicted} evicted");
    }
}

#[test]
fn nodes_of_their_own_and_simulated_workers_ask_too() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(3_000);
    let settings: [fn(MctsBuilder<ConnectFour>) -> MctsBuilder<ConnectFour>; 5] = [
        |b| b.sharing(Sharing::PerPath),
        |b| b.parallelism(Parallelism::Simulated { workers: 4 }),
        |b| b.round_size(RoundSize::Fixed(64)),
        |b| b.selection(Selection::Ucb1 { exploration: 0.3 }),
        |b| b.expansion(Expansion::OnePerSimulation { from_visit: 3 }).contempt(1, 0.1),
    ];
    for (number, settings) in settings.into_iter().enumerate() {
        let mut mcts = settings(with(Noise)).build().unwrap();
        let report = mcts.search(&state, &budget).unwrap();
        mcts.audit().unwrap();
        assert_eq!(report.simulations, 3_000, "{number}");
        let root = mcts.node(&[], 7).unwrap();
        assert!(root.branches.iter().all(|branch| branch.in_flight == 0));
        assert_eq!(report.moves[0].prior.is_some(), number != 3);
    }
}

/// A network that fails or panics at one of its calls.
fn failing(panics: bool, calls: Arc<AtomicUsize>) -> impl Network<ConnectFour> {
    let tap = move |_: &[Question<'_, ConnectFour>], _: &mut Answers| {
        if calls.fetch_add(1, Ordering::Relaxed) == 30 {
            assert!(!panics, "the network panics");
            return Err(NetworkError::new(std::io::Error::other("the cable is out")));
        }
        Ok(())
    };
    Tapped { network: Noise, batch: 16, tap }
}

#[test]
fn a_network_that_fails_ends_the_search_and_no_other() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(2_000);
    for parallelism in
        [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 3 }]
    {
        for panics in [false, true] {
            let builder = Mcts::builder().network(failing(panics, Arc::default()));
            let builder = builder.parallelism(parallelism).threads(2).oversubscribe(true);
            let mut mcts = builder.build().unwrap();
            let result = panic::catch_unwind(AssertUnwindSafe(|| mcts.search(&state, &budget)));
            match result {
                Err(payload) => {
                    assert!(panics);
                    assert_eq!(payload.downcast_ref(), Some(&"the network panics"));
                }
                Ok(Err(SearchError::Network { error, .. })) => {
                    assert!(!panics && error.get().is::<std::io::Error>());
                    assert_eq!(error.to_string(), "the cable is out");
                }
                Ok(other) => panic!("{other:?}"),
            }
            // No mark is left, and no position waits for an answer for ever.
            mcts.audit().unwrap();
            let root = mcts.node_of(&state, 7).unwrap();
            assert!(root.branches.iter().all(|branch| branch.in_flight == 0));
            let report = mcts.search(&state, &budget).unwrap();
            assert_eq!(report.simulations, 2_000);
            mcts.audit().unwrap();
        }
    }
}

#[test]
fn answers_that_are_none_are_refused() {
    type Tap = fn(&[Question<'_, ConnectFour>], &mut Answers) -> Result<(), NetworkError>;
    let search = |tap: Tap| {
        let mut mcts = with(Tapped { network: Noise, batch: 4, tap }).build().unwrap();
        mcts.search(&ConnectFour::new(), &Budget::simulations(100)).unwrap_err()
    };
    let forgotten = search(|questions, answers| {
        answers.begin(questions);
        Ok(())
    });
    let text = forgotten.to_string();
    assert!(matches!(forgotten, SearchError::NetworkScores { .. }), "{text}");
    assert!(text.contains("found [NaN, NaN] after 0 plies"), "{text}");
    for wrong in [
        |_: &[Question<'_, ConnectFour>], answers: &mut Answers| {
            answers.value(0, 1.5);
            Ok(())
        },
        |_, answers| {
            answers.scores(0, &[0.5, 0.75]);
            Ok(())
        },
        |_, answers| {
            *answers = Answers::default();
            Ok(())
        },
    ] as [Tap; 3]
    {
        assert!(matches!(search(wrong), SearchError::NetworkScores { .. }));
    }
    let policy = search(|_, answers| {
        answers.policy(0)[3] = f32::INFINITY;
        Ok(())
    });
    assert!(matches!(policy, SearchError::NetworkPolicy { .. }), "{policy}");
}

#[test]
fn settings_that_do_not_go_with_a_network_are_refused() {
    let needs = |builder: MctsBuilder<Hex>| match builder.build() {
        Err(ConfigError::Needs { setting, needs }) => (setting, needs),
        other => panic!("{other:?}"),
    };
    let builder = || Mcts::<Hex>::builder().threads(1);
    let puct = builder().selection(Selection::puct());
    assert_eq!(
        puct.clone().build().unwrap_err().to_string(),
        "selection: expected a network with PUCT, found none"
    );
    assert_eq!(needs(puct), (Setting::Selection, Requirement::Network));
    let network = || builder().network(Noise);
    assert_eq!(
        needs(network().selection(Selection::grave())),
        (Setting::Network, Requirement::NoGrave)
    );
    assert_eq!(
        needs(network().cut_off(0, playtree::evaluate::NoEvaluation)),
        (Setting::CutOff, Requirement::NoNetwork)
    );
    assert_eq!(
        needs(network().prior(1, playtree::evaluate::NoEvaluation)),
        (Setting::Prior, Requirement::NoNetwork)
    );
    let decisive = RolloutMoves { decisive: Decisive::Wins, ..RolloutMoves::default() };
    assert_eq!(
        needs(network().rollout_moves(decisive)),
        (Setting::RolloutMoves, Requirement::NoNetwork)
    );
    assert_eq!(
        needs(network().expansion(Expansion::Everything)),
        (Setting::Expansion, Requirement::NotEverything)
    );
    for puct in [
        Puct { exploration: -1.0, ..Puct::default() },
        Puct { growth: 0.0, ..Puct::default() },
        Puct { reduction: f64::NAN, ..Puct::default() },
        Puct { temperature: 0.0, ..Puct::default() },
    ] {
        let built = network().selection(Selection::Puct(puct)).build();
        assert!(matches!(built, Err(ConfigError::OutOfRange { .. })), "{puct:?}");
    }
}

#[test]
fn a_cache_answers_what_was_asked_before() {
    let state = ConnectFour::new();
    let cached = Arc::new(Cached::new(Noise, 1 << 20));
    let search = || {
        let mut mcts = with(Arc::clone(&cached)).build().unwrap();
        let mut report = mcts.search(&state, &Budget::simulations(500)).unwrap();
        report.elapsed = Duration::ZERO;
        report
    };
    let (mut first, mut second) = (search(), search());
    let (asked, known) = (first.network.take().unwrap(), second.network.take().unwrap());
    assert_eq!((asked.cached, known.cached), (0, asked.evaluations));
    assert_eq!(cached.positions() as u64, asked.evaluations);
    assert_eq!(first, second);

    // With little memory it remembers less, and answers alike.
    let small = Arc::new(Cached::new(Noise, 8 << 10));
    let mut mcts = with(Arc::clone(&small)).build().unwrap();
    let mut report = mcts.search(&state, &Budget::simulations(500)).unwrap();
    (report.elapsed, report.network) = (Duration::ZERO, None);
    assert_eq!(report, first);
    let positions = small.positions();
    assert!((10..150).contains(&positions), "{positions}");
}

#[test]
fn an_evaluation_stands_in_for_a_network() {
    /// The number of moves, and beyond its limit on the second ply.
    struct Moves;

    impl Evaluate<ConnectFour> for Moves {
        fn evaluate(&self, state: &ConnectFour) -> i32 {
            if state.plies() == 2 { VALUE_LIMIT + 1 } else { 10 * state.plies() as i32 }
        }

        fn promise(&self, _: &ConnectFour, mv: &<ConnectFour as GameState>::Move) -> i32 {
            mv.index() as i32
        }
    }

    let state = ConnectFour::parse_position("445").unwrap();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let question = [Question { state: &state, moves: &moves }];
    let mut answers = Answers::of(&question);
    OneByOne(Moves).evaluate(&question, &mut answers).unwrap();
    let value = Evaluate::<ConnectFour>::win_rate(&Moves, 30) as f32;
    assert_eq!(answers.scores_of(0), [1.0 - value, value]);
    assert_eq!(answers.policy_of(0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);

    let mut mcts = with(OneByOne(Moves)).build().unwrap();
    let error = mcts.search(&ConnectFour::new(), &Budget::simulations(500)).unwrap_err();
    assert!(error.to_string().contains("expected a value from -1000000"), "{error}");
    let mut mcts = with(OneByOne(ConnectFourEvaluation::default())).build().unwrap();
    let report = mcts.search(&ConnectFour::new(), &Budget::simulations(500)).unwrap();
    assert!(report.network.unwrap().mean_batch() <= 1.0);
}

#[test]
fn some_moves_of_the_root_share_the_priors() {
    let state = ConnectFour::new();
    let mut mcts = with(Noise).build().unwrap();
    let budget = Budget::simulations(200);
    let all = mcts.search(&state, &budget).unwrap();
    let prior = |report: &playtree::mcts::Report<<ConnectFour as GameState>::Move>, mv| {
        report.moves.iter().find(|found| found.mv == mv).unwrap().prior.unwrap()
    };
    let two = [all.moves[0].mv, all.moves[1].mv];
    let some = mcts.search_with(&state, &budget, &Options::new().only(two)).unwrap();
    let ratio = |report| prior(report, two[0]) / prior(report, two[1]);
    assert!((ratio(&some) / ratio(&all) - 1.0).abs() < 1e-3);
    assert!((prior(&some, two[0]) + prior(&some, two[1]) - 1.0).abs() < 1e-6);
    mcts.audit().unwrap();
}

#[test]
fn a_loaded_table_asks_for_its_priors_again() {
    let file = std::env::temp_dir().join(format!("playtree-network-{}", std::process::id()));
    let tag = GameTag::new("connect4", 1);
    let state = ConnectFour::new();
    let budget = Budget::simulations(500);
    let mut mcts = with(Noise).build().unwrap();
    mcts.search(&state, &budget).unwrap();
    mcts.save(&file, &tag, &save::Options::default()).unwrap();
    let priors = |mcts: &Mcts<ConnectFour>, line: &[<ConnectFour as GameState>::Move]| {
        let node = mcts.node(line, 7).unwrap();
        let mut priors: Vec<_> =
            node.branches.iter().map(|branch| (branch.mv, branch.prior.unwrap())).collect();
        priors.sort_by_key(|(mv, _)| format!("{mv:?}"));
        priors
    };
    let mut loaded = with(Noise).build().unwrap();
    loaded.load(&file, &tag).unwrap();
    let report = loaded.search(&state, &budget).unwrap();
    assert!(report.visits() > 900);
    loaded.audit().unwrap();
    let best = [report.best_move];
    for line in [&[][..], &best] {
        assert_eq!(priors(&loaded, line), priors(&mcts, line));
    }
    // And a search without a network goes on from what was found.
    let mut plain = Mcts::<ConnectFour>::builder().threads(1).build().unwrap();
    plain.load(&file, &tag).unwrap();
    plain.search(&state, &budget).unwrap();
    plain.audit().unwrap();
    std::fs::remove_file(&file).unwrap();
}

/// The most questions of a call in Hex, whose positions have up to 121 moves, with this limit.
fn most_questions(memory_limit: usize) -> usize {
    let most = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&most);
    let tap = move |questions: &[Question<'_, Hex>], _: &mut Answers| {
        seen.fetch_max(questions.len(), Ordering::Relaxed);
        Ok(())
    };
    let network = Tapped { network: Noise, batch: 4096, tap };
    let mut mcts = with(network).memory_limit(Some(memory_limit)).build().unwrap();
    let report = mcts.search(&Hex::new(11).unwrap(), &Budget::simulations(4_000)).unwrap();
    assert_eq!(report.simulations, 4_000);
    most.load(Ordering::Relaxed)
}

#[test]
fn questions_fit_in_the_memory_of_a_round() {
    // A move, its number and its prior; lists that grow hold up to three times what is in them.
    let of_question = 3 * 115 * (size_of::<<Hex as GameState>::Move>() + 8);
    for limit in [2_000_000, 4_000_000] {
        // A 16th is for the rounds under way: here there is one.
        let (most, room) = (most_questions(limit), limit / 16);
        assert!(most > 16 && most * of_question <= room, "{most} questions in {room} bytes");
    }
}

/// Three players move in turn, each three times; who gets how much is up to the moves.
#[derive(Clone)]
pub(crate) struct Trio {
    path: Vec<u8>,
}

impl Trio {
    pub(crate) fn new() -> Self {
        Self { path: Vec::new() }
    }

    /// What each player gets for his own moves, and a little of what the others leave.
    fn worth(&self) -> [f32; 3] {
        let mut scores = [0.1; 3];
        for (ply, mv) in self.path.iter().enumerate() {
            scores[ply % 3] += 0.1 * f32::from(*mv);
            scores[(ply + 1) % 3] -= 0.01 * f32::from(*mv);
        }
        scores
    }
}

impl GameState for Trio {
    type Key = Vec<u8>;
    type Move = u8;
    const PLAYERS: usize = 3;

    fn key(&self) -> Vec<u8> {
        self.path.clone()
    }

    fn mover(&self) -> usize {
        self.path.len() % 3
    }

    fn plies(&self) -> u32 {
        self.path.len() as u32
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..3);
    }

    fn outcome(&self) -> Option<Outcome> {
        let scores = self.worth().map(f64::from);
        (self.path.len() == 9).then(|| Outcome::Scores(Scores::new(&scores).unwrap()))
    }

    fn apply(&self, mv: &u8) -> Self {
        let mut next = self.clone();
        next.path.push(*mv);
        next
    }
}

/// Says what each player has got so far, and likes the worst moves best.
pub(crate) struct OfTrio;

impl Network<Trio> for OfTrio {
    fn evaluate(
        &self,
        questions: &[Question<'_, Trio>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        for (at, question) in questions.iter().enumerate() {
            answers.scores(at, &question.state.worth());
            answers.policy(at).copy_from_slice(&[1.0, 0.5, 0.0]);
        }
        Ok(())
    }
}

#[test]
fn each_of_three_players_goes_by_his_own_value() {
    for parallelism in [Parallelism::Shared, Parallelism::Rounds] {
        let mut mcts = with(OfTrio).parallelism(parallelism).build().unwrap();
        let mut state = Trio::new();
        while state.outcome().is_none() {
            let report = mcts.search(&state, &Budget::simulations(400)).unwrap();
            mcts.audit().unwrap();
            // Each gets most for the third move, whatever the others do.
            assert_eq!(report.best_move, 2, "after {:?}", state.path);
            let own = report.scores[state.mover()];
            assert!((own - report.win_rate).abs() < 1e-6, "{own} and {}", report.win_rate);
            state = state.apply(&2);
        }
        assert_eq!(state.worth().map(|score| (score * 100.0).round()), [64.0; 3]);
    }
}
