//! The table of positions: adding keys and finding them again, with one lock and with
//! shards, by one worker and by two.
//!
//! Each simulation of this game takes a branch that none has taken before and asks the table
//! for one position: a new one (**insert**), or one that was reached from elsewhere (**look
//! up**). The rest of a simulation is the same, so what the table costs is the difference to
//! **no table**, where every path has nodes of its own.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playtree::{Budget, Expansion, GameState, Mcts, Outcome, Rng, RoundSize, Table, ValueScheme};

/// Branches of a root, and simulations of a search: each takes another one.
const BRANCHES: u32 = 60_000;

/// Roots searched one after the other, so that the table outgrows the caches.
const ROOTS: u32 = 6;

/// A root whose branches lead to positions of their own, or the position after a branch.
#[derive(Clone, Copy)]
struct Fan {
    root: u32,
    /// The positions are those of the root with this number, in another order.
    same_as: u32,
    taken: Option<u32>,
}

impl Fan {
    fn new(root: u32, same_as: u32) -> Self {
        Self { root, same_as, taken: None }
    }
}

impl GameState for Fan {
    type Key = u64;
    type Move = u32;

    fn key(&self) -> u64 {
        match self.taken {
            None => u64::from(self.root) << 32,
            // 7 919 is a prime that does not divide the branches: a permutation of them.
            Some(branch) if self.root != self.same_as => {
                u64::from(self.same_as) << 32 | u64::from(branch * 7_919 % BRANCHES + 1)
            }
            Some(branch) => u64::from(self.root) << 32 | u64::from(branch + 1),
        }
    }

    fn mover(&self) -> usize {
        usize::from(self.taken.is_some())
    }

    fn plies(&self) -> u32 {
        u32::from(self.taken.is_some())
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..BRANCHES);
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn apply(&self, mv: &u32) -> Self {
        Self { taken: Some(*mv), ..*self }
    }

    fn rollout(&self, _rng: &mut Rng) -> Option<Outcome> {
        Some(Outcome::Draw)
    }
}

fn engine(scheme: ValueScheme, table: Table, workers: usize) -> Mcts<Fan> {
    Mcts::builder()
        .threads(workers)
        .oversubscribe(true)
        .proofs(false)
        .value_scheme(scheme)
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

/// Roots with positions of their own.
fn first_roots() -> impl Iterator<Item = Fan> {
    (0..ROOTS).map(|root| Fan::new(root, root))
}

/// Roots that lead to the positions of the first ones.
fn other_roots() -> impl Iterator<Item = Fan> {
    (0..ROOTS).map(|root| Fan::new(ROOTS + root, root))
}

fn table(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(u64::from(ROOTS * BRANCHES)));
    let per_root = u64::from(BRANCHES) + 1;
    for workers in [1, 2] {
        let kinds = [
            ("no table", ValueScheme::Tree, Table::OneLock),
            ("one lock", ValueScheme::Graph, Table::OneLock),
            ("64 shards", ValueScheme::Graph, Table::Shards(64)),
        ];
        for (kind, scheme, table) in kinds {
            let mut mcts = engine(scheme, table, workers);
            let (_, inserted) = search(&mut mcts, first_roots());
            let (_, found) = search(&mut mcts, other_roots());
            mcts.audit().expect("the counts agree");
            let expected = u64::from(ROOTS) * per_root;
            if workers == 1 {
                assert_eq!(inserted, expected, "{kind}: a branch was taken twice");
            }
            if scheme == ValueScheme::Graph && workers == 1 {
                assert_eq!(found, expected + u64::from(ROOTS), "{kind}: a key was not found");
            }

            group.bench_function(format!("insert, {kind}, workers: {workers}"), |b| {
                b.iter_custom(|times| {
                    let once = |_| search(&mut engine(scheme, table, workers), first_roots()).0;
                    (0..times).map(once).sum()
                });
            });
            if scheme == ValueScheme::Tree {
                continue;
            }
            group.bench_function(format!("look up, {kind}, workers: {workers}"), |b| {
                b.iter_custom(|times| {
                    let once = |_| {
                        let mut mcts = engine(scheme, table, workers);
                        search(&mut mcts, first_roots());
                        search(&mut mcts, other_roots()).0
                    };
                    (0..times).map(once).sum()
                });
            });
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
