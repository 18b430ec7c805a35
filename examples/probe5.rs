//! Probe: self-play between two configurations.
use playtree::games::{ConnectFour, Hex, Othello};
use playtree::*;
fn make<G: GameState>(spec: &str, seed: u64) -> Mcts<G> {
    let f: Vec<&str> = spec.split(':').collect();
    let mut b = Mcts::builder().threads(1).seed(seed);
    for o in f {
        let (k, v) = o.split_at(1);
        b = match k {
            "c" => b.selection(Selection::Ucb1 { exploration: v.parse().unwrap() }),
            "a" => b.round_size(RoundSize::Adaptive { most: v.parse().unwrap() }),
            "r" => b.round_size(RoundSize::Fixed(v.parse().unwrap())),
            "f" => b.expansion(Expansion::OnePerSimulation { from_visit: v.parse().unwrap() }),
            "n" => b.proofs(false),
            "t" => b.value_scheme(ValueScheme::Tree),
            _ => b,
        };
    }
    b.build().unwrap()
}
fn play<G: GameState + Notation>(start: &G, a: &str, b: &str, games: u64, sims: u64) {
    let results: Vec<f64> = std::thread::scope(|s| {
        let hs: Vec<_> = (0..2u64).map(|t| s.spawn(move || {
            let mut out = Vec::new();
            let mut g = t;
            while g < games {
                let mut rng = Rng::from_seed(g / 2);
                let mut st = start.clone();
                let mut buf = Vec::new();
                for _ in 0..2 { let m = st.random_move(&mut rng, &mut buf).unwrap(); st = st.apply(&m); }
                let a_side = (g % 2) as usize;
                let mut ea = make::<G>(a, 2 * g); let mut eb = make::<G>(b, 2 * g + 1);
                let o = loop {
                    if let Some(o) = st.outcome() { break o; }
                    let e = if st.mover() == a_side { &mut ea } else { &mut eb };
                    e.clear();
                    let m = e.best_move(&st, &Budget::simulations(sims)).unwrap();
                    st = st.apply(&m);
                };
                out.push(o.score(a_side));
                g += 2;
            }
            out
        })).collect();
        hs.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    let n = results.len() as f64; let m = results.iter().sum::<f64>() / n;
    let sd = (results.iter().map(|r| (r - m).powi(2)).sum::<f64>() / n / n).sqrt();
    println!("{a} vs {b}: {:.1}% +- {:.1}", m * 100.0, sd * 196.0);
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (games, sims) = (a[4].parse().unwrap(), a[5].parse().unwrap());
    match a[1].as_str() {
        "c" => play(&ConnectFour::new(), &a[2], &a[3], games, sims),
        "o" => play(&Othello::new(), &a[2], &a[3], games, sims),
        _ => play(&Hex::default(), &a[2], &a[3], games, sims),
    }
}
