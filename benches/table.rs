//! The table of positions: adding keys and finding them again, with one lock and with
//! shards, by one worker and by two.
//!
//! Each simulation of this game takes a branch that none has taken before and asks the table
//! for one position: a new one (**insert**), or one that was reached from elsewhere (**look
//! up**). The rest of a simulation is the same whatever the table, so what an insertion costs
//! is the difference to **no table**, where every path has nodes of its own. A simulation
//! that looks up walks one ply more: compare it with its like only.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playtree::game::RolloutPolicy;
use playtree::mcts::{Expansion, RoundSize, Sharing, TableLocks};
use playtree::{Budget, GameState, Mcts, Outcome, Rng};

/// Branches of a root, and simulations of a search: each takes another one.
const BRANCHES: u32 = 60_000;

/// Roots searched one after the other, so that the table outgrows the caches.
const ROOTS: u32 = 4;

/// A root with many branches, the position after one, or the end of the game after that.
#[derive(Clone, Copy)]
struct Fan {
    root: u32,
    /// The branches lead to the positions of the root with this number, in another order.
    same_as: u32,
    taken: Option<u32>,
    plies: u32,
}

impl GameState for Fan {
    type Key = u64;
    type Move = u32;

    fn key(&self) -> u64 {
        let Some(branch) = self.taken else { return u64::from(self.root) << 32 };
        // Another order at each root: a prime that does not divide the number of branches.
        let place = if self.root == self.same_as { branch } else { branch * 7_919 % BRANCHES };
        u64::from(self.same_as) << 32 | u64::from(place + 1)
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        match self.plies {
            0 => moves.extend(0..BRANCHES),
            1 => moves.push(0),
            _ => {}
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 2).then_some(Outcome::Draw)
    }

    fn apply(&self, mv: &u32) -> Self {
        Self { taken: self.taken.or(Some(*mv)), plies: self.plies + 1, ..*self }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        AlwaysADraw
    }
}

struct AlwaysADraw;

impl RolloutPolicy<Fan> for AlwaysADraw {
    fn play(&self, _: &Fan, _rng: &mut Rng) -> Option<Outcome> {
        Some(Outcome::Draw)
    }
}

fn engine(scheme: Sharing, table: TableLocks, workers: usize) -> Mcts<Fan> {
    Mcts::builder()
        .threads(workers)
        .oversubscribe(true)
        .proofs(false)
        .sharing(scheme)
        .table(table)
        // Every simulation reaches a node at once, and looks at few branches to choose one.
        .expansion(Expansion::OnePerSimulation { from_visit: 1 })
        .round_size(RoundSize::Fixed(4_096))
        .build()
        .expect("the settings are in range")
}

/// Searches each root, and returns the time and the nodes held then.
fn search(mcts: &mut Mcts<Fan>, roots: impl Iterator<Item = Fan>) -> (Duration, u64) {
    let (mut spent, mut nodes) = (Duration::ZERO, 0);
    let budget = Budget::simulations(u64::from(BRANCHES));
    for root in roots {
        let start = Instant::now();
        let report = mcts.search(&root, &budget).expect("the root can be searched");
        spent += start.elapsed();
        nodes = report.nodes;
    }
    (spent, nodes)
}

/// Roots that lead to the same positions, but for their own; the first time these are new.
fn roots(turn: u32) -> impl Iterator<Item = Fan> {
    (0..ROOTS).map(move |same_as| Fan {
        root: ROOTS * turn + same_as,
        same_as,
        taken: None,
        plies: 0,
    })
}

/// The time of a search that inserts everything it reaches.
fn insert(mcts: &mut Mcts<Fan>) -> (Duration, u64) {
    mcts.forget();
    search(mcts, roots(0))
}

/// The time of a search that finds everything it reaches.
fn look_up(mcts: &mut Mcts<Fan>) -> (Duration, u64) {
    insert(mcts);
    // The second visit of a position gives it its edge.
    search(mcts, roots(1));
    search(mcts, roots(2))
}

fn table(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(u64::from(ROOTS * BRANCHES)));
    let inserted = u64::from(ROOTS) * (u64::from(BRANCHES) + 1);
    for workers in [1, 2] {
        let kinds = [
            ("no table", Sharing::PerPath, TableLocks::OneLock),
            ("one lock", Sharing::Shared, TableLocks::OneLock),
            ("64 shards", Sharing::Shared, TableLocks::Shards(64)),
        ];
        for (kind, scheme, table) in kinds {
            let mut mcts = engine(scheme, table, workers);
            let (_, nodes) = insert(&mut mcts);
            mcts.audit().expect("the counts agree");
            // Two workers may choose the same branches at the same moment: about one in ten.
            assert!(nodes <= inserted && 10 * nodes >= 8 * inserted, "{kind}: {nodes} nodes");
            assert!(nodes == inserted || workers > 1, "{kind}: {nodes} nodes");
            group.bench_function(format!("insert, {kind}, workers: {workers}"), |b| {
                b.iter_custom(|times| (0..times).map(|_| insert(&mut mcts).0).sum());
            });

            if scheme == Sharing::Shared {
                let (_, nodes) = look_up(&mut mcts);
                mcts.audit().expect("the counts agree");
                // Only the roots are new.
                let known = inserted + 2 * u64::from(ROOTS);
                assert!(nodes <= known, "{kind}: {nodes} nodes");
                assert!(nodes == known || workers > 1, "{kind}: {nodes} nodes");
                group.bench_function(format!("look up, {kind}, workers: {workers}"), |b| {
                    b.iter_custom(|times| (0..times).map(|_| look_up(&mut mcts).0).sum());
                });
            }
        }
    }
    group.finish();
}

criterion_group! {
    name = tables;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_secs(1));
    targets = table
}
criterion_main!(tables);
