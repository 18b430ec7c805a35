//! Positions reached by several paths: the counter-examples that wrong schemes fail, and
//! games with cycles.
//!
//! The wrong schemes exist only here, in a plain search of an explicit graph:
//! - the exploration term with the child's visits in place of the branch's: a good child that
//!   others have visited much (a magnet) starves at this parent;
//! - the child's visits copied onto the branch: a bad child that others have visited much
//!   looks like the move most tried;
//! - credit for all parents of a child: a parent pays for visits that it never made.
//!
//! The first two are described in D. Wu: Monte-Carlo Graph Search from First Principles
//! (KataGo, 2023), the third as update-all in B. Childs, J. Brodeur and L. Kocsis:
//! Transpositions and Move Groups in Monte Carlo Tree Search, CIG 2008.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use playtree::budget::Depth;
use playtree::game::{Line, RolloutPolicy};
use playtree::mcts::{Expansion, LockPolicy, Parallelism, RoundSize, Selection, Sharing};
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, Mcts, Outcome, Proven, Rng, Scores, SearchError,
    Solvable, Solver, StopReason,
};

// ---- an explicit graph, for one player --------------------------------------------------

/// What follows a position, or its score if it is the end.
#[derive(Debug)]
enum Place {
    Moves(&'static [usize]),
    End(f64),
}

/// A position of an explicit graph.
#[derive(Clone, Copy)]
struct Walk {
    graph: &'static [Place],
    at: usize,
    plies: u32,
}

impl Walk {
    fn at(graph: &'static [Place], at: usize) -> Self {
        Self { graph, at, plies: 0 }
    }
}

impl GameState for Walk {
    type Key = usize;
    type Move = usize;
    const PLAYERS: usize = 1;

    fn key(&self) -> usize {
        self.at
    }

    fn mover(&self) -> usize {
        0
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<usize>) {
        if let Place::Moves(next) = self.graph[self.at] {
            moves.extend(next);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.graph[self.at] {
            Place::Moves(_) => None,
            Place::End(score) => Some(Outcome::Scores(Scores::new(&[score]).unwrap())),
        }
    }

    fn apply(&self, mv: &usize) -> Self {
        Self { at: *mv, plies: self.plies + 1, ..*self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    /// As the library: the branch's visits, the child's value.
    Ours,
    ChildVisitsInExploration,
    ChildVisitsOntoBranch,
    CreditForAllParents,
}

/// A plain search of an explicit graph, with a scheme to choose.
struct Plain {
    graph: &'static [Place],
    scheme: Scheme,
    /// Visits and mean of each position; visits and mean of each of its branches.
    visits: Vec<f64>,
    means: Vec<f64>,
    branches: Vec<Vec<(f64, f64)>>,
}

impl Plain {
    fn new(graph: &'static [Place], scheme: Scheme) -> Self {
        let branches = graph.iter().map(|place| match place {
            Place::Moves(next) => vec![(0.0, 0.0); next.len()],
            Place::End(_) => Vec::new(),
        });
        let (visits, means) = (vec![0.0; graph.len()], vec![0.0; graph.len()]);
        Self { graph, scheme, visits, means, branches: branches.collect() }
    }

    fn search(&mut self, root: usize, simulations: u32) {
        for _ in 0..simulations {
            self.simulate(root);
        }
    }

    /// One simulation from `at`.
    fn simulate(&mut self, at: usize) {
        let next = match self.graph[at] {
            Place::Moves(next) => next,
            Place::End(score) => {
                self.visits[at] += 1.0;
                self.means[at] = score;
                return;
            }
        };
        let total = self.visits[at].max(1.0);
        let score = |branch: usize| {
            let child = next[branch];
            let counted = match self.scheme {
                Scheme::ChildVisitsInExploration => self.visits[child],
                _ => self.branches[at][branch].0,
            };
            let mean = self.means[child];
            if counted == 0.0 { f64::INFINITY } else { mean + 0.7 * (total.ln() / counted).sqrt() }
        };
        let best = (0..next.len()).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap();
        let child = next[best];
        self.simulate(child);
        match self.scheme {
            Scheme::CreditForAllParents => {
                for parent in 0..self.graph.len() {
                    let Place::Moves(next) = self.graph[parent] else { continue };
                    // A parent that was never searched does not know its branches yet.
                    let known = parent == at || self.visits[parent] > 0.0;
                    for branch in (0..next.len()).filter(|&b| known && next[b] == child) {
                        self.branches[parent][branch].0 += 1.0;
                        self.branches[parent][branch].1 = self.means[child];
                    }
                    self.refresh(parent);
                }
            }
            Scheme::ChildVisitsOntoBranch => {
                self.branches[at][best] = (self.visits[child], self.means[child]);
                self.refresh(at);
            }
            _ => {
                self.branches[at][best].0 += 1.0;
                self.branches[at][best].1 = self.means[child];
                self.refresh(at);
            }
        }
    }

    /// The position's visits and mean from its branches.
    fn refresh(&mut self, at: usize) {
        let visits: f64 = self.branches[at].iter().map(|(visits, _)| visits).sum();
        if visits > 0.0 {
            let sum: f64 = self.branches[at].iter().map(|(visits, mean)| visits * mean).sum();
            (self.visits[at], self.means[at]) = (visits, sum / visits);
        }
    }

    /// The move with most visits.
    fn best_move(&self, at: usize) -> usize {
        let Place::Moves(next) = self.graph[at] else { panic!("the end of the game") };
        let visits = |&branch: &usize| self.branches[at][branch].0;
        let best = (0..next.len()).max_by(|a, b| visits(a).total_cmp(&visits(b)));
        next[best.unwrap()]
    }
}

/// Searches from one position after the other, by a scheme and by the library, and returns
/// the moves they play in the last one and its means.
fn play(
    graph: &'static [Place],
    searches: &[(usize, u32)],
    scheme: Scheme,
) -> ((usize, f64), (usize, f64)) {
    let mut plain = Plain::new(graph, scheme);
    let mut mcts =
        Mcts::builder().threads(1).proofs(false).round_size(RoundSize::Fixed(1)).build().unwrap();
    let mut answers = ((0, 0.0), (0, 0.0));
    for &(root, simulations) in searches {
        plain.search(root, simulations);
        let budget = Budget::simulations(u64::from(simulations));
        let report = mcts.search(&Walk::at(graph, root), &budget).unwrap();
        mcts.audit().unwrap();
        answers = ((plain.best_move(root), plain.means[root]), (report.best_move, report.win_rate));
    }
    println!("{scheme:?}: {:?}, the library: {:?}", answers.0, answers.1);
    answers
}

/// 0 is the magnet's parent, 1 the parent in question, 2 the magnet, 3 and up the others.
macro_rules! magnet {
    ($magnet:expr, $others:expr) => {
        &[
            Place::Moves(&[2]),
            Place::Moves(&[2, 4, 5, 6, 7, 8, 9]),
            Place::Moves(&[3]),
            Place::End($magnet),
            Place::End($others),
            Place::End($others),
            Place::End($others),
            Place::End($others),
            Place::End($others),
            Place::End($others),
        ]
    };
}

#[test]
fn a_good_child_does_not_starve_because_others_have_visited_it() {
    static GRAPH: &[Place] = magnet!(0.6, 0.4);
    let searches = [(0, 100_000), (1, 400)];
    let (wrong, ours) = play(GRAPH, &searches, Scheme::ChildVisitsInExploration);
    assert_ne!(wrong.0, 2, "the wrong scheme starves the magnet");
    assert_eq!(ours.0, 2);
    assert_eq!(play(GRAPH, &searches, Scheme::Ours).0.0, 2);
}

#[test]
fn a_bad_child_is_not_played_because_others_have_visited_it() {
    static GRAPH: &[Place] = magnet!(0.4, 0.6);
    let searches = [(0, 100_000), (1, 400)];
    let (wrong, ours) = play(GRAPH, &searches, Scheme::ChildVisitsOntoBranch);
    assert_eq!(wrong.0, 2, "the wrong scheme plays the magnet");
    assert_ne!(ours.0, 2);
    assert!(ours.1 > 0.5 && wrong.1 < 0.5, "{ours:?} {wrong:?}");
    assert_ne!(play(GRAPH, &searches, Scheme::Ours).0.0, 2);
}

#[test]
fn a_parent_does_not_pay_for_visits_that_it_has_not_made() {
    // From 0 the way over 1 is worth 0.6, that over 5 only 0.5. Position 6 sends many visits
    // to 2, which 1 has no use for.
    static GRAPH: &[Place] = &[
        Place::Moves(&[1, 5]),
        Place::Moves(&[2, 4]),
        Place::Moves(&[3]),
        Place::End(0.1),
        Place::End(0.6),
        Place::Moves(&[7]),
        Place::Moves(&[2]),
        Place::End(0.5),
    ];
    let searches = [(0, 100), (6, 10_000), (0, 2_000)];
    let (wrong, ours) = play(GRAPH, &searches, Scheme::CreditForAllParents);
    assert_eq!(wrong.0, 5, "the wrong scheme charges 1 for the visits of 6");
    assert_eq!(ours.0, 1);
    assert!(ours.1 > 0.54, "{ours:?}");
    assert_eq!(play(GRAPH, &searches, Scheme::Ours).0.0, 1);
}

// ---- a tree -----------------------------------------------------------------------------

/// A tree without end whose rollouts add up what they bring the first player.
#[derive(Clone)]
struct Endless {
    path: u64,
    plies: u32,
    /// Sum of the scores, in quarters, and number of rollouts.
    total: Arc<[AtomicU64; 2]>,
}

impl GameState for Endless {
    type Key = (u32, u64);
    type Move = u64;

    fn key(&self) -> Self::Key {
        (self.plies, self.path)
    }

    fn mover(&self) -> usize {
        (self.plies % 2) as usize
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u64>) {
        moves.extend(0..3);
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn apply(&self, mv: &u64) -> Self {
        Self { path: self.path * 3 + mv, plies: self.plies + 1, total: self.total.clone() }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        ByPath
    }
}

struct ByPath;

impl RolloutPolicy<Endless> for ByPath {
    fn play(&self, state: &Endless, rng: &mut Rng) -> Option<Outcome> {
        let quarters = rng.below(5).min(rng.below(4 + (state.path % 3) as usize));
        state.total[0].fetch_add(quarters as u64, Ordering::Relaxed);
        state.total[1].fetch_add(1, Ordering::Relaxed);
        let score = quarters as f64 / 4.0;
        Some(Outcome::Scores(Scores::new(&[score, 1.0 - score]).unwrap()))
    }
}

#[test]
fn on_a_tree_the_value_is_the_mean_of_all_rollouts() {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        for size in [RoundSize::Fixed(1), RoundSize::Fixed(32), RoundSize::default()] {
            for workers in [1, 2] {
                let builder = Mcts::builder().sharing(scheme).round_size(size);
                let mut mcts = builder.threads(workers).oversubscribe(true).build().unwrap();
                let total = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
                let state = Endless { path: 0, plies: 0, total: total.clone() };
                let report = mcts.search(&state, &Budget::simulations(20_000)).unwrap();
                mcts.audit().unwrap();
                let [sum, count] = [0, 1].map(|i| total[i].load(Ordering::Relaxed));
                assert_eq!(count, 20_000);
                // A worker that comes late to a new node may leave a rollout on the branch.
                let tolerance = if workers == 1 { 1e-6 } else { 2e-3 };
                let mean = sum as f64 / 4.0 / count as f64;
                let difference = (report.win_rate - mean).abs();
                assert!(difference < tolerance, "{scheme:?} {size:?} {workers}: {difference}");
            }
        }
    }
}

// ---- paths that meet --------------------------------------------------------------------

/// Ten plies of two moves each; only the sum counts: 66 positions, 1024 paths.
#[derive(Clone)]
struct Sums<const PLAYERS: usize> {
    sum: u32,
    plies: u32,
    applied: Arc<AtomicU64>,
}

impl<const PLAYERS: usize> GameState for Sums<PLAYERS> {
    type Key = (u32, u32);
    type Move = u32;
    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> (u32, u32) {
        (self.plies, self.sum)
    }

    fn mover(&self) -> usize {
        self.plies as usize % PLAYERS
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..2);
    }

    fn outcome(&self) -> Option<Outcome> {
        let first = f64::from(self.sum * 7 % 11) / 10.0;
        let scores = [first, 1.0 - first, 0.5];
        (self.plies == 10).then(|| Outcome::Scores(Scores::new(&scores[..PLAYERS]).unwrap()))
    }

    fn apply(&self, mv: &u32) -> Self {
        self.applied.fetch_add(1, Ordering::Relaxed);
        Self { sum: self.sum + mv, plies: self.plies + 1, applied: self.applied.clone() }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        ToTheEnd
    }
}

struct ToTheEnd;

impl<const PLAYERS: usize> RolloutPolicy<Sums<PLAYERS>> for ToTheEnd {
    fn play(&self, state: &Sums<PLAYERS>, rng: &mut Rng) -> Option<Outcome> {
        let sum = (state.plies..10).map(|_| rng.below(2) as u32).sum::<u32>() + state.sum;
        Sums { sum, plies: 10, ..state.clone() }.outcome()
    }
}

fn sums<const PLAYERS: usize>() -> (Sums<PLAYERS>, Arc<AtomicU64>) {
    let applied = Arc::new(AtomicU64::new(0));
    (Sums { sum: 0, plies: 0, applied: applied.clone() }, applied)
}

/// What the simulations of a round cost that reach a position on several paths: without going on
/// together there they would take a step for each path.
#[test]
fn simulations_that_meet_go_on_together() {
    let (state, applied) = sums::<2>();
    let everywhere = Selection::Ucb1 { exploration: 100.0 };
    let builder = Mcts::builder().threads(1).proofs(false).selection(everywhere);
    let mut mcts = builder.round_size(RoundSize::Fixed(1024)).build().unwrap();
    mcts.search(&state, &Budget::simulations(100 * 1024)).unwrap();
    let before = applied.load(Ordering::Relaxed);
    let report = mcts.search(&state, &Budget::simulations(1024)).unwrap();
    let steps = applied.load(Ordering::Relaxed) - before;
    println!("{steps} steps of 1024 simulations");
    assert_eq!((report.simulations, report.nodes), (1024, 55));
    // Two branches of each position where the game goes on, and what the report asks for.
    assert!(steps < 200, "{steps}");
    mcts.audit().unwrap();
}

/// The counts agree whatever the searches keep of a position, and however they are interrupted.
#[test]
fn simulations_that_have_met_are_counted_once() {
    fn check<const PLAYERS: usize>() {
        for policy in [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer] {
            for selection in [Selection::Ucb1 { exploration: 0.7 }, Selection::Ucb1Tuned] {
                for workers in [1, 2, 8] {
                    let (state, _) = sums::<PLAYERS>();
                    let builder = Mcts::builder().threads(workers).oversubscribe(true);
                    let builder = builder.round_size(RoundSize::Fixed(256)).proofs(false);
                    let builder = builder.lock_policy(policy).selection(selection);
                    let mut mcts = builder.build().unwrap();
                    let counted = mcts.search(&state, &Budget::simulations(50_000)).unwrap();
                    let visits = mcts.audit().unwrap().root_visits;
                    assert_eq!(counted.simulations, 50_000);
                    assert_eq!(visits + counted.dropped, 50_000, "{policy:?} {workers}");
                    let moment = Budget::time(Duration::from_micros(300));
                    let interrupted = mcts.search(&state, &moment).unwrap();
                    let more = mcts.audit().unwrap().root_visits - visits;
                    assert_eq!(more + interrupted.dropped, interrupted.simulations, "{policy:?}");
                }
            }
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
}

// ---- cycles -----------------------------------------------------------------------------

/// Two positions that lead to each other. The first player moves in the first one.
#[derive(Clone, Copy)]
struct Shuttle {
    at: usize,
    plies: u32,
    /// How the game ends if the player at 0, or at 1, leaves; `None`: there is no way out.
    exits: [Option<Outcome>; 2],
    left: Option<usize>,
    repetition: Outcome,
}

impl Shuttle {
    fn new(exits: [Option<Outcome>; 2]) -> Self {
        Self { at: 0, plies: 0, exits, left: None, repetition: Outcome::Draw }
    }
}

impl GameState for Shuttle {
    type Key = (usize, Option<usize>);
    type Move = &'static str;

    fn key(&self) -> Self::Key {
        (self.at, self.left)
    }

    fn mover(&self) -> usize {
        self.at
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<&'static str>) {
        if self.left.is_none() {
            moves.push("go");
            if self.exits[self.at].is_some() {
                moves.push("leave");
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.exits[self.left?]
    }

    fn apply(&self, mv: &&'static str) -> Self {
        let left = (*mv == "leave").then_some(self.at);
        Self { at: 1 - self.at, plies: self.plies + 1, left, ..*self }
    }

    fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
        let cycle = line.cycle();
        // Nothing for a rollout broken off, else the line since the same position.
        if let Some(first) = cycle.first() {
            assert!(first.key() == self.key());
            let plies = cycle.iter().map(|state| state.plies());
            assert!(plies.eq(first.plies()..self.plies()));
        }
        self.repetition
    }
}

/// Searches from position 0, with all schemes and numbers of workers.
fn shuttle(
    state: Shuttle,
    proofs: bool,
    check: impl Fn(playtree::mcts::Report<&'static str>, u64),
) {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        for workers in [1, 2] {
            let mut mcts = Mcts::builder()
                .threads(workers)
                .oversubscribe(true)
                .sharing(scheme)
                .proofs(proofs)
                .rollout_limit(20)
                .build()
                .unwrap();
            for _ in 0..2 {
                let report = mcts.search(&state, &Budget::simulations(1_000)).unwrap();
                let audit = mcts.audit().unwrap();
                check(report, audit.root_visits);
            }
        }
    }
}

#[test]
fn a_cycle_without_a_way_out_is_a_draw_and_no_proof() {
    shuttle(Shuttle::new([None, None]), true, |report, _| {
        assert_eq!(report.stop_reason, StopReason::Simulations);
        assert_eq!((report.proven, report.win_rate), (None, 0.5));
    });
}

#[test]
fn a_way_out_of_a_cycle_that_wins_is_found() {
    for exits in [[Some(Outcome::Win(0)), None], [Some(Outcome::Win(0)), Some(Outcome::Win(1))]] {
        shuttle(Shuttle::new(exits), true, |report, _| {
            assert_eq!(report.best_move, "leave");
            assert_eq!(report.proven, Some(Proven::Win { plies: 1 }));
        });
        shuttle(Shuttle::new(exits), false, |report, _| {
            assert_eq!(report.best_move, "leave");
            assert!(report.win_rate > 0.8, "{report:?}");
        });
    }
}

#[test]
fn a_way_out_for_the_other_side_is_seen() {
    // To go on loses, to leave draws.
    let exits = [Some(Outcome::Draw), Some(Outcome::Win(1))];
    shuttle(Shuttle::new(exits), true, |report, _| {
        assert_eq!(report.best_move, "leave");
        assert_eq!(report.proven, Some(Proven::Draw));
    });
}

#[test]
fn the_value_of_a_repetition_stays_out_of_the_shared_positions() {
    // Whoever comes back to 0 has won, says the game: that is true of the line of play only.
    let repetition = Outcome::Win(0);
    let state = Shuttle { repetition, ..Shuttle::new([None, Some(Outcome::Win(0))]) };
    shuttle(state, false, |report, _| assert!(report.win_rate > 0.9, "{report:?}"));

    // As a value: the visits that came back to 0 are not visits of 0. (With nodes from the
    // second visit on, the first visit of the way back is a rollout, and counts.)
    let mut mcts = Mcts::builder()
        .threads(1)
        .proofs(false)
        .rollout_limit(20)
        .expansion(Expansion::OnePerSimulation { from_visit: 1 })
        .build()
        .unwrap();
    let state = Shuttle { repetition, ..Shuttle::new([None, None]) };
    mcts.search(&state, &Budget::simulations(1_000)).unwrap();
    let audit = mcts.audit().unwrap();
    assert_eq!((audit.nodes, audit.root_visits), (2, 1_000));

    // As a proof: every line from 0 ends in a repetition that wins, and nothing is proven.
    let mut mcts = Mcts::builder().threads(1).rollout_limit(20).build().unwrap();
    for _ in 0..3 {
        let report = mcts.search(&state, &Budget::simulations(1_000)).unwrap();
        assert_eq!((report.proven, report.stop_reason), (None, StopReason::Simulations));
        let other = Shuttle { at: 1, plies: 1, ..state };
        let report = mcts.search(&other, &Budget::simulations(1_000)).unwrap();
        assert_eq!((report.proven, report.stop_reason), (None, StopReason::Simulations));
        mcts.audit().unwrap();
    }
}

#[test]
fn a_line_ends_where_it_comes_back_if_each_has_nodes_of_its_own_too() {
    let way_out = [Some(Outcome::Draw), None];
    for (exits, expected) in [([None, None], 2), (way_out, 2)] {
        let schemes = [Sharing::Shared, Sharing::PerPath];
        let expansions = [
            Expansion::Adaptive,
            Expansion::OnePerSimulation { from_visit: 1 },
            Expansion::Everything,
        ];
        for (scheme, expansion) in schemes.into_iter().flat_map(|s| expansions.map(|e| (s, e))) {
            let builder = Mcts::builder().threads(2).oversubscribe(true).rollout_limit(20);
            let builder = builder.sharing(scheme).expansion(expansion).proofs(false);
            let mut mcts = builder.build().unwrap();
            let state = Shuttle { repetition: Outcome::Win(1), ..Shuttle::new(exits) };
            let report = mcts.search(&state, &Budget::simulations(3_000)).unwrap();
            assert_eq!(mcts.audit().unwrap().nodes, expected, "{scheme:?}, {expansion:?}");
            // Who comes back has lost.
            let win_rate = if exits[0].is_some() { 0.45..0.5 } else { 0.0..1e-9 };
            assert!(win_rate.contains(&report.win_rate), "{scheme:?}, {expansion:?}: {report:?}");
        }
    }
}

/// A way that never ends and never comes back.
#[derive(Clone, Copy)]
struct OneWay(u32);

impl GameState for OneWay {
    type Key = u32;
    type Move = ();

    fn key(&self) -> u32 {
        self.0
    }

    fn mover(&self) -> usize {
        self.0 as usize % 2
    }

    fn plies(&self) -> u32 {
        self.0
    }

    fn moves(&self, moves: &mut Vec<()>) {
        moves.push(());
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn apply(&self, (): &()) -> Self {
        Self(self.0 + 1)
    }
}

#[test]
fn a_simulation_that_expands_everything_goes_no_deeper_than_a_rollout() {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        let builder = Mcts::builder().threads(2).oversubscribe(true).rollout_limit(30);
        let mut mcts = builder.sharing(scheme).expansion(Expansion::Everything).build().unwrap();
        let report = mcts.search(&OneWay(7), &Budget::simulations(100)).unwrap();
        assert_eq!((report.simulations, report.win_rate), (100, 0.5));
        assert_eq!(mcts.audit().unwrap().nodes, 31);
    }
}

/// A step to the left or to the right on a short path, at whose ends a player has won. The game
/// gives only the remainder of the plies played after a division by a number, at least 1: with 1 it
/// never changes.
#[derive(Clone, Copy)]
struct Forgetful {
    at: i32,
    plies: u32,
    told: u32,
}

impl GameState for Forgetful {
    type Key = (i32, usize);
    type Move = i32;

    fn key(&self) -> Self::Key {
        (self.at, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies % self.told
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        if self.outcome().is_none() {
            moves.extend([-1, 1]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at.abs() > 3).then_some(Outcome::Win(usize::from(self.at > 0)))
    }

    fn apply(&self, mv: &i32) -> Self {
        Self { at: self.at + mv, plies: self.plies + 1, ..*self }
    }
}

impl Solvable for Forgetful {}

struct Nothing;

impl Evaluate<Forgetful> for Nothing {
    fn evaluate(&self, _: &Forgetful) -> i32 {
        0
    }
}

#[test]
fn plies_that_do_not_count_are_an_error_and_no_endless_search() {
    let budget = Budget::simulations(3_000);
    for told in [1, 2, 3] {
        let state = Forgetful { at: 0, plies: 0, told };
        for workers in [1, 2] {
            for parallelism in [Parallelism::Shared, Parallelism::Rounds] {
                for expansion in [Expansion::Adaptive, Expansion::Everything] {
                    let builder = Mcts::builder().threads(workers).oversubscribe(true);
                    let builder = builder.parallelism(parallelism).expansion(expansion);
                    let mut mcts = builder.build().unwrap();
                    let error = mcts.search(&state, &budget).unwrap_err();
                    assert_eq!(error, SearchError::Plies { before: told - 1, found: 0 });
                    mcts.audit().unwrap();
                    // The engine is as good as new for a position that counts.
                    mcts.forget();
                    let counts = Forgetful { told: u32::MAX, ..state };
                    assert_eq!(mcts.search(&counts, &budget).unwrap().simulations, 3_000);
                    mcts.audit().unwrap();
                }
            }
        }
        let error = SearchError::Plies { before: told - 1, found: 0 }.to_string();
        let expected = format!("expected one ply more than {} after a move, found 0", told - 1);
        assert!(error.starts_with(&expected), "{error}");
        // The others find a repetition by the key, and look at the depth of a line themselves.
        let mut alphabeta = AlphaBeta::builder(Nothing).threads(1).build().unwrap();
        let report = alphabeta.search(&state, &Budget::nodes(100_000).and(Depth(9))).unwrap();
        assert_eq!(report.depth, 9);
        let solve = |state| {
            let mut solver = Solver::builder().threads(1).build().unwrap();
            solver.solve(state, &Budget::nodes(100_000)).map(|solution| solution.points())
        };
        let counts = Forgetful { told: u32::MAX, ..state };
        assert_eq!(solve(&state), solve(&counts));
    }
}

// ---- what a key does not tell -----------------------------------------------------------

/// Steps of 1 or 2 up to 40; a draw after 15 steps, which the key does not count. Whoever steps on
/// the last position wins.
#[derive(Clone, Copy)]
struct Stairs {
    at: u32,
    plies: u32,
}

impl GameState for Stairs {
    type Key = (u32, usize);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.at, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.outcome().is_none() {
            moves.extend([1, 2]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.at >= 40 {
            Some(Outcome::Win(1 - self.mover()))
        } else {
            (self.plies >= 15).then_some(Outcome::Draw)
        }
    }

    fn apply(&self, mv: &u32) -> Self {
        assert!(self.outcome().is_none(), "a move in a finished game");
        Self { at: self.at + mv, plies: self.plies + 1 }
    }
}

/// In 15 steps no path gets past 30, but a path that has come to a position slowly shares its node
/// with one that has come there fast, and may go on beyond its own end.
#[test]
fn a_path_ends_where_its_game_does() {
    for workers in [1, 2] {
        for expansion in [Expansion::OnePerSimulation { from_visit: 1 }, Expansion::Everything] {
            let builder = Mcts::builder().threads(workers).oversubscribe(true);
            let mut mcts = builder.expansion(expansion).build().unwrap();
            let start = Stairs { at: 0, plies: 0 };
            let report = mcts.search(&start, &Budget::simulations(20_000)).unwrap();
            mcts.audit().unwrap();
            assert_eq!(report.win_rate, 0.5);
        }
    }
}
