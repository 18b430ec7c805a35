//! Minimal: only safe code, a key that is not always the same, a memory limit. Under valgrind it
//! shows whether freed memory is read.

use std::sync::atomic::{AtomicU32, Ordering};

use playtree::{Budget, GameState, Mcts, Outcome};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[arg(default_value_t = 60_000)]
    simulations: u64,
    #[arg(default_value_t = 100_000)]
    memory_limit: usize,
}

static CALLS: AtomicU32 = AtomicU32::new(0);

#[derive(Clone)]
struct Game {
    at: u32,
    plies: u32,
}

impl GameState for Game {
    // Owns memory.
    type Key = Box<[u32; 3]>;
    type Move = u8;

    // Wrong, but safe: two calls for one position give different keys.
    fn key(&self) -> Self::Key {
        Box::new([self.at, self.plies, CALLS.fetch_add(1, Ordering::Relaxed) % 2])
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.plies < 40 {
            moves.extend(0..4);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 40).then_some(Outcome::Win(self.at as usize % 2))
    }

    fn apply(&self, mv: &u8) -> Self {
        let at = (self.at ^ (u32::from(*mv) + 1)).wrapping_mul(0x9e37_79b1) >> 3;
        Self { at, plies: self.plies + 1 }
    }
}

pub(crate) fn run(args: &Args) -> String {
    let builder = Mcts::builder().threads(1).rollout_limit(1);
    let mut mcts = builder.memory_limit(Some(args.memory_limit)).build().unwrap();
    let start = Game { at: 1, plies: 0 };
    let report = mcts.search(&start, &Budget::simulations(args.simulations)).unwrap();
    format!("{} evicted, {} simulations", report.evicted, report.simulations)
}
