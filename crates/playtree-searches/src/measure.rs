//! What a game's own code costs: rollouts without a search.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use playtree::game::RolloutPolicy;
use playtree::{GameState, Outcome, Rng};

/// Random games from `start`, `rollouts` in all, shared among `threads`, a second. The clock runs
/// from the moment when all threads are there until the last one is done.
pub(crate) fn rollouts_per_second<G: GameState>(
    start: &G,
    threads: usize,
    rollouts: u64,
    seed: u64,
) -> f64 {
    /// Rollouts that a thread takes at a time: few, so that all threads end together.
    const BATCH: u64 = 64;
    let ready = Barrier::new(threads + 1);
    let taken = AtomicU64::new(0);
    let begin = thread::scope(|scope| {
        for thread in 0..threads {
            let (ready, taken) = (&ready, &taken);
            scope.spawn(move || {
                let mut rng = Rng::from_seed(seed ^ (thread as u64) << 32);
                let mut buffer = Vec::new();
                let policy = G::rollouts();
                let at_once = policy.side_by_side().min(BATCH as usize);
                let (starts, mut outcomes) = (vec![start; at_once], vec![Outcome::Draw; at_once]);
                ready.wait();
                // Relaxed: the counter hands out work and orders nothing else.
                while let left @ 1.. =
                    rollouts.saturating_sub(taken.fetch_add(BATCH, Ordering::Relaxed))
                {
                    let mut left = left.min(BATCH) as usize;
                    while at_once > 1 && left >= at_once {
                        let starts = black_box(&starts);
                        policy.play_side_by_side(starts, &mut rng, &mut outcomes, &mut []);
                        black_box(&outcomes);
                        left -= at_once;
                    }
                    for _ in 0..left {
                        black_box(rollout(&policy, black_box(start), &mut rng, &mut buffer));
                    }
                }
            });
        }
        ready.wait();
        Instant::now()
    });
    rollouts as f64 / begin.elapsed().as_secs_f64()
}

/// One game of a policy: at once if it can do that, else move by move.
fn rollout<G: GameState>(
    policy: &impl RolloutPolicy<G>,
    start: &G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
) -> Option<Outcome> {
    if let Some(outcome) = policy.play(start, rng) {
        return Some(outcome);
    }
    let mut state = start.clone();
    loop {
        if let Some(outcome) = state.outcome() {
            return Some(outcome);
        }
        let mv = policy.next_move(&state, rng, buffer)?;
        state.apply_in_place(&mv);
    }
}
