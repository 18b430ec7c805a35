//! Probe.
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::*;
fn go<G: GameState>(s: &G, n: u64, th: usize) {
    for seed in 0..3 {
        let mut m = Mcts::builder()
            .threads(th)
            .seed(seed)
            .proofs(false)
            .round_size(RoundSize::Adaptive {
                most: std::env::var("R").map_or(128, |r| r.parse().unwrap()),
            })
            .build()
            .unwrap();
        let r = m.search(s, &Budget::simulations(n)).unwrap();
        println!("{:.0}k/s nodes {}", r.simulations_per_second() / 1e3, r.nodes);
    }
}
fn main() {
    let th = std::env::args().nth(2).map_or(1, |s| s.parse().unwrap());
    match std::env::args().nth(1).as_deref() {
        Some("t") => go(&TicTacToe::new(), 3_000_000, th),
        Some("h") => go(&Hex::default(), 500_000, th),
        Some("o") => go(&Othello::new(), 300_000, th),
        _ => go(&ConnectFour::new(), 1_000_000, th),
    }
}
