//! What a caller may rely on: budgets, errors, reuse, memory, and games of one and of many
//! players.

#![cfg(feature = "games")]

use std::cell::Cell;
use std::time::Duration;

use playtree::error::{ConfigError, Setting};
use playtree::game::RolloutPolicy;
use playtree::games::{ConnectFour, ConnectFourEvaluation, Hex, TicTacToe};
use playtree::mcts::{
    self, Expansion, InFlight, Parallelism, RoundSize, Selection, Sharing, TableLocks,
};
use playtree::{
    Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, Rng, Scores, SearchError, StopReason,
    StopToken,
};

fn engine<G: GameState>() -> Mcts<G> {
    Mcts::builder().threads(1).build().unwrap()
}

// ---- budgets ----------------------------------------------------------------------------

#[test]
fn budgets_of_no_and_of_one_simulation_give_a_move() {
    for workers in [1, 2] {
        for simulations in [0, 1] {
            let builder = Mcts::builder().threads(workers).oversubscribe(true);
            let mut mcts = builder.build().unwrap();
            let mut state = TicTacToe::new();
            while state.outcome().is_none() {
                let report = mcts.search(&state, &Budget::simulations(simulations)).unwrap();
                let audit = mcts.audit().unwrap();
                // A position with one free square may be proven before it is searched.
                assert!(report.simulations <= simulations);
                assert!(audit.nodes >= 1);
                assert_eq!(report.moves.len(), 9 - state.plies() as usize);
                assert_eq!(report.moves[0].mv, report.best_move);
                assert_eq!(report.moves[0].pv[0], report.best_move);
                if simulations == 0 {
                    // Nothing is known but the moves that end the game.
                    let known = |m: &mcts::MoveReport<_>| m.win_rate.is_some() || m.lcb.is_some();
                    assert!(report.moves.iter().all(|m| known(m) == m.proven.is_some()));
                }
                state = state.apply(&report.best_move);
            }
        }
    }
}

#[test]
fn every_simulation_of_the_budget_is_done() {
    for workers in [1, 2, 5] {
        for simulations in [2, 7, 100, 12_345] {
            let builder = Mcts::builder().threads(workers).oversubscribe(true);
            let mut mcts = builder.build().unwrap();
            let budget = Budget::simulations(simulations).and_time(Duration::from_secs(60));
            let report = mcts.search(&ConnectFour::new(), &budget).unwrap();
            assert_eq!(report.simulations, simulations, "{workers} worker(s)");
            assert_eq!(report.stop_reason, StopReason::Simulations);
        }
    }
}

#[test]
fn the_first_limit_reached_stops_the_search() {
    let state = ConnectFour::new();
    let time = Duration::from_millis(30);
    let report = engine().search(&state, &Budget::time(time).and_nodes(u64::MAX)).unwrap();
    assert_eq!(report.stop_reason, StopReason::Time);
    assert!(report.elapsed >= time && report.simulations > 0);

    let budget = Budget::nodes(500).and_time(Duration::from_secs(60));
    let report = engine().search(&state, &budget).unwrap();
    assert_eq!(report.stop_reason, StopReason::Nodes);
    assert!((500..1_000).contains(&report.nodes), "{}", report.nodes);

    let token = StopToken::new();
    token.stop();
    let report = engine().search(&state, &Budget::until(&token)).unwrap();
    assert_eq!((report.stop_reason, report.simulations), (StopReason::Stopped, 0));
}

// ---- errors -----------------------------------------------------------------------------

#[test]
fn a_search_that_cannot_be_run_is_an_error() {
    let mut mcts = engine();
    let won = TicTacToe::parse_position("XXXOO....").unwrap();
    let budget = Budget::simulations(10);
    assert_eq!(mcts.search(&won, &budget).unwrap_err(), SearchError::GameOver(Outcome::Win(0)));
    let start = TicTacToe::new();
    assert_eq!(mcts.search(&start, &Budget::default()).unwrap_err(), SearchError::Unlimited);
    assert!(mcts.search(&start, &budget).is_ok(), "the engine is usable after an error");
    mcts.audit().unwrap();
}

#[test]
fn a_setting_out_of_range_is_named() {
    let refused = |settings: fn(MctsBuilder<TicTacToe>) -> MctsBuilder<TicTacToe>| {
        let builder = settings(Mcts::builder());
        let checked = builder.check().unwrap_err();
        let error = builder.build().map(drop).unwrap_err();
        assert_eq!(checked.to_string(), error.to_string());
        error
    };
    for (setting, error) in [
        (Setting::Threads, refused(|b| b.threads(0))),
        (Setting::Threads, refused(|b| b.threads(1_000_000))),
        (Setting::Exploration, refused(|b| b.selection(Selection::Ucb1 { exploration: -1.0 }))),
        (Setting::Exploration, refused(|b| b.selection(Selection::Ucb1 { exploration: f64::NAN }))),
        (Setting::WarmUp, refused(|b| b.warm_up(0))),
        (
            Setting::Expansion,
            refused(|b| b.expansion(Expansion::OnePerSimulation { from_visit: 0 })),
        ),
        (Setting::Table, refused(|b| b.table(TableLocks::Shards(0)))),
        (Setting::InFlight, refused(|b| b.in_flight(InFlight::VirtualLoss { weight: 0.0 }))),
        (Setting::InFlight, refused(|b| b.in_flight(InFlight::VirtualLoss { weight: f64::NAN }))),
        (Setting::RoundSize, refused(|b| b.round_size(RoundSize::Fixed(0)))),
        (Setting::RoundSize, refused(|b| b.round_size(RoundSize::Adaptive { most: 1 << 20 }))),
        (Setting::RolloutLimit, refused(|b| b.rollout_limit(0))),
        (Setting::RolloutsPerLeaf, refused(|b| b.rollouts_per_leaf(0))),
        (Setting::RolloutsPerLeaf, refused(|b| b.rollouts_per_leaf(65))),
    ] {
        assert_eq!(error.setting(), Some(setting), "{error}");
        assert!(matches!(error, ConfigError::OutOfRange { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("{setting}: expected ")), "{error}");
    }
}

#[test]
fn a_refusal_says_what_was_expected_and_what_was_found() {
    let refused = |settings: fn(MctsBuilder<TicTacToe>) -> MctsBuilder<TicTacToe>| {
        settings(Mcts::builder()).build().map(drop).unwrap_err().to_string()
    };
    for (text, error) in [
        ("threads: expected 1 to 1024, found 0", refused(|b| b.threads(0))),
        (
            "parallelism: expected 1 to 1024 simulated workers, found 0",
            refused(|b| b.parallelism(Parallelism::Simulated { workers: 0 })),
        ),
        (
            "selection: expected an exploration constant of 0 to 1000000, found -1",
            refused(|b| b.selection(Selection::Ucb1 { exploration: -1.0 })),
        ),
        ("warm_up: expected at least 1 visit, found 0", refused(|b| b.warm_up(0))),
        (
            "expansion: expected from the first visit or later, found visit 0",
            refused(|b| b.expansion(Expansion::OnePerSimulation { from_visit: 0 })),
        ),
        (
            "table: expected 1 to 65536 shards, found 65537",
            refused(|b| b.table(TableLocks::Shards(65_537))),
        ),
        (
            "in_flight: expected a weight above 0, at most 1000000, found 0",
            refused(|b| b.in_flight(InFlight::VirtualLoss { weight: 0.0 })),
        ),
        (
            "round_size: expected 1 to 4096 simulations, found 4097",
            refused(|b| b.round_size(RoundSize::Fixed(4097))),
        ),
        ("rollout_limit: expected at least 1 ply, found 0", refused(|b| b.rollout_limit(0))),
        (
            "rollouts_per_leaf: expected 1 to 64 rollouts, found 65",
            refused(|b| b.rollouts_per_leaf(65)),
        ),
        (
            "contempt: expected a player of the game, found player 2 of 2",
            refused(|b| b.contempt(2, 0.1)),
        ),
        ("contempt: expected -0.5 to 0.5, found 0.6", refused(|b| b.contempt(0, 0.6))),
    ] {
        assert_eq!(error, text);
    }
}

/// A game that breaks a law after some plies.
#[derive(Clone, Copy)]
struct Lawless {
    plies: u32,
    law: Law,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    SomeMoves,
    MoverInRange,
    FewMoves,
}

impl Lawless {
    fn breaks(&self, law: Law) -> bool {
        self.law == law && self.plies >= 3
    }
}

impl GameState for Lawless {
    type Key = u32;
    type Move = u32;

    fn key(&self) -> u32 {
        self.plies
    }

    fn mover(&self) -> usize {
        if self.breaks(Law::MoverInRange) { 2 } else { (self.plies % 2) as usize }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.plies < 10 && !self.breaks(Law::SomeMoves) {
            moves.extend(0..if self.breaks(Law::FewMoves) { 70_000 } else { 2 });
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 10).then_some(Outcome::Draw)
    }

    fn apply(&self, _mv: &u32) -> Self {
        Self { plies: self.plies + 1, ..*self }
    }
}

#[test]
fn a_broken_law_is_named() {
    for workers in [1, 2] {
        for (law, error) in [
            (Law::SomeMoves, SearchError::NoMoves { plies: 3 }),
            (Law::MoverInRange, SearchError::Mover { found: 2, players: 2, plies: 3 }),
            (Law::FewMoves, SearchError::TooManyMoves { found: 70_000, plies: 3 }),
        ] {
            let builder = Mcts::builder().threads(workers).oversubscribe(true);
            let mut mcts = builder.build().unwrap();
            let state = Lawless { plies: 0, law };
            let found = mcts.search(&state, &Budget::simulations(10_000)).unwrap_err();
            assert_eq!(found, error);
            mcts.audit().unwrap_or_else(|error| panic!("{law:?}: {error}"));
            // At the root itself.
            let state = Lawless { plies: 3, law };
            assert_eq!(mcts.search(&state, &Budget::simulations(10)).unwrap_err(), error);
        }
    }
}

// ---- reuse and memory -------------------------------------------------------------------

#[test]
fn a_second_search_goes_on_from_the_first() {
    let mut mcts = Mcts::builder().threads(1).proofs(false).build().unwrap();
    let start = ConnectFour::new();
    let first = mcts.search(&start, &Budget::simulations(10_000)).unwrap();
    let next = start.apply(&first.best_move);
    let visits = |report: &mcts::Report<_>| report.moves.iter().map(|m| m.visits).sum::<u64>();
    let second = mcts.search(&next, &Budget::simulations(1)).unwrap();
    assert!(visits(&second) > 1_000, "{}", visits(&second));
    assert_eq!(mcts.search(&start, &Budget::simulations(0)).unwrap().nodes, second.nodes);

    mcts.forget();
    let forgotten = mcts.search(&next, &Budget::simulations(1)).unwrap();
    assert_eq!((visits(&forgotten), forgotten.simulations), (1, 1));
    assert!(forgotten.nodes <= 2);
    mcts.audit().unwrap();
}

#[test]
fn a_cleared_engine_is_like_a_new_one() {
    let start = ConnectFour::new();
    let budget = Budget::simulations(5_000);
    let visits = |mcts: &mut Mcts<_>| {
        let report = mcts.search(&start, &budget).unwrap();
        report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
    };
    let mut mcts = engine();
    let first = visits(&mut mcts);
    assert_ne!(visits(&mut mcts), first);
    mcts.forget();
    assert_eq!(visits(&mut mcts), first);
}

/// The nodes of a search of 100 000 simulations from here.
fn nodes_after<G: GameState + 'static>(state: &G, builder: MctsBuilder<G>) -> u64 {
    let mut mcts = builder
        .threads(1)
        .rollouts_per_leaf(1)
        .proofs(false)
        .build()
        .expect("the settings are in range");
    mcts.search(state, &Budget::simulations(100_000)).expect("the position can be searched").nodes
}

#[test]
fn in_a_large_tree_positions_become_nodes_late() {
    fn check<G: GameState + 'static>(start: &G, branches: u64, late: u32) {
        let from_visit = |from_visit| {
            let expansion = Expansion::OnePerSimulation { from_visit };
            nodes_after(start, Mcts::builder().expansion(expansion))
        };
        let [first, second, later] = [1, 2, late].map(from_visit);
        let adaptive = nodes_after(start, Mcts::builder());
        println!(
            "{branches} branches, nodes from a fixed visit on: {first} (1), {second} (2), {later} ({late}); adaptive: {adaptive}"
        );
        // Nodes as from each first visit until the tree is large, then as from each late one.
        let small = Expansion::SMALL_TREE * 8 / branches.max(8);
        assert!(first > 3 * second && 2 * second > 3 * later, "{first}, {second}, {later}");
        assert!((small..small + later).contains(&adaptive), "{adaptive}, {later}");
    }
    check(&ConnectFour::new(), 7, 4);
    // Wide positions, of up to 49 branches.
    check(&Hex::new(7).expect("a size that there is"), 49, Expansion::LATEST_VISIT);
}

#[test]
fn what_is_known_of_positions_makes_nodes_of_them_sooner() {
    // The nodes of a search with an evaluation after `plies` random moves: as they are made by
    // default, from the second visit of a branch on, and later.
    let nodes = |plies| {
        let builder = || Mcts::builder().cut_off(plies, ConnectFourEvaluation::new());
        let from_visit = |from_visit| Expansion::OnePerSimulation { from_visit };
        [Expansion::Adaptive, from_visit(2), from_visit(4)]
            .map(|expansion| nodes_after(&ConnectFour::new(), builder().expansion(expansion)))
    };
    // An evaluation says the same of a position at each visit, so that the second one makes a node.
    let [evaluated, second, later] = nodes(0);
    println!("nodes with an evaluation: {evaluated}, {second} (2), {later} (4)");
    let small = Expansion::SMALL_TREE;
    assert!(second > later && (second..=second + small).contains(&evaluated), "{evaluated}");
    // What chance makes of a position differs each time.
    let [by_chance, second, later] = nodes(4);
    println!("after some random moves: {by_chance}, {second} (2), {later} (4)");
    assert!(2 * later < second && (small..small + later).contains(&by_chance), "{by_chance}");
}

thread_local! {
    /// Rollouts of [`Watched`], leaves that they came from, and the last of these.
    static ROLLOUTS: Cell<(u64, u64, Option<<ConnectFour as GameState>::Key>)> = const { Cell::new((0, 0, None)) };
}

/// Connect Four, counting how many rollouts in a row start from the same position.
#[derive(Clone)]
struct Watched(ConnectFour);

impl GameState for Watched {
    type Move = <ConnectFour as GameState>::Move;
    type Key = <ConnectFour as GameState>::Key;

    fn key(&self) -> Self::Key {
        self.0.key()
    }

    fn mover(&self) -> usize {
        self.0.mover()
    }

    fn plies(&self) -> u32 {
        self.0.plies()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.0.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        Self(self.0.apply(mv))
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        Watching
    }
}

struct Watching;

impl RolloutPolicy<Watched> for Watching {
    fn play(&self, state: &Watched, rng: &mut Rng) -> Option<Outcome> {
        let (rollouts, leaves, last) = ROLLOUTS.get();
        let is_new = last != Some(state.key());
        ROLLOUTS.set((rollouts + 1, leaves + u64::from(is_new), Some(state.key())));
        ConnectFour::rollouts().play(&state.0, rng)
    }
}

#[test]
fn in_long_rounds_a_leaf_is_rolled_out_from_several_times() {
    // Rollouts and leaves of the second of two searches: the first has short rounds.
    let counts = |builder: MctsBuilder<Watched>| {
        let mut mcts = builder.threads(1).build().expect("the settings are in range");
        let start = Watched(ConnectFour::new());
        mcts.search(&start, &Budget::simulations(40_000)).expect("the start can be searched");
        ROLLOUTS.set((0, 0, None));
        // Enough simulations for long rounds.
        mcts.search(&start, &Budget::simulations(262_144)).expect("the start can be searched");
        mcts.audit().expect("the table is sound");
        let (rollouts, leaves, _) = ROLLOUTS.get();
        println!("{rollouts} rollouts from {leaves} leaves");
        (rollouts, leaves)
    };
    for together in [1, 4, 16] {
        let (rollouts, leaves) = counts(Mcts::builder().rollouts_per_leaf(together));
        // Rounds of this search have 1 024 simulations, in 64 groups or more.
        assert!(rollouts > 230_000, "{rollouts}");
        // What is left over makes smaller groups, and two groups may meet at a leaf.
        let groups = rollouts / u64::from(together);
        assert!((groups * 3 / 4..groups * 3 / 2).contains(&leaves), "{together}: {leaves}");
    }
    // They go alone where a position has no rollouts to hand on.
    for alone in [
        Mcts::builder().selection(Selection::Ucb1Tuned),
        Mcts::builder().round_size(RoundSize::Fixed(64)),
    ] {
        let (rollouts, leaves) = counts(alone);
        assert!(leaves > rollouts * 3 / 4, "{leaves} of {rollouts}");
    }
}

#[test]
fn at_the_memory_limit_the_search_goes_on() {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        for workers in [1, 2] {
            for limit in [50_000, 400_000] {
                let mut mcts = Mcts::builder()
                    .threads(workers)
                    .oversubscribe(true)
                    .sharing(scheme)
                    .memory_limit(Some(limit))
                    .build()
                    .unwrap();
                let budget = Budget::simulations(50_000);
                let report = mcts.search(&ConnectFour::new(), &budget).unwrap();
                assert!(report.memory_full, "{scheme:?} {limit}");
                assert!(report.best_move.index() < 7);
                assert_eq!(report.simulations, 50_000, "{scheme:?} {limit}");
                println!("{scheme:?}, {workers} worker(s), limit {limit}: {} bytes", report.bytes);
                mcts.audit().unwrap();
                mcts.forget();
                mcts.search(&ConnectFour::new(), &Budget::simulations(10)).unwrap();
                mcts.audit().unwrap();
            }
        }
    }
}

#[test]
fn a_search_ends_where_the_branches_of_the_root_have_no_room() {
    let state = ConnectFour::new();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let some = mcts::Options::new().except([moves[0]]);
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        for limit in (2_000..16_000).step_by(500) {
            let builder = Mcts::builder().threads(1).sharing(scheme);
            let Ok(mut mcts) = builder.memory_limit(Some(limit)).build() else { continue };
            for options in [&mcts::Options::new(), &some, &mcts::Options::new(), &some] {
                let report = mcts.search_with(&state, &Budget::simulations(300), options).unwrap();
                let searched = if report.nodes > 0 { 300 } else { 0 };
                assert!([0, searched].contains(&report.simulations), "{scheme:?} {limit}");
                mcts.audit().unwrap();
            }
        }
    }
}

/// The least memory limit that is accepted is the one that the error names, and enough for a
/// search.
#[test]
fn a_memory_limit_without_room_for_a_position_is_refused() {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        for selection in [Selection::default(), Selection::Ucb1Tuned] {
            for (workers, table) in [(1, TableLocks::Shards(64)), (7, TableLocks::OneLock)] {
                let builder = || {
                    Mcts::builder()
                        .threads(workers)
                        .oversubscribe(true)
                        .sharing(scheme)
                        .selection(selection)
                        .table(table)
                };
                let refused = |limit| {
                    let builder = builder().memory_limit(Some(limit));
                    let checked = builder.check().err();
                    let built: Result<Mcts<ConnectFour>, _> = builder.build();
                    assert_eq!(checked.as_ref(), built.as_ref().err());
                    built.err()
                };
                let error = refused(0).expect("an error");
                let ConfigError::MemoryLimit { least, found: 0 } = error else {
                    panic!("{error}");
                };
                let message = error.to_string();
                assert_eq!(
                    message,
                    format!(
                        "memory_limit: expected at least {least} bytes with these settings, \
                         found 0"
                    )
                );
                assert!(refused(least - 1).is_some() && refused(least).is_none(), "{message}");
                let mut mcts = builder().memory_limit(Some(least)).build().unwrap();
                let report = mcts.search(&ConnectFour::new(), &Budget::simulations(500)).unwrap();
                assert_eq!(report.simulations, 500, "{message}");
                assert!(report.bytes <= least as u64, "{} of {least}", report.bytes);
                mcts.audit().unwrap();
            }
        }
    }
}

/// A wide position that ends with the next move: more moves than a small limit has room for.
#[derive(Clone)]
struct Wide {
    moves: u32,
    plies: u32,
}

impl GameState for Wide {
    type Key = u32;
    type Move = u32;

    fn key(&self) -> u32 {
        self.plies
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..if self.plies == 0 { self.moves } else { 0 });
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies > 0).then_some(Outcome::Draw)
    }

    fn apply(&self, _: &u32) -> Self {
        Self { plies: self.plies + 1, ..*self }
    }
}

#[test]
fn a_position_without_room_says_so_and_looks_even() {
    let state = Wide { moves: 60_000, plies: 0 };
    let mut mcts = Mcts::builder().threads(2).oversubscribe(true).memory_limit(Some(200_000));
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        mcts = mcts.sharing(scheme);
        let report = mcts.clone().build().unwrap().search(&state, &Budget::simulations(100));
        let in_background =
            mcts.clone().build().unwrap().start(&state, &Budget::unlimited()).wait();
        for report in [report, in_background] {
            let report = report.unwrap();
            assert_eq!(report.stop_reason, StopReason::Memory, "{scheme:?}");
            assert_eq!((report.simulations, report.win_rate), (0, 0.5), "{scheme:?}");
            assert_eq!((report.scores, report.best_move), (vec![0.5, 0.5], 0));
            assert_eq!((report.moves.len(), report.moves[0].win_rate), (60_000, None));
        }
    }
}

// ---- one and many players ---------------------------------------------------------------

/// A game of three players and three plies on an explicit tree with three branches.
#[derive(Clone)]
struct Three {
    path: Vec<usize>,
    movers: [usize; 3],
}

/// The scores at the end of a path, which no two paths share.
fn three_scores(path: &[usize]) -> [f64; 3] {
    let number = path.iter().fold(0, |number, mv| number * 3 + mv) as u64;
    [1, 2, 3].map(|player| {
        let random = (number * 3 + player).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (random >> 40) as f64 / (1u64 << 24) as f64
    })
}

impl GameState for Three {
    type Key = Vec<usize>;
    type Move = usize;
    const PLAYERS: usize = 3;

    fn key(&self) -> Vec<usize> {
        self.path.clone()
    }

    fn mover(&self) -> usize {
        self.movers.get(self.path.len()).copied().unwrap_or(0)
    }

    fn plies(&self) -> u32 {
        self.path.len() as u32
    }

    fn moves(&self, moves: &mut Vec<usize>) {
        if self.path.len() < 3 {
            moves.extend(0..3);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let end = || Outcome::Scores(Scores::new(&three_scores(&self.path)).unwrap());
        (self.path.len() == 3).then(end)
    }

    fn apply(&self, mv: &usize) -> Self {
        let mut next = self.clone();
        next.path.push(*mv);
        next
    }
}

/// Max^n: each maximises his own score.
fn three_best(state: &Three) -> ([f64; 3], usize) {
    let solve = |mv: usize| {
        let next = state.apply(&mv);
        if next.path.len() == 3 { three_scores(&next.path) } else { three_best(&next).0 }
    };
    let player = state.mover();
    let answers = [0, 1, 2].map(solve);
    let best = (0..3).max_by(|&a, &b| answers[a][player].total_cmp(&answers[b][player]));
    (answers[best.unwrap()], best.unwrap())
}

#[test]
fn three_players_each_maximise_their_own_score() {
    for movers in [[0, 1, 2], [2, 0, 1], [1, 1, 0], [0, 2, 2]] {
        for selection in [Selection::default(), Selection::Ucb1Tuned] {
            for workers in [1, 2] {
                let builder = Mcts::builder().threads(workers).oversubscribe(true);
                let mut mcts = builder.selection(selection).build().unwrap();
                let state = Three { path: Vec::new(), movers };
                let report = mcts.search(&state, &Budget::simulations(100_000)).unwrap();
                mcts.audit().unwrap();
                let (scores, best) = three_best(&state);
                assert_eq!(report.best_move, best, "{movers:?} {selection:?}");
                for (found, exact) in report.scores.iter().zip(scores) {
                    assert!((found - exact).abs() < 0.05, "{:?} {scores:?}", report.scores);
                }
                assert_eq!(report.win_rate, report.scores[movers[0]]);
            }
        }
    }
}

/// Count up to ten by steps of one or two; alone, or with one of two players moving three
/// times in a row.
#[derive(Clone, Copy)]
struct Count<const PLAYERS: usize> {
    count: u32,
    plies: u32,
}

impl<const PLAYERS: usize> GameState for Count<PLAYERS> {
    type Key = (u32, u32);
    type Move = u32;
    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> Self::Key {
        (self.count, self.plies)
    }

    fn mover(&self) -> usize {
        if PLAYERS == 1 { 0 } else { (self.plies / 3 % 2) as usize }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.count < 10 {
            moves.extend([1, 2]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        // Who comes to exactly ten wins; at eleven the last mover has lost.
        if self.count < 10 {
            return None;
        }
        let last = if PLAYERS == 1 { 0 } else { ((self.plies - 1) / 3 % 2) as usize };
        match self.count {
            10 => Some(Outcome::Win(last)),
            _ if PLAYERS == 1 => Some(Outcome::Scores(Scores::default())),
            _ => Some(Outcome::Win(1 - last)),
        }
    }

    fn apply(&self, step: &u32) -> Self {
        Self { count: self.count + step, plies: self.plies + 1 }
    }
}

/// Whether player 0 wins.
fn count_wins<const PLAYERS: usize>(state: &Count<PLAYERS>) -> bool {
    if let Some(outcome) = state.outcome() {
        return outcome.score(0) == 1.0;
    }
    let mut answers = [1, 2].into_iter().map(|step| count_wins(&state.apply(&step)));
    if state.mover() == 0 { answers.any(|wins| wins) } else { answers.all(|wins| wins) }
}

fn count_all<const PLAYERS: usize>() {
    for count in 0..10 {
        for plies in 0..6 {
            let state = Count::<PLAYERS> { count, plies };
            let report = engine().search(&state, &Budget::simulations(10_000)).unwrap();
            let wins = count_wins(&state) == (state.mover() == 0);
            let proven = report.proven.expect("small enough to be proven");
            assert_eq!(proven.score() == 1.0, wins, "{count}, {plies}: {proven}");
            if wins {
                let next = state.apply(&report.best_move);
                assert_eq!(count_wins(&next) == (state.mover() == 0), wins, "{count}, {plies}");
            }
        }
    }
}

#[test]
fn a_player_may_be_alone() {
    count_all::<1>();
}

#[test]
fn players_need_not_take_turns() {
    count_all::<2>();
}
