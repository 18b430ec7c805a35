//! Throughput probe (temporary).
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::*;
use std::time::Instant;
fn limit<G: GameState>(s: &G, n: u64, threads: usize) -> f64 {
    let t = Instant::now();
    std::thread::scope(|sc| {
        for i in 0..threads {
            sc.spawn(move || {
                let mut rng = Rng::from_seed(i as u64);
                let mut acc = 0.0;
                for _ in 0..n / threads as u64 {
                    acc += s.rollout(&mut rng).unwrap().score(0);
                }
                std::hint::black_box(acc);
            });
        }
    });
    n as f64 / t.elapsed().as_secs_f64()
}
fn one<G: GameState>(name: &str, s: &G, n: u64, threads: usize) {
    let mut best = Vec::new();
    let mut lim = Vec::new();
    let mut info = String::new();
    for seed in 0..3 {
        lim.push(limit(s, n, threads));
        let most = std::env::var("ROUND").ok().and_then(|s| s.parse().ok()).unwrap_or(128);
        let t: u32 = std::env::var("FROM").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
        let mut m = Mcts::<G>::builder()
            .threads(threads)
            .seed(seed)
            .proofs(false)
            .round_size(RoundSize::Adaptive { most })
            .expansion(Expansion::OnePerSimulation { from_visit: t })
            .build()
            .unwrap();
        let r = m.search(s, &Budget::simulations(n)).unwrap();
        best.push(r.simulations_per_second());
        info = format!(
            "nodes {} MB {} best {:?} wr {:.3} contended {}",
            r.nodes,
            r.bytes / 1_000_000,
            r.best_move,
            r.win_rate,
            r.contended
        );
    }
    best.sort_by(f64::total_cmp);
    lim.sort_by(f64::total_cmp);
    println!(
        "{name} x{threads}: {:.0}k/s limit {:.0}k/s ratio {:.2}  {info}",
        best[1] / 1e3,
        lim[1] / 1e3,
        best[1] / lim[1]
    );
}
fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    for threads in [1, 2] {
        if which.is_empty() || which == "t" {
            one("ttt", &TicTacToe::default(), 1_000_000, threads);
        }
        if which.is_empty() || which == "c" {
            one("c4", &ConnectFour::default(), 1_000_000, threads);
        }
        if which.is_empty() || which == "o" {
            one("oth", &Othello::default(), 300_000, threads);
        }
        if which.is_empty() || which == "h" {
            one("hex", &Hex::new(11).unwrap(), 200_000, threads);
        }
    }
}
