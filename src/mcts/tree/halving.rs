//! Halving: why no search ends because of a counter.
//!
//! The visits of a node and of its edges are counted in 32 bits, and the sum of their scores, in
//! multiples of 2^-28, in 64. When a node has [`HALVED_FROM`] visits, all its counts are halved,
//! those of its edges and its own rollouts, and its sums are made anew of the halves. What the
//! counts are for stays as it was: the mean, the shares of the branches, the order of the branches.
//! What has been seen by then has half its weight beside what comes.
//!
//! It is done under the node's write lock, so all that [`audit`](crate::mcts::Mcts::audit) says of
//! a node and its edges holds before and after, exactly; and since nothing is said of the counts of
//! two nodes, a node needs no other for it. What was equal and no longer is: the visits of a node
//! and the simulations that have passed it. For the root of a search the visits that were [`Taken`]
//! are kept beside it in 64 bits, so there the sum of both is the number of simulations still, and
//! reports and rules are given that.

use crate::game::GameState;
use crate::lock::ReadGuard;
use crate::sync::{MutexGuard, Ordering};

use super::Tree;
use super::node::{Counters, EdgeStats, Node, NodeId};
use super::taken::Taken;
use super::value::Bounds;

/// Visits of a node at which its counts are halved. Less than half of what 32 bits hold: a node may
/// [adopt](crate::mcts::round) the visits of an edge, fewer than this, and get those of all rounds
/// under way before the next look.
pub(crate) const HALVED_FROM: u32 = 1 << 31;

/// Visits that a node has kept, at least, whose counts were ever halved.
const KEPT: u32 = HALVED_FROM / 2;

/// A count after halving. A branch that was visited stays so.
fn half(visits: u32) -> u32 {
    visits.div_ceil(2)
}

/// A sum over `visits` as one over `kept` of them, with the same mean.
fn part(sum: u64, visits: u32, kept: u32) -> u64 {
    let (sum, visits) = (u128::from(sum), u128::from(visits.max(1)));
    ((sum * u128::from(kept) + visits / 2) / visits) as u64
}

/// Halves the counts of a node that has come to [`HALVED_FROM`] visits. Under its write lock; its
/// mean must be worked out anew before the lock is freed.
#[inline]
pub(crate) fn keep_in_range<G: GameState>(tree: &Tree<G>, id: NodeId, node: &Node) {
    // Half of almost 2^32 visits, rounded up, may still be too many.
    while node.visits() >= HALVED_FROM {
        halve(tree, id, node);
    }
}

#[cold]
fn halve<G: GameState>(tree: &Tree<G>, id: NodeId, node: &Node) {
    let relaxed = Ordering::Relaxed;
    let edges = tree.edges_of(node);
    let own = node.own();
    let kept_own = half(own);

    // What is left of the sums without the edges is that of the own rollouts.
    if let Some(planes) = tree.planes() {
        for (plane, total) in planes.totals.range(id.0, 1).iter().enumerate() {
            let (mut of_own, mut sum) = (total.load(relaxed), 0);
            for (index, edge) in tree.indexed_edges(node) {
                let seen = u64::from(planes.seen.range(index, 1)[plane].load(relaxed));
                let visits = edge.stats().visits;
                of_own = of_own.saturating_sub(u64::from(visits) * seen);
                sum += u64::from(half(visits)) * seen;
            }
            total.store(sum + part(of_own, own, kept_own), relaxed);
        }
    }

    let (mut of_own, mut score) = (node.score(), 0);
    let (mut visits, mut lost) = (kept_own, 0);
    let mut taken = tree.taken_to_add_to(id, edges.len());
    if let Some(taken) = &mut taken {
        taken.all += u64::from(own - kept_own);
    }
    for (number, edge) in edges.iter().enumerate() {
        let EdgeStats { visits: before, value } = edge.stats();
        let kept = half(before);
        of_own = of_own.saturating_sub(u64::from(before) * u64::from(value.score()));
        score += u64::from(kept) * u64::from(value.score());
        visits += kept;
        lost += if value.bounds() == Bounds::Loss { kept } else { 0 };
        edge.set_stats(EdgeStats { visits: kept, value });
        if let Some(taken) = &mut taken {
            taken.all += u64::from(before - kept);
            taken.of_edges[number] += u64::from(before - kept);
        }
    }
    node.set_counters(Counters {
        visits,
        own: kept_own,
        // Without proofs a branch that is lost counts like any other.
        lost: if tree.proofs() { lost } else { 0 },
        score: score + part(of_own, own, kept_own),
    });
}

/// The visits of a root and its edges with those that were taken, while this is held. No code of
/// the user's may run meanwhile.
#[derive(Debug)]
pub(crate) struct FullCounts<'a> {
    /// With it no halving is under way.
    _held: Option<ReadGuard<'a>>,
    taken: Option<MutexGuard<'a, Taken>>,
}

impl<'a> FullCounts<'a> {
    /// Those of a node. Its lock is taken only where there was a halving, or may soon be one.
    pub(crate) fn of<G: GameState>(tree: &'a Tree<G>, id: NodeId) -> Self {
        let node = tree.node(id);
        // A worker that sees fewer visits reads all of them long before their number has doubled.
        if node.visits() < KEPT {
            return Self { _held: None, taken: None };
        }
        Self { _held: Some(node.lock().read()), taken: tree.taken_from(id) }
    }

    /// The visits taken from all of the node.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.as_ref().map_or(0, |taken| taken.all)
    }

    /// The visits taken from one of its edges.
    pub(crate) fn taken_of(&self, edge: usize) -> u64 {
        let taken = self.taken.as_ref().and_then(|taken| taken.of_edges.get(edge));
        taken.copied().unwrap_or(0)
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use std::fmt::Debug;

    use super::{HALVED_FROM, part};
    use crate::budget::{Budget, StopReason};
    use crate::game::{GameState, Outcome};
    use crate::games::{ConnectFour, Hex};
    use crate::mcts::claims::Claims;
    use crate::mcts::exchange::{self, Exchange};
    use crate::mcts::tree::node::{Counters, EdgeStats, NodeId};
    use crate::mcts::tree::update;
    use crate::mcts::tree::value::ONE;
    use crate::mcts::{
        Expansion, LockPolicy, Mcts, MctsBuilder, Options, Parallelism, Selection, Sharing,
    };
    use crate::save::{self, GameTag};
    use crate::sync::Ordering;

    /// Six plies of three players, each of three moves.
    #[derive(Clone, Debug)]
    struct Three {
        number: u64,
        plies: u32,
    }

    impl GameState for Three {
        type Key = (u64, u32);
        type Move = u64;
        const PLAYERS: usize = 3;

        fn key(&self) -> (u64, u32) {
            (self.number, self.plies)
        }

        fn mover(&self) -> usize {
            self.plies as usize % 3
        }

        fn plies(&self) -> u32 {
            self.plies
        }

        fn moves(&self, moves: &mut Vec<u64>) {
            if self.plies < 6 {
                moves.extend(0..3);
            }
        }

        fn outcome(&self) -> Option<Outcome> {
            let winner = self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
            (self.plies == 6).then_some(Outcome::Win(winner as usize % 3))
        }

        fn apply(&self, mv: &u64) -> Self {
            // Many ways lead to a position.
            Self {
                number: self.number + mv * (1 + u64::from(self.plies) % 2),
                plies: self.plies + 1,
            }
        }
    }

    /// Multiplies the counts of a node and its edges, so that it has this many visits, as after a
    /// search of hours; what is left over are rollouts of its own.
    fn bring_to<G: GameState>(mcts: &Mcts<G>, id: NodeId, visits: u32) {
        let (tree, relaxed) = (&mcts.tree, Ordering::Relaxed);
        let node = tree.node(id);
        let Some(times @ 1..) = visits.checked_div(node.visits()) else { return };
        node.set_counters(Counters {
            visits: node.visits() * times,
            own: node.own() * times,
            lost: node.lost() * times,
            score: node.score() * u64::from(times),
        });
        for edge in tree.edges_of(node) {
            let EdgeStats { visits, value } = edge.stats();
            edge.set_stats(EdgeStats { visits: visits * times, value });
        }
        let more = visits - node.visits();
        let mut sums = Vec::new();
        if let Some(planes) = tree.planes() {
            for total in planes.totals.range(id.0, 1) {
                total.store(total.load(relaxed) * u64::from(times), relaxed);
                let mean = total.load(relaxed) / u64::from(node.visits());
                sums.push(mean.min(ONE.into()) * u64::from(more));
            }
        }
        let sum = u64::from(more) * u64::from(node.value().score());
        update::apply_own(tree, id, node, more, sum, &sums);
        update::refresh_mean(tree, node);
    }

    /// Brings all nodes to a few visits before their counts are halved.
    fn bring_near<G: GameState>(mcts: &Mcts<G>) {
        let left = |id: NodeId| 1 + id.0 % 40;
        for (id, _) in mcts.tree.nodes_in_use(0..mcts.tree.node_indices()) {
            bring_to(mcts, id, HALVED_FROM - left(id));
        }
    }

    fn builder<G: GameState>(workers: usize) -> MctsBuilder<G> {
        Mcts::builder().threads(workers).oversubscribe(true)
    }

    fn simulations(count: u64) -> Budget {
        Budget::simulations(count)
    }

    /// Twice over the edge with all nodes. Returns how many of them were evicted.
    fn cross<G: GameState + Debug>(builder: MctsBuilder<G>, state: &G) -> u64 {
        let name = format!("{builder:?}");
        let mut mcts = builder.build().unwrap();
        // Without a table too each goes on from the one before.
        let search = |mcts: &mut Mcts<G>, count| {
            let (budget, options) = (simulations(count), Options::default());
            let claims = Claims::start(&budget);
            (mcts.compiled_run)(mcts, (state, &budget, &options), &claims, true, &mut |_| ())
                .unwrap()
        };
        search(&mut mcts, 2_000);
        let mut evicted = 0;
        for _ in 0..2 {
            bring_near(&mcts);
            let known = search(&mut mcts, 0);
            let before = mcts.audit().expect(&name);
            let report = search(&mut mcts, 4_000);
            let after = mcts.audit().expect(&name);
            assert_eq!((report.simulations, report.stop_reason), (4_000, StopReason::Simulations));
            let new = 4_000 - report.dropped;
            assert_eq!(after.root_visits, before.root_visits + new, "{name}");
            assert_eq!(report.visits(), known.visits() + new, "{name}");
            // What an edge says of its child is as old as its last visit. The visits of other
            // workers may have changed the child since, and one more visit brings what they found.
            let known = if report.workers == 1 { &known.scores[..] } else { &[] };
            for (now, before) in report.scores.iter().zip(known) {
                assert!((now - before).abs() < 0.02, "{name}: {now}, before {before}");
            }
            let root = mcts.tree.node(mcts.last_root.unwrap()).visits();
            assert!((1 << 30..(1 << 30) + 10_000).contains(&root), "{name}: {root} visits");
            evicted += report.evicted;
        }
        evicted
    }

    #[test]
    fn no_search_ends_because_of_a_counter() {
        let tuned = Selection::Ucb1Tuned;
        let (start, three) = (ConnectFour::new(), Three { number: 0, plies: 0 });
        for workers in [1, 2] {
            for policy in [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer] {
                cross(builder(workers).lock_policy(policy), &start);
                cross(builder(workers).lock_policy(policy).selection(tuned), &start);
                cross(builder(workers).lock_policy(policy), &three);
            }
            cross(builder(workers).selection(tuned), &three);
            cross(builder(workers).parallelism(Parallelism::Rounds), &start);
            cross(builder(workers).parallelism(Parallelism::Simulated { workers: 3 }), &start);
            cross(builder(workers).sharing(Sharing::PerPath), &start);
            cross(builder(workers).expansion(Expansion::Everything).proofs(false), &start);
            cross(builder(workers), &Hex::new(5).unwrap());
            assert!(cross(builder(workers).memory_limit(Some(100_000)), &start) > 0);
        }
    }

    #[test]
    fn an_engine_makes_more_simulations_than_its_counters_hold() {
        let mut mcts = Mcts::<ConnectFour>::builder().threads(1).build().unwrap();
        (mcts.simulations, mcts.searches) = (1_000_000_000_000, u64::MAX);
        let report = mcts.search(&ConnectFour::new(), &simulations(1_000)).unwrap();
        assert_eq!((report.simulations, mcts.simulations), (1_000, 1_000_000_001_000));
        assert_eq!(mcts.searches, 0);
    }

    #[test]
    fn halving_keeps_the_mean_and_the_shares() {
        let mut mcts = Mcts::<ConnectFour>::builder().threads(1).proofs(false).build().unwrap();
        mcts.search(&ConnectFour::new(), &simulations(5_000)).unwrap();
        let root = mcts.last_root.unwrap();
        bring_to(&mcts, root, HALVED_FROM);
        let node = mcts.tree.node(root);
        let shares = || {
            let edges = mcts.tree.edges_of(node).iter();
            edges.map(|edge| f64::from(edge.stats().visits) / f64::from(node.visits()))
        };
        let (mean, before): (_, Vec<_>) = (node.value(), shares().collect());
        let value = update::refresh(&mcts.tree, (root, node), update::Narrowed::NOTHING);
        assert!(value.score().abs_diff(mean.score()) <= 1);
        assert!(node.visits().abs_diff(HALVED_FROM / 2) < 10);
        assert!(shares().zip(before).all(|(now, before)| (now - before).abs() < 1e-8));
        mcts.audit().unwrap();
        // Sums of the largest counts have room; what is left over is rounded to the nearest.
        let most = u64::from(u32::MAX) * u64::from(ONE);
        assert_eq!(part(most, u32::MAX, 1 << 31), u64::from(ONE) << 31);
        assert_eq!([part(0, 0, 0), part(7, 2, 1), part(5, 3, 2)], [0, 4, 3]);
    }

    #[test]
    fn reports_never_fall_where_counts_are_halved() {
        let mut mcts =
            Mcts::builder().threads(2).oversubscribe(true).proofs(false).build().unwrap();
        mcts.search(&ConnectFour::new(), &simulations(3_000)).unwrap();
        let root = mcts.last_root.unwrap();
        bring_to(&mcts, root, HALVED_FROM - 10_000);
        let mut thinking = mcts.start(&ConnectFour::new(), &simulations(40_000));
        let (mut visits, mut over) = (0, false);
        while !over {
            let report = thinking.report().expect("no error and no panic");
            assert!(report.visits() >= visits, "{} after {visits}", report.visits());
            visits = report.visits();
            over = report.stop_reason != StopReason::Running;
        }
        let report = thinking.wait().unwrap();
        assert_eq!((report.simulations, report.visits() > visits / 2), (40_000, true));
    }

    #[test]
    fn counts_near_the_edge_are_exchanged() {
        let start = ConnectFour::new();
        let mut engines = [1, 2].map(|seed| builder(1).seed(seed).build().unwrap());
        let mut exchanges = [Exchange::new(), Exchange::new()];
        let mut absorbed = Vec::new();
        for round in 0..8 {
            for engine in &mut engines {
                engine.search(&start, &simulations(2_000)).unwrap();
            }
            if round % 3 == 1 {
                bring_near(&engines[round % 2]);
            }
            let lines = exchanges[0].lines(&mut engines[0], 50).unwrap();
            let mut sum = vec![0; lines.words()];
            for (exchange, engine) in exchanges.iter_mut().zip(&mut engines) {
                exchange::add(&mut sum, &exchange.share(engine, &lines).unwrap());
            }
            for (exchange, engine) in exchanges.iter_mut().zip(&mut engines) {
                absorbed.push(exchange.absorb(engine, &sum).unwrap().visits);
                engine.audit().unwrap();
            }
        }
        // As much as a share says of that many visits.
        assert!(absorbed.iter().any(|visits| (1 << 22..=1 << 23).contains(visits)), "{absorbed:?}");
    }

    #[test]
    fn counts_near_the_edge_are_saved_loaded_and_merged() {
        let (start, tag) = (ConnectFour::new(), GameTag::new("connect4", 1));
        let name = format!("playtree-halving-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let engine = || Mcts::<ConnectFour>::builder().threads(1).build().unwrap();
        // Of an older version there may be more visits than a search leaves.
        for visits in [HALVED_FROM - 1, HALVED_FROM, u32::MAX] {
            let mut mcts = engine();
            mcts.search(&start, &simulations(3_000)).unwrap();
            for (id, _) in mcts.tree.nodes_in_use(0..mcts.tree.node_indices()) {
                bring_to(&mcts, id, visits);
            }
            let rate = mcts.search(&start, &simulations(0)).unwrap().win_rate;
            (mcts.simulations, mcts.searches) = (1 << 40, u64::MAX);
            let saved = mcts.save(&path, &tag, &save::Options::default()).unwrap();
            let search = saved.search().unwrap();
            assert_eq!((search.simulations, search.searches), (1 << 40, u64::MAX));

            let mut other = engine();
            assert_eq!(other.load(&path, &tag).unwrap().info, saved);
            let check = |other: &mut Mcts<ConnectFour>| {
                other.audit().unwrap();
                let report = other.search(&start, &simulations(2_000)).unwrap();
                assert_eq!(report.simulations, 2_000);
                assert!((report.win_rate - rate).abs() < 0.01, "{} and {rate}", report.win_rate);
                other.audit().unwrap();
            };
            check(&mut other);
            for times in 2..5 {
                other.merge(&path, &tag).unwrap();
                assert!(other.simulations >= times << 40);
                check(&mut other);
            }
        }
        std::fs::remove_file(&path).unwrap();
    }
}
